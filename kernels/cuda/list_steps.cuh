// The steps of a team on its list.
#ifndef TESSERA_KERNELS_CUDA_LIST_STEPS_CUH_
#define TESSERA_KERNELS_CUDA_LIST_STEPS_CUH_

#include <cstdint>

#include "kernels/cuda/row_memory.cuh"
#include "kernels/cuda/team_list.cuh"

namespace tessera::cuda {

__device__ __forceinline__ TeamList ListOf(RowMemory& memory, Team& team) {
  TeamList list(memory.list, team.block(), team.rank() == 0);
  list.SetSize(memory.known.list_size);
  list.SetWeigher(memory.known.list_weigher);
  return list;
}

TESSERA_STEP void ListOnlyStep(RowMemory& memory, TokenKey key) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  list.Only(key);
  if (threadIdx.x == 0) memory.known.list_size = 1;
  team.End();
}

TESSERA_STEP void KeepListStep(RowMemory& memory, TokenKey lo, TokenKey hi) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  list.Keep(lo, hi);
  if (threadIdx.x == 0) memory.known.list_size = list.size();
  team.End();
}

TESSERA_STEP uint64_t WeighListStep(RowMemory& memory, Weigher weigher) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  const uint64_t weight = list.Weigh(weigher);
  if (threadIdx.x == 0) memory.known.list_weigher = weigher;
  team.End();
  return weight;
}

// By weight, or by count.
TESSERA_STEP TokenKey FindListStep(RowMemory& memory, uint64_t target, bool count) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  const TokenKey cut = count ? list.FindCount(static_cast<uint32_t>(target)) : list.FindCut(target);
  team.End();
  return cut;
}

TESSERA_STEP uint64_t AddListToSumsStep(RowMemory& memory, TokenKey lo) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  const uint64_t weight = list.AddToSums(lo, memory.chunk_sums);
  if (threadIdx.x == 0) {
    memory.known.weighed = false;
    memory.known.sums_read = true;
  }
  team.End();
  return weight;
}

// Sorts the first n of the order into the list's work memory, in the leading block.
TESSERA_STEP uint32_t TopOfListStep(RowMemory& memory, uint32_t n) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  const uint32_t found = list.Top(n, [](uint32_t, TokenKey) {});
  team.End();
  return found;
}

// Sorts kRankedKeys of the order into the list's work memory, in every block.
TESSERA_STEP void RankListStep(RowMemory& memory, uint32_t first) {
  static_assert(kRankedKeys <= kThreads);
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  list.Rank(first, kRankedKeys);
  team.End();
}

// Draws with the n words that the leading block holds, which has the ids afterwards.
TESSERA_STEP void DrawFromListStep(RowMemory& memory, uint64_t total, uint32_t n) {
  Team team(memory.team);
  TeamList list = ListOf(memory, team);
  list.Draw(
      total, n, [&](uint32_t i) { return memory.words[i]; },
      [&](uint32_t i, TokenId id) { memory.draws[i] = id; });
  team.End();
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_LIST_STEPS_CUH_
