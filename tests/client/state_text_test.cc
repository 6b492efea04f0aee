// States typed and printed.
#include "client/state_text.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(StateText, ReadsWhatItPrints) {
  v1::StageState mirostat;
  mirostat.mutable_mirostat()->set_mu(0.1 + 0.2);  // 17 digits
  mirostat.set_xorshift64(0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(StateText(mirostat), "mirostat=0.30000000000000004,xorshift64=18446744073709551615");
  v1::StageState adaptive;
  adaptive.mutable_adaptive_p()->set_weighted_sum(3.5);
  adaptive.mutable_adaptive_p()->set_total_weight(1 / (1 - 0.99));
  v1::StageState generator;
  generator.set_xorshift64(1);
  for (const v1::StageState& state : {mirostat, adaptive, generator}) {
    const auto read = ParseState(StateText(state));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->SerializeAsString(), state.SerializeAsString()) << StateText(state);
  }
}

TEST(StateText, RefusesWhatItCannotRead) {
  EXPECT_EQ(ParseState("mu=3").status().message(),
            "is 'mu=3'; it must be mirostat=MU or adaptive_p=SUM:WEIGHT, and xorshift64=STATE, "
            "separated by a comma");
  for (const char* bad :
       {"", "mirostat", "mirostat=", "mirostat=x", "mirostat=1,mirostat=2", "adaptive_p=1",
        "adaptive_p=1:", "adaptive_p=1:2:3", "mirostat=1,adaptive_p=1:2", "xorshift64=-1",
        "xorshift64=1.5", "xorshift64=1,xorshift64=2", "mirostat=1,"}) {
    EXPECT_FALSE(ParseState(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace tessera
