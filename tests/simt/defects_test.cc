// Every planted defect that schedules and the emulator's own checks find, and that they find it;
// the others are the sanitizers' (sanitizer_test.py). Without its defect a kernel passes.
#include <cstring>

#include "tests/simt/defect_table.h"
#include "tests/simt/run_kernel.h"

namespace {

using defects::Defect;
using defects::Defects;
using defects::Outcome;
using defects::RunDefect;

constexpr uint64_t kSchedules = 40;

enum class Found { kReport, kResult, kEither, kBySanitizersOnly };

struct Expectation {
  const char* name;
  Found found;
  uint64_t at_least;        // of kSchedules
  const char* report = "";  // part of it
};

constexpr Expectation kExpected[] = {
    {"ReadAfterWrite", Found::kResult, 40},
    {"WriteAfterRead", Found::kBySanitizersOnly, 0},
    {"WriteAfterWrite", Found::kResult, 30},
    {"DivergentBarrier", Found::kReport, 40, "divergent __syncthreads"},
    {"DivergentShuffle", Found::kReport, 40, "in the same warp (other collective, mask or place)"},
    {"MissingSyncwarp", Found::kResult, 40},
    {"LostUpdate", Found::kBySanitizersOnly, 0},
    {"MisalignedCountedLoad", Found::kReport, 40, "address not aligned to 16 bytes"},
    {"UninitialisedShared", Found::kResult, 40},
    {"SharedWritePastEnd", Found::kReport, 40, "a write outside of the shared memory"},
    {"BlockOrder", Found::kResult, 20},
    {"MissingFence", Found::kBySanitizersOnly, 0},
    {"MissingAsyncWait", Found::kResult, 40},
    {"MissingBarrierWait", Found::kEither, 40},
    {"NeverWaitedBarrier", Found::kReport, 40, "the block ends"},
    {"TooManyBytesExpected", Found::kReport, 40, "lacks 0 arrivals and 16 bytes"},
    {"TooFewBytesExpected", Found::kReport, 40, "lacks 0 arrivals and -16 bytes"},
    {"UnfencedBarrierInit", Found::kReport, 40, "no FenceBarrierInit after the init"},
    {"UnsyncedBarrierInit", Found::kReport, 20, "a barrier that is not initialised"},
    {"CopyOverRead", Found::kEither, 10},
    {"UnsyncedCluster", Found::kResult, 20},
    {"ClusterReadAfterExit", Found::kResult, 10},
};

const Expectation* ExpectationOf(const char* name) {
  for (const Expectation& expected : kExpected) {
    if (std::strcmp(expected.name, name) == 0) {
      return &expected;
    }
  }
  return nullptr;
}

class Planted : public testing::TestWithParam<Defect> {};
INSTANTIATE_TEST_SUITE_P(Defects, Planted, testing::ValuesIn(Defects()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Planted, IsFoundAndWithoutItNothingIs) {
  const Defect& defect = GetParam();
  const Expectation* expected = ExpectationOf(defect.name);
  const std::vector<unsigned> right = RunDefect(defect, false, 0).out;
  for (uint64_t seed = 0; seed < kSchedules; ++seed) {
    const Outcome outcome = RunDefect(defect, false, seed);
    EXPECT_EQ(outcome.report, "") << "seed " << seed;
    EXPECT_EQ(outcome.out, right) << "seed " << seed;
  }
  if (expected == nullptr) {
    GTEST_SKIP() << defect.name << " is undefined on this processor too: sanitizer_test.py has it";
  }
  uint64_t found = 0;
  for (uint64_t seed = 0; seed < kSchedules; ++seed) {
    const Outcome outcome = RunDefect(defect, true, seed);
    const bool reported = outcome.report.find(expected->report) != std::string::npos;
    if (expected->found == Found::kReport) {
      found += !outcome.report.empty() && reported;
    } else {
      found += !outcome.report.empty() || outcome.out != right;
      EXPECT_TRUE(outcome.report.empty() || expected->found == Found::kEither) << outcome.report;
    }
  }
  std::printf("%s: %d of %d schedules find it\n", defect.name, static_cast<int>(found),
              static_cast<int>(kSchedules));
  EXPECT_GE(found, expected->at_least);
  if (expected->found == Found::kBySanitizersOnly) {
    EXPECT_EQ(found, 0u) << "the table above and the README say that only a sanitizer finds it";
  }
}

}  // namespace
