// What makes a whole request unreadable: each case bends one thing of a good request and names the
// code and the words by which a caller can mend it.
#include "service/decode_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "tests/service/requests.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

struct BadRequest {
  const char* name;
  std::function<void(v1::SampleTokensRequest*)> bend;
  absl::StatusCode code;
  const char* words;
};

v1::Tensor* Logits(v1::SampleTokensRequest* r) { return r->mutable_logits(0); }

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;
constexpr auto kUnimplemented = absl::StatusCode::kUnimplemented;
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

const BadRequest kBadRequests[] = {
    {"NoLogits", [](auto* r) { r->clear_logits(); }, kInvalid, "logits is absent"},
    {"TwoSlices", [](auto* r) { *r->add_logits() = r->logits(0); }, kUnimplemented,
     "logits holds 2 column slices; this server takes one"},
    {"NoElementType", [](auto* r) { Logits(r)->set_element_type(v1::ELEMENT_TYPE_UNSPECIFIED); },
     kInvalid, "logits[0].element_type is 0; it must be FLOAT32, FLOAT16 or BFLOAT16"},
    {"IntegerLogits", [](auto* r) { Logits(r)->set_element_type(v1::ELEMENT_TYPE_INT32); },
     kInvalid, "logits[0].element_type is 4"},
    {"UnknownElementType",
     [](auto* r) { Logits(r)->set_element_type(static_cast<v1::ElementType>(77)); }, kInvalid,
     "logits[0].element_type is 77"},
    {"NegativeRows", [](auto* r) { Logits(r)->set_rows(-1); }, kInvalid,
     "logits[0].rows is -1; it must be at least 0"},
    {"NegativeColumns", [](auto* r) { Logits(r)->set_columns(-4); }, kInvalid,
     "logits[0].columns is -4; it must be at least 1"},
    {"NoColumns", [](auto* r) { Logits(r)->set_columns(0); }, kInvalid,
     "logits[0].columns is 0; it must be at least 1"},
    {"ColumnsOverflow", [](auto* r) { Logits(r)->set_columns(kHuge); }, kInvalid,
     "logits[0].columns is 9223372036854775807; a row of so many elements exceeds 2^63 bytes"},
    {"RowsOverflow", [](auto* r) { Logits(r)->set_rows(kHuge); }, kInvalid,
     "logits[0].rows is 9223372036854775807 with a stride of 16 bytes"},
    {"StrideOverflow", [](auto* r) { Logits(r)->set_row_stride_bytes(kHuge - 3); }, kInvalid,
     "logits[0].rows is 3 with a stride of 9223372036854775804 bytes"},
    {"RowsWrapToTheRightSize",  // 2^62 + 3 rows of 16 bytes is 48 modulo 2^64
     [](auto* r) { Logits(r)->set_rows((int64_t{1} << 60) + 3); }, kInvalid, "exceeds 2^63 bytes"},
    {"StrideTooSmall", [](auto* r) { Logits(r)->set_row_stride_bytes(12); }, kInvalid,
     "logits[0].row_stride_bytes is 12; it must be 0 (packed) or a multiple of 4 that is at least "
     "16"},
    {"StrideNegative", [](auto* r) { Logits(r)->set_row_stride_bytes(-16); }, kInvalid,
     "logits[0].row_stride_bytes is -16"},
    {"StrideBetweenElements", [](auto* r) { Logits(r)->set_row_stride_bytes(18); }, kInvalid,
     "logits[0].row_stride_bytes is 18"},
    {"TooFewBytes", [](auto* r) { Logits(r)->mutable_inline_bytes()->pop_back(); }, kInvalid,
     "logits[0].inline_bytes holds 47 bytes; 3 rows of 4 elements with a stride of 16 bytes need "
     "48"},
    {"TooManyBytes", [](auto* r) { Logits(r)->mutable_inline_bytes()->push_back(0); }, kInvalid,
     "logits[0].inline_bytes holds 49 bytes"},
    {"NoBytes", [](auto* r) { Logits(r)->clear_source(); }, kInvalid,
     "logits[0].inline_bytes holds 0 bytes"},
    {"SharedMemory", [](auto* r) { Logits(r)->mutable_shared_memory(); }, kUnimplemented,
     "logits[0].shared_memory is not implemented"},
    {"CudaMemory", [](auto* r) { Logits(r)->mutable_cuda_memory(); }, kUnimplemented,
     "logits[0].cuda_memory is not implemented"},
    {"WiderThanTheLimit",
     [](auto* r) {
       r->clear_logits();
       *r->add_logits() = FloatTensor({std::vector<float>(524289)});
     },
     kInvalid, "logits[0].columns is 524289; it must be at most 524288"},
    {"NoVocabulary", [](auto* r) { r->clear_vocab_size(); }, kInvalid,
     "vocab_size is 0; it must be in [1, 4], the columns of logits"},
    {"VocabularyBeyondColumns", [](auto* r) { r->set_vocab_size(5); }, kInvalid,
     "vocab_size is 5; it must be in [1, 4]"},
    {"VocabularyBeyondInt32", [](auto* r) { r->set_vocab_size(4294967295u); }, kInvalid,
     "vocab_size is 4294967295"},
    {"GrammarOfFloats", [](auto* r) { *r->mutable_grammar() = FloatTensor({{1}}); }, kInvalid,
     "grammar.element_type is 1; it must be INT32 or UINT32"},
    {"GrammarBytes",
     [](auto* r) {
       *r->mutable_grammar() = WordTensor({{15}});
       r->mutable_grammar()->mutable_inline_bytes()->push_back(0);
     },
     kInvalid, "grammar.inline_bytes holds 5 bytes"},
    {"GrammarTooNarrow",
     [](auto* r) {
       r->clear_logits();
       *r->add_logits() = FloatTensor({std::vector<float>(65)});
       r->set_vocab_size(65);
       *r->mutable_grammar() = WordTensor({{1, 1}});
     },
     kInvalid, "grammar.columns is 2; it must be at least 3, one word of 32 bits"},
    {"TooManyRows",
     [](auto* r) {
       while (r->rows_size() < 9) r->add_rows();
     },
     kExhausted, "rows holds 9 entries; one call may hold at most 8. Split the batch"},
    {"TooManyChains",
     [](auto* r) {
       while (r->chains_size() < 9) r->add_chains();
     },
     kExhausted, "chains holds 9 entries; one call may hold at most 8"},
};

Limits SmallLimits() {
  Limits limits;
  limits.max_rows = 8;
  limits.max_chains = 8;
  return limits;
}

class BadRequests : public ::testing::TestWithParam<BadRequest> {};

TEST_P(BadRequests, FailTheCall) {
  v1::SampleTokensRequest request = SmallRequest();
  ASSERT_TRUE(DecodeRequest(request, SmallLimits()).ok()) << "the request must be good before";
  GetParam().bend(&request);
  const absl::Status status = DecodeRequest(request, SmallLimits()).status();
  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(Each, BadRequests, ::testing::ValuesIn(kBadRequests),
                         [](const auto& info) { return info.param.name; });

TEST(DecodeRequest, NoRowsAtAllIsLegal) {
  const absl::StatusOr<Job> job = DecodeRequest(v1::SampleTokensRequest(), SmallLimits());
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_TRUE(job->rows.empty());
  EXPECT_TRUE(job->refused.empty());
}

TEST(DecodeRequest, LogitsWithoutRowsRefusesEachRowAlone) {
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_logits(0) = FloatTensor({});
  const absl::StatusOr<Job> job = DecodeRequest(request, SmallLimits());
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->refused.size(), 3u);
  EXPECT_EQ(job->refused[2].message,
            "rows[2].logits_row is 2 (by default the row's own index), but the request has no rows "
            "of logits");
}

TEST(DecodeRequest, NoChainsRefusesEachRowAlone) {
  v1::SampleTokensRequest request = SmallRequest();
  request.clear_chains();
  const absl::StatusOr<Job> job = DecodeRequest(request, SmallLimits());
  ASSERT_TRUE(job.ok()) << job.status();
  ASSERT_EQ(job->refused.size(), 3u);
  EXPECT_EQ(
      job->refused[2].message,
      "rows[2].chain is 0, but the request has no chains; add one (an empty one samples as it "
      "is)");
}

TEST(DecodeRequest, PointsIntoTheRequestWithoutCopying) {
  const v1::SampleTokensRequest request = SmallRequest();
  const absl::StatusOr<Job> job = DecodeRequest(request, SmallLimits());
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(static_cast<const void*>(job->logits.data), request.logits(0).inline_bytes().data());
  EXPECT_TRUE(job->logits_copy.empty());
}

TEST(DecodeRequest, StridesMayPadRowsWithOrWithoutTheLastPadding) {
  for (const bool last : {false, true}) {
    v1::SampleTokensRequest request = SmallRequest();
    v1::Tensor* logits = request.mutable_logits(0);
    logits->set_rows(2);
    logits->set_row_stride_bytes(24);
    logits->mutable_inline_bytes()->resize(last ? 48 : 40);
    const absl::StatusOr<Job> job = DecodeRequest(request, SmallLimits());
    ASSERT_TRUE(job.ok()) << job.status();
    EXPECT_EQ(job->logits.row_stride_bytes, 24);
  }
}

TEST(CheckUnaryBytes, NamesTheLimitAndAWayRound) {
  Limits limits;
  limits.max_unary_bytes = 1000;
  EXPECT_TRUE(CheckUnaryBytes(1000, limits).ok());
  const absl::Status status = CheckUnaryBytes(1001, limits);
  EXPECT_EQ(status.code(), kExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("1001 bytes"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("at most 1000 (tesserad --max-unary-bytes)"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("Send fewer rows per call"));
}

}  // namespace
}  // namespace tessera
