// The integer half of the oracle's arithmetic, from docs/numerics.md sections 3 to 5: weights,
// distances, boundaries and random words. Written for clarity; nothing here is fast.
#ifndef TESSERA_TESTS_SUPPORT_EXACT_ARITHMETIC_H_
#define TESSERA_TESTS_SUPPORT_EXACT_ARITHMETIC_H_

#include <array>
#include <cstdint>

namespace tessera::oracle {

__extension__ typedef unsigned __int128 Uint128;

// log2(e) / T in binary32.
float InverseTemperature(double temperature);

// 2^44 * 2^(d * c) as the contract rounds it, d = y - y_max <= 0 (or -inf).
uint64_t Weight(float d, float c);

// -d * c in units of 2^-20 bit, clamped at 44 bits.
uint64_t Distance(float d, float c);

// ceil(share * total), share a double in [0, 1] taken at its exact binary value.
uint64_t CeilShare(double share, uint64_t total);

// floor(share * total), likewise.
uint64_t FloorShare(double share, uint64_t total);

// floor(a * b / 2^64).
uint64_t MulHigh(uint64_t a, uint64_t b);

// Philox4x32-10 (Salmon et al. 2011).
std::array<uint32_t, 4> Philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// The 64-bit word that draws sample `index` of a row.
uint64_t DrawWord(uint64_t seed, uint32_t position, uint32_t stream, uint32_t index);

// The 64-bit word of a row's XTC coin.
uint64_t XtcWord(uint64_t seed, uint32_t position, uint32_t stream);

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_EXACT_ARITHMETIC_H_
