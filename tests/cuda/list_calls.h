// Runs a script of operations on a TeamList in one emulated block, and says what every thread got.
#ifndef TESSERA_TESTS_CUDA_LIST_CALLS_H_
#define TESSERA_TESTS_CUDA_LIST_CALLS_H_

#include <cstdint>
#include <vector>

#include "kernels/cuda/team_list.cuh"

namespace tessera::cuda {

enum class ListOp {
  kKeep,        // a, b: lo, hi; answers the size
  kOnly,        // a: key
  kWeigh,       // weigher
  kFindCut,     // a: target
  kFindCount,   // a: count
  kCountAbove,  // a: key
  kTop,         // a: n
  kRank,        // a: first; writes what then stands in the work memory
  kAddToSums,   // a: lo
  kDraw,        // a: total, b: n; answers 0
};

struct ListCall {
  ListOp op;
  uint64_t a = 0;
  uint64_t b = 0;
  Weigher weigher{0, 1, -150};
};

inline constexpr uint32_t kMostWritten = 2 * kThreads + 3;  // by one call
inline constexpr uint32_t kSums = 257;                      // chunks of the widest row
inline constexpr uint64_t kUnwritten = ~uint64_t{0};

// Written by Top, Rank and Draw.
struct Written {
  uint64_t value = kUnwritten;
  uint32_t thread = 0;
  uint32_t times = 0;
};

struct ListScript {
  const TokenKey* keys;
  uint32_t size;
  bool leader;
  const ListCall* calls;
  uint32_t count;
  const uint64_t* words;  // [kMostWritten]
  uint64_t* answers;      // [count][kThreads]
  Written* written;       // [count][kMostWritten]
  uint64_t* chunk_sums;   // [kSums], added to by a leader
};

struct ScriptMemory {
  BlockMemory block;
  ListMemory list;
  uint64_t chunk_sums[kSums];
};

inline uint64_t RunCall(const ListCall& call, const ListScript& script, Written* written,
                        const TokenKey* work, uint64_t* chunk_sums, TeamList& list) {
  const auto write = [written](uint32_t i, auto value) {
    written[i] = {static_cast<uint64_t>(value), threadIdx.x, written[i].times + 1};
  };
  switch (call.op) {
    case ListOp::kKeep:
      list.Keep(call.a, call.b);
      return list.size();
    case ListOp::kOnly:
      list.Only(call.a);
      return list.size();
    case ListOp::kWeigh:
      return list.Weigh(call.weigher);
    case ListOp::kFindCut:
      return list.FindCut(call.a);
    case ListOp::kFindCount:
      return list.FindCount(static_cast<uint32_t>(call.a));
    case ListOp::kCountAbove:
      return list.CountAbove(call.a);
    case ListOp::kTop:
      return list.Top(static_cast<uint32_t>(call.a), write);
    case ListOp::kRank: {
      const uint32_t found = list.Rank(static_cast<uint32_t>(call.a), kThreads);
      if (threadIdx.x < found) write(threadIdx.x, work[threadIdx.x]);
      return found;
    }
    case ListOp::kAddToSums:
      return list.AddToSums(call.a, script.leader ? chunk_sums : nullptr);
    case ListOp::kDraw:
      list.Draw(
          call.a, static_cast<uint32_t>(call.b), [&](uint32_t i) { return script.words[i]; },
          write);
      return 0;
  }
  return 0;
}

inline void RunScript(const ListScript* script) {
  ScriptMemory& memory = *simt::DynamicShared<ScriptMemory>();
  BlockScratch scratch(memory.block);
  TeamList list(memory.list, scratch, script->leader);
  const uint32_t thread = threadIdx.x;
  for (uint32_t i = thread; i < script->size; i += kThreads) memory.list.keys[i] = script->keys[i];
  for (uint32_t i = thread; i < kSums; i += kThreads) memory.chunk_sums[i] = script->chunk_sums[i];
  __syncthreads();
  list.SetSize(script->size);
  for (uint32_t c = 0; c < script->count; ++c) {
    Written* const written = script->written + size_t{c} * kMostWritten;
    script->answers[size_t{c} * kThreads + thread] =
        RunCall(script->calls[c], *script, written, memory.list.work, memory.chunk_sums, list);
  }
  __syncthreads();
  for (uint32_t i = thread; i < kSums; i += kThreads) script->chunk_sums[i] = memory.chunk_sums[i];
}

}  // namespace tessera::cuda

#endif  // TESSERA_TESTS_CUDA_LIST_CALLS_H_
