// A table from token id to a small number, cleared in time of what was put in. Finds repeated ids
// and counts history without sorting.
#ifndef TESSERA_SERVICE_ID_SLOTS_H_
#define TESSERA_SERVICE_ID_SLOTS_H_

#include <cstdint>
#include <vector>

#include "kernels/types.h"

namespace tessera {

class IdSlots {
 public:
  static constexpr uint32_t kEmpty = UINT32_MAX;

  explicit IdSlots(int64_t vocab_size) : vocab_size_(vocab_size) {}

  // The slot of `id`, in [0, vocab_size): kEmpty until somebody writes it. Valid until Clear.
  uint32_t& operator[](TokenId id) {
    if (slots_.empty()) slots_.resize(vocab_size_, kEmpty);
    uint32_t& slot = slots_[id];
    if (slot == kEmpty) touched_.push_back(id);
    return slot;
  }

  void Clear() {
    for (TokenId id : touched_) slots_[id] = kEmpty;
    touched_.clear();
  }

 private:
  int64_t vocab_size_;
  std::vector<uint32_t> slots_;  // [vocab_size], made on first use: most batches need none
  std::vector<TokenId> touched_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_ID_SLOTS_H_
