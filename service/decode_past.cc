#include "service/decode_past.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "service/check_ids.h"
#include "service/decode_history.h"

namespace tessera {
namespace {

template <typename... Words>
absl::Status Refuse(const Words&... words) {
  return absl::InvalidArgumentError(absl::StrCat(words...));
}

// The ids without their padding: in place, or in `copy` where there is some.
absl::Span<const TokenId> WithoutPadding(const google::protobuf::RepeatedField<int32_t>& ids,
                                         std::vector<TokenId>* copy) {
  if (std::find(ids.begin(), ids.end(), kPaddingId) == ids.end()) return SpanOf(ids);
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(*copy),
               [](TokenId id) { return id != kPaddingId; });
  return *copy;
}

// What the chain's history stages make of a history that DecodeHistory accepted.
absl::Status ReadInOrder(const v1::SampleRow& row, const HistoryStages& stages, RowLists* lists) {
  if (!row.history().counts().empty()) {
    return Refuse("history holds counts, but chains[", row.chain(),
                  "] has a stage that looks for sequences (dry, no_repeat_ngram, bad_words, "
                  "sequence_bias, watermark); it must hold prompt_ids and output_ids");
  }
  std::vector<TokenId> prompt;
  std::vector<TokenId> output;
  lists->edits = stages.EditsOf({.prompt = WithoutPadding(row.history().prompt_ids(), &prompt),
                                 .output = WithoutPadding(row.history().output_ids(), &output)});
  lists->banned = std::move(lists->edits.banned);
  return absl::OkStatus();
}

absl::Status CheckMinTokens(const v1::SampleRow& row) {
  if (row.has_output_length() && row.min_tokens() == 0) {
    return Refuse("output_length is given without min_tokens, which alone reads it");
  }
  if (row.min_tokens() > 0 && row.stop_ids().empty()) {
    return Refuse("min_tokens is ", row.min_tokens(),
                  ", but stop_ids is empty; name the ids to hold back");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodePast(const v1::SampleRow& row, const DecodedChain& chain,
                        const BatchScope& scope, IdSlots* slots, RowLists* lists) {
  const Limits& limits = *scope.limits;
  const bool length_from_history = row.min_tokens() > 0 && !row.has_output_length();
  if (!IsEmpty(row.history()) && !chain.has_penalty_stage && !chain.has_history_stage &&
      !length_from_history) {
    return Refuse("history is given, but chains[", row.chain(),
                  "] has no penalty, nor another stage that reads it, and min_tokens does not need "
                  "it");
  }
  uint64_t length = 0;
  absl::Status status = DecodeHistory(row.history(), scope.vocab_size, limits.max_history, slots,
                                      &lists->counts, &length);
  if (!status.ok()) return status;
  if (const HistoryStages& stages = scope.histories[row.chain()]; !stages.empty()) {
    status = ReadInOrder(row, stages, lists);
    if (!status.ok()) return status;
  }
  status = CheckIds("stop_ids", row.stop_ids(), scope.vocab_size, limits.max_row_ids);
  if (!status.ok()) return status;
  status = CheckMinTokens(row);
  if (!status.ok()) return status;
  if (row.has_output_length()) length = row.output_length();
  if (length < row.min_tokens()) {
    lists->banned.insert(lists->banned.end(), row.stop_ids().begin(), row.stop_ids().end());
  }
  return absl::OkStatus();
}

}  // namespace tessera
