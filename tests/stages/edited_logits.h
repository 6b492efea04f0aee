// Shows the logits that a chain makes of a row with a past, for tables of histories.
#ifndef TESSERA_TESTS_STAGES_EDITED_LOGITS_H_
#define TESSERA_TESTS_STAGES_EDITED_LOGITS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/plan.h"
#include "tests/support/stage_table.h"

namespace tessera::testing {

inline constexpr double kOut = -std::numeric_limits<double>::infinity();  // no candidate

using Ids = std::vector<TokenId>;

// A row of eight logits 0, so that what comes out is what the stages added.
inline RowSpec WithPast(Ids prompt, Ids output, std::vector<Stage> stages) {
  RowSpec row;
  row.logits.assign(8, 0.0f);
  row.prompt = std::move(prompt);
  row.output = std::move(output);
  row.chain.stages = std::move(stages);
  return row;
}

// By id, as differences from id 0's: id 0 stands in no test's past.
inline std::vector<double> EditedLogits(RowSpec row) {
  const ShownRow shown = Show(std::move(row));
  EXPECT_EQ(shown.outcome, Outcome::kOk);
  std::vector<double> edited;
  for (double p : shown.tempered) edited.push_back(std::log(p) - std::log(shown.tempered[0]));
  return edited;
}

inline void ExpectLogits(RowSpec row, const std::vector<double>& expected) {
  const std::string described = Describe(row);
  const std::vector<double> got = EditedLogits(std::move(row));
  ASSERT_EQ(got.size(), expected.size()) << described;
  for (size_t id = 0; id < got.size(); ++id) {
    const bool same = got[id] == expected[id] || std::fabs(got[id] - expected[id]) < 4e-6;
    EXPECT_TRUE(same) << "id " << id << " has " << got[id] << ", not " << expected[id] << ": "
                      << described;
  }
}

// What is wrong with a chain; empty if nothing.
inline std::string ChainError(std::vector<Stage> stages) {
  return std::string(CompileChain({std::move(stages)}).status().message());
}

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_STAGES_EDITED_LOGITS_H_
