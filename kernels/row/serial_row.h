// A Row (row.h) for a thread that has it to itself, made of an executor's passes.
#ifndef TESSERA_KERNELS_ROW_SERIAL_ROW_H_
#define TESSERA_KERNELS_ROW_SERIAL_ROW_H_

#include <cstdint>

#include "kernels/row/chunk_passes.h"
#include "kernels/row/edits.h"
#include "kernels/row/ranked.h"
#include "kernels/row/rewrite.h"
#include "kernels/row/row.h"
#include "kernels/row/scratch.h"
#include "kernels/row/serial_list.h"
#include "kernels/row_input.h"
#include "kernels/row_result.h"

namespace tessera {

template <class Passes>
class SerialRow {
 public:
  // `received` has vocab_size columns; `scratch` fits them, `result` was sized for `input`.
  SerialRow(const RowView& received, const RowInput& input, RowScratch& scratch, RowResult* result)
      : received_(received),
        input_(input),
        result_(result),
        scratch_(scratch),
        copied_(NeedsCopy(input)),
        passes_(received, scratch.edited),
        list_(passes_, scratch) {}

  const RowInput& input() const { return input_; }
  RowResult* result() const { return result_; }

  RowMax Open(View view) {
    if (view == View::kMasked && input_.grammar.empty()) view = View::kReceived;
    if (view == View::kReceived && !copied_) view = View::kEdited;
    if (opened_ && view == view_) return max_;
    passes_ = PassesOf(view);
    opened_ = true;
    view_ = view;
    max_ = passes_.LoadMax();
    return max_;
  }

  void Apply(const Rewrite& rewrite, const Interval& support) {
    for (uint32_t id = 0; id < received_.columns; ++id) {
      float& y = scratch_.edited_row[id];
      const TokenKey key = MakeTokenKey(OrderKey(y), static_cast<TokenId>(id));
      y = support.Has(key) ? Rewritten(rewrite, y) : kBanned;
    }
    view_ = View::kRewritten;
    max_ = passes_.LoadMax();
  }

  void Note(uint64_t weight, int32_t key) {
    noted_weight_ = weight;
    noted_key_ = key;
  }
  uint64_t noted_weight() const { return noted_weight_; }
  int32_t noted_key() const { return noted_key_; }

  int32_t max_key() const { return max_.key; }
  uint32_t columns() const { return received_.columns; }
  float LogitAt(TokenId id) const {
    return tessera::LogitAt(passes_.row(), static_cast<uint32_t>(id));
  }

  TokenId FirstInvalid() const {
    TokenId id = 0;
    while (LogitAt(id) <= FromOrderKey(kOrderKeyMaxFinite)) ++id;  // false for NaN
    return id;
  }

  int32_t CountFloor(uint32_t k, float) { return passes_.CountFloor(k); }
  uint32_t RoughCount(int32_t order_key) { return passes_.RoughCount(order_key); }
  OrderBracket GuessMassBracket(const Weigher& weigher, double p) {
    return passes_.GuessMassBracket(weigher, p);
  }
  OrderBracket GuessWithin(const Interval&, const OrderBracket& bracket, const Measure&, uint64_t) {
    return bracket;
  }
  WeighTotals Weigh(const Weigher& weigher, const Interval& support, int32_t above) {
    return passes_.Weigh(weigher, support, above, scratch_.chunk_sums);
  }
  uint32_t Count(const Interval& support) { return passes_.Count(support); }
  TokenKey NthTie(const Interval& ties, uint32_t n) {
    passes_.Collect(ties, scratch_.work, n);
    return scratch_.work[n - 1];
  }
  EntropySums Entropy(const Weigher& weigher, const Interval& support) {
    return tessera::Entropy(passes_, weigher, support);
  }

  SpreadMoments MomentsOf(const Interval& support) {
    return tessera::MomentsOf(passes_, support, FromOrderKey(max_.key));
  }

  template <class KeyAt, class Write>
  void CountLarger(uint32_t n, const Interval& support, KeyAt key_at, Write write) {
    for (uint32_t i = 0; i < n; ++i) {
      const TokenKey floor = FloorKey(key_at(i) + 1);
      write(i, passes_.Count({floor > support.lo ? floor : support.lo, support.hi}));
    }
  }

  uint32_t list_capacity() const { return scratch_.list_capacity; }
  uint32_t list_size() const { return list_.size(); }
  uint32_t Collect(const Interval& support) { return list_.Collect(support); }
  void ListOnly(TokenKey key) { list_.Only(key); }
  void KeepList(TokenKey lo, TokenKey hi) { list_.Keep(lo, hi); }
  uint64_t WeighList(const Weigher& weigher) { return list_.Weigh(weigher); }
  TokenKey FindListCut(uint64_t target) { return list_.FindCut(target); }
  TokenKey FindListCount(uint32_t count) { return list_.FindCount(count); }
  uint32_t ListCountAbove(TokenKey key) const { return list_.CountAbove(key); }
  uint64_t AddListToSums(TokenKey lo) { return list_.AddToChunks(lo, scratch_.chunk_sums); }
  template <class Write>
  uint32_t TopOfList(uint32_t n, Write write) {
    return list_.Top(n, write);
  }

  void RankFrom(uint32_t first) { list_.RankFrom(first); }
  TokenKey RankedKey(uint32_t rank) const { return list_.RankedKey(rank); }

  template <class Write>
  void ForEachListed(Write write) {
    list_.ForEach(write);
  }

  template <class Word, class Write>
  void DrawFromList(uint64_t total, uint32_t n, Word word, Write write) {
    list_.Accumulate();
    for (uint32_t i = 0; i < n; ++i) write(i, list_.IdAbove(MulHi64(word(i), total)));
  }

  template <class Word, class Write>
  void DrawFromSums(const Weigher& weigher, const Interval& support, uint64_t total, uint32_t n,
                    Word word, Write write) {
    for (uint32_t i = 0; i < n; ++i) {
      uint64_t r = MulHi64(word(i), total);
      uint32_t chunk = 0;
      while (scratch_.chunk_sums[chunk] <= r) r -= scratch_.chunk_sums[chunk++];
      write(i, Resolve(passes_, weigher, support, chunk, r));
    }
  }

  template <class Function>
  void ForEach(uint32_t n, Function function) {
    for (uint32_t i = 0; i < n; ++i) function(i);
  }
  template <class Function>
  void Once(Function function) {
    function();
  }
  template <class Function>
  void OnceAfterAll(Function function) {
    function();
  }

 private:
  Passes PassesOf(View view) {
    if (view == View::kReceived) return Passes(received_, scratch_.received);
    if (view == View::kEdited && !copied_) return Passes(received_, scratch_.edited);
    Passes received(received_, scratch_.received);
    float* const copy = view == View::kEdited ? scratch_.edited_row : scratch_.masked_row;
    if (view == View::kEdited) {
      WriteEditedRow(received, input_, copy);
    } else {
      CopyUnderGrammar(received, input_.grammar, copy);
    }
    const RowView copied{copy, DType::kFloat32, received_.columns};
    return Passes(copied, view == View::kEdited ? scratch_.edited : scratch_.received);
  }

  const RowView received_;
  const RowInput& input_;
  RowResult* const result_;
  RowScratch& scratch_;
  const bool copied_;
  Passes passes_;
  SerialList<Passes> list_;
  bool opened_ = false;
  View view_ = View::kEdited;
  RowMax max_;
  uint64_t noted_weight_ = 0;
  int32_t noted_key_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_ROW_SERIAL_ROW_H_
