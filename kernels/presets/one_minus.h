// The share of a nucleus in engines that drop an ascending tail of mass at most 1 - P.
#ifndef TESSERA_KERNELS_PRESETS_ONE_MINUS_H_
#define TESSERA_KERNELS_PRESETS_ONE_MINUS_H_

namespace tessera {

// 1 - P computed in binary32 from a binary32 P (vLLM's torch path, TGI).
inline double ShareByFloatComplement(double p) {
  return 1 - static_cast<double>(1.0f - static_cast<float>(p));
}

// 1 - P computed in binary64, then rounded to compare with binary32 sums (transformers).
inline double ShareByRoundedComplement(double p) {
  return 1 - static_cast<double>(static_cast<float>(1 - p));
}

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_ONE_MINUS_H_
