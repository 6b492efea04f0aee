// What becomes of a chain, for tests that expect a plan or a refusal.
#ifndef TESSERA_TESTS_KERNELS_COMPILED_CHAIN_H_
#define TESSERA_TESTS_KERNELS_COMPILED_CHAIN_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/plan.h"

namespace tessera {

inline Plan Compiled(std::vector<Stage> stages) {
  const absl::StatusOr<Plan> plan = CompileChain({std::move(stages)});
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.value_or(Plan{});
}

// The message of the refusal.
inline std::string Refused(std::vector<Stage> stages) {
  const absl::StatusOr<Plan> plan = CompileChain({std::move(stages)});
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(plan.status().message());
}

}  // namespace tessera

#endif  // TESSERA_TESTS_KERNELS_COMPILED_CHAIN_H_
