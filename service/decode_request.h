// The one place where a request is met as untrusted input.
#ifndef TESSERA_SERVICE_DECODE_REQUEST_H_
#define TESSERA_SERVICE_DECODE_REQUEST_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "service/decode_chain.h"
#include "service/job.h"
#include "service/limits.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// Checks everything; after it, every index and size in the job can be trusted. Rows that are wrong
// by themselves land in Job::refused. The job points into `request`, which must outlive it.
//
// What makes the whole request unreadable fails:
//   InvalidArgument    sizes against bytes, element types, vocab_size
//   ResourceExhausted  more bytes, rows, chains or ids in lists of words than `limits`
//   Unimplemented      logits in several slices, or not inline
absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request, const Limits& limits);

// The same with chains in place of the request's, which are not looked at.
absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request,
                                  std::vector<DecodedChain> chains, const Limits& limits);

// How many entries the repeated fields of a request hold.
struct EntryCounts {
  int64_t chains = 0;
  int64_t rows = 0;
  int64_t logits = 0;
};

// ResourceExhausted where one is over its limit. `rows` is what the request calls its rows.
absl::Status CheckCounts(const EntryCounts& counts, const Limits& limits,
                         absl::string_view rows = "rows");

// ResourceExhausted where `bytes`, the serialized size of a request, is over the limit. Says what
// to do instead.
absl::Status CheckUnaryBytes(int64_t bytes, const Limits& limits);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_REQUEST_H_
