// Votes, shuffles, reductions and __syncwarp: lanes of a warp meet by mask, operation and place.
//
// Threads are scheduled independently: a lane may be ahead, waiting in a wider collective, while
// others finish a narrower one. It is an error only when two lanes wait for each other.
#include <utility>

#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/warp_answer.h"

namespace simt::emulator {
namespace {

std::string Names(Op op, Site site) { return std::string(NameOf(op)) + " at " + PlaceOf(site); }

void CheckMask(const Thread& self, Op op, unsigned mask, Site site) {
  if ((mask >> self.lane & 1) == 0) {
    Fail(Names(op, site) + ": the calling lane is not in its mask, " + NameOf(&self));
  }
  if (Options().strict && (mask & ~self.warp->alive) != 0) {
    Fail(Names(op, site) + ": the mask names lanes that exited or never existed, " + NameOf(&self));
  }
}

// The index of the rendezvous that this call belongs to, opened when it is the first.
size_t Join(const Thread& self, Op op, unsigned mask, Site site) {
  Warp& warp = *self.warp;
  for (size_t i = 0; i < warp.open.size(); ++i) {
    const Rendezvous& open = warp.open[i];
    if (open.mask == mask && open.op == op && (SamePlace(open.where, site) || !Options().strict)) {
      return i;
    }
    if ((open.mask >> self.lane & 1) != 0 && (mask & open.arrived) != 0) {
      Fail(Names(op, site) + " meets " + Names(open.op, open.where) +
           " in the same warp (other collective, mask or place), " + NameOf(&self));
    }
  }
  Rendezvous& opened = warp.open.emplace_back();
  opened.mask = mask;
  opened.op = op;
  opened.where = site;
  opened.token = &warp.tokens[warp.next_token++ % sizeof(warp.tokens)];
  return warp.open.size() - 1;
}

// The last lane to arrive answers all.
uint64_t Finish(Thread* self, size_t index) {
  Warp& warp = *self->warp;
  const Rendezvous& met = warp.open[index];
  const uint64_t common = CommonAnswer(met);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((met.mask >> lane & 1) == 0) {
      continue;
    }
    warp.lanes[lane]->result = Answer(met, lane, common);
    if (lane != self->lane) {
      MakeReady(warp.lanes[lane]);
    }
  }
  if (index + 1 != warp.open.size()) {
    std::swap(warp.open[index], warp.open.back());
  }
  warp.open.pop_back();
  return self->result;
}

}  // namespace

bool SamePlace(Site a, Site b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

uint64_t WarpCollective(Op op, unsigned mask, uint64_t value, int source, Site site) {
  const Unseen unseen;
  Thread* self = machine->current;
  ++Counters().warp_collectives;
  CheckMask(*self, op, mask, site);
  mask &= self->warp->alive;
  const size_t index = Join(*self, op, mask, site);
  Rendezvous& open = self->warp->open[index];
  open.arrived |= 1u << self->lane;
  open.value[self->lane] = value;
  open.source[self->lane] = source;
  void* token = open.token;
  if (op == Op::kSync) {  // of all of these only __syncwarp orders memory
    Release(token);
  }
  uint64_t result = 0;
  if (open.arrived == open.mask) {
    result = Finish(self, index);
    if (machine->randomised() && machine->Random() % 4 == 0) {
      Yield();  // the last to arrive need not be the first to go on
    }
  } else {
    self->op = op;
    self->where = site;
    Park(Wait::kWarp);
    result = self->result;
  }
  if (op == Op::kSync) {
    Acquire(token);
  }
  return result;
}

unsigned Lane() { return machine->current->lane; }

unsigned ActiveMask() {
  const Unseen unseen;
  const Thread* self = machine->current;
  const unsigned all = self->warp->alive;
  if (!machine->randomised()) {
    return all;
  }
  return (static_cast<unsigned>(machine->Random()) & all) | 1u << self->lane;
}

}  // namespace simt::emulator
