// __syncthreads and the cluster's barrier. Threads that have exited are not waited for.
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"

namespace simt::emulator {
namespace {

int Outcome(const Block& block) {
  switch (block.vote) {
    case Vote::kNone:
      return 0;
    case Vote::kCount:
      return block.count;
    case Vote::kAnd:
      return block.count == static_cast<int>(block.arrived);
    case Vote::kOr:
      return block.count != 0;
  }
  return 0;
}

void FinishBlock(Block& block) {
  const int outcome = Outcome(block);
  for (Thread* thread : block.waiting) {
    thread->result = static_cast<uint64_t>(outcome);
    MakeReady(thread);
  }
  block.waiting.clear();
  block.arrived = 0;
  block.count = 0;
  ++block.generation;
  machine->spins = 0;
  ++Counters().block_barriers;
}

void FinishCluster(Cluster& cluster) {
  for (Thread* thread : cluster.waiting) {
    MakeReady(thread);
  }
  cluster.waiting.clear();
  cluster.arrived = 0;
  ++cluster.phase;
  machine->spins = 0;
  ++Counters().cluster_barriers;
}

}  // namespace

int BlockBarrier(Vote vote, int predicate, Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  Block& block = *self->block;
  if (block.arrived == 0) {
    block.vote = vote;
    block.where = site;
  } else if (block.vote != vote || (Options().strict && !SamePlace(block.where, site))) {
    Fail("divergent __syncthreads: " + NameOf(self) + " at " + PlaceOf(site) + ", others at " +
         PlaceOf(block.where));
  }
  void* token = &block.token[block.generation & 1];
  Release(token);
  ++block.arrived;
  block.count += predicate != 0;
  self->where = site;
  block.waiting.push_back(self);
  if (block.arrived == block.alive) {
    FinishBlock(block);  // this thread is ready too
    SwitchTo(NextThread());
  } else {
    Park(Wait::kBlock);
  }
  Acquire(token);
  return static_cast<int>(self->result);
}

void ClusterArrive(Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  Cluster& cluster = *self->block->cluster;
  if (self->cluster_arrived) {
    Fail("second ClusterArrive without a ClusterWait, " + NameOf(self) + " at " + PlaceOf(site));
  }
  self->cluster_arrived = true;
  self->cluster_phase = cluster.phase;
  Release(&cluster.token[cluster.phase & 1]);
  if (++cluster.arrived == cluster.alive) {
    FinishCluster(cluster);
  }
}

void ClusterWait(Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  Cluster& cluster = *self->block->cluster;
  if (!self->cluster_arrived) {
    Fail("ClusterWait without a ClusterArrive, " + NameOf(self) + " at " + PlaceOf(site));
  }
  const unsigned phase = self->cluster_phase;
  if (cluster.phase == phase) {
    self->where = site;
    cluster.waiting.push_back(self);
    Park(Wait::kCluster);
  }
  self->cluster_arrived = false;
  Acquire(&cluster.token[phase & 1]);
}

unsigned ClusterRank() { return machine->current->block->rank; }

unsigned ClusterBlocks() {
  return static_cast<unsigned>(machine->current->block->cluster->blocks.size());
}

void LeaveBlock(Thread* thread) {
  Block& block = *thread->block;
  Warp& warp = *thread->warp;
  warp.alive &= ~(1u << thread->lane);
  for (const Rendezvous& open : warp.open) {
    if (Options().strict && (open.mask >> thread->lane & 1) != 0) {
      Fail(std::string(NameOf(open.op)) + " at " + PlaceOf(open.where) +
           " names a lane that has exited, " + NameOf(thread));
    }
  }
  --block.alive;
  if (block.alive == 0) {
    CheckCopiesEnded(block);
    EndSharedMemory(block);
  } else if (block.arrived == block.alive) {
    FinishBlock(block);
  }
}

void LeaveCluster(Thread* thread) {
  Cluster& cluster = *thread->block->cluster;
  if (thread->cluster_arrived) {
    Fail("exit between ClusterArrive and ClusterWait, " + NameOf(thread));
  }
  --cluster.alive;
  if (cluster.alive != 0 && cluster.arrived == cluster.alive) {
    FinishCluster(cluster);
  }
}

}  // namespace simt::emulator
