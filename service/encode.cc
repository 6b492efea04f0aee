#include "service/encode.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "service/encode_outcome.h"

namespace tessera {
namespace {

// How many tokens a row of this kind has room for, whatever became of it.
uint32_t SlotsOf(const v1::SampleRow& row) {
  if (!row.has_samples()) return 1;
  return row.samples() <= kMaxSamples ? row.samples() : 1;
}

void AddError(uint32_t row, std::string message, v1::SampleTokensResponse* response) {
  v1::RowError* error = response->add_errors();
  error->set_row(row);
  error->set_message(std::move(message));
}

void AddRefused(const v1::SampleRow& row, const RefusedRow& refused,
                v1::SampleTokensResponse* response) {
  response->add_outcomes(v1::ROW_OUTCOME_INVALID_PARAMETERS);
  response->add_seeds_used(row.seed());
  for (uint32_t i = 0; i < SlotsOf(row); ++i) response->add_tokens(-1);
  AddError(refused.row, refused.message, response);
}

void AddRun(uint32_t row, const RowInput& input, const RowResult& result,
            v1::SampleTokensResponse* response) {
  response->add_outcomes(ToProto(result.outcome));
  response->add_seeds_used(input.seed);
  if (result.outcome == Outcome::kOk) {
    for (TokenId token : result.tokens) response->add_tokens(token);
    if (result.raw_invalid) response->add_raw_invalid_rows(row);
  } else {
    for (uint32_t i = 0; i < input.samples; ++i) response->add_tokens(-1);
    std::string message = MessageOf(result);
    if (result.outcome == Outcome::kLawTooLarge) {
      absl::StrAppend(&message, ", ", input.max_law_ids, "; it may be up to ", kMaxLawIds);
    }
    AddError(row, std::move(message), response);
  }
}

void AddSupportSizes(const v1::SampleTokensRequest& request, const Job& job,
                     absl::Span<const RowResult> results, v1::SampleTokensResponse* response) {
  const bool wanted = std::any_of(request.rows().begin(), request.rows().end(),
                                  [](const auto& row) { return row.return_support_size(); });
  if (!wanted) return;
  response->mutable_support_sizes()->Resize(request.rows_size(), 0);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!job.rows[i].want_support_size || results[i].outcome != Outcome::kOk) continue;
    response->set_support_sizes(static_cast<int>(job.row_indices[i]), results[i].support_size);
  }
}

}  // namespace

v1::SampleTokensResponse EncodeResponse(const v1::SampleTokensRequest& request, const Job& job,
                                        absl::Span<const RowResult> results) {
  v1::SampleTokensResponse response;
  response.set_numerics_version(kNumericsVersion);
  response.mutable_outcomes()->Reserve(request.rows_size());
  response.mutable_tokens()->Reserve(request.rows_size());
  response.mutable_seeds_used()->Reserve(request.rows_size());
  response.mutable_token_offsets()->Reserve(request.rows_size() + 1);
  response.add_token_offsets(0);
  size_t run = 0;
  size_t refused = 0;
  for (int i = 0; i < request.rows_size(); ++i) {
    const uint32_t row = static_cast<uint32_t>(i);
    if (run < job.rows.size() && job.row_indices[run] == row) {
      AddRun(row, job.rows[run], results[run], &response);
      ++run;
    } else {
      AddRefused(request.rows(i), job.refused[refused++], &response);
    }
    response.add_token_offsets(static_cast<uint32_t>(response.tokens_size()));
  }
  EncodeLogprobs(job, results, &response);
  EncodeLaws(job, results, &response);
  EncodeStates(job, results, &response);
  AddSupportSizes(request, job, results, &response);
  return response;
}

}  // namespace tessera
