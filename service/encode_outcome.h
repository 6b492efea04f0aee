// What became of a row, for the response.
#ifndef TESSERA_SERVICE_ENCODE_OUTCOME_H_
#define TESSERA_SERVICE_ENCODE_OUTCOME_H_

#include <string>

#include "kernels/backend.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

v1::RowOutcome ToProto(Outcome outcome);

// Why a row has no tokens; empty where it is OK. Says nothing of the row's place, so that it is the
// same wherever the row stands.
std::string MessageOf(const RowResult& result);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ENCODE_OUTCOME_H_
