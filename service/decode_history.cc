#include "service/decode_history.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

// The sum of a prompt and an output count must fit 32 bits.
constexpr uint32_t kMaxCount = INT32_MAX;

absl::Status BadId(absl::string_view field, int index, TokenId id, int64_t vocab_size) {
  return absl::InvalidArgumentError(
      absl::StrCat("history.", field, "[", index, "]", field == "counts" ? ".id" : "", " is ", id,
                   "; it must be in [0, ", vocab_size, ") or -1, which is padding"));
}

// The entry of `id`, made on first sight.
IdCount& EntryOf(TokenId id, IdSlots* slots, std::vector<IdCount>* counts) {
  uint32_t& slot = (*slots)[id];
  if (slot == IdSlots::kEmpty) {
    slot = static_cast<uint32_t>(counts->size());
    counts->push_back({.id = id, .prompt_count = 0, .output_count = 0});
  }
  return (*counts)[slot];
}

absl::Status CountIds(const v1::TokenHistory& history, int64_t vocab_size, IdSlots* slots,
                      std::vector<IdCount>* counts, uint64_t* output_length) {
  for (int i = 0; i < history.prompt_ids_size(); ++i) {
    const TokenId id = history.prompt_ids(i);
    if (id == kPaddingId) continue;
    if (id < 0 || id >= vocab_size) return BadId("prompt_ids", i, id, vocab_size);
    ++EntryOf(id, slots, counts).prompt_count;
  }
  for (int i = 0; i < history.output_ids_size(); ++i) {
    const TokenId id = history.output_ids(i);
    if (id == kPaddingId) continue;
    if (id < 0 || id >= vocab_size) return BadId("output_ids", i, id, vocab_size);
    ++EntryOf(id, slots, counts).output_count;
    ++*output_length;
  }
  return absl::OkStatus();
}

absl::Status TakeCounts(const v1::TokenHistory& history, int64_t vocab_size, IdSlots* slots,
                        std::vector<IdCount>* counts, uint64_t* output_length) {
  for (int i = 0; i < history.counts_size(); ++i) {
    const v1::TokenCount& count = history.counts(i);
    if (count.id() == kPaddingId) continue;
    if (count.id() < 0 || count.id() >= vocab_size) {
      return BadId("counts", i, count.id(), vocab_size);
    }
    if ((*slots)[count.id()] != IdSlots::kEmpty) {
      return absl::InvalidArgumentError(absl::StrCat("history.counts[", i, "].id is ", count.id(),
                                                     ", which stands there before; ids must be "
                                                     "distinct"));
    }
    if (count.prompt_count() > kMaxCount || count.output_count() > kMaxCount) {
      return absl::InvalidArgumentError(
          absl::StrCat("history.counts[", i, "] counts ", count.prompt_count(), " and ",
                       count.output_count(), "; each must be at most ", kMaxCount));
    }
    IdCount& entry = EntryOf(count.id(), slots, counts);
    entry.prompt_count = count.prompt_count();
    entry.output_count = count.output_count();
    *output_length += count.output_count();
  }
  return absl::OkStatus();
}

}  // namespace

bool IsEmpty(const v1::TokenHistory& history) {
  return history.prompt_ids().empty() && history.output_ids().empty() && history.counts().empty();
}

absl::Status DecodeHistory(const v1::TokenHistory& history, int64_t vocab_size, int64_t max_history,
                           IdSlots* slots, std::vector<IdCount>* counts, uint64_t* output_length) {
  *output_length = 0;
  const int64_t ids = int64_t{history.prompt_ids_size()} + history.output_ids_size();
  if (ids > 0 && history.counts_size() > 0) {
    return absl::InvalidArgumentError(
        "history holds ids and counts; it must hold either prompt_ids and output_ids, or counts");
  }
  if (ids + history.counts_size() > max_history) {
    return absl::InvalidArgumentError(absl::StrCat("history holds ", ids + history.counts_size(),
                                                   " entries; it may hold at most ", max_history,
                                                   " (counts take less room than ids)"));
  }
  absl::Status status = history.counts().empty()
                            ? CountIds(history, vocab_size, slots, counts, output_length)
                            : TakeCounts(history, vocab_size, slots, counts, output_length);
  slots->Clear();
  return status;
}

}  // namespace tessera
