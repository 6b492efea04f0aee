// Puts together a SampleTokensRequest.
#include "client/request_builder.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little, "logits travel little-endian");

int64_t SizeOfElement(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_FLOAT32) return 4;
  if (type == v1::ELEMENT_TYPE_FLOAT16 || type == v1::ELEMENT_TYPE_BFLOAT16) return 2;
  return 0;
}

absl::Status CheckSizes(v1::ElementType type, uint64_t bytes, int64_t rows, int64_t columns) {
  const int64_t size = SizeOfElement(type);
  if (size == 0) {
    return absl::InvalidArgumentError(absl::StrCat("the logits' element type is ", type,
                                                   "; it must be FLOAT32, FLOAT16 or BFLOAT16"));
  }
  if (rows < 1 || columns < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the logits are [", rows, ", ", columns, "]; both must be at least 1"));
  }
  const uint64_t elements = bytes / static_cast<uint64_t>(size);
  if (bytes % size != 0 || elements / rows != static_cast<uint64_t>(columns) ||
      elements % rows != 0) {
    return absl::InvalidArgumentError(absl::StrCat("the logits are ", bytes, " bytes; [", rows,
                                                   ", ", columns, "] of ", size,
                                                   " bytes each is needed"));
  }
  return absl::OkStatus();
}

std::string BytesOf(absl::Span<const float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void FillTensor(v1::ElementType type, std::string bytes, int64_t rows, int64_t columns,
                v1::Tensor* tensor) {
  tensor->set_element_type(type);
  tensor->set_rows(rows);
  tensor->set_columns(columns);
  tensor->set_inline_bytes(std::move(bytes));
}

}  // namespace

SampleRequestBuilder& SampleRequestBuilder::Float32Logits(absl::Span<const float> values,
                                                          int64_t rows) {
  const int64_t columns = rows > 0 ? static_cast<int64_t>(values.size()) / rows : 0;
  return LogitsBytes(v1::ELEMENT_TYPE_FLOAT32, BytesOf(values), rows, columns);
}

SampleRequestBuilder& SampleRequestBuilder::LogitsBytes(v1::ElementType type, std::string bytes,
                                                        int64_t rows, int64_t columns) {
  status_.Update(CheckSizes(type, bytes.size(), rows, columns));
  if (request_.logits_size() > 0) {
    status_.Update(absl::InvalidArgumentError("logits were given twice; a request has one matrix"));
  }
  if (!status_.ok()) return *this;
  FillTensor(type, std::move(bytes), rows, columns, request_.add_logits());
  return *this;
}

SampleRequestBuilder& SampleRequestBuilder::Float32GuidanceLogits(absl::Span<const float> values,
                                                                  int64_t rows) {
  const int64_t columns = rows > 0 ? static_cast<int64_t>(values.size()) / rows : 0;
  std::string bytes = BytesOf(values);
  status_.Update(CheckSizes(v1::ELEMENT_TYPE_FLOAT32, bytes.size(), rows, columns));
  if (request_.has_guidance_logits()) {
    status_.Update(absl::InvalidArgumentError("guidance logits were given twice"));
  }
  if (!status_.ok()) return *this;
  FillTensor(v1::ELEMENT_TYPE_FLOAT32, std::move(bytes), rows, columns,
             request_.mutable_guidance_logits());
  return *this;
}

SampleRequestBuilder& SampleRequestBuilder::VocabSize(uint32_t vocab_size) {
  request_.set_vocab_size(vocab_size);
  return *this;
}

SampleRequestBuilder& SampleRequestBuilder::Chain(absl::string_view text) {
  absl::StatusOr<v1::SamplerChain> chain = ParseChain(text);
  status_.Update(chain.status());
  if (chain.ok()) *request_.add_chains() = *std::move(chain);
  return *this;
}

v1::SampleRow& SampleRequestBuilder::AddRow(uint32_t position) {
  if (request_.chains_size() == 0) request_.add_chains();
  v1::SampleRow& row = *request_.add_rows();
  row.set_chain(static_cast<uint32_t>(request_.chains_size() - 1));
  row.set_position(position);
  return row;
}

absl::StatusOr<v1::SampleTokensRequest> SampleRequestBuilder::Build() {
  if (!status_.ok()) return status_;
  if (request_.logits_size() == 0) {
    return absl::InvalidArgumentError("no logits; call Float32Logits or LogitsBytes");
  }
  if (request_.rows_size() == 0) return absl::InvalidArgumentError("no rows; call AddRow");
  if (request_.vocab_size() == 0) {
    request_.set_vocab_size(static_cast<uint32_t>(request_.logits(0).columns()));
  }
  return std::move(request_);
}

}  // namespace tessera
