// Picks what computes, and can say why.
#ifndef TESSERA_SERVICE_BACKEND_CHOICE_H_
#define TESSERA_SERVICE_BACKEND_CHOICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "service/options.h"

namespace tessera {

struct BackendChoice {
  std::unique_ptr<Backend> backend;
  std::string reason;       // for people
  std::string simd_target;  // empty where there is none
  int threads = 1;          // that sample
};

// InvalidArgument or FailedPrecondition where the forced backend or SIMD target is not to be had
// here; the message says what is.
absl::StatusOr<BackendChoice> ChooseBackend(const Options& options);

}  // namespace tessera

#endif  // TESSERA_SERVICE_BACKEND_CHOICE_H_
