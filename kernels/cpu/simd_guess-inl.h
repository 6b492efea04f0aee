// GuessMassBracket: where the first p of a row's mass probably ends.
//
// Levels half an octave apart cut the row into bins of nearly equal weight each; how many ids each
// bin holds is estimated, so this costs two or three percent of weighing the row. Near the top the
// lane maxima tell (each lane has 32 ids or more; how many ids hide behind J of n maxima follows
// from occupancy, dN = dJ / (1 - J / n)); where most lanes are occupied, one group of 32 ids per
// chunk is the sample. Floating point and rough, because no answer depends on it.
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

// Bins from the largest logit down, half an octave each and deeper down a whole one: estimated ids
// and mass, in units of w_max, and the variance of that mass.
struct MassBins {
  static constexpr int kCount = 40;
  static constexpr int kNarrow = 24;

  // The depth in octaves at which bin `bin` begins.
  static constexpr float Begin(int bin) {
    const int wide = bin > kNarrow ? bin - kNarrow : 0;
    return 0.5f * static_cast<float>(bin + wide);
  }

  float mass[kCount] = {};
  float ids[kCount] = {};
  float variance[kCount] = {};
  float total = 0;
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
  const float per_sample = static_cast<float>(row.columns) / static_cast<float>(sample_count);
  const auto level_at = [&](int bin) {
    return NativeKeys<Elements>::Near(weigher.y_max - MassBins::Begin(bin) / weigher.c);
  };
  MassBins bins;
  bool sampling = false;
  float lanes_above = 0;
  float samples_above = 0;
  float weight = 0.8409f;  // 2^-0.25: in the middle of the first bin
  for (int bin = 0; bin < MassBins::kCount; ++bin) {
    const int32_t level = level_at(bin + 1);
    float ids, hidden;  // hidden: the uncertain part
    if (!sampling) {
      const auto lanes_here = static_cast<float>(CountKeys<Elements>(lanes, lane_count, level));
      const float occupied = (lanes_here + lanes_above) / (2 * static_cast<float>(lane_count));
      ids = (lanes_here - lanes_above) / (1.0001f - occupied);
      hidden = ids - (lanes_here - lanes_above);
      lanes_above = lanes_here;
      if (occupied > 0.4f) {
        sampling = true;
        samples_above =
            static_cast<float>(CountKeys<Elements>(samples, sample_count, level_at(bin)));
      }
    }
    if (sampling) {
      const auto here = static_cast<float>(CountKeys<Elements>(samples, sample_count, level));
      ids = (here - samples_above) * per_sample;
      hidden = ids * per_sample;
      samples_above = here;
    }
    bins.ids[bin] = ids;
    bins.mass[bin] = ids * weight;
    bins.variance[bin] = hidden * weight * weight;
    bins.total += bins.mass[bin];
    if (sampling && samples_above == static_cast<float>(sample_count)) break;
    weight *= bin + 1 < MassBins::kNarrow    ? 0.70711f
              : bin + 1 == MassBins::kNarrow ? 0.5946f
                                             : 0.5f;
  }
  return bins;
}

// The likely error of the share of the mass that lies above where `share` of it is estimated to:
// what is above and what is below err independently.
HWY_INLINE float ShareError(const MassBins& bins, float share) {
  float mass = 0;
  float above = 0;
  float below = 0;
  for (int bin = 0; bin < MassBins::kCount; ++bin) {
    (mass < share * bins.total ? above : below) += bins.variance[bin];
    mass += bins.mass[bin];
  }
  const float variance = (1 - share) * (1 - share) * above + share * share * below;
  return static_cast<float>(2.5f * Sqrt(variance) / bins.total + 0.004f);
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
      return {MassBins::Begin(bin) + part * (MassBins::Begin(bin + 1) - MassBins::Begin(bin)),
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
  const auto share = static_cast<float>(p);
  const float error = ShareError(bins, share);
  const auto key_at = [&](const Depth& depth) {
    const float y = weigher.y_max - depth.octaves / weigher.c;
    return y >= -0x1.fffffep127f ? OrderKey(y) : kOrderKeyNegInf;
  };
  // Generous where that costs little.
  const float spare = 0.3f * (1 - share) + error;
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
