#include "tests/support/short_lists.h"

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/cpu/batch_rows.h"
#include "kernels/cpu/float_environment.h"
#include "kernels/cpu/row_memory.h"
#include "kernels/row/sample_row.h"
#include "kernels/row/serial_row.h"
#include "kernels/scalar/scalar_passes.h"
#include "kernels/stages/tail_free.h"

namespace tessera::testing {
namespace {

thread_local std::mt19937_64 wrong_guesses;

class WrongGuesses : public ScalarPasses {
 public:
  WrongGuesses(const RowView& row, const PassScratch& scratch) : ScalarPasses(row, scratch) {}

  // At least k ids stand at or above the answer, or it is the lowest key.
  int32_t CountFloor(uint32_t k) {
    std::vector<int32_t> keys = Keys();
    std::sort(keys.rbegin(), keys.rend());
    if (k > keys.size() || Below(4) == 0) return kOrderKeyNegInf;
    return Below(2) == 0 ? keys[k - 1] : keys[k - 1 + Below(keys.size() - k + 1)];
  }

  uint32_t RoughCount(int32_t) {
    return Below(2) == 0 ? static_cast<uint32_t>(Below(2000)) : row().columns;
  }

  OrderBracket GuessMassBracket(const Weigher&, double) {
    int32_t lo = SomeKey();
    int32_t hi = Below(3) == 0 ? kOrderKeyPosInf : Below(3) == 0 ? lo : SomeKey();
    if (lo > hi) std::swap(lo, hi);
    return {lo, hi};
  }

 private:
  static uint64_t Below(uint64_t limit) { return wrong_guesses() % limit; }

  std::vector<int32_t> Keys() const {
    std::vector<int32_t> keys;
    for (uint32_t id = 0; id < row().columns; ++id) {
      const int32_t key = OrderKey(LogitAt(row(), id));
      if (key > kOrderKeyNegInf) keys.push_back(key);
    }
    return keys;
  }

  // Of the row, beside one of the row, an end of the line, or anything.
  int32_t SomeKey() {
    const auto id = static_cast<uint32_t>(Below(row().columns));
    const int32_t key = OrderKey(LogitAt(row(), id));
    switch (Below(6)) {
      case 0:
        return kOrderKeyNegInf;
      case 1:
        return kOrderKeyMaxFinite;
      case 2:
        return std::clamp(key + static_cast<int32_t>(Below(3)) - 1, kOrderKeyNegInf,
                          kOrderKeyMaxFinite);
      case 3:
        return static_cast<int32_t>(kOrderKeyNegInf + static_cast<int64_t>(Below(0xFF000000)));
      default:
        return key;
    }
  }
};

// A Row whose guesses inside a bracket are wrong, too.
class WrongRow : public SerialRow<WrongGuesses> {
 public:
  using SerialRow::SerialRow;

  static OrderBracket GuessWithin(const Interval&, const OrderBracket& bracket, const Measure&,
                                  uint64_t) {
    const auto key = [&] {
      const int64_t width = int64_t{bracket.hi} - bracket.lo + 3;
      return static_cast<int32_t>(bracket.lo - 1 + static_cast<int64_t>(wrong_guesses() % width));
    };
    return {key(), key()};
  }
};

// Tail-free sampling may rely on a list of all that a top-k before it leaves.
uint32_t CapacityFor(const Plan& plan) {
  const bool tail_free = std::any_of(plan.cuts, plan.cuts + plan.cut_count, [](const Cut& cut) {
    return cut.kind == Cut::Kind::kTailFree;
  });
  return tail_free ? kMaxTailFree : kShortList;
}

template <class Row>
class ShortListBackend : public Backend {
 public:
  ShortListBackend(std::string name, uint64_t seed) : name_(std::move(name)), seed_(seed) {}

  std::string name() const override { return name_; }

  absl::Status Run(const Batch& batch, BatchResult* results) override {
    const DefaultFloatEnvironment environment;
    static thread_local RowMemory memory;
    static thread_local uint64_t runs = 0;
    wrong_guesses.seed(seed_ + runs++);
    results->Reset(batch);
    const auto columns = static_cast<uint32_t>(batch.vocab_size);
    RowScratch scratch = memory.ForColumns(columns);
    for (size_t i = 0; i < batch.rows.size(); ++i) {
      const RowInput& input = batch.rows[i];
      scratch.list_capacity = std::min(columns, CapacityFor(*input.plan));
      Row row(ReceivedRow(batch, input), input, scratch, &results->rows()[i]);
      SampleRow(row);
      SortLawIds(results->rows().subspan(i, 1));
    }
    return absl::OkStatus();
  }

  // Lists and guesses have no part in it.
  absl::Status RunResiduals(const ResidualBatch& batch,
                            absl::Span<ResidualResult> results) override {
    return MakeScalarBackend()->RunResiduals(batch, results);
  }

 private:
  const std::string name_;
  const uint64_t seed_;
};

}  // namespace

std::unique_ptr<Backend> MakeShortListBackend() {
  return std::make_unique<ShortListBackend<SerialRow<ScalarPasses>>>("scalar, short lists", 0);
}

std::unique_ptr<Backend> MakeWrongGuessBackend(uint64_t seed) {
  return std::make_unique<ShortListBackend<WrongRow>>("scalar, short lists, wrong guesses", seed);
}

}  // namespace tessera::testing
