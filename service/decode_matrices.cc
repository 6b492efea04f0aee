#include "service/decode_matrices.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

absl::StatusOr<DType> LogitsType(absl::string_view field, const v1::Tensor& tensor) {
  switch (static_cast<int>(tensor.element_type())) {  // open enum
    case v1::ELEMENT_TYPE_FLOAT32:
      return DType::kFloat32;
    case v1::ELEMENT_TYPE_FLOAT16:
      return DType::kFloat16;
    case v1::ELEMENT_TYPE_BFLOAT16:
      return DType::kBfloat16;
  }
  return absl::InvalidArgumentError(absl::StrCat(field, ".element_type is ",
                                                 static_cast<int>(tensor.element_type()),
                                                 "; it must be FLOAT32, FLOAT16 or BFLOAT16"));
}

absl::StatusOr<LogitsView> DecodeLogits(absl::string_view field, const v1::Tensor& tensor,
                                        std::vector<uint32_t>* copy) {
  absl::StatusOr<DType> dtype = LogitsType(field, tensor);
  if (!dtype.ok()) return dtype.status();
  absl::StatusOr<TensorView> view = DecodeTensor(field, tensor, copy);
  if (!view.ok()) return view.status();
  if (view->columns > kMaxVocabulary) {
    return absl::InvalidArgumentError(absl::StrCat(field, ".columns is ", view->columns,
                                                   "; it must be at most ", kMaxVocabulary));
  }
  return LogitsView{.data = view->data,
                    .dtype = *dtype,
                    .rows = view->rows,
                    .columns = view->columns,
                    .row_stride_bytes = view->row_stride_bytes};
}

absl::Status DecodeOnlySlice(const v1::SampleTokensRequest& request, Job* job) {
  if (request.logits_size() == 0) {
    return absl::InvalidArgumentError("logits is absent; it must hold one tensor");
  }
  if (request.logits_size() > 1) {
    return absl::UnimplementedError(
        absl::StrCat("logits holds ", request.logits_size(),
                     " column slices; this server takes one (max_logits_slices of "
                     "GetCapabilities). Join them before the call"));
  }
  absl::StatusOr<LogitsView> logits =
      DecodeLogits("logits[0]", request.logits(0), &job->logits_copy);
  if (!logits.ok()) return logits.status();
  job->logits = *logits;
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

absl::Status DecodeGuidance(const v1::SampleTokensRequest& request, Job* job) {
  if (!request.has_guidance_logits()) return absl::OkStatus();
  absl::StatusOr<LogitsView> guidance =
      DecodeLogits("guidance_logits", request.guidance_logits(), &job->guidance_copy);
  if (!guidance.ok()) return guidance.status();
  if (guidance->dtype != job->logits.dtype) {
    return absl::InvalidArgumentError(
        absl::StrCat("guidance_logits.element_type is ",
                     v1::ElementType_Name(request.guidance_logits().element_type()),
                     "; it must be that of "
                     "logits, ",
                     v1::ElementType_Name(request.logits(0).element_type())));
  }
  if (guidance->rows > 0 && guidance->columns != job->logits.columns) {
    return absl::InvalidArgumentError(absl::StrCat("guidance_logits.columns is ", guidance->columns,
                                                   "; it must be ", job->logits.columns,
                                                   ", the columns of logits"));
  }
  job->guidance = *guidance;
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeMatrices(const v1::SampleTokensRequest& request, Job* job) {
  absl::Status status = DecodeOnlySlice(request, job);
  if (status.ok()) status = DecodeVocabulary(request, job);
  if (status.ok()) status = DecodeGuidance(request, job);
  return status;
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

}  // namespace tessera
