// A team: the blocks that share a row, in step. The blocks of a cluster, or a single block.
//
// Chunks of a row are split among them in order of rank, so that what a block of lower rank finds
// stands before what a higher one finds.
#ifndef TESSERA_KERNELS_CUDA_TEAM_CUH_
#define TESSERA_KERNELS_CUDA_TEAM_CUH_

#include <cstdint>

#include "kernels/cuda/block.cuh"
#include "kernels/cuda/simt.h"

namespace tessera::cuda {

inline constexpr uint32_t kMaxTeamBlocks = 16;

// In the shared memory of each block, at the same place.
struct TeamScratch {
  BlockMemory block;
  // What the other blocks say, by rank. Two sets: a block may write the next round while another
  // still reads the last one, but no further, because each round has a barrier.
  uint64_t said[2][kMaxTeamBlocks][2];
  uint32_t round;  // which set is next; starts at 0
};

// What a team does in one step of the row algorithm is a function that is called, not inlined: the
// algorithm asks for the same things in many places. Its state between steps stands in shared
// memory, so that a call takes and returns a few registers.
#ifdef __CUDACC__
#define TESSERA_STEP inline __device__ __noinline__
#else
#define TESSERA_STEP inline
#endif

// Made anew for each step, which makes at least one sum and ends with End.
class Team {
 public:
  __device__ __forceinline__ explicit Team(TeamScratch& scratch)
      : scratch_(scratch),
        block_(scratch.block),
        rank_(simt::ClusterRank()),
        blocks_(simt::ClusterBlocks()),
        round_(scratch.round) {}

  // A barrier of the block, behind which another step may begin. The round is written only where
  // the team has met, so after every thread read it.
  __device__ __forceinline__ void End() {
    if (threadIdx.x == 0 && scratch_.round != round_) scratch_.round = round_;
    __syncthreads();
  }

  __device__ __forceinline__ uint32_t rank() const { return rank_; }
  __device__ __forceinline__ uint32_t blocks() const { return blocks_; }
  __device__ __forceinline__ BlockScratch& block() { return block_; }

  // What any thread of the team wrote before is seen by all of them after.
  __device__ __forceinline__ void Sync() {
    if (blocks_ > 1) {
      simt::ClusterSync();
    } else {
      __syncthreads();
    }
  }

  // The same object in the shared memory of another block.
  template <class T>
  __device__ __forceinline__ T* Peer(T* own, uint32_t rank) const {
    return blocks_ > 1 ? simt::ClusterMap(own, rank) : own;
  }

  // Writes `value` to the same place in every block, by one warp's lanes. The caller synchronises.
  template <class T>
  __device__ __forceinline__ void TellAll(T* own, T value) const {
    const uint32_t lane = threadIdx.x % 32;
    if (lane < blocks_) *Peer(own, lane) = value;
  }

  // Sums over the team of two values of each thread.
  __device__ __forceinline__ void Sum(uint64_t* a, uint64_t* b) {
    const Values<2> here = BlockSums(Values<2>{{*a, *b}}, block_);
    *a = here.v[0];
    *b = here.v[1];
    if (blocks_ == 1) return;
    Say(*a, *b);
    uint64_t sums[2] = {0, 0};
    for (uint32_t from = 0; from < blocks_; ++from) {
      sums[0] += Said(from)[0];
      sums[1] += Said(from)[1];
    }
    *a = sums[0];
    *b = sums[1];
    round_ ^= 1;
  }

  __device__ __forceinline__ uint64_t Sum(uint64_t value) {
    uint64_t sum;
    ExclusiveSum(BlockSum(value, block_), &sum);
    return sum;
  }

  __device__ __forceinline__ int32_t Max(int32_t value) {
    value = BlockMax(value, block_);
    if (blocks_ == 1) return value;
    Say(static_cast<uint32_t>(value), 0);
    for (uint32_t from = 0; from < blocks_; ++from) {
      const auto other = static_cast<int32_t>(static_cast<uint32_t>(Said(from)[0]));
      if (other > value) value = other;
    }
    round_ ^= 1;
    return value;
  }

  // Over the values of whole blocks (equal in all threads of one): the sum of those of lower rank;
  // and of all.
  __device__ __forceinline__ uint64_t ExclusiveSum(uint64_t block_value, uint64_t* total) {
    if (blocks_ == 1) {
      *total = block_value;
      return 0;
    }
    Say(block_value, 0);
    uint64_t before = 0;
    uint64_t sum = 0;
    for (uint32_t from = 0; from < blocks_; ++from) {
      if (from == rank_) before = sum;
      sum += Said(from)[0];
    }
    round_ ^= 1;
    *total = sum;
    return before;
  }

 private:
  __device__ __forceinline__ void Say(uint64_t a, uint64_t b) {
    if (threadIdx.x < blocks_) {
      uint64_t* const there = Peer(&scratch_.said[round_][rank_][0], threadIdx.x);
      there[0] = a;
      there[1] = b;
    }
    simt::ClusterSync();
  }

  __device__ __forceinline__ const uint64_t* Said(uint32_t from) const {
    return scratch_.said[round_][from];
  }

  TeamScratch& scratch_;
  BlockScratch block_;
  const uint32_t rank_;
  const uint32_t blocks_;
  uint32_t round_;
};

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_TEAM_CUH_
