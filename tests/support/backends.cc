#include "tests/support/backends.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

namespace tessera::testing {
namespace {

struct Registry {
  std::vector<AddedExecutor> added;
  bool cpu_targets = true;
};

Registry& Executors() {
  static auto& registry = *new Registry;
  return registry;
}

const AddedExecutor* FindAdded(const std::string& name) {
  for (const AddedExecutor& executor : Executors().added) {
    if (executor.name == name) return &executor;
  }
  return nullptr;
}

std::vector<BackendSpec> BuiltInBackends(int more_threads) {
  std::vector<BackendSpec> specs = {{"scalar", 1}};
  if (!Executors().cpu_targets) return specs;
  for (const std::string& target : CpuTargets()) {
    specs.push_back({target, 1});
    specs.push_back({target, more_threads});
  }
  return specs;
}

// The chance of the running test, and how often it was asked.
struct Chance {
  const ::testing::TestInfo* test = nullptr;
  std::mt19937_64 engine;
  bool first = true;

  void Follow(const ::testing::TestInfo* running) {
    if (running == test && !first) return;
    test = running;
    const std::string name =
        running == nullptr ? "" : std::string(running->test_suite_name()) + running->name();
    std::seed_seq seed(name.begin(), name.end());
    engine.seed(seed);
    first = true;
  }
};

size_t HowMany(Chance& chance, double wanted) {
  const auto whole = static_cast<size_t>(wanted);
  const double rest = wanted - static_cast<double>(whole);
  const size_t n = whole + (static_cast<double>(chance.engine() >> 11) * 0x1p-53 < rest ? 1 : 0);
  return n == 0 && chance.first ? 1 : n;
}

const AddedExecutor& PickByWeight(Chance& chance) {
  uint64_t all = 0;
  for (const AddedExecutor& executor : Executors().added) all += executor.weight;
  uint64_t at = chance.engine() % all;
  for (const AddedExecutor& executor : Executors().added) {
    if (at < static_cast<uint64_t>(executor.weight)) return executor;
    at -= executor.weight;
  }
  std::abort();
}

}  // namespace

bool AddExecutor(AddedExecutor executor) {
  Executors().added.push_back(std::move(executor));
  return true;
}

bool LeaveOutCpuTargets() {
  Executors().cpu_targets = false;
  return true;
}

bool IsAdded(const BackendSpec& spec) { return FindAdded(spec.target) != nullptr; }

std::string Describe(const BackendSpec& spec) {
  if (spec.target == "scalar" || IsAdded(spec)) return spec.target;
  return spec.target + " x" + std::to_string(spec.threads);
}

std::string BackendTestName(const BackendSpec& spec) {
  std::string name = Describe(spec);
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

std::vector<BackendSpec> AllBackends(int more_threads) {
  std::vector<BackendSpec> specs = BuiltInBackends(more_threads);
  for (const AddedExecutor& executor : Executors().added) specs.push_back({executor.name, 1});
  return specs;
}

std::vector<BackendSpec> NextBackends(int more_threads) {
  static Chance chance;
  const char* wanted = std::getenv("TESSERA_ADDED_EXECUTORS");
  if (wanted == nullptr || Executors().added.empty()) return AllBackends(more_threads);
  chance.Follow(::testing::UnitTest::GetInstance()->current_test_info());
  std::vector<BackendSpec> specs = BuiltInBackends(more_threads);
  for (size_t i = HowMany(chance, std::atof(wanted)); i > 0; --i) {
    specs.push_back({PickByWeight(chance).name, 1});
  }
  chance.first = false;
  return specs;
}

absl::StatusOr<std::unique_ptr<Backend>> MakeBackend(const BackendSpec& spec) {
  const AddedExecutor* added = FindAdded(spec.target);
  if (added != nullptr) return added->make();
  if (spec.target == "scalar") return MakeScalarBackend();
  return MakeCpuBackend({.threads = spec.threads, .target = spec.target});
}

std::string WantedName(const BackendSpec& spec) {
  const AddedExecutor* added = FindAdded(spec.target);
  if (added != nullptr) return added->runs;
  return spec.target == "scalar" ? "scalar" : "cpu/" + spec.target;
}

Backend& SharedBackend(const BackendSpec& spec) {
  static auto& made = *new std::map<std::string, std::unique_ptr<Backend>>;
  std::unique_ptr<Backend>& backend = made[Describe(spec)];
  if (backend != nullptr) return *backend;
  auto result = MakeBackend(spec);
  const std::string wanted = WantedName(spec);
  if (!result.ok() || (*result)->name() != wanted) {
    std::fprintf(stderr, "wanted the executor %s, got %s\n", wanted.c_str(),
                 result.ok() ? (*result)->name().c_str() : result.status().ToString().c_str());
    std::abort();
  }
  backend = *std::move(result);
  return *backend;
}

Backend& BestBackend() {
  const std::vector<std::string> targets = CpuTargets();
  return SharedBackend({targets.empty() ? "scalar" : targets.front(), 1});
}

}  // namespace tessera::testing
