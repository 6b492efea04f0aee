// The uniform numbers that acceptance is decided by, as answers to comparisons: a test that
// enumerates outcomes puts its own in their place.
#ifndef TESSERA_KERNELS_VERIFICATION_COINS_H_
#define TESSERA_KERNELS_VERIFICATION_COINS_H_

#include <cstdint>

#include "kernels/math/philox.h"
#include "kernels/verification/ratio.h"

namespace tessera {

class Coins {
 public:
  virtual ~Coins() = default;

  // Whether the uniform number of this index is below `ratio`, strictly. The number is the same
  // each time.
  virtual bool Below(uint32_t index, const Ratio& ratio) = 0;

  // The 64-bit word that it is, for reports.
  virtual uint64_t word(uint32_t index) const = 0;
};

// The words of one sequence of one call. Keyed by the position of the call's first draft, so that
// words of drafts that were dropped do not come again in the next call.
class PhiloxCoins final : public Coins {
 public:
  PhiloxCoins(uint64_t seed, uint32_t first_position, uint32_t stream)
      : seed_(seed), position_(first_position), stream_(stream) {}

  bool Below(uint32_t index, const Ratio& ratio) override { return WordBelow(word(index), ratio); }
  uint64_t word(uint32_t index) const override {
    return RandomWord(seed_, position_, stream_, Purpose::kAccept, index);
  }

 private:
  uint64_t seed_;
  uint32_t position_;
  uint32_t stream_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_VERIFICATION_COINS_H_
