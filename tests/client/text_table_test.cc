// Columns for people.
#include "client/cli/text_table.h"

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(TextTable, NumbersStandRightAndWordsLeft) {
  TextTable table({"row", "outcome", "logprob"});
  table.Add({"0", "OK", "-0.5"});
  table.Add({"12", "EMPTY_SUPPORT", "-inf"});
  table.Add({"3", "OK"});
  EXPECT_EQ(table.Text(),
            "row  outcome        logprob\n"
            "  0  OK                -0.5\n"
            " 12  EMPTY_SUPPORT     -inf\n"
            "  3  OK\n");
}

}  // namespace
}  // namespace tessera::cli
