// Regroups a response row by row. Nothing in it is trusted: every index is checked before its use.
#include "client/sampled_rows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/repeated_field.h"

namespace tessera {
namespace {

using Offsets = google::protobuf::RepeatedField<uint32_t>;

absl::Status Contradiction(absl::string_view field, absl::string_view why) {
  return absl::InternalError(
      absl::StrCat("the server's response contradicts itself: ", field, " ", why));
}

absl::Status CheckSize(absl::string_view field, int64_t size, int64_t expected) {
  if (size == expected) return absl::OkStatus();
  return Contradiction(field, absl::StrCat("has ", size, " entries; ", expected, " are needed"));
}

// That `offsets` cuts `size` entries into `pieces`.
absl::Status CheckOffsets(absl::string_view field, const Offsets& offsets, int pieces, int size) {
  if (pieces == 0 && offsets.empty() && size == 0) return absl::OkStatus();
  absl::Status status = CheckSize(field, offsets.size(), pieces + 1);
  if (!status.ok()) return status;
  if (offsets[0] != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets[pieces] != static_cast<uint32_t>(size)) {
    return Contradiction(field, absl::StrCat("does not rise from 0 to ", size));
  }
  return absl::OkStatus();
}

absl::Status CheckRowArrays(const v1::SampleTokensRequest& request,
                            const v1::SampleTokensResponse& response) {
  const int rows = request.rows_size();
  absl::Status status = CheckSize("outcomes", response.outcomes_size(), rows);
  status.Update(CheckSize("seeds_used", response.seeds_used_size(), rows));
  if (response.support_sizes_size() != 0) {
    status.Update(CheckSize("support_sizes", response.support_sizes_size(), rows));
  }
  status.Update(
      CheckOffsets("token_offsets", response.token_offsets(), rows, response.tokens_size()));
  return status;
}

SampledRow ReadRow(const v1::SampleRow& asked, const v1::SampleTokensResponse& response, int r) {
  SampledRow row;
  row.outcome = response.outcomes(r);
  if (row.outcome == v1::ROW_OUTCOME_OK) {
    const auto tokens = response.tokens().begin();
    row.tokens.assign(tokens + response.token_offsets(r), tokens + response.token_offsets(r + 1));
  }
  const bool draws = !asked.has_samples() || asked.samples() > 0;
  if (draws) row.seed = response.seeds_used(r);
  if (asked.return_support_size() && response.support_sizes_size() > 0) {
    row.support_size = response.support_sizes(r);
  }
  return row;
}

absl::Status CheckMode(const v1::ModeLogprobs& mode, int rows) {
  const int m = mode.rows_size();
  absl::Status status =
      CheckSize("sampled_ranks", mode.sampled_ranks_size(), mode.sampled_logprobs_size());
  status.Update(CheckSize("scored_ranks", mode.scored_ranks_size(), mode.scored_logprobs_size()));
  status.Update(CheckSize("top_ids", mode.top_ids_size(), mode.top_logprobs_size()));
  status.Update(
      CheckOffsets("sampled_offsets", mode.sampled_offsets(), m, mode.sampled_logprobs_size()));
  status.Update(
      CheckOffsets("scored_offsets", mode.scored_offsets(), m, mode.scored_logprobs_size()));
  status.Update(CheckOffsets("top_offsets", mode.top_offsets(), m, mode.top_ids_size()));
  if (mode.entropies_size() != 0) status.Update(CheckSize("entropies", mode.entropies_size(), m));
  for (const uint32_t r : mode.rows()) {
    if (r >= static_cast<uint32_t>(rows)) {
      status.Update(Contradiction("logprobs.rows", absl::StrCat("names row ", r, " of ", rows)));
    }
  }
  return status;
}

// Entries [begin, end) of a mode's arrays.
struct Piece {
  int begin, end;
  int size() const { return end - begin; }
};

Piece PieceOf(const Offsets& offsets, int i) {
  return {static_cast<int>(offsets[i]), static_cast<int>(offsets[i + 1])};
}

// Entry `i` of a mode that CheckMode accepted, which speaks of `row`, asked for as `asked`.
absl::Status AddMode(const v1::ModeLogprobs& mode, int i, const v1::SampleRow& asked,
                     SampledRow* row) {
  SampledRowMode out{.mode = mode.mode(), .sampled = {}, .scored = {}, .top = {}, .entropy = {}};
  const Piece sampled = PieceOf(mode.sampled_offsets(), i);
  const Piece scored = PieceOf(mode.scored_offsets(), i);
  const Piece top = PieceOf(mode.top_offsets(), i);
  absl::Status status =
      CheckSize("sampled_logprobs", sampled.size(), static_cast<int64_t>(row->tokens.size()));
  status.Update(CheckSize("scored_logprobs", scored.size(), asked.score_ids_size()));
  if (!status.ok()) return status;
  for (int j = sampled.begin; j < sampled.end; ++j) {
    out.sampled.push_back(
        {row->tokens[j - sampled.begin], mode.sampled_logprobs(j), mode.sampled_ranks(j)});
  }
  for (int j = scored.begin; j < scored.end; ++j) {
    out.scored.push_back(
        {asked.score_ids(j - scored.begin), mode.scored_logprobs(j), mode.scored_ranks(j)});
  }
  for (int j = top.begin; j < top.end; ++j) {
    out.top.push_back(
        {mode.top_ids(j), mode.top_logprobs(j), static_cast<uint32_t>(j - top.begin + 1)});
  }
  const auto& wanted = asked.logprobs().entropy_modes();
  if (mode.entropies_size() > 0 &&
      std::find(wanted.begin(), wanted.end(), mode.mode()) != wanted.end()) {
    out.entropy = mode.entropies(i);
  }
  row->modes.push_back(std::move(out));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<SampledRow>> ReadRows(const v1::SampleTokensRequest& request,
                                                 const v1::SampleTokensResponse& response) {
  if (absl::Status status = CheckRowArrays(request, response); !status.ok()) return status;
  std::vector<SampledRow> rows;
  rows.reserve(static_cast<size_t>(request.rows_size()));
  for (int r = 0; r < request.rows_size(); ++r) {
    rows.push_back(ReadRow(request.rows(r), response, r));
  }
  for (const v1::RowError& error : response.errors()) {
    if (error.row() >= rows.size()) {
      return Contradiction("errors", absl::StrCat("names row ", error.row()));
    }
    rows[error.row()].error = error.message();
  }
  for (const uint32_t r : response.raw_invalid_rows()) {
    if (r >= rows.size()) return Contradiction("raw_invalid_rows", absl::StrCat("names row ", r));
    rows[r].raw_invalid = true;
  }
  for (const v1::RowState& state : response.states()) {
    if (state.row() >= rows.size()) {
      return Contradiction("states", absl::StrCat("names row ", state.row()));
    }
    rows[state.row()].state = state.state();
  }
  for (const v1::ModeLogprobs& mode : response.logprobs()) {
    if (absl::Status status = CheckMode(mode, request.rows_size()); !status.ok()) return status;
    for (int i = 0; i < mode.rows_size(); ++i) {
      const int r = static_cast<int>(mode.rows(i));
      absl::Status status = AddMode(mode, i, request.rows(r), &rows[r]);
      if (!status.ok()) return status;
    }
  }
  return rows;
}

}  // namespace tessera
