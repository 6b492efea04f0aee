// The words in which defects are reported.
#include <map>
#include <string>

#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/thread_failure.h"

namespace simt::emulator {
namespace {

std::string Text(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string Waits(const Thread& thread) {
  switch (thread.wait) {
    case Wait::kWarp:
      return std::string("wait in ") + NameOf(thread.op) + " at " + PlaceOf(thread.where);
    case Wait::kBlock:
      return "wait in __syncthreads at " + PlaceOf(thread.where);
    case Wait::kCluster:
      return "wait in ClusterWait at " + PlaceOf(thread.where);
    case Wait::kBarrier: {
      const BarrierState& state = thread.block->barriers.at(thread.barrier);
      return "wait in BarrierWait at " + PlaceOf(thread.where) + ", whose phase lacks " +
             std::to_string(state.pending) + " arrivals and " + std::to_string(state.bytes) +
             " bytes";
    }
    case Wait::kExited:
      return "have exited";
    case Wait::kNone:
      break;
  }
  return "are ready";
}

}  // namespace

const char* NameOf(Op op) {
  static constexpr const char* kNames[] = {
      "__shfl_sync",       "__ballot_sync",     "__all_sync",        "__any_sync",
      "__match_any_sync",  "__match_all_sync",  "__syncwarp",        "__reduce_add_sync",
      "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
      "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
  return kNames[static_cast<unsigned>(op)];
}

std::string NameOf(const Thread* thread) {
  return "block " + Text(thread->block->index) + " thread " + Text(thread->index);
}

std::string CurrentThread() {
  const Unseen unseen;
  return NameOf(machine->current);
}

std::string PlaceOf(Site site) { return std::string(site.file) + ":" + std::to_string(site.line); }

std::string WhoWaits() {
  std::map<std::string, unsigned> counts;
  for (const Cluster& cluster : machine->clusters) {
    for (const Block& block : cluster.blocks) {
      for (const Thread& thread : block.threads) {
        ++counts[Waits(thread)];
      }
    }
  }
  std::string text;
  for (const auto& [what, count] : counts) {
    text += "\n  " + std::to_string(count) + " threads " + what;
  }
  return text;
}

void Fail(const std::string& what) {
  if (machine == nullptr || machine->current == &machine->host) {
    throw Error(what);
  }
  throw ThreadFailure{what};
}

}  // namespace simt::emulator
