// Puts together a SampleTokensRequest; client.h has an example.
#ifndef TESSERA_CLIENT_REQUEST_BUILDER_H_
#define TESSERA_CLIENT_REQUEST_BUILDER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// A thin layer over the message, which stays open to everything else that a row may carry. The
// first mistake is kept and returned by Build.
class SampleRequestBuilder {
 public:
  // The logits: `rows` rows of equal length, one after the other, copied. Called once.
  SampleRequestBuilder& Float32Logits(absl::Span<const float> values, int64_t rows);

  // The same as little-endian bytes of any accepted type: float16 and bfloat16 too.
  SampleRequestBuilder& LogitsBytes(v1::ElementType type, std::string bytes, int64_t rows,
                                    int64_t columns);

  // What a guidance stage reads: as wide as the logits and of their type, row for row unless
  // set_guidance_row says otherwise. Called once.
  SampleRequestBuilder& Float32GuidanceLogits(absl::Span<const float> values, int64_t rows);

  // Tokens that can be drawn, where rows are padded beyond them. Default: the row's length.
  SampleRequestBuilder& VocabSize(uint32_t vocab_size);

  // The chain of the rows added from here on, as client/chain_text.h reads it. Before the first
  // call rows have the empty chain.
  SampleRequestBuilder& Chain(absl::string_view text);

  // Adds a row whose next token stands at index `position` of its sequence. It reads the row of
  // logits with its own number unless set_logits_row says otherwise. The reference is valid until
  // Build.
  v1::SampleRow& AddRow(uint32_t position);

  // The request, which is moved out: a builder builds once. InvalidArgument for the first mistake,
  // such as sizes that do not agree.
  absl::StatusOr<v1::SampleTokensRequest> Build();

 private:
  v1::SampleTokensRequest request_;
  absl::Status status_;
};

}  // namespace tessera

#endif  // TESSERA_CLIENT_REQUEST_BUILDER_H_
