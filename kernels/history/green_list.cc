#include "kernels/history/green_list.h"

#include "kernels/math/philox.h"

namespace tessera {

std::vector<uint32_t> GreenList(const Watermark& stage, absl::Span<const TokenId> history,
                                int64_t vocab_size) {
  constexpr auto kPurpose = static_cast<uint32_t>(Purpose::kWatermark);
  if (history.size() < stage.context_width) return {};
  uint64_t hash = stage.key;
  for (uint32_t i = 0; i < stage.context_width; ++i) {
    const TokenId id = history[history.size() - stage.context_width + i];
    hash = RandomWord(hash, static_cast<uint32_t>(id), i, Purpose::kWatermark, 0);
  }
  const double bound = stage.gamma * 0x1p32;
  const auto columns = static_cast<uint32_t>(vocab_size);
  std::vector<uint32_t> green((columns + 31) / 32, 0);
  for (uint32_t first = 0; first < columns; first += 4) {
    const PhiloxWords words = Philox4x32(hash, first / 4, 0, kPurpose, 1);
    for (uint32_t v = first; v < first + 4 && v < columns; ++v) {
      if (words.w[v % 4] < bound) green[v / 32] |= uint32_t{1} << (v % 32);
    }
  }
  return green;
}

}  // namespace tessera
