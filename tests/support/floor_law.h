// A law that is nothing but a floor: for tests of what is read, not of what it weighs.
#ifndef TESSERA_TESTS_SUPPORT_FLOOR_LAW_H_
#define TESSERA_TESTS_SUPPORT_FLOOR_LAW_H_

#include <cstdint>

#include "kernels/drawn_law.h"
#include "kernels/math/key.h"

namespace tessera::testing {

// Of all ids, fewer than `columns`, whose logit is at least `least`.
inline DrawnLaw FloorLaw(float least, uint32_t columns) {
  DrawnLaw law;
  law.lo = MakeTokenKey(OrderKey(least), static_cast<TokenId>(columns));
  law.hi = ~uint64_t{0};
  law.y_max = 8;
  law.c = 1.5f;
  law.total = 1;
  return law;
}

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_FLOOR_LAW_H_
