// Checks what a row says of its chain's state: mirostat's, adaptive-p's, a generator's.
#ifndef TESSERA_SERVICE_DECODE_STATE_H_
#define TESSERA_SERVICE_DECODE_STATE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/backend.h"
#include "service/decode_chain.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

// Fills has_state and state of `input`, whose other fields are set already, and *generator_state,
// which stays 0 where the row's generator begins with its seed.
//
// InvalidArgument, its message beginning with the field: a state that the chain has no stage for, a
// number that is absent, NaN or out of range; several samples, a stream, a seed or a position that
// the chain's stage or generator cannot serve.
absl::Status DecodeState(const v1::SampleRow& row, const DecodedChain& chain, bool draws,
                         RowInput* input, uint64_t* generator_state);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_STATE_H_
