#include "service/encode_verification.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "service/encode.h"
#include "service/encode_outcome.h"

namespace tessera {
namespace {

void AddError(uint32_t sequence, std::string message, v1::VerifyDraftsResponse* response) {
  v1::RowError* error = response->add_errors();
  error->set_row(sequence);
  error->set_message(std::move(message));
}

std::string FailureOf(const SequenceResult& result) {
  RowResult row;
  row.outcome = result.outcome;
  row.invalid_id = result.invalid_id;
  row.invalid_logit = result.invalid_logit;
  return absl::StrCat(result.failed_draft ? "the draft's law" : "the target's row", " at position ",
                      result.failed_position, ": ", MessageOf(row));
}

void AddRun(uint32_t sequence, const SequenceResult& result, v1::VerifyDraftsResponse* response) {
  response->add_outcomes(ToProto(result.outcome));
  if (result.outcome != Outcome::kOk) AddError(sequence, FailureOf(result), response);
  for (const TokenId token : result.tokens) response->add_tokens(token);
  for (const uint32_t node : result.verdict.accepted) response->add_accepted_nodes(node);
  for (const NodeTest& test : result.verdict.tests) {
    response->add_acceptance_probabilities(static_cast<float>(test.probability));
  }
  response->add_impossible_draft_counts(result.verdict.impossible);
}

void AddOffsets(v1::VerifyDraftsResponse* response) {
  response->add_token_offsets(static_cast<uint32_t>(response->tokens_size()));
  response->add_accepted_offsets(static_cast<uint32_t>(response->accepted_nodes_size()));
  response->add_acceptance_offsets(
      static_cast<uint32_t>(response->acceptance_probabilities_size()));
}

// A scored token of a row is the drawn token of this response.
void AddLogprobs(const Job& emitted, absl::Span<const RowResult> reports,
                 v1::VerifyDraftsResponse* response) {
  v1::SampleTokensResponse scored;
  EncodeLogprobs(emitted, reports, &scored);
  for (v1::ModeLogprobs& mode : *scored.mutable_logprobs()) {
    mode.mutable_sampled_offsets()->Swap(mode.mutable_scored_offsets());
    mode.mutable_sampled_logprobs()->Swap(mode.mutable_scored_logprobs());
    mode.mutable_sampled_ranks()->Swap(mode.mutable_scored_ranks());
  }
  response->mutable_logprobs()->Swap(scored.mutable_logprobs());
}

}  // namespace

v1::VerifyDraftsResponse EncodeVerification(const v1::VerifyDraftsRequest& request,
                                            const VerificationJob& job,
                                            VerificationAnswers answers) {
  v1::VerifyDraftsResponse response;
  response.set_numerics_version(kNumericsVersion);
  AddOffsets(&response);
  size_t run = 0;
  size_t refused = 0;
  for (int i = 0; i < request.sequences_size(); ++i) {
    const auto sequence = static_cast<uint32_t>(i);
    const bool ran = run < job.indices.size() && job.indices[run] == sequence;
    if (ran) {
      AddRun(sequence, answers.sequences[run], &response);
    } else {
      response.add_outcomes(v1::ROW_OUTCOME_INVALID_PARAMETERS);
      response.add_impossible_draft_counts(0);
      AddError(sequence, job.refused[refused++].message, &response);
    }
    response.add_seeds_used(ran ? job.sequences[run].seed : request.sequences(i).target().seed());
    response.add_lossless(job.drafts->sequences[i].method != v1::VERIFICATION_METHOD_TYPICAL);
    if (request.explain()) {
      v1::VerificationExplanation* explanation = response.add_explanations();
      if (ran) *explanation = std::move(answers.explanations[run]);
    }
    AddOffsets(&response);
    run += ran ? 1 : 0;
  }
  const BatchResult& reports = answers.reports;
  AddLogprobs(answers.emitted, reports.rows(), &response);
  return response;
}

}  // namespace tessera
