// The longer operations of a TeamList. Included by team_list.cuh.
#ifndef TESSERA_KERNELS_CUDA_TEAM_LIST_INL_CUH_
#define TESSERA_KERNELS_CUDA_TEAM_LIST_INL_CUH_

#include "kernels/cuda/team_list.cuh"

namespace tessera::cuda {

// In place: a warp takes consecutive rows of 32 keys into registers, and what it keeps goes behind
// what the warps below keep.
__device__ __forceinline__ void TeamList::Keep(TokenKey lo, TokenKey hi) {
  const uint32_t rows = (size_ + kThreads - 1) / kThreads;  // of each warp
  const uint32_t begin = WarpIndex() * rows * 32 + LaneIndex();
  TokenKey keys[kListRows];
  uint32_t inside = 0;  // a bit for each row
  uint32_t of_warp = 0;
  TESSERA_UNROLL
  for (uint32_t row = 0; row < kListRows; ++row) {
    if (row >= rows) break;
    const uint32_t i = begin + row * 32;
    keys[row] = i < size_ ? memory_.keys[i] : 0;
    const bool kept = i < size_ && lo <= keys[row] && keys[row] <= hi;
    inside |= (kept ? 1u : 0u) << row;
    of_warp += static_cast<uint32_t>(__popc(__ballot_sync(kAllLanes, kept)));
  }
  uint32_t total;
  uint32_t place = SumOfWarpsBelow(of_warp, scratch_, &total);
  if (total == size_) return;
  const uint32_t lanes_below = (1u << LaneIndex()) - 1;
  TESSERA_UNROLL
  for (uint32_t row = 0; row < kListRows; ++row) {
    if (row >= rows) break;
    const bool kept = (inside >> row & 1) != 0;
    const uint32_t lanes = __ballot_sync(kAllLanes, kept);
    if (kept) memory_.keys[place + static_cast<uint32_t>(__popc(lanes & lanes_below))] = keys[row];
    place += static_cast<uint32_t>(__popc(lanes));
  }
  size_ = total;
  __syncthreads();
}

__device__ __forceinline__ uint32_t TeamList::Rank(uint32_t first, uint32_t n) {
  if (first >= size_) return 0;
  const uint32_t end = n < size_ - first ? first + n : size_;
  KeyRange range;
  if (first > 0) range.hi = FindCount(first) - 1;
  if (end < size_) range.lo = FindCount(end);
  TokenKey* const ranked = memory_.work;
  Gather(range, memory_.keys, size_, ranked, scratch_);
  const uint32_t found = end - first;
  const uint32_t thread = ThreadIndex();
  const TokenKey key = thread < found ? ranked[thread] : 0;
  uint32_t rank = 0;
  if (thread < found) {
    for (uint32_t i = 0; i < found; ++i) rank += ranked[i] > key ? 1 : 0;
  }
  __syncthreads();
  if (thread < found) ranked[rank] = key;
  __syncthreads();
  return found;
}

template <class Write>
__device__ __forceinline__ uint32_t TeamList::Top(uint32_t n, Write write) {
  const uint32_t found = n < size_ ? n : size_;
  if (!leader_ || found == 0) return found;
  Rank(0, n);
  if (ThreadIndex() < found) write(ThreadIndex(), memory_.work[ThreadIndex()]);
  return found;
}

// A warp looks through rows of 32 keys, and sums each chunk that begins there to its end.
__device__ __forceinline__ uint64_t TeamList::AddToSums(TokenKey lo, uint64_t* chunk_sums) {
  uint64_t share = 0;
  TESSERA_NO_UNROLL
  for (uint32_t row = WarpIndex() * 32; row < size_; row += kThreads) {
    const uint32_t i = row + LaneIndex();
    const bool begins = i < size_ && (i == 0 || ChunkAt(i) != ChunkAt(i - 1));
    uint32_t lanes = __ballot_sync(kAllLanes, begins);
    TESSERA_NO_UNROLL
    for (; lanes != 0; lanes &= lanes - 1) {
      const uint32_t first = row + static_cast<uint32_t>(__ffs(static_cast<int>(lanes))) - 1;
      share += AddChunk(first, lo, chunk_sums);
    }
  }
  return BlockSum(share, scratch_);
}

__device__ __forceinline__ uint64_t TeamList::AddChunk(uint32_t begin, TokenKey lo,
                                                       uint64_t* chunk_sums) {
  const KeyWeight weight{weigher_, false};
  const uint32_t chunk = ChunkAt(begin);
  uint64_t share = 0;
  bool inside = true;
  TESSERA_NO_UNROLL
  for (uint32_t i = begin + LaneIndex(); __all_sync(kAllLanes, inside); i += 32) {
    inside = i < size_ && ChunkAt(i) == chunk;
    if (inside && memory_.keys[i] >= lo) share += weight.Of(memory_.keys[i]);
  }
  const uint64_t sum = WarpSumOfWeights(share);
  if (LaneIndex() == 0 && chunk_sums != nullptr) chunk_sums[chunk] += sum;
  return share;
}

template <class Word, class Write>
__device__ __forceinline__ void TeamList::Draw(uint64_t total, uint32_t n, Word word, Write write) {
  if (!leader_) return;
  const KeyWeight weight{weigher_, false};
  const uint32_t share = (size_ + kThreads - 1) / kThreads;
  const uint32_t begin = ThreadIndex() * share;
  const uint32_t end = begin + share < size_ ? begin + share : size_;
  uint64_t sum = 0;
  TESSERA_NO_UNROLL
  for (uint32_t i = begin; i < end; ++i) sum += weight.Of(memory_.keys[i]);
  uint64_t all;
  const uint64_t below = BlockExclusiveSum(sum, scratch_, &all);
  memory_.work[ThreadIndex()] = below + sum;
  __syncthreads();
  TESSERA_NO_UNROLL
  for (uint32_t i = ThreadIndex(); i < n; i += kThreads) {
    write(i, IdAbove(MulHi64(word(i), total), share));
  }
}

// Each step reads three sums at once: for one draw alone, four delays of the memory and not eight.
__device__ __forceinline__ TokenId TeamList::IdAbove(uint64_t r, uint32_t share) const {
  static_assert(kThreads == 4 * 4 * 4 * 4);
  const KeyWeight weight{weigher_, false};
  uint32_t owner = 0;  // the first thread whose inclusive sum exceeds r
  TESSERA_NO_UNROLL
  for (uint32_t step = kThreads / 4; step > 0; step /= 4) {
    uint32_t passed = 0;
    TESSERA_UNROLL
    for (uint32_t k = 1; k < 4; ++k) passed += memory_.work[owner + k * step - 1] <= r ? 1 : 0;
    owner += passed * step;
  }
  if (owner > 0) r -= memory_.work[owner - 1];
  uint32_t i = owner * share;
  const uint32_t end = i + share < size_ ? i + share : size_;
  TESSERA_NO_UNROLL
  for (; i + 1 < end; ++i) {
    const uint64_t w = weight.Of(memory_.keys[i]);
    if (w > r) break;
    r -= w;
  }
  return IdOf(memory_.keys[i]);
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_TEAM_LIST_INL_CUH_
