#include "service/verification_job.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "service/decode_request.h"
#include "service/seeds.h"
#include "service/sparse_laws.h"

namespace tessera {
namespace {

VerificationMethod ToKernel(v1::VerificationMethod method) {
  switch (method) {
    case v1::VERIFICATION_METHOD_BLOCK:
      return VerificationMethod::kBlock;
    case v1::VERIFICATION_METHOD_TREE:
      return VerificationMethod::kTree;
    case v1::VERIFICATION_METHOD_TRAVERSAL:
      return VerificationMethod::kTraversal;
    case v1::VERIFICATION_METHOD_TARGET_ONLY:
      return VerificationMethod::kTargetOnly;
    case v1::VERIFICATION_METHOD_TYPICAL:
      return VerificationMethod::kTypical;
    default:  // checked before
      return VerificationMethod::kToken;
  }
}

// A status about `logits` of a job, with the request's own name for them.
absl::Status Renamed(const absl::Status& status, absl::string_view side) {
  const bool prefixed = absl::StartsWith(status.message(), "logits");
  return absl::Status(status.code(),
                      absl::StrCat(prefixed ? absl::StrCat(side, "_") : "", status.message()));
}

std::vector<DecodedChain> DecodeChains(const v1::VerifyDraftsRequest& request) {
  std::vector<DecodedChain> chains;
  chains.reserve(request.chains_size());
  for (const v1::SamplerChain& chain : request.chains()) chains.push_back(DecodeChain(chain));
  return chains;
}

// Rows [first, first + n) of a job's request, in the job; or the first of them that was refused.
class RowsOf {
 public:
  explicit RowsOf(const Job& job) : job_(job) {}

  const RefusedRow* FirstRefused(int first, size_t n) const {
    const auto found =
        std::lower_bound(job_.refused.begin(), job_.refused.end(), static_cast<uint32_t>(first),
                         [](const RefusedRow& row, uint32_t index) { return row.row < index; });
    const bool within =
        found != job_.refused.end() && found->row < static_cast<uint32_t>(first) + n;
    return within ? &*found : nullptr;
  }

  // REQUIRES: none of them was refused.
  absl::Span<const RowInput> Rows(int first, size_t n) const {
    const auto found = std::lower_bound(job_.row_indices.begin(), job_.row_indices.end(),
                                        static_cast<uint32_t>(first));
    return absl::MakeConstSpan(job_.rows).subspan(found - job_.row_indices.begin(), n);
  }

 private:
  const Job& job_;
};

// "rows[7].history ..." of a job says which row; the sequence's place is what a client knows.
std::string WithoutRow(absl::string_view message, int row) {
  return std::string(absl::StripPrefix(message, absl::StrCat("rows[", row, "].")));
}

class Assembly {
 public:
  Assembly(const v1::VerifyDraftsRequest& request, VerificationJob* job)
      : request_(request), job_(*job), target_(job->target), draft_(job->draft) {}

  // In two steps: spans into `sparse` last once it is full.
  void Assemble() {
    const size_t n = job_.drafts->sequences.size();
    job_.sparse.reserve(n);
    job_.sparse_spans.reserve(n);
    for (size_t i = 0; i < n; ++i) {
      absl::Status status = Add(i);
      if (status.ok()) continue;
      job_.refused.push_back({static_cast<uint32_t>(i), std::string(status.message())});
    }
  }

 private:
  absl::Status Add(size_t index) {
    const ExpandedSequence& shape = job_.drafts->sequences[index];
    const std::string place = absl::StrCat("sequences[", index, "].");
    if (!shape.refusal.empty()) {
      const bool of_chain = absl::StartsWith(shape.refusal, "chains[");
      return absl::InvalidArgumentError(absl::StrCat(of_chain ? "" : place, shape.refusal));
    }
    const size_t positions = shape.ids.size() + 1;
    if (const RefusedRow* row = target_.FirstRefused(shape.first_target, positions)) {
      return Refused(*row, absl::StrCat(place, "target."));
    }
    const v1::DraftSequence& sequence = request_.sequences(static_cast<int>(index));
    const size_t drafts = sequence.has_draft_logits() ? shape.expanded.size() : 0;
    if (const RefusedRow* row = draft_.FirstRefused(shape.first_draft, drafts)) {
      return Refused(*row, absl::StrCat(place, "draft_logits: "));
    }
    DraftedSequence out = Begin(sequence, shape);
    out.target = target_.Rows(shape.first_target, positions);
    if (sequence.has_draft_logits()) {
      out.law = DraftLaw::kLogits;
      if (drafts > 0) out.draft = draft_.Rows(shape.first_draft, drafts);
    } else if (sequence.has_sparse()) {
      absl::Status status = AddSparse(sequence.sparse(), shape, &out);
      if (!status.ok()) return absl::InvalidArgumentError(absl::StrCat(place, status.message()));
    }
    const RowInput& root = out.target.front();
    out.seed = root.seed;
    out.position = root.position;
    out.stream = root.stream;
    job_.sequences.push_back(out);
    job_.positions.push_back(out.target);
    job_.indices.push_back(static_cast<uint32_t>(index));
    return absl::OkStatus();
  }

  static absl::Status Refused(const RefusedRow& row, const std::string& place) {
    const bool of_chain = absl::StartsWith(row.message, "chains[");
    return absl::InvalidArgumentError(
        absl::StrCat(of_chain ? "" : place, WithoutRow(row.message, static_cast<int>(row.row))));
  }

  static DraftedSequence Begin(const v1::DraftSequence& sequence, const ExpandedSequence& shape) {
    DraftedSequence out;
    out.method = ToKernel(shape.method);
    out.without_replacement = sequence.without_replacement();
    out.typical_epsilon = shape.typical_epsilon;
    out.typical_alpha = shape.typical_alpha;
    out.ids = shape.ids;
    out.parents = shape.parents;
    return out;
  }

  absl::Status AddSparse(const v1::SparseDrafts& sparse, const ExpandedSequence& shape,
                         DraftedSequence* out) {
    absl::StatusOr<std::vector<std::vector<WeightedId>>> laws =
        DecodeSparseLaws(sparse, shape.expanded.size(), request_.vocab_size());
    if (!laws.ok()) return laws.status();
    job_.sparse.push_back(*std::move(laws));
    const auto& kept = job_.sparse.back();
    job_.sparse_spans.emplace_back(kept.begin(), kept.end());
    out->law = DraftLaw::kSparse;
    out->sparse = job_.sparse_spans.back();
    return absl::OkStatus();
  }

  const v1::VerifyDraftsRequest& request_;
  VerificationJob& job_;
  const RowsOf target_;
  const RowsOf draft_;
};

absl::Status CheckDraftLogits(const v1::VerifyDraftsRequest& request) {
  const bool wanted = std::any_of(request.sequences().begin(), request.sequences().end(),
                                  [](const v1::DraftSequence& s) { return s.has_draft_logits(); });
  if (wanted || request.draft_logits().empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "draft_logits is given, but no sequence has draft_logits for its law");
}

}  // namespace

absl::StatusOr<VerificationJob> DecodeVerification(v1::VerifyDraftsRequest* request,
                                                   const Limits& limits) {
  absl::Status status =
      CheckCounts({request->chains_size(), request->sequences_size(), 0}, limits, "sequences");
  if (status.ok()) status = CheckDraftLogits(*request);
  if (!status.ok()) return status;
  const std::vector<DecodedChain> chains = DecodeChains(*request);
  absl::StatusOr<ExpandedDrafts> drafts = ExpandDrafts(chains, limits, request);
  if (!drafts.ok()) return drafts.status();
  VerificationJob job;
  job.drafts = std::make_unique<ExpandedDrafts>(*std::move(drafts));
  if (!job.drafts->target.rows().empty() || !job.drafts->target.logits().empty()) {
    absl::StatusOr<Job> target = DecodeRequest(job.drafts->target, chains, limits);
    if (!target.ok()) return Renamed(target.status(), "target");
    job.target = *std::move(target);
  }
  if (!job.drafts->draft.rows().empty()) {
    absl::StatusOr<Job> draft = DecodeRequest(job.drafts->draft, chains, limits);
    if (!draft.ok()) return Renamed(draft.status(), "draft");
    job.draft = *std::move(draft);
  }
  if (status = FillSeeds(&job.target); !status.ok()) return status;
  Assembly(*request, &job).Assemble();
  return job;
}

}  // namespace tessera
