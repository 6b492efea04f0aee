// Why a stage's parameter was refused: the caller can fix it from these three.
#ifndef TESSERA_KERNELS_STAGES_REFUSAL_H_
#define TESSERA_KERNELS_STAGES_REFUSAL_H_

namespace tessera {

// `field` is the name in the proto message, `accepted` completes "it must be ...".
struct Refusal {
  const char* field = nullptr;
  double value = 0;
  const char* accepted = nullptr;

  explicit operator bool() const { return field != nullptr; }
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_REFUSAL_H_
