// A Row (kernels/row/row.h) for a team: what all threads of the blocks that share a row do together
// when the row algorithm asks. What is known of the row stands in the memory of each block.
#ifndef TESSERA_KERNELS_CUDA_TEAM_ROW_CUH_
#define TESSERA_KERNELS_CUDA_TEAM_ROW_CUH_

#include <cstdint>

#include "kernels/cuda/draw_from_sums.cuh"
#include "kernels/cuda/list_steps.cuh"
#include "kernels/cuda/rewrite_steps.cuh"
#include "kernels/cuda/row_steps.cuh"

namespace tessera::cuda {

class TeamRow {
 public:
  // Every thread of the team makes one, with its block's memory which says where the row is.
  __device__ __forceinline__ explicit TeamRow(RowMemory& memory) : memory_(memory) {}

  __device__ __forceinline__ const RowInput& input() const { return *memory_.place.input; }
  __device__ __forceinline__ RowResult* result() const { return memory_.place.result; }

  __device__ __forceinline__ RowMax Open(View view) {
    OpenViewStep(memory_, view);
    // All threads have the same; that a reduction gives it lets the compiler know, too, and saves
    // it the registers of a branch that threads could part at.
    return RowMaxOf(WarpMax(memory_.known.max_key));
  }
  __device__ __forceinline__ void Apply(const Rewrite& rewrite, const Interval& support) {
    RewriteStep(memory_, rewrite, support);
  }
  __device__ __forceinline__ void Note(uint64_t weight, int32_t key) {
    if (threadIdx.x == 0) {
      memory_.known.noted_weight = weight;
      memory_.known.noted_key = key;
    }
    __syncthreads();
  }
  __device__ __forceinline__ uint64_t noted_weight() const { return memory_.known.noted_weight; }
  __device__ __forceinline__ int32_t noted_key() const { return memory_.known.noted_key; }

  __device__ __forceinline__ int32_t max_key() const { return memory_.known.max_key; }
  __device__ __forceinline__ uint32_t columns() const { return memory_.place.columns; }
  __device__ __forceinline__ float LogitAt(TokenId id) const {
    return LogitOf(memory_, static_cast<uint32_t>(id));
  }
  __device__ __forceinline__ TokenId FirstInvalid() { return FirstInvalidStep(memory_); }

  __device__ __forceinline__ int32_t CountFloor(uint32_t k, float c) {
    return CountFloorStep(memory_, k, c);
  }
  // Always worth a try: a pass that counts comes first anyway.
  __device__ __forceinline__ uint32_t RoughCount(int32_t) { return 0; }
  __device__ __forceinline__ OrderBracket GuessMassBracket(const Weigher& weigher, double p) {
    return MassBracketStep(memory_, weigher, p);
  }
  __device__ __forceinline__ OrderBracket GuessWithin(const Interval& support,
                                                      const OrderBracket& bracket,
                                                      const Measure& measure, uint64_t rest) {
    return GuessWithinStep(memory_, support, bracket, measure, rest);
  }
  __device__ __forceinline__ WeighTotals Weigh(const Weigher& weigher, const Interval& support,
                                               int32_t above) {
    return WeighStep(memory_, weigher, support, above);
  }
  __device__ __forceinline__ uint32_t Count(const Interval& support) {
    return CountStep(memory_, support);
  }
  __device__ __forceinline__ TokenKey NthTie(const Interval& ties, uint32_t n) {
    return NthKeyStep(memory_, ties, n);
  }
  __device__ __forceinline__ EntropySums Entropy(const Weigher& weigher, const Interval& support) {
    return EntropyStep(memory_, weigher, support);
  }

  __device__ __forceinline__ SpreadMoments MomentsOf(const Interval& support) {
    MomentsStep(memory_, support);
    return memory_.moments;
  }

  template <class KeyAt, class Write>
  __device__ __forceinline__ void CountLarger(uint32_t n, const Interval& support, KeyAt key_at,
                                              Write write) {
    Team team(memory_.team);
    team.Sync();  // the list, whose memory is used here, is read no more
    ForEach(n, [&](uint32_t i) {
      const int32_t key = key_at(i);
      for (uint32_t r = 0; r < team.blocks(); ++r) *team.Peer(&memory_.larger.keys[i], r) = key;
    });
    team.Sync();
    CountLargerStep(memory_, support, n);
    ForEach(n, [&](uint32_t i) { write(i, LargerOf(memory_, team, i)); });
    team.Sync();
  }

  __device__ __forceinline__ uint32_t list_capacity() const { return kListCapacity; }
  __device__ __forceinline__ uint32_t list_size() const { return memory_.known.list_size; }
  __device__ __forceinline__ uint32_t Collect(const Interval& support) {
    return CollectStep(memory_, support);
  }
  __device__ __forceinline__ void ListOnly(TokenKey key) { ListOnlyStep(memory_, key); }
  __device__ __forceinline__ void KeepList(TokenKey lo, TokenKey hi) {
    KeepListStep(memory_, lo, hi);
  }
  __device__ __forceinline__ uint64_t WeighList(const Weigher& weigher) {
    return WeighListStep(memory_, weigher);
  }
  __device__ __forceinline__ TokenKey FindListCut(uint64_t target) {
    return FindListStep(memory_, target, false);
  }
  __device__ __forceinline__ TokenKey FindListCount(uint32_t count) {
    return FindListStep(memory_, count, true);
  }
  __device__ __forceinline__ uint32_t ListCountAbove(TokenKey key) const {
    uint32_t count = 0;
    TESSERA_NO_UNROLL
    for (uint32_t i = 0; i < list_size(); ++i) count += memory_.list.keys[i] >= key ? 1 : 0;
    return count;
  }
  template <class Write>
  __device__ __forceinline__ uint32_t TopOfList(uint32_t n, Write write) {
    const uint32_t found = TopOfListStep(memory_, n);
    ForEach(found, [&](uint32_t rank) { write(rank, memory_.list.work[rank]); });
    __syncthreads();  // the work memory may be written again
    return found;
  }
  __device__ __forceinline__ void RankFrom(uint32_t first) { RankListStep(memory_, first); }
  __device__ __forceinline__ TokenKey RankedKey(uint32_t rank) const {
    return memory_.list.work[rank % kRankedKeys];
  }
  template <class Write>
  __device__ __forceinline__ void ForEachListed(Write write) {
    ForEach(list_size(), [&](uint32_t i) { write(i, memory_.list.keys[i]); });
    Team(memory_.team).Sync();  // the list may be written again
  }
  __device__ __forceinline__ uint64_t AddListToSums(TokenKey lo) {
    return AddListToSumsStep(memory_, lo);
  }

  template <class Word, class Write>
  __device__ __forceinline__ void DrawFromList(uint64_t total, uint32_t n, Word word, Write write) {
    HoldWords(n, word);
    DrawFromListStep(memory_, total, n);
    ForEach(n, [&](uint32_t i) { write(i, memory_.draws[i]); });
  }
  template <class Word, class Write>
  __device__ __forceinline__ void DrawFromSums(const Weigher& weigher, const Interval& support,
                                               uint64_t total, uint32_t n, Word word, Write write) {
    HoldWords(n, word);
    DrawFromSumsStep(memory_, weigher, support, total, n);
    ForEach(n, [&](uint32_t i) { write(i, memory_.draws[i]); });
  }

  template <class Function>
  __device__ __forceinline__ void ForEach(uint32_t n, Function function) {
    if (simt::ClusterRank() != 0) return;
    TESSERA_NO_UNROLL
    for (uint32_t i = threadIdx.x; i < n; i += kThreads) function(i);
  }
  template <class Function>
  __device__ __forceinline__ void Once(Function function) {
    if (simt::ClusterRank() == 0 && threadIdx.x == 0) function();
  }
  template <class Function>
  __device__ __forceinline__ void OnceAfterAll(Function function) {
    Team(memory_.team).Sync();
    Once(function);
  }

 private:
  // In every block.
  template <class Word>
  __device__ __forceinline__ void HoldWords(uint32_t n, Word word) {
    static_assert(kMaxSamples <= kThreads);
    if (threadIdx.x < n) memory_.words[threadIdx.x] = word(threadIdx.x);
  }

  RowMemory& memory_;
};

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_TEAM_ROW_CUH_
