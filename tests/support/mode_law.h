// The law that one log-probability mode reports, by the oracle in integers.
#ifndef TESSERA_TESTS_SUPPORT_MODE_LAW_H_
#define TESSERA_TESTS_SUPPORT_MODE_LAW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/exact_law.h"

namespace tessera::testing {

struct ModeLaw {
  oracle::ExactLaw exact;
  std::vector<int32_t> place;  // by id; -1 outside the support
  std::vector<uint32_t> rank;  // by place
  bool invalid = false;        // a raw mode of a row with a received NaN or +inf

  // Fills in places, and ranks that a tie shares: the best of it, or, with ties against every
  // token, the worst.
  void Index(bool ties_against);
};

// Where the two oracles differ by more than docs/numerics.md 3 allows; empty if nowhere.
std::string OraclesDiffer(const oracle::ExactLaw& law, bool entropy);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_SUPPORT_MODE_LAW_H_
