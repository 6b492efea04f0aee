#include "tests/support/backends.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace tessera::testing {

std::string Describe(const BackendSpec& spec) {
  return spec.target == "scalar" ? spec.target : spec.target + " x" + std::to_string(spec.threads);
}

std::string BackendTestName(const BackendSpec& spec) {
  std::string name = Describe(spec);
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

std::vector<BackendSpec> AllBackends(int more_threads) {
  std::vector<BackendSpec> specs = {{"scalar", 1}};
  for (const std::string& target : CpuTargets()) {
    specs.push_back({target, 1});
    specs.push_back({target, more_threads});
  }
  return specs;
}

absl::StatusOr<std::unique_ptr<Backend>> MakeBackend(const BackendSpec& spec) {
  if (spec.target == "scalar") return MakeScalarBackend();
  return MakeCpuBackend({.threads = spec.threads, .target = spec.target});
}

Backend& SharedBackend(const BackendSpec& spec) {
  static auto& made = *new std::map<std::string, std::unique_ptr<Backend>>;
  std::unique_ptr<Backend>& backend = made[Describe(spec)];
  if (backend != nullptr) return *backend;
  auto result = MakeBackend(spec);
  const std::string wanted = spec.target == "scalar" ? "scalar" : "cpu/" + spec.target;
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
