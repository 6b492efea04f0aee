// What a backend answers when still_wanted said no.
#ifndef TESSERA_KERNELS_NO_LONGER_WANTED_H_
#define TESSERA_KERNELS_NO_LONGER_WANTED_H_

#include "absl/status/status.h"

namespace tessera {

inline absl::Status NoLongerWanted() {
  return absl::CancelledError("nobody waits for the batch any more");
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_NO_LONGER_WANTED_H_
