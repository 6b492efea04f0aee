#include "service/prefix_laws.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "kernels/describe_stage.h"
#include "kernels/edited_logits.h"
#include "service/encode_outcome.h"
#include "service/token_order.h"

namespace tessera {
namespace {

uint8_t Bit(LogprobMode mode) { return static_cast<uint8_t>(1 << static_cast<int>(mode)); }

const LogprobReport& Processed(const RowResult& row) {
  return row.reports[static_cast<int>(LogprobMode::kProcessed)];
}

// Only these keep tokens that are not the first of what they found.
bool MayRemoveTop(const Stage& stage) {
  return std::holds_alternative<Xtc>(stage) || std::holds_alternative<TypicalP>(stage);
}

// First run: how many tokens each prefix leaves, and the likeliest.
void AskForSizes(uint32_t leaders, std::vector<RowInput>* rows) {
  for (RowInput& row : *rows) {
    row.want_support_size = true;
    row.logprob_modes = row.entropy_modes = Bit(LogprobMode::kProcessed);
    row.top_logprobs = std::max<uint32_t>(leaders, 1);
  }
}

// Second run: the probabilities of the tokens that matter.
void AskForScores(const std::vector<TokenId>& ids, std::vector<RowInput>* rows) {
  for (RowInput& row : *rows) {
    row.want_support_size = false;
    row.entropy_modes = 0;
    row.top_logprobs = 0;
    row.logprob_modes = Bit(LogprobMode::kProcessed) | Bit(LogprobMode::kTempered);
    row.score_ids = ids;
  }
}

class Finder {
 public:
  Finder(const Chain& chain, Job job, Backend& backend, const StillWanted& still_wanted)
      : chain_(chain), job_(std::move(job)), backend_(backend), still_wanted_(still_wanted) {}

  absl::StatusOr<PrefixLaws> Find(uint32_t leaders, absl::Span<const TokenId> watched) {
    AskForSizes(leaders, &job_.rows);
    BatchResult sizes;
    absl::Status status = RunJob(job_, backend_, still_wanted_, &sizes);
    if (!status.ok()) return status;
    for (size_t i = 0; i < job_.rows.size(); ++i) {
      AddLaw(i, sizes.rows()[i]);
      if (found_.laws.back().outcome != Outcome::kOk) break;
    }
    ChooseLeaders(leaders);
    ChooseScored(watched);
    AskForScores(found_.scored, &job_.rows);
    BatchResult scores;
    status = RunJob(job_, backend_, still_wanted_, &scores);
    if (!status.ok()) return status;
    for (size_t i = 0; i < found_.laws.size(); ++i) AddScores(i, scores.rows()[i]);
    return std::move(found_);
  }

 private:
  void AddLaw(size_t i, const RowResult& row) {
    PrefixLaw law;
    law.outcome = row.outcome;
    law.error = MessageOf(row);
    if (law.outcome == Outcome::kOk) {
      law.support_size = row.support_size;
      law.entropy = Processed(row).entropy;
      law.top.assign(Processed(row).top.begin(), Processed(row).top.end());
      law.logits = LogitsOf(i);
      const RowInput& whole = job_.rows.back();
      if (whole.has_state) law.state = whole.state[0];
      law.smoothed = i > 0 && (found_.laws[i - 1].smoothed ||
                               std::holds_alternative<Smoothing>(chain_.stages[i - 1]));
      Place(i, &law);
    }
    found_.laws.push_back(std::move(law));
  }

  bool Is(size_t i, StageEffect effect) const {
    return i > 0 && DescribeStage(chain_.stages[i - 1]).effect == effect;
  }

  // Prefixes with the same edits share their logits.
  std::shared_ptr<const std::vector<float>> LogitsOf(size_t i) {
    if (i > 0 && !Is(i, StageEffect::kEdit)) return found_.laws[i - 1].logits;
    return std::make_shared<const std::vector<float>>(EditedLogits(BatchOf(job_), job_.rows[i]));
  }

  void Place(size_t i, PrefixLaw* law) {
    law->end = law->support_size;
    if (found_.order.empty() && Is(i, StageEffect::kCut) &&
        law->support_size < found_.laws[i - 1].support_size) {
      found_.order = OrderOf(*law->logits);
    }
    if (found_.order.empty()) {
      law->lowest = LastCandidate(*law->logits);
      return;
    }
    law->begin = found_.laws[i - 1].begin;
    if (MayRemoveTop(chain_.stages[i - 1]))
      law->begin = PlaceIn(found_.order, law->top[0].id, *law->logits);
    law->end = std::min(law->begin + law->support_size, static_cast<uint32_t>(found_.order.size()));
    law->lowest = found_.order[law->end - 1];
  }

  void ChooseLeaders(uint32_t count) {
    const PrefixLaw* last = nullptr;
    for (const PrefixLaw& law : found_.laws) {
      if (law.outcome == Outcome::kOk) last = &law;
    }
    if (last == nullptr || count == 0) return;
    for (const PrefixLaw* law : {&std::as_const(found_.laws[0]), last}) {
      for (const RankedToken& token : law->top) {
        std::vector<TokenId>& ids = found_.leaders;
        if (std::find(ids.begin(), ids.end(), token.id) == ids.end()) ids.push_back(token.id);
      }
    }
  }

  // At most 64 + 64 + 64 ids and 6 for each of 33 laws: below kMaxScoredIds.
  void ChooseScored(absl::Span<const TokenId> watched) {
    std::vector<TokenId>& ids = found_.scored;
    ids = found_.leaders;
    ids.insert(ids.end(), watched.begin(), watched.end());
    const auto size = static_cast<uint32_t>(found_.order.size());
    for (const PrefixLaw& law : found_.laws) {
      if (law.outcome != Outcome::kOk) break;
      ids.push_back(law.top[0].id);
      ids.push_back(law.lowest);
      if (found_.order.empty()) continue;
      ids.push_back(found_.order[law.begin]);
      if (law.begin > 0) ids.push_back(found_.order[law.begin - 1]);
      if (law.end < size) ids.push_back(found_.order[law.end]);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }

  void AddScores(size_t i, const RowResult& row) {
    PrefixLaw& law = found_.laws[i];
    if (law.outcome != Outcome::kOk) return;
    for (const TokenScore& score : Processed(row).scored) law.logprobs.push_back(score.logprob);
    if (i == 0) return;
    const PrefixLaw& found = found_.laws[i - 1];
    const TokenId top = law.top[0].id;
    const double now = found_.LogprobOf(law, top);
    if (Is(i, StageEffect::kCut) && law.support_size < found.support_size) {
      law.kept_share = std::min(1.0, std::exp(found_.LogprobOf(found, top) - now));
    }
    if (law.support_size == found_.laws[0].support_size) return;  // nothing is cut yet
    const Plan& plan = *job_.rows[i].plan;
    if (plan.rewrites || plan.greedy) {
      law.mass = found.mass * law.kept_share;
      return;
    }
    const LogprobReport& tempered = row.reports[static_cast<int>(LogprobMode::kTempered)];
    const auto place = std::lower_bound(found_.scored.begin(), found_.scored.end(), top);
    const double whole = tempered.scored[place - found_.scored.begin()].logprob;
    law.mass = std::min(1.0, std::exp(whole - now));
  }

  const Chain& chain_;
  Job job_;
  Backend& backend_;
  const StillWanted& still_wanted_;
  PrefixLaws found_;
};

}  // namespace

float PrefixLaws::LogprobOf(const PrefixLaw& law, TokenId id) const {
  const auto place = std::lower_bound(scored.begin(), scored.end(), id);
  return law.logprobs[place - scored.begin()];
}

absl::StatusOr<PrefixLaws> FindPrefixLaws(const Chain& chain, Job job, uint32_t leaders,
                                          absl::Span<const TokenId> watched, Backend& backend,
                                          const StillWanted& still_wanted) {
  return Finder(chain, std::move(job), backend, still_wanted).Find(leaders, watched);
}

}  // namespace tessera
