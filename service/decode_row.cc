#include "service/decode_row.h"

#include <cmath>
#include <limits>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "service/check_ids.h"
#include "service/decode_logprobs.h"
#include "service/decode_past.h"
#include "service/decode_state.h"

namespace tessera {
namespace {

template <typename... Words>
absl::Status Refuse(const Words&... words) {
  return absl::InvalidArgumentError(absl::StrCat(words...));
}

absl::StatusOr<const DecodedChain*> ChainOf(const v1::SampleRow& row, const BatchScope& scope) {
  if (scope.chains.empty()) {
    return Refuse("chain is ", row.chain(),
                  ", but the request has no chains; add one (an empty one samples as it is)");
  }
  if (row.chain() >= scope.chains.size()) {
    return Refuse("chain is ", row.chain(), "; it must be below ", scope.chains.size(),
                  ", the number of chains");
  }
  const DecodedChain& chain = scope.chains[row.chain()];
  if (!chain.plan.ok()) {
    return Refuse("chains[", row.chain(), "].", chain.plan.status().message());
  }
  return &chain;
}

// What to read and how to draw.
absl::Status DecodeDraw(const v1::SampleRow& row, int64_t index, const BatchScope& scope,
                        RowInput* input, bool* draws) {
  input->logits_row = row.has_logits_row() ? int64_t{row.logits_row()} : index;
  if (input->logits_row >= scope.logits_rows) {
    const char* default_note = row.has_logits_row() ? "" : " (by default the row's own index)";
    if (scope.logits_rows == 0) {
      return Refuse("logits_row is ", input->logits_row, default_note,
                    ", but the request has no rows of logits");
    }
    return Refuse("logits_row is ", input->logits_row, default_note, "; it must be below ",
                  scope.logits_rows, ", the rows of logits");
  }
  input->samples = row.has_samples() ? row.samples() : 1;
  if (input->samples > kMaxSamples) {
    return Refuse("samples is ", input->samples, "; it must be at most ", kMaxSamples);
  }
  *draws = input->samples > 0 && !input->plan->greedy;
  if (*draws && !row.has_position()) {
    return Refuse(
        "position is absent; a row that draws needs the index in its sequence of the token to be "
        "drawn");
  }
  input->seed = row.seed();
  input->position = row.position();
  input->stream = row.stream();
  return absl::OkStatus();
}

absl::Status DecodeBias(const v1::SampleRow& row, const DecodedChain& chain,
                        const BatchScope& scope, IdSlots* slots, RowLists* lists) {
  if (row.bias().empty()) return absl::OkStatus();
  if (!chain.has_bias_stage) {
    return Refuse("bias holds ", row.bias_size(), " entries, but chains[", row.chain(),
                  "] has no logit_bias stage to add them");
  }
  if (row.bias_size() > scope.limits->max_row_ids) {
    return Refuse("bias holds ", row.bias_size(), " entries; it may hold at most ",
                  scope.limits->max_row_ids);
  }
  lists->bias.reserve(row.bias_size());
  for (int i = 0; i < row.bias_size(); ++i) {
    const v1::TokenBias& bias = row.bias(i);
    if (bias.id() < 0 || bias.id() >= scope.vocab_size) {
      return Refuse("bias[", i, "].id is ", bias.id(), "; it must be in [0, ", scope.vocab_size,
                    ")");
    }
    if (std::isnan(bias.value()) || bias.value() == std::numeric_limits<float>::infinity()) {
      return Refuse("bias[", i, "].value is ", bias.value(), "; it must be finite or -inf");
    }
    uint32_t& slot = (*slots)[bias.id()];
    if (slot != IdSlots::kEmpty) {
      return Refuse("bias[", i, "].id is ", bias.id(), ", as is bias[", slot,
                    "].id; ids must be distinct");
    }
    slot = static_cast<uint32_t>(i);
    lists->bias.push_back({.id = bias.id(), .value = bias.value()});
  }
  return absl::OkStatus();
}

// Which row of guidance logits a guidance stage reads.
absl::Status DecodeGuidanceRow(const v1::SampleRow& row, int64_t index, const DecodedChain& chain,
                               const BatchScope& scope, RowInput* input) {
  if (row.has_guidance_row() && !chain.has_guidance_stage) {
    return Refuse("guidance_row is ", row.guidance_row(), ", but chains[", row.chain(),
                  "] has no guidance stage to read it");
  }
  if (!row.has_guidance_row() && !input->plan->uses_guidance) return absl::OkStatus();
  const int64_t guidance = row.has_guidance_row() ? int64_t{row.guidance_row()} : index;
  const char* default_note = row.has_guidance_row() ? "" : " (by default the row's own index)";
  if (scope.guidance_rows == 0) {
    return Refuse("guidance_row is ", guidance, default_note,
                  ", but the request has no rows of guidance_logits");
  }
  if (guidance >= scope.guidance_rows) {
    return Refuse("guidance_row is ", guidance, default_note, "; it must be below ",
                  scope.guidance_rows, ", the rows of guidance_logits");
  }
  input->guidance_row = guidance;
  return absl::OkStatus();
}

absl::Status DecodeMasks(const v1::SampleRow& row, const BatchScope& scope, RowLists* lists,
                         RowInput* input) {
  const int64_t limit = scope.limits->max_row_ids;
  absl::Status status = CheckIds("banned_ids", row.banned_ids(), scope.vocab_size, limit);
  if (!status.ok()) return status;
  status = CheckIds("allowed.ids", row.allowed().ids(), scope.vocab_size, limit);
  if (!status.ok()) return status;

  input->has_allowed = row.has_allowed();
  input->allowed = SpanOf(row.allowed().ids());
  if (lists->banned.empty()) {
    input->banned = SpanOf(row.banned_ids());
  } else {  // stop ids and the bans of history stages are there already
    lists->banned.insert(lists->banned.end(), row.banned_ids().begin(), row.banned_ids().end());
    input->banned = lists->banned;
  }
  if (!row.has_grammar_row()) return absl::OkStatus();
  if (scope.grammar.rows == 0) {
    return Refuse("grammar_row is ", row.grammar_row(), ", but the request has no grammar");
  }
  if (int64_t{row.grammar_row()} >= scope.grammar.rows) {
    return Refuse("grammar_row is ", row.grammar_row(), "; it must be below ", scope.grammar.rows,
                  ", the rows of grammar");
  }
  const std::byte* words = scope.grammar.data + row.grammar_row() * scope.grammar.row_stride_bytes;
  input->grammar = absl::MakeConstSpan(reinterpret_cast<const uint32_t*>(words),
                                       static_cast<size_t>((scope.vocab_size + 31) / 32));
  return absl::OkStatus();
}

absl::Status DecodeLawRequest(const v1::SampleRow& row, RowInput* input) {
  if (!row.has_return_law()) return absl::OkStatus();
  input->want_law = true;
  input->max_law_ids = row.return_law().max_ids();
  if (input->max_law_ids >= 1 && input->max_law_ids <= kMaxLawIds) return absl::OkStatus();
  return Refuse("return_law.max_ids is ", input->max_law_ids, "; it must be in [1, ", kMaxLawIds,
                "]");
}

absl::Status DecodeReports(const v1::SampleRow& row, const DecodedChain& chain,
                           const BatchScope& scope, RowInput* input) {
  input->ties_against = chain.ties_against;  // unless the row says otherwise
  if (absl::Status status = DecodeLogprobs(row.logprobs(), input); !status.ok()) return status;
  absl::Status status = CheckIds("score_ids", row.score_ids(), scope.vocab_size, kMaxScoredIds);
  if (!status.ok()) return status;
  if (!row.score_ids().empty() && input->logprob_modes == 0) {
    return Refuse("score_ids holds ", row.score_ids_size(),
                  " ids, but logprobs.modes is empty; name a mode to score in");
  }
  input->score_ids = SpanOf(row.score_ids());
  input->want_support_size = row.return_support_size();
  return DecodeLawRequest(row, input);
}

}  // namespace

absl::Status DecodeRow(const v1::SampleRow& row, int64_t index, const BatchScope& scope,
                       IdSlots* slots, RowLists* lists, RowInput* input, bool* draws) {
  absl::StatusOr<const DecodedChain*> chain = ChainOf(row, scope);
  if (!chain.ok()) return chain.status();
  input->plan = &*(*chain)->plan;
  absl::Status status = DecodeDraw(row, index, scope, input, draws);
  if (!status.ok()) return status;
  status = DecodeState(row, **chain, *draws, input, &lists->generator_state);
  if (!status.ok()) return status;
  status = DecodeGuidanceRow(row, index, **chain, scope, input);
  if (!status.ok()) return status;
  status = DecodeBias(row, **chain, scope, slots, lists);
  slots->Clear();
  if (!status.ok()) return status;
  status = DecodePast(row, **chain, scope, slots, lists);
  if (!status.ok()) return status;
  status = DecodeMasks(row, scope, lists, input);
  if (!status.ok()) return status;
  input->bias = lists->bias;
  input->counts = lists->counts;
  lists->edits.ShowTo(input);
  return DecodeReports(row, **chain, scope, input);
}

}  // namespace tessera
