// 10,000 random legal sets of parameters per preset: each expands to a chain that compiles and is
// greedy exactly when the preset says so, or is refused with a documented reason.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>

#include "kernels/plan.h"
#include "tests/presets/shown_chain.h"

namespace tessera::testing {
namespace {

constexpr int kSets = 10000;

// What a legal set may be refused with: docs/semantics.md lists these.
constexpr const char* kDocumented[] = {
    "exllamav2.top_p is ",         "exllamav2.temperature is ",
    "exllamav2.mirostat is ",      "exllamav2.tfs is ",
    "mlc-cpu.top_p is ",           "llamacpp.samplers is ",
    "llamacpp.dry_multiplier is ", "llamacpp.dry_penalty_last_n is ",
    "llamacpp.temperature is ",    "llamacpp.adaptive_target is ",
};

class RandomParameters {
 public:
  explicit RandomParameters(uint32_t seed) : random_(seed) {}

  PresetParameters Of(const PresetDescription& description) {
    PresetParameters parameters;
    for (const PresetParameter& p : description.parameters) {
      if (Below(3) != 0 || p.type == PresetParameter::Type::kRow) continue;
      const std::string& name = p.alias.empty() || Below(2) == 0 ? p.name : p.alias;
      parameters[name] = Value(p);
    }
    return parameters;
  }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  PresetValue Value(const PresetParameter& p) {
    switch (p.type) {
      case PresetParameter::Type::kNumber:
        return Number(p);
      case PresetParameter::Type::kInteger:
        return std::floor(Number(p));
      case PresetParameter::Type::kSwitch:
        return Below(2) == 0 ? PresetValue(1.0) : PresetValue("false");
      case PresetParameter::Type::kText:
        return Text(p.name);
      case PresetParameter::Type::kFixed:
      case PresetParameter::Type::kRow:
        break;
    }
    return p.initial;
  }

  // Ends of the range where they belong to it, and numbers inside, small ones more often.
  double Number(const PresetParameter& p) {
    const double low = std::max(p.low, -100.0);
    const double high = std::min(p.high, 100.0);
    switch (Below(5)) {
      case 0:
        if (!p.low_open && low == p.low) return low;
        break;
      case 1:
        if (!p.high_open && high == p.high) return high;
        break;
      case 2:
        if (p.extra.has_value()) return *p.extra;
        break;
      case 3:
        if (p.type == PresetParameter::Type::kNumber) {
          return std::max(low, 0.0) + std::min(high, 1.0) * std::exp2(-1.0 - Below(40));
        }
        break;
      default:
        break;
    }
    if (p.type == PresetParameter::Type::kInteger) return low + Below(1 + uint32_t(high - low));
    return low + (high - low) * (1 + Below(1000)) / 1002;
  }

  std::string Text(const std::string& name) {
    if (name == "samplers") return Samplers();
    if (name == "sequence_bias") return Below(2) == 0 ? "5=1.5" : "5,6=-2;7=-inf";
    constexpr const char* kTexts[] = {"", "none", "1", "4,5;6"};
    return kTexts[Below(4)];
  }

  std::string Samplers() {
    std::string letters;
    for (uint32_t i = Below(12); i > 0; --i) letters += "edskypmxta"[Below(10)];
    return letters;
  }

  std::mt19937 random_;
};

bool IsDocumented(absl::string_view message) {
  for (const char* start : kDocumented) {
    if (message.substr(0, strlen(start)) == start) return true;
  }
  return false;
}

TEST(RandomParameters, ExpandAndCompileOrAreRefusedForADocumentedReason) {
  std::map<std::string, int> refused;
  for (size_t i = 0; i < PresetNames().size(); ++i) {
    const std::string& name = PresetNames()[i];
    RandomParameters random(static_cast<uint32_t>(i + 1));
    int compiled = 0;
    for (int set = 0; set < kSets; ++set) {
      const PresetParameters parameters = random.Of(**DescribePreset(name));
      const absl::StatusOr<ExpandedPreset> expanded = ExpandPreset(name, parameters);
      if (!expanded.ok()) {
        ASSERT_TRUE(IsDocumented(expanded.status().message())) << expanded.status();
        ++refused[name];
        continue;
      }
      const absl::StatusOr<Plan> plan = CompileChain(expanded->chain);
      ASSERT_TRUE(plan.ok()) << name << ": " << plan.status() << "\n" << Shown(expanded->chain);
      ASSERT_EQ(plan->greedy, expanded->greedy) << name << ": " << Shown(expanded->chain);
      ++compiled;
    }
    std::printf("%-18s %d sets: %d compiled, %d refused\n", name.c_str(), kSets, compiled,
                kSets - compiled);
    EXPECT_GT(compiled, kSets / 5) << name;
  }
  for (const auto& [name, count] : refused) {
    EXPECT_TRUE(name == "exllamav2" || name == "mlc-cpu" || name == "llamacpp")
        << name << " refused " << count;
  }
}

}  // namespace
}  // namespace tessera::testing
