// Builds requests in which most numbers are sensible and any of them may be absurd.
#ifndef TESSERA_TESTS_FUZZ_WILD_REQUEST_H_
#define TESSERA_TESTS_FUZZ_WILD_REQUEST_H_

#include "fuzzer/FuzzedDataProvider.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// Every choice comes from `fuzzed`, so that a change of one input byte changes one field.
v1::SampleTokensRequest WildRequest(FuzzedDataProvider& fuzzed);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_WILD_REQUEST_H_
