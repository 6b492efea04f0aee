#include "tests/simt/resident_clusters.h"

#include <cstdlib>
#include <exception>
#include <string>

#include "tests/simt/page_pool.h"
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"
#include "tests/simt/thread_failure.h"

namespace simt::emulator {
namespace {

size_t StackBytes() {
  const size_t usual = kAddressSanitizer || kThreadSanitizer ? 256 * 1024 : 64 * 1024;
  const size_t asked = Options().stack_bytes;
  return asked == 0 ? usual : (asked + 4095) / 4096 * 4096;
}

// Where every thread begins and ends.
void ThreadMain() {
  EnterFiber(machine->host.fiber);
  Machine& m = *machine;
  Acquire(&m.start_token);
  Thread* next = &m.host;
  try {
    m.body(m.argument);
    next = Retire();
  } catch (const ThreadFailure& failure) {
    m.failure = failure.what;
  } catch (const std::exception& exception) {
    m.failure = std::string("an exception in a kernel: ") + exception.what();
  }
  Release(&m.end_token);
  SwitchTo(next, true);
  std::abort();
}

uint3 Unravel(uint64_t index, dim3 size) {
  return {static_cast<unsigned>(index % size.x), static_cast<unsigned>(index / size.x % size.y),
          static_cast<unsigned>(index / size.x / size.y)};
}

void StartThread(Block& block, unsigned number) {
  Thread& thread = block.threads.emplace_back();
  Warp& warp = block.warps[number / 32];
  thread.index = Unravel(number, machine->config.block);
  thread.lane = number % 32;
  thread.block = &block;
  thread.warp = &warp;
  warp.lanes[thread.lane] = &thread;
  warp.alive |= 1u << thread.lane;
  thread.fiber.stack_bytes = StackBytes();
  thread.fiber.stack = StackPool().Take(thread.fiber.stack_bytes);
  if (kThreadSanitizer) {
    thread.fiber.tsan = TakeTsanFiber(NameOf(&thread).c_str());
  }
  PrepareFiber(thread.fiber, &ThreadMain);
}

void StartBlock(Cluster& cluster, uint64_t number) {
  const LaunchConfig& config = machine->config;
  const unsigned threads = config.block.x * config.block.y * config.block.z;
  Block& block = cluster.blocks.emplace_back();
  block.index = Unravel(number, config.grid);
  block.rank = static_cast<unsigned>(cluster.blocks.size() - 1);
  block.alive = threads;
  block.cluster = &cluster;
  cluster.alive += threads;
  block.warps.resize((threads + 31) / 32);
  BeginSharedMemory(block, config.shared_bytes);
  for (unsigned i = 0; i < threads; ++i) {
    StartThread(block, i);
  }
  for (Warp& warp : block.warps) {
    warp.priority = machine->Random() >> 8;
    machine->warps.push_back(&warp);
  }
  machine->alive += threads;
}

void EnqueueAll() {
  Machine& m = *machine;
  size_t slots = 1;
  while (slots <= m.alive) {
    slots *= 2;
  }
  m.ring.assign(slots, nullptr);
  m.head = 0;
  m.count = 0;
  for (Cluster& cluster : m.clusters) {
    for (Block& block : cluster.blocks) {
      for (Thread& thread : block.threads) {
        Enqueue(&thread);
      }
    }
  }
}

// A thread that was left behind inside a collective ends its history here.
void EndTsanThread(void* fiber) {
  Machine& m = *machine;
  if (!kThreadSanitizer || fiber == nullptr) {
    return;
  }
  if (m.failure.empty()) {
    GiveBackTsanFiber(fiber);
    return;
  }
  SwitchTsanFiber(fiber);
  Release(&m.end_token);
  SwitchTsanFiber(m.host.fiber.tsan);
}

void Clear() {
  Machine& m = *machine;
  for (Cluster& cluster : m.clusters) {
    for (Block& block : cluster.blocks) {
      for (Thread& thread : block.threads) {
        StackPool().GiveBack(thread.fiber.stack);
        EndTsanThread(thread.fiber.tsan);
      }
      ReleaseSharedMemory(block);
    }
  }
  m.clusters.clear();
  m.warps.clear();
  m.alive = 0;
}

}  // namespace

void RunResident(const std::vector<uint64_t>& clusters) {
  Machine& m = *machine;
  {
    const Unseen unseen;
    for (const uint64_t number : clusters) {
      Cluster& cluster = m.clusters.emplace_back();
      for (unsigned rank = 0; rank < m.config.cluster; ++rank) {
        StartBlock(cluster, number * m.config.cluster + rank);
      }
    }
    Counters().threads += m.alive;
    EnqueueAll();
  }
  SwitchTo(NextThread());  // comes back when every thread has exited, or after a failure
  const Unseen unseen;
  Clear();
}

void ReleaseCopyEngines() {
  for (void* engine : machine->copy_engines) {
    EndTsanThread(engine);
  }
}

}  // namespace simt::emulator
