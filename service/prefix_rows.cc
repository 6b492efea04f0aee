#include "service/prefix_rows.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "service/decode_request.h"

namespace tessera {
namespace {

absl::Status Refuse(absl::string_view field, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("row.", field, " is set; ", why));
}

// What a row of ExplainChain cannot have, because nothing is drawn and reports are not its own.
absl::Status CheckRow(const v1::SampleRow& row) {
  constexpr char kNoReport[] = "it must be absent: ExplainChain reports the laws by itself";
  if (row.chain() != 0) return Refuse("chain", "it must be absent: there is one chain");
  if (row.has_samples()) return Refuse("samples", "it must be absent: nothing is drawn");
  if (row.has_logprobs()) return Refuse("logprobs", kNoReport);
  if (!row.score_ids().empty()) return Refuse("score_ids", "name watch_ids instead");
  if (row.return_support_size()) return Refuse("return_support_size", kNoReport);
  return absl::OkStatus();
}

// Takes away what no stage of a prefix reads, for which the row would be refused. A bias of -inf is
// a mask and applies before every stage.
void KeepWhatIsRead(const DecodedChain& prefix, v1::SampleRow* row) {
  if (!prefix.has_bias_stage) {
    for (const v1::TokenBias& bias : row->bias()) {
      if (bias.value() == -HUGE_VALF) row->add_banned_ids(bias.id());
    }
    row->clear_bias();
  }
  const bool tells_length = row->min_tokens() > 0 && !row->has_output_length();
  if (!prefix.has_penalty_stage && !prefix.has_history_stage && !tells_length) {
    row->clear_history();
  }
  if (!prefix.has_guidance_stage) row->clear_guidance_row();
  if (!row->has_state()) return;
  v1::StageState* state = row->mutable_state();
  if (!prefix.has_mirostat_stage) state->clear_mirostat();
  if (!prefix.has_adaptive_p_stage) state->clear_adaptive_p();
  if (prefix.plan->generator != Generator::kXorshift64) state->clear_xorshift64();
}

// A message about the batch that we made, in the words of the request that we got.
absl::Status InOurWords(const absl::Status& status) {
  std::string text = absl::StrReplaceAll(
      status.message(), {{"logits[0]", "logits"}, {"chains[0]", "chain"}, {"rows[0].", "row."}});
  return absl::Status(status.code(), text);
}

// The batch: row 0 has the whole chain, so that it is the one that gets refused; row i + 1 the
// first i stages.
std::unique_ptr<v1::SampleTokensRequest> RequestFor(const v1::ExplainChainRequest& request,
                                                    const std::vector<DecodedChain>& chains) {
  auto batch = std::make_unique<v1::SampleTokensRequest>();
  batch->set_vocab_size(request.vocab_size());
  *batch->add_logits() = request.logits();
  if (request.has_guidance_logits()) {
    *batch->mutable_guidance_logits() = request.guidance_logits();
  }
  if (request.has_grammar()) *batch->mutable_grammar() = request.grammar();
  for (size_t i = 0; i < chains.size(); ++i) {
    v1::SampleRow* row = batch->add_rows();
    *row = request.row();
    row->set_chain(static_cast<uint32_t>(i));
    if (!row->has_logits_row()) row->set_logits_row(0);
    if (!row->has_guidance_row() && chains[i].has_guidance_stage) row->set_guidance_row(0);
    row->set_samples(0);
    if (i > 0) KeepWhatIsRead(chains[i], row);
  }
  return batch;
}

std::vector<DecodedChain> PrefixesOf(const Chain& chain) {
  std::vector<DecodedChain> chains = {Compiled(chain)};
  Chain prefix;
  chains.push_back(Compiled(prefix));
  for (const Stage& stage : chain.stages) {
    prefix.stages.push_back(stage);
    chains.push_back(Compiled(prefix));
  }
  return chains;
}

}  // namespace

absl::StatusOr<PrefixRows> DecodePrefixRows(const v1::ExplainChainRequest& request,
                                            const Chain& chain, const Limits& limits) {
  if (absl::Status status = CheckRow(request.row()); !status.ok()) return status;
  if (request.logits().rows() != 1) {
    return absl::InvalidArgumentError(absl::StrCat("logits.rows is ", request.logits().rows(),
                                                   "; it must be 1: one row is explained"));
  }
  std::vector<DecodedChain> chains = PrefixesOf(chain);
  PrefixRows rows;
  rows.request = RequestFor(request, chains);
  absl::StatusOr<Job> job = DecodeRequest(*rows.request, std::move(chains), limits);
  if (!job.ok()) return InOurWords(job.status());
  if (!job->refused.empty()) {
    return InOurWords(absl::InvalidArgumentError(job->refused[0].message));
  }
  rows.job = *std::move(job);
  rows.job.rows.erase(rows.job.rows.begin());
  return rows;
}

}  // namespace tessera
