// What the stages that read a row's past do to its logits, each read off its definition the long
// way: every place of the past is compared with its end, id by id.
#ifndef TESSERA_TESTS_SUPPORT_PAST_EDITS_H_
#define TESSERA_TESTS_SUPPORT_PAST_EDITS_H_

#include <vector>

#include "absl/types/span.h"
#include "kernels/chain.h"

namespace tessera::oracle {

// A row's past, oldest id first, and the logits that guide it.
struct Past {
  absl::Span<const TokenId> prompt;
  absl::Span<const TokenId> output;
  absl::Span<const float> guidance;
};

struct PastEdit {
  const Past& past;
  std::vector<float>& y;      // by id
  std::vector<bool>& banned;  // by id: no candidate, whatever its logit

  void operator()(const Dry& stage) const;
  void operator()(const NoRepeatNgram& stage) const;
  void operator()(const BadWords& stage) const;
  void operator()(const SequenceBias& stage) const;
  void operator()(const Watermark& stage) const;
  void operator()(const Guidance& stage) const;

 private:
  std::vector<TokenId> Read(HistoryScope scope) const;
  void Add(TokenId id, float value) const;
};

}  // namespace tessera::oracle

#endif  // TESSERA_TESTS_SUPPORT_PAST_EDITS_H_
