#include "kernels/random_words.h"

#include <random>

namespace tessera {
namespace {

void FillFromMt19937(uint32_t seed, uint32_t position, absl::Span<uint64_t> words) {
  std::mt19937 engine(seed);
  engine.discard(2ull * position);
  for (uint64_t& word : words) {
    const uint64_t low = engine();
    word = uint64_t{engine()} << 32 | low;
  }
}

void FillFromXorshift64(uint64_t state, absl::Span<uint64_t> words) {
  for (uint64_t& word : words) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    word = state;
  }
}

}  // namespace

void FillRandomWords(Generator generator, uint64_t seed, uint32_t position, uint64_t state,
                     absl::Span<uint64_t> words) {
  switch (generator) {
    case Generator::kPhilox:
      return;
    case Generator::kMt19937:
      return FillFromMt19937(static_cast<uint32_t>(seed), position, words);
    case Generator::kXorshift64:
      return FillFromXorshift64(state, words);
  }
}

}  // namespace tessera
