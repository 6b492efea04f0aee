#include "service/decode_request.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "service/decode_matrices.h"
#include "service/decode_row.h"

namespace tessera {
namespace {

absl::Status CheckCount(absl::string_view field, int64_t count, int64_t limit) {
  if (count <= limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(field, " holds ", count,
                                                   " entries; one call may hold at most ", limit,
                                                   ". Split the batch: results do not change"));
}

// Makes every chain fit this vocabulary: one whose sequences end beyond it is refused.
void CheckVocabulary(Job* job) {
  for (DecodedChain& chain : job->chains) {
    if (!chain.plan.ok()) continue;
    absl::Status status = CheckLastIds(chain.chain, job->vocab_size);
    if (!status.ok()) chain.plan = std::move(status);
  }
}

// What a chain makes of its rows' histories; nothing where the chain is refused.
std::vector<HistoryStages> HistoriesOf(const Job& job) {
  static const Chain kNone;
  std::vector<HistoryStages> histories;
  histories.reserve(job.chains.size());
  for (const DecodedChain& chain : job.chains) {
    histories.emplace_back(chain.plan.ok() ? chain.chain : kNone, job.vocab_size);
  }
  return histories;
}

// Few bytes can ask for much: many rows may name one chain with long lists, each of which is looked
// at, and copied where it bans, once a row.
absl::Status CheckSequences(const v1::SampleTokensRequest& request, const Job& job,
                            const Limits& limits) {
  int64_t ids = 0;
  for (const v1::SampleRow& row : request.rows()) {
    if (row.chain() >= job.chains.size()) continue;
    const DecodedChain& chain = job.chains[row.chain()];
    if (!chain.plan.ok()) continue;
    ids += chain.sequence_ids + (chain.plan->uses_green ? job.vocab_size / 32 : 0);
  }
  if (ids <= limits.max_sequence_ids) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the rows' chains hold ", ids,
                   " ids in lists of words and sequences, counted "
                   "once a row (a watermark counts as vocab_size / 32); one call may hold at most ",
                   limits.max_sequence_ids, ". Split the batch: results do not change"));
}

void DecodeRows(const v1::SampleTokensRequest& request, const TensorView& grammar,
                const Limits& limits, Job* job) {
  const std::vector<HistoryStages> histories = HistoriesOf(*job);
  const BatchScope scope{.chains = job->chains,
                         .histories = histories,
                         .logits_rows = job->logits.rows,
                         .guidance_rows = job->guidance.rows,
                         .vocab_size = job->vocab_size,
                         .grammar = grammar,
                         .limits = &limits};
  IdSlots slots(job->vocab_size);
  job->lists.resize(request.rows_size());
  job->rows.reserve(request.rows_size());
  job->row_indices.reserve(request.rows_size());
  for (int i = 0; i < request.rows_size(); ++i) {
    const v1::SampleRow& row = request.rows(i);
    RowInput input;
    bool draws = false;
    absl::Status status = DecodeRow(row, i, scope, &slots, &job->lists[i], &input, &draws);
    if (!status.ok()) {
      const bool of_chain = absl::StartsWith(status.message(), "chains[");
      job->refused.push_back(
          {static_cast<uint32_t>(i),
           absl::StrCat(of_chain ? "" : absl::StrCat("rows[", i, "]."), status.message())});
      continue;
    }
    if (draws && !row.has_seed()) job->unseeded.push_back(static_cast<uint32_t>(job->rows.size()));
    job->rows.push_back(input);
    job->row_indices.push_back(static_cast<uint32_t>(i));
  }
}

}  // namespace

absl::Status CheckCounts(const EntryCounts& counts, const Limits& limits, absl::string_view rows) {
  absl::Status status = CheckCount(rows, counts.rows, limits.max_rows);
  if (status.ok()) status = CheckCount("chains", counts.chains, limits.max_chains);
  if (status.ok()) status = CheckCount("logits", counts.logits, limits.max_rows);
  return status;
}

absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request, const Limits& limits) {
  if (request.rows().empty() && request.logits().empty()) return Job();
  absl::Status status = CheckCounts({request.chains_size(), request.rows_size(), 0}, limits);
  if (!status.ok()) return status;
  std::vector<DecodedChain> chains;
  chains.reserve(request.chains_size());
  for (const v1::SamplerChain& chain : request.chains()) chains.push_back(DecodeChain(chain));
  return DecodeRequest(request, std::move(chains), limits);
}

absl::StatusOr<Job> DecodeRequest(const v1::SampleTokensRequest& request,
                                  std::vector<DecodedChain> chains, const Limits& limits) {
  Job job;
  job.chains = std::move(chains);
  absl::Status status = DecodeMatrices(request, &job);
  if (!status.ok()) return status;
  absl::StatusOr<TensorView> grammar = DecodeGrammar(request, &job);
  if (!grammar.ok()) return grammar.status();
  CheckVocabulary(&job);
  status = CheckSequences(request, job, limits);
  if (!status.ok()) return status;
  DecodeRows(request, *grammar, limits, &job);
  return job;
}

absl::Status CheckUnaryBytes(int64_t bytes, const Limits& limits) {
  if (bytes <= limits.max_unary_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the request is ", bytes, " bytes; a unary call may be at most ", limits.max_unary_bytes,
      " (tesserad --max-unary-bytes). Send fewer rows per call (results do not change), or bf16 "
      "instead of fp32"));
}

}  // namespace tessera
