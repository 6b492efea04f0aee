// What the row algorithm (sample_row.h) asks of a row.
//
// The algorithm is written once and run by one thread on a CPU (serial_row.h) or by a *team*: all
// threads of the blocks that share a row on a GPU (kernels/cuda/team_row.cuh). Every thread of a
// team runs the same row code with equal values, so that code only computes; whatever touches many
// elements, or writes, is an operation of a `Row` below. All threads call it together and all get
// the same answer. Answers are pure functions of the row: every executor gives the same bits.
//
//   const RowInput& input() const;      what is asked for
//   RowResult* result() const;          sized for the input; Once and its like write it
//
// One view of the row is open at a time:
//
//   RowMax Open(View view);
//       Makes the view current; its largest order key, and whether some logit is NaN or +inf.
//   void Apply(const Rewrite&, const Interval& support);
//       Rewrites the open view, which is the edited one: ids of the support get new logits, the
//       rest -inf. The view is then one of its own; opening the edited one writes that anew.
//       REQUIRES: the plan rewrites.
//   void Note(uint64_t weight, int32_t key);
//   uint64_t noted_weight() const, int32_t noted_key() const;
//       What the row algorithm wants to know later, rarely: a weight and an order key. 0 at first.
//   int32_t max_key() const;             of the open view
//   uint32_t columns() const;
//   float LogitAt(TokenId id) const;     (any thread, alone)
//   TokenId FirstInvalid();
//       The lowest id whose logit is NaN or +inf. REQUIRES: there is one.
//   int32_t CountFloor(uint32_t k, float c);
//       An order key at or above which stand at least k ids, as high as the executor can tell
//       cheaply; the lowest key when fewer than k are candidates. `c`, log2(e) / T, is the scale
//       in which the caller will measure distances: a hint.
//   uint32_t RoughCount(int32_t order_key);
//       About how many ids stand at or above the key. A guess, to choose between a list and a pass.
//   OrderBracket GuessMassBracket(const Weigher&, double p);
//       Where the first p of the row's mass probably ends. A guess: no answer depends on it.
//   OrderBracket GuessWithin(const Interval& support, const OrderBracket&, const Measure&,
//                            uint64_t rest);
//       Where, inside a bracket, what the support weighs (or numbers) from the bracket's top down
//       probably reaches `rest`. A guess as well; the bracket itself where nothing better is known.
//   WeighTotals Weigh(const Weigher&, const Interval& support, int32_t above);
//       Integer weight of the support, and of its part whose order key exceeds `above` (kNoBound:
//       all of it). The latter is also kept per chunk of ids: *the sums*.
//   uint32_t Count(const Interval& support);
//   TokenKey NthTie(const Interval& ties, uint32_t n);
//       The n-th key, from 1 and in id order, of an interval that holds one order key only.
//   EntropySums Entropy(const Weigher&, const Interval& support);
//   SpreadMoments MomentsOf(const Interval& support);
//       Count, sum and sum of squares of the support's distances from the largest logit of the
//       view, in the scale of its range (docs/numerics.md 3a); its smallest logit.
//   void CountLarger(uint32_t n, const Interval& support, KeyAt, Write);
//       For i below n: write(i, count), the number of ids of the support with a larger order key
//       than key_at(i). Both are called as ForEach calls its function. The list is gone.
//
// One list of token keys, in id order, belongs to a row:
//
//   uint32_t list_capacity() const, list_size() const;
//   uint32_t Collect(const Interval& support);
//       Lists the support; the number of its keys. If that exceeds the capacity, which is at least
//       kMaxTopLogprobs, there is no list.
//   void ListOnly(TokenKey key);
//   void KeepList(TokenKey lo, TokenKey hi);
//       Drops what lies outside [lo, hi].
//   uint64_t WeighList(const Weigher&);
//       The list's weight. These are the list's weights until keys are listed anew.
//   TokenKey FindListCut(uint64_t target), FindListCount(uint32_t count);
//       The largest key such that it and the keys above it together weigh (or number) at least
//       that much. REQUIRES: 0 < target <= the list's weight (0 < count <= its size).
//   uint32_t ListCountAbove(TokenKey key) const;     (any thread, alone)
//       How many of the list's keys are at or above `key`.
//   uint32_t TopOfList(uint32_t n, Write);
//       write(rank, key) for the first n of the order, ranks from 0, called as ForEach does; how
//       many there are. The list is as it was.
//   void RankFrom(uint32_t first);
//       Makes known which keys of the list have the ranks first, ..., first + kRankedKeys - 1 of
//       the order, ranks from 0; fewer at its end. The list is as it was. REQUIRES: first is below
//       the list's size, and a multiple of kRankedKeys.
//   TokenKey RankedKey(uint32_t rank) const;     (any thread, alone)
//       REQUIRES: the last operation on the list was RankFrom, which made this rank known.
//   void ForEachListed(Write);
//       write(i, key) for the list's keys, in any order, called as ForEach does.
//   uint64_t AddListToSums(TokenKey lo);
//       Adds the weights of the list's keys at or above `lo` to the sums; how much that is.
//
// Draws: for i below n, r = floor(word(i) * total / 2^64); write(i, id) with the first id, in id
// order, whose inclusive weight exceeds r (docs/numerics.md 5). write is called as ForEach does,
// word by any thread.
//
//   void DrawFromList(uint64_t total, uint32_t n, Word, Write);     (the list's weights are gone)
//   void DrawFromSums(const Weigher&, const Interval& support, uint64_t total, uint32_t n, Word,
//                     Write);
//
// Work for single threads:
//
//   void ForEach(uint32_t n, Function);     function(i) for i below n, each i by one thread: always
//                                           the same one, so that it may read what it wrote for i
//   void Once(Function);                    by one thread
//   void OnceAfterAll(Function);            likewise, when all threads have come here
#ifndef TESSERA_KERNELS_ROW_ROW_H_
#define TESSERA_KERNELS_ROW_ROW_H_

#include <cstdint>

#include "kernels/math/key.h"
#include "kernels/math/statistics.h"
#include "kernels/math/weight.h"

namespace tessera {

enum class View : uint8_t {
  kEdited,     // after masks and edits: what is sampled
  kReceived,   // as received
  kMasked,     // as received, under the grammar alone
  kRewritten,  // what Apply made of the edited view; not for Open
};

struct RowMax {
  int32_t key = kOrderKeyNegInf;  // kOrderKeyNegInf: no candidate
  bool invalid = false;           // a NaN or +inf stands in the row
};

// Order keys, inclusive at both ends.
struct OrderBracket {
  int32_t lo;
  int32_t hi;  // kOrderKeyPosInf: from the top
};

// How much an id counts: its weight, or one.
struct Measure {
  Weigher weigher;
  bool count;
};

inline constexpr uint32_t kRankedKeys = 256;  // of a list, known at a time

inline constexpr int32_t kNoBound = INT32_MIN;  // below every order key

struct WeighTotals {
  uint64_t total = 0;  // of the support
  uint64_t above = 0;  // of the support's ids whose order key exceeds the bound
};

struct SpreadMoments {
  SpreadScale scale;  // of the distances that `moments` sums
  float y_min;        // the smallest logit
  Moments moments;
};

struct EntropySums {
  uint64_t weight = 0;  // W
  uint64_t energy = 0;  // E = sum of (w * tau) >> 20; docs/numerics.md 3a
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_ROW_H_
