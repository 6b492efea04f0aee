// The list of a team's row (kernels/row/row.h): token keys in id order. Every block of the team
// holds the same list in its own shared memory and finds the same answers, so blocks need not wait
// for each other. All threads call the operations together, with equal arguments.
#ifndef TESSERA_KERNELS_CUDA_TEAM_LIST_CUH_
#define TESSERA_KERNELS_CUDA_TEAM_LIST_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/cuda/list_range.cuh"
#include "kernels/cuda/list_select.cuh"
#include "kernels/math/wide.h"
#include "kernels/row/row_view.h"

namespace tessera::cuda {

inline constexpr uint32_t kListCapacity = 2048;
inline constexpr uint32_t kListRows = kListCapacity / kThreads;  // keys of a thread, at most

// In shared memory; needs no initial value.
struct ListMemory {
  TokenKey keys[kListCapacity];
  uint64_t work[kThreads];  // keys of a short part, or sums of weights
};

class TeamList {
 public:
  // `leader`: this block writes what the team writes once.
  __device__ __forceinline__ TeamList(ListMemory& memory, BlockScratch& scratch, bool leader)
      : memory_(memory), scratch_(scratch), leader_(leader) {}

  __device__ __forceinline__ uint32_t size() const { return size_; }

  // Makes the first n keys of the memory the list. REQUIRES: a barrier stands behind their writes;
  // one stood between the last operation on the old list and the first of them.
  __device__ __forceinline__ void SetSize(uint32_t n) { size_ = n; }

  // The weigher of the last Weigh of the same list, by another TeamList.
  __device__ __forceinline__ void SetWeigher(const Weigher& weigher) { weigher_ = weigher; }

  __device__ __forceinline__ void Only(TokenKey key) {
    __syncthreads();
    if (ThreadIndex() == 0) memory_.keys[0] = key;
    size_ = 1;
    __syncthreads();
  }

  // Drops what lies outside [lo, hi].
  __device__ __forceinline__ void Keep(TokenKey lo, TokenKey hi);

  // The list's weight. Later operations weigh keys in the same way.
  __device__ __forceinline__ uint64_t Weigh(const Weigher& weigher) {
    weigher_ = weigher;
    const KeyWeight weight{weigher, false};
    uint64_t sum = 0;
    TESSERA_NO_UNROLL
    for (uint32_t i = ThreadIndex(); i < size_; i += kThreads) sum += weight.Of(memory_.keys[i]);
    return BlockSum(sum, scratch_);
  }

  // The largest key such that it and the keys above it together weigh (or number) at least that
  // much. REQUIRES: 0 < target <= the list's weight (0 < count <= its size).
  __device__ __forceinline__ TokenKey FindCut(uint64_t target) {
    return cuda::FindCut(memory_.keys, size_, target, {weigher_, false}, memory_.work, scratch_);
  }
  __device__ __forceinline__ TokenKey FindCount(uint32_t count) {
    return cuda::FindCut(memory_.keys, size_, count, {weigher_, true}, memory_.work, scratch_);
  }

  // Any thread, alone: how many keys are at or above `key`.
  __device__ __forceinline__ uint32_t CountAbove(TokenKey key) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < size_; ++i) count += memory_.keys[i] >= key ? 1 : 0;
    return count;
  }

  // Sorts the keys of the ranks first, ..., first + n - 1 of the order, ranks from 0, into the work
  // memory; how many there are. REQUIRES: 0 < n <= kThreads.
  __device__ __forceinline__ uint32_t Rank(uint32_t first, uint32_t n);

  // In the leader, thread `rank` calls write(rank, key) for the first n of the order. How many
  // there are. REQUIRES: n <= kThreads.
  template <class Write>
  __device__ __forceinline__ uint32_t Top(uint32_t n, Write write);

  // Adds the weights of the keys at or above `lo` to the sums of their chunks, which are this
  // block's to write (none: null); how much that is. A barrier stands behind the additions.
  __device__ __forceinline__ uint64_t AddToSums(TokenKey lo, uint64_t* chunk_sums);

  // In the leader: for i below n, thread i % kThreads calls write(i, id) with the first id whose
  // inclusive weight exceeds floor(word(i) * total / 2^64). REQUIRES: total is the list's weight.
  template <class Word, class Write>
  __device__ __forceinline__ void Draw(uint64_t total, uint32_t n, Word word, Write write);

 private:
  // As AddToSums, by a warp, for the chunk whose first key stands at `begin`; the lane's share.
  __device__ __forceinline__ uint64_t AddChunk(uint32_t begin, TokenKey lo, uint64_t* chunk_sums);

  // The first id whose inclusive weight exceeds r, from each thread's inclusive sum of `share`
  // keys in the work memory.
  __device__ __forceinline__ TokenId IdAbove(uint64_t r, uint32_t share) const;

  __device__ __forceinline__ uint32_t ChunkAt(uint32_t i) const {
    return static_cast<uint32_t>(IdOf(memory_.keys[i])) / kChunkIds;
  }

  ListMemory& memory_;
  BlockScratch& scratch_;
  const bool leader_;
  uint32_t size_ = 0;
  Weigher weigher_{0, 1, -150};
};

}  // namespace tessera::cuda

#include "kernels/cuda/team_list-inl.cuh"

#endif  // TESSERA_KERNELS_CUDA_TEAM_LIST_CUH_
