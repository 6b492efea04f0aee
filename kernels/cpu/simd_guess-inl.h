// GuessMassBracket: where the first p of a row's mass probably ends.
//
// Levels half an octave apart cut the row into bins of nearly equal weight; how many ids each bin
// holds is estimated, so this costs two or three percent of weighing the row. Near the top the lane
// maxima tell (each lane has 32 ids or more; how many ids hide behind J of n maxima follows from
// occupancy, dN = dJ / (1 - J / n)); where most lanes are occupied, one group of 32 ids per chunk is
// the sample. Floating point and rough, because no answer depends on it.
//
// Included once per SIMD target (see simd_rows.cc).
#if defined(TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#undef TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#else
#define TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/cpu/simd_narrow-inl.h"
#include "kernels/math/host_device.h"
#include "kernels/math/weight.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Copies one group of native keys per chunk; a different one in each. Their number, or 0 when the
// row has no whole group.
template <class Elements>
HWY_INLINE uint32_t SampleGroups(const RowView& row, typename Elements::Native* out) {
  using Keys = NativeKeys<Elements>;
  uint32_t sampled = 0;
  for (uint32_t chunk = 0; chunk < row.chunks(); ++chunk) {
    const uint32_t groups = ChunkSize(row, chunk) / kColumns;
    if (groups == 0) continue;
    const auto* p = ChunkBits<Elements>(row, chunk) + (chunk * 11 % groups) * kColumns;
    for (uint32_t i = 0; i < kColumns; i += Keys::kLanes) {
      hn::StoreU(Keys::Load(p + i), typename Keys::Tag(), out + sampled + i);
    }
    sampled += kColumns;
  }
  return sampled;
}

// Half-octave bins from the largest logit down: estimated mass, in units of w_max, and its variance.
struct MassBins {
  static constexpr int kCount = 48;
  static constexpr float kOctavesPerBin = 0.5f;
  float mass[kCount] = {};
  float ids[kCount] = {};
  float total = 0;
  float variance = 0;
};

template <class Elements>
HWY_INLINE MassBins EstimateBins(const RowView& row, const PassScratch& scratch,
                                 const Weigher& weigher) {
  using Native = typename Elements::Native;
  constexpr uint32_t kMaxSampled = kMaxVocabulary / kChunkIds * kColumns;
  HWY_ALIGN Native samples[kMaxSampled];
  const auto* lanes = reinterpret_cast<const Native*>(scratch.lane_maxima);
  const uint32_t lane_count = row.chunks() * kColumns;
  const uint32_t sample_count = SampleGroups<Elements>(row, samples);
  const float per_sample =
      sample_count == 0 ? 0 : static_cast<float>(row.columns) / static_cast<float>(sample_count);
  MassBins bins;
  const float octave = 1 / weigher.c;  // in logits
  float weight = 0.8409f;              // 2^-0.25: in the middle of the first bin
  float lanes_above = 0;
  float samples_above = 0;
  for (int bin = 0; bin < MassBins::kCount; ++bin, weight *= 0.70711f) {
    const float depth = static_cast<float>(bin + 1) * MassBins::kOctavesPerBin;
    const int32_t level = NativeKeys<Elements>::Near(weigher.y_max - depth * octave);
    const auto lanes_here =
        static_cast<float>(CountKeys<Elements>(lanes, lane_count, level));
    const auto samples_here =
        static_cast<float>(CountKeys<Elements>(samples, sample_count, level));
    const float occupied = (lanes_here + lanes_above) / (2 * static_cast<float>(lane_count));
    float ids, hidden;  // hidden: those not seen one by one
    if (occupied < 0.4f || sample_count == 0) {
      ids = (lanes_here - lanes_above) / (1.0001f - occupied);
      hidden = ids - (lanes_here - lanes_above);
    } else {
      ids = (samples_here - samples_above) * per_sample;
      hidden = ids * per_sample;
    }
    bins.ids[bin] = ids;
    bins.mass[bin] = ids * weight;
    bins.total += ids * weight;
    bins.variance += hidden * weight * weight;
    lanes_above = lanes_here;
    samples_above = samples_here;
    if (samples_here == static_cast<float>(sample_count) &&
        lanes_here == static_cast<float>(lane_count)) {
      break;
    }
  }
  return bins;
}

// Where the mass from the top reaches `target`, as a depth in octaves; and the ids down to there.
struct Depth {
  float octaves;
  float ids;
};

HWY_INLINE Depth DepthOf(const MassBins& bins, float target) {
  float mass = 0;
  float ids = 0;
  for (int bin = 0; bin < MassBins::kCount; ++bin) {
    if (mass + bins.mass[bin] >= target && bins.mass[bin] > 0) {
      const float part = (target - mass) / bins.mass[bin];
      return {(static_cast<float>(bin) + part) * MassBins::kOctavesPerBin,
              ids + part * bins.ids[bin]};
    }
    mass += bins.mass[bin];
    ids += bins.ids[bin];
  }
  return {1e9f, ids};  // all of the row
}

template <class Elements>
HWY_NOINLINE OrderBracket GuessMassBracketOf(const RowView& row, const PassScratch& scratch,
                                             const Weigher& weigher, double p) {
  constexpr float kListed = 2048;  // ids that are listed sooner than summed
  const OrderBracket everything{kOrderKeyNegInf, kOrderKeyPosInf};
  if (row.columns <= 2 * kChunkIds) return everything;
  const MassBins bins = EstimateBins<Elements>(row, scratch, weigher);
  const float error = 2.5f * Sqrt(bins.variance) / bins.total + 0.01f;
  const auto share = static_cast<float>(p);
  const auto key_at = [&](const Depth& depth) {
    const float y = weigher.y_max - depth.octaves / weigher.c;
    return y >= -0x1.fffffep127f ? OrderKey(y) : kOrderKeyNegInf;
  };
  // Generous where that costs little.
  const float spare = 0.3f * (1 - share) > error ? 0.3f * (1 - share) : error;
  const Depth generous = DepthOf(bins, (share + spare) * bins.total);
  if (generous.ids <= kListed) return {key_at(generous), kOrderKeyPosInf};
  const Depth deep = DepthOf(bins, (share + error) * bins.total);
  if (deep.ids <= 2 * kListed) return {key_at(deep), kOrderKeyPosInf};
  if (share <= error) return {key_at(deep), kOrderKeyPosInf};
  return {key_at(deep), key_at(DepthOf(bins, (share - error) * bins.total))};
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_KERNELS_CPU_SIMD_GUESS_INL_H_
