// Why a stage's parameter was refused: the caller can fix it from these.
#ifndef TESSERA_KERNELS_STAGES_REFUSAL_H_
#define TESSERA_KERNELS_STAGES_REFUSAL_H_

#include <cstdint>

namespace tessera {

// `field` is the name in the proto message, `accepted` completes "it must be ...".
struct Refusal {
  const char* field = nullptr;
  double value = 0;
  const char* accepted = nullptr;
  int64_t index = -1;          // of the field's element that is meant; -1: the field as a whole
  const char* part = nullptr;  // of that element: "an id", "its length"; or nothing

  explicit operator bool() const { return field != nullptr; }
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_REFUSAL_H_
