// Lists of token ids in a request.
#ifndef TESSERA_SERVICE_CHECK_IDS_H_
#define TESSERA_SERVICE_CHECK_IDS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "kernels/types.h"

namespace tessera {

using WireIds = google::protobuf::RepeatedField<int32_t>;

inline absl::Span<const TokenId> SpanOf(const WireIds& ids) {
  return absl::MakeConstSpan(ids.data(), static_cast<size_t>(ids.size()));
}

// InvalidArgument, its message beginning with `field`: more than `limit` ids, or one that is not in
// [0, vocab_size).
absl::Status CheckIds(absl::string_view field, const WireIds& ids, int64_t vocab_size,
                      int64_t limit);

}  // namespace tessera

#endif  // TESSERA_SERVICE_CHECK_IDS_H_
