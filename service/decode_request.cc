#include "service/decode_request.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "service/decode_row.h"
#include "service/decode_tensor.h"

namespace tessera {
namespace {

absl::Status CheckCount(absl::string_view field, int64_t count, int64_t limit) {
  if (count <= limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(field, " holds ", count,
                                                   " entries; one call may hold at most ", limit,
                                                   ". Split the batch: results do not change"));
}

absl::StatusOr<DType> LogitsType(const v1::Tensor& tensor) {
  switch (static_cast<int>(tensor.element_type())) {  // open enum
    case v1::ELEMENT_TYPE_FLOAT32:
      return DType::kFloat32;
    case v1::ELEMENT_TYPE_FLOAT16:
      return DType::kFloat16;
    case v1::ELEMENT_TYPE_BFLOAT16:
      return DType::kBfloat16;
  }
  return absl::InvalidArgumentError(absl::StrCat("logits[0].element_type is ",
                                                 static_cast<int>(tensor.element_type()),
                                                 "; it must be FLOAT32, FLOAT16 or BFLOAT16"));
}

absl::Status DecodeLogits(const v1::SampleTokensRequest& request, Job* job) {
  if (request.logits_size() == 0) {
    return absl::InvalidArgumentError("logits is absent; it must hold one tensor");
  }
  if (request.logits_size() > 1) {
    return absl::UnimplementedError(
        absl::StrCat("logits holds ", request.logits_size(),
                     " column slices; this server takes one (max_logits_slices of "
                     "GetCapabilities). Join them before the call"));
  }
  const v1::Tensor& tensor = request.logits(0);
  absl::StatusOr<DType> dtype = LogitsType(tensor);
  if (!dtype.ok()) return dtype.status();
  absl::StatusOr<TensorView> view = DecodeTensor("logits[0]", tensor, &job->logits_copy);
  if (!view.ok()) return view.status();
  if (view->columns > kMaxVocabulary) {
    return absl::InvalidArgumentError(absl::StrCat("logits[0].columns is ", view->columns,
                                                   "; it must be at most ", kMaxVocabulary));
  }
  job->logits = {.data = view->data,
                 .dtype = *dtype,
                 .rows = view->rows,
                 .columns = view->columns,
                 .row_stride_bytes = view->row_stride_bytes};
  return absl::OkStatus();
}

absl::Status DecodeVocabulary(const v1::SampleTokensRequest& request, Job* job) {
  job->vocab_size = request.vocab_size();
  const bool any = job->logits.rows > 0;  // an empty matrix need not have columns
  const int64_t limit = any ? job->logits.columns : kMaxVocabulary;
  if (job->vocab_size >= 1 && job->vocab_size <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("vocab_size is ", job->vocab_size,
                                                 "; it must be in [1, ", limit, "]",
                                                 any ? ", the columns of logits" : ""));
}

absl::StatusOr<TensorView> DecodeGrammar(const v1::SampleTokensRequest& request, Job* job) {
  if (!request.has_grammar()) return TensorView{};
  const v1::Tensor& tensor = request.grammar();
  if (tensor.element_type() != v1::ELEMENT_TYPE_INT32 &&
      tensor.element_type() != v1::ELEMENT_TYPE_UINT32) {
    return absl::InvalidArgumentError(absl::StrCat("grammar.element_type is ",
                                                   static_cast<int>(tensor.element_type()),
                                                   "; it must be INT32 or UINT32"));
  }
  absl::StatusOr<TensorView> view = DecodeTensor("grammar", tensor, &job->grammar_copy);
  const int64_t words = (job->vocab_size + 31) / 32;
  if (view.ok() && view->rows > 0 && view->columns < words) {
    return absl::InvalidArgumentError(
        absl::StrCat("grammar.columns is ", view->columns, "; it must be at least ", words,
                     ", one word of 32 bits for every 32 ids of vocab_size"));
  }
  return view;
}

void DecodeRows(const v1::SampleTokensRequest& request, const TensorView& grammar,
                const Limits& limits, Job* job) {
  const BatchScope scope{.chains = job->chains,
                         .logits_rows = job->logits.rows,
                         .vocab_size = job->vocab_size,
                         .grammar = grammar,
                         .limits = &limits};
  IdSlots slots(job->vocab_size);
  job->lists.resize(request.rows_size());
  job->rows.reserve(request.rows_size());
  job->row_indices.reserve(request.rows_size());
  for (int i = 0; i < request.rows_size(); ++i) {
    const v1::SampleRow& row = request.rows(i);
    RowInput input;
    bool draws = false;
    absl::Status status = DecodeRow(row, i, scope, &slots, &job->lists[i], &input, &draws);
    if (!status.ok()) {
      const bool of_chain = absl::StartsWith(status.message(), "chains[");
      job->refused.push_back(
          {static_cast<uint32_t>(i),
           absl::StrCat(of_chain ? "" : absl::StrCat("rows[", i, "]."), status.message())});
      continue;
    }
    if (draws && !row.has_seed()) job->unseeded.push_back(static_cast<uint32_t>(job->rows.size()));
    job->rows.push_back(input);
    job->row_indices.push_back(static_cast<uint32_t>(i));
  }
}

}  // namespace

absl::Status CheckCounts(const EntryCounts& counts, const Limits& limits) {
  absl::Status status = CheckCount("rows", counts.rows, limits.max_rows);
  if (status.ok()) status = CheckCount("chains", counts.chains, limits.max_chains);
  if (status.ok()) status = CheckCount("logits", counts.logits, limits.max_rows);
  return status;
}

absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request, const Limits& limits) {
  if (request.rows().empty() && request.logits().empty()) return Job();
  absl::Status status = CheckCounts({request.chains_size(), request.rows_size(), 0}, limits);
  if (!status.ok()) return status;
  std::vector<DecodedChain> chains;
  chains.reserve(request.chains_size());
  for (const v1::SamplerChain& chain : request.chains()) chains.push_back(DecodeChain(chain));
  return DecodeRequest(request, std::move(chains), limits);
}

absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request,
                                  std::vector<DecodedChain> chains, const Limits& limits) {
  Job job;
  job.chains = std::move(chains);
  absl::Status status = DecodeLogits(request, &job);
  if (!status.ok()) return status;
  status = DecodeVocabulary(request, &job);
  if (!status.ok()) return status;
  absl::StatusOr<TensorView> grammar = DecodeGrammar(request, &job);
  if (!grammar.ok()) return grammar.status();
  DecodeRows(request, *grammar, limits, &job);
  return job;
}

absl::Status CheckUnaryBytes(int64_t bytes, const Limits& limits) {
  if (bytes <= limits.max_unary_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the request is ", bytes, " bytes; a unary call may be at most ", limits.max_unary_bytes,
      " (tesserad --max-unary-bytes). Send fewer rows per call (results do not change), or bf16 "
      "instead of fp32"));
}

}  // namespace tessera
