// What a warp collective answers, once all of its lanes have arrived.
#ifndef TESSERA_TESTS_SIMT_WARP_ANSWER_H_
#define TESSERA_TESTS_SIMT_WARP_ANSWER_H_

#include <cstdint>

#include "tests/simt/machine.h"

namespace simt::emulator {

// The part that is one for all lanes.
uint64_t CommonAnswer(const Rendezvous& met);

// What `lane` gets.
uint64_t Answer(const Rendezvous& met, unsigned lane, uint64_t common);

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_WARP_ANSWER_H_
