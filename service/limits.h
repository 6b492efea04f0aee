// What a request may carry. GetCapabilities reports these numbers and decode_request.cc enforces
// them.
#ifndef TESSERA_SERVICE_LIMITS_H_
#define TESSERA_SERVICE_LIMITS_H_

#include <cstdint>

namespace tessera {

struct Limits {
  int64_t max_unary_bytes = int64_t{64} << 20;     // serialized request; in [1 KiB, 1 GiB]
  int64_t max_rows = 4096;                         // per call
  int64_t max_chains = 4096;                       // per call
  int64_t max_response_bytes = int64_t{64} << 20;  // about, of what the rows ask for
  int64_t max_row_ids = 65536;                     // in each list of ids or bias entries of a row
  int64_t max_history = int64_t{1} << 20;          // ids or counts in one row's history
  int64_t max_sequence_ids = int64_t{1} << 24;  // that history stages compare, over a call's rows
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_LIMITS_H_
