#include "kernels/history_edits.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "kernels/history/completions.h"
#include "kernels/history/dry_penalties.h"
#include "kernels/history/green_list.h"

namespace tessera {
namespace {

template <class S>
inline constexpr bool kReadsPast =
    std::is_same_v<S, Dry> || std::is_same_v<S, NoRepeatNgram> || std::is_same_v<S, BadWords> ||
    std::is_same_v<S, SequenceBias> || std::is_same_v<S, Watermark>;

bool ReadsPast(const Stage& stage) {
  return std::visit(
      [](const auto& s) { return kReadsPast<std::decay_t<decltype(s)>> && !IsOff(s); }, stage);
}

absl::Status CheckLast(size_t stage, const char* field, size_t index, const TokenSequence& ids,
                       int64_t vocab_size) {
  if (ids.back() < vocab_size) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("stages[", stage, "].", field, "[", index, "] ends in id ", ids.back(),
                   "; it must be below the vocabulary's ", vocab_size));
}

}  // namespace

void HistoryEdits::ShowTo(RowInput* row) const {
  for (int i = 0; i < kMaxAdditions; ++i) row->additions[i] = additions[i];
  row->green = green;
}

absl::Status CheckLastIds(const Chain& chain, int64_t vocab_size) {
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    absl::Status status;
    if (const auto* words = std::get_if<BadWords>(&chain.stages[i])) {
      for (size_t w = 0; w < words->words.size() && status.ok(); ++w) {
        status = CheckLast(i, "bad_words.words", w, words->words[w], vocab_size);
      }
    } else if (const auto* bias = std::get_if<SequenceBias>(&chain.stages[i])) {
      for (size_t s = 0; s < bias->sequences.size() && status.ok(); ++s) {
        status = CheckLast(i, "sequence_bias.sequences", s, bias->sequences[s].ids, vocab_size);
      }
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Goes through the stages with one history.
struct HistoryStages::Reader {
  absl::Span<const TokenId> whole;
  absl::Span<const TokenId> output;
  int64_t vocab_size;
  const SequenceIndex* breakers;  // of the next dry
  HistoryEdits edits;
  int list = 0;  // the next one of additions, numbered as CompileChain numbers them

  absl::Span<const TokenId> InScope(HistoryScope scope) const {
    return scope == HistoryScope::kOutput ? output : whole;
  }

  void Read(const Dry& s) { edits.additions[list++] = DryPenalties(s, *breakers++, whole); }
  void Read(const SequenceBias& s) { edits.additions[list++] = SequenceBiases(s, whole); }
  void Read(const NoRepeatNgram& s) { BanNgrams(s.n, InScope(s.scope), &edits.banned); }
  void Read(const BadWords& s) { BanWords(s.words, InScope(s.scope), &edits.banned); }
  void Read(const Watermark& s) { edits.green = GreenList(s, whole, vocab_size); }
};

HistoryStages::HistoryStages(const Chain& chain, int64_t vocab_size) : vocab_size_(vocab_size) {
  for (const Stage& stage : chain.stages) {
    if (!ReadsPast(stage)) continue;
    stages_.push_back(&stage);
    if (const auto* dry = std::get_if<Dry>(&stage)) breakers_.emplace_back(dry->breakers);
  }
}

HistoryEdits HistoryStages::EditsOf(const TokenHistory& history) const {
  if (stages_.empty()) return {};
  std::vector<TokenId> whole(history.prompt.begin(), history.prompt.end());
  whole.insert(whole.end(), history.output.begin(), history.output.end());
  Reader reader{whole, history.output, vocab_size_, breakers_.data(), {}};
  for (const Stage* stage : stages_) {
    std::visit(
        [&](const auto& s) {
          if constexpr (kReadsPast<std::decay_t<decltype(s)>>) reader.Read(s);
        },
        *stage);
  }
  std::vector<TokenId>& banned = reader.edits.banned;
  std::sort(banned.begin(), banned.end());
  banned.erase(std::unique(banned.begin(), banned.end()), banned.end());
  return std::move(reader.edits);
}

}  // namespace tessera
