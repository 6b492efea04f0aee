#include "tests/simt/warp_answer.h"

#include <algorithm>

namespace simt::emulator {
namespace {

constexpr uint64_t kUndefined = 0xDEADBEEFDEADBEEFu;  // shuffled from a lane that takes no part

uint32_t Combine(Op op, uint32_t a, uint32_t b) {
  const auto signed_a = static_cast<int32_t>(a);
  const auto signed_b = static_cast<int32_t>(b);
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kUnsignedMin:
      return std::min(a, b);
    case Op::kUnsignedMax:
      return std::max(a, b);
    case Op::kSignedMin:
      return static_cast<uint32_t>(std::min(signed_a, signed_b));
    case Op::kSignedMax:
      return static_cast<uint32_t>(std::max(signed_a, signed_b));
    case Op::kAnd:
      return a & b;
    case Op::kOr:
      return a | b;
    case Op::kXor:
      return a ^ b;
    case Op::kShuffle:
    case Op::kBallot:
    case Op::kAll:
    case Op::kAny:
    case Op::kMatchAny:
    case Op::kMatchAll:
    case Op::kSync:
      break;
  }
  return 0;
}

// The lanes of the rendezvous whose operand `wanted` accepts.
template <typename Wanted>
unsigned Lanes(const Rendezvous& met, Wanted wanted) {
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((met.mask >> lane & 1) != 0 && wanted(met.value[lane])) {
      lanes |= 1u << lane;
    }
  }
  return lanes;
}

uint64_t Reduction(const Rendezvous& met) {
  unsigned lane = static_cast<unsigned>(__builtin_ctz(met.mask));
  auto sum = static_cast<uint32_t>(met.value[lane]);
  while (++lane < 32) {
    if ((met.mask >> lane & 1) != 0) {
      sum = Combine(met.op, sum, static_cast<uint32_t>(met.value[lane]));
    }
  }
  return sum;
}

}  // namespace

uint64_t Answer(const Rendezvous& met, unsigned lane, uint64_t common) {
  const uint64_t own = met.value[lane];
  switch (met.op) {
    case Op::kShuffle: {
      const auto source = static_cast<unsigned>(met.source[lane]);
      return source < 32 && (met.mask >> source & 1) != 0 ? met.value[source] : kUndefined;
    }
    case Op::kMatchAny:
      return Lanes(met, [own](uint64_t value) { return value == own; });
    default:
      return common;
  }
}

uint64_t CommonAnswer(const Rendezvous& met) {
  const unsigned set = Lanes(met, [](uint64_t value) { return value != 0; });
  const uint64_t first = met.value[static_cast<unsigned>(__builtin_ctz(met.mask))];
  switch (met.op) {
    case Op::kShuffle:
    case Op::kMatchAny:
    case Op::kSync:
      return 0;
    case Op::kBallot:
      return set;
    case Op::kAll:
      return set == met.mask;
    case Op::kAny:
      return set != 0;
    case Op::kMatchAll:
      return Lanes(met, [first](uint64_t value) { return value == first; }) == met.mask ? met.mask
                                                                                        : 0;
    default:
      return Reduction(met);
  }
}

}  // namespace simt::emulator
