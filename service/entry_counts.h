// Counts what a serialized request repeats, before it is parsed.
#ifndef TESSERA_SERVICE_ENTRY_COUNTS_H_
#define TESSERA_SERVICE_ENTRY_COUNTS_H_

#include "absl/status/status.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/limits.h"

namespace tessera {

// An empty row is two bytes on the wire and some two hundred in memory, so a request within its
// byte limit could still take gigabytes to parse. ResourceExhausted, as DecodeRequest says it, when
// rows or chains are beyond their limits; OK for bytes that cannot be read, which the parser
// refuses.
absl::Status CheckEntryCounts(const grpc::ByteBuffer& request, const Limits& limits);

// The same of a VerifyDraftsRequest's sequences and chains.
absl::Status CheckVerificationEntryCounts(const grpc::ByteBuffer& request, const Limits& limits);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ENTRY_COUNTS_H_
