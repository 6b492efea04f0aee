// The two forms of a result, byte for byte.
#include "client/cli/sample_report.h"

#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

std::vector<SampledRow> Rows() {
  SampledRow drawn;
  drawn.outcome = v1::ROW_OUTCOME_OK;
  drawn.tokens = {7};
  drawn.seed = ~uint64_t{0};
  drawn.support_size = 17;
  drawn.state.emplace().mutable_mirostat()->set_mu(9.5);
  drawn.modes.push_back({.mode = v1::LOGPROB_MODE_RAW,
                         .sampled = {{7, -0.25f, 1}},
                         .scored = {{9, -std::numeric_limits<float>::infinity(), 0}},
                         .top = {{7, -0.25f, 1}, {8, -1.5f, 2}},
                         .entropy = 0.5f});
  SampledRow refused;
  refused.outcome = v1::ROW_OUTCOME_INVALID_PARAMETERS;
  refused.error = "seed is \"missing\"";
  return {drawn, refused};
}

v1::SampleTokensResponse Response() {
  v1::SampleTokensResponse response;
  response.set_numerics_version(1);
  response.add_logprobs()->set_mode(v1::LOGPROB_MODE_RAW);
  v1::ExecutionReport* execution = response.mutable_execution();
  execution->set_backend("scalar");
  execution->set_source_used(v1::TENSOR_SOURCE_INLINE);
  execution->set_compute_nanos(1500000);
  return response;
}

TEST(SampleReport, Json) {
  const std::vector<int64_t> file_rows = {3, 5};
  EXPECT_EQ(
      SampleJson(Rows(), file_rows, Response()),
      R"({"numerics_version":1,"rows":[{"row":3,"outcome":"OK","seed":"18446744073709551615",)"
      R"("tokens":[7],"support_size":17,"state":"mirostat=9.5","logprobs":{"raw":{)"
      R"("sampled":[{"id":7,"logprob":-0.25,"rank":1}],)"
      R"("scored":[{"id":9,"logprob":"-Infinity","rank":0}],)"
      R"("top":[{"id":7,"logprob":-0.25,"rank":1},{"id":8,"logprob":-1.5,"rank":2}],)"
      R"("entropy":0.5}}},)"
      R"({"row":5,"outcome":"INVALID_PARAMETERS","error":"seed is \"missing\"","tokens":[],)"
      R"("logprobs":{}}],"execution":{"backend":"scalar","source_used":"inline",)"
      R"("decode_nanos":0,"compute_nanos":1500000,"encode_nanos":0}})"
      "\n");
}

TEST(SampleReport, Text) {
  const std::vector<int64_t> file_rows = {3, 5};
  EXPECT_EQ(SampleText(Rows(), file_rows, Response()),
            R"(row  outcome                             seed  kept  token      raw  rank
  3  OK                  18446744073709551615    17      7  -0.2500     1
  5  INVALID_PARAMETERS

row 3: for its next draw, --state mirostat=9.5

row 3, raw: entropy 0.5000 nats

row 3, raw: likeliest
  rank  token  logprob  probability
     1      7  -0.2500     0.778801
     2      8  -1.5000     0.223130

row 3, raw: scored
  rank  token  logprob  probability
     0      9     -inf     0.000000

row 5: seed is "missing"

scalar, numerics version 1, computed in 1.500 ms
)");
}

}  // namespace
}  // namespace tessera::cli
