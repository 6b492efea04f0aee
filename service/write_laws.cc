#include "service/write_laws.h"

#include <algorithm>
#include <cmath>

#include "service/encode_outcome.h"
#include "service/explain_reason.h"

namespace tessera {
namespace {

class LawWriter {
 public:
  LawWriter(const Chain& chain, const PrefixLaws& found, v1::ExplainChainResponse* response)
      : chain_(chain), found_(found), response_(*response) {}

  void Write(absl::Span<const TokenId> watched) {
    for (const TokenId id : found_.leaders) response_.add_followed_ids(id);
    for (const TokenId id : watched) {
      const auto& ids = response_.followed_ids();
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) response_.add_followed_ids(id);
    }
    const PrefixLaw& last = found_.laws.back();
    response_.set_outcome(ToProto(last.outcome));
    response_.set_error(last.error);
    if (found_.laws[0].outcome != Outcome::kOk) return;
    WriteLaw(found_.laws[0], found_.laws[0], response_.mutable_start());
    for (size_t i = 1; i < found_.laws.size(); ++i) {
      if (found_.laws[i].outcome == Outcome::kOk) WriteStage(i);
    }
  }

 private:
  double Probability(const PrefixLaw& law, TokenId id) const {
    return std::exp(found_.LogprobOf(law, id));
  }

  void WriteToken(const PrefixLaw& before, const PrefixLaw& after, TokenId id,
                  v1::TokenExplanation* out) const {
    out->set_id(id);
    out->set_logit((*after.logits)[id]);
    out->set_probability_before(static_cast<float>(Probability(before, id)));
    out->set_probability_after(static_cast<float>(Probability(after, id)));
  }

  void WriteLaw(const PrefixLaw& before, const PrefixLaw& law, v1::LawExplanation* out) const {
    out->set_support_size(law.support_size);
    out->set_mass(law.mass);
    out->set_entropy(law.entropy);
    WriteToken(before, law, law.lowest, out->mutable_lowest());
    for (const TokenId id : response_.followed_ids()) {
      out->add_logits((*law.logits)[id]);
      out->add_probabilities(static_cast<float>(Probability(law, id)));
    }
  }

  void WriteStage(size_t i) {
    const PrefixLaw& before = found_.laws[i - 1];
    const PrefixLaw& law = found_.laws[i];
    v1::StageExplanation* out = response_.mutable_stages(static_cast<int>(i - 1));
    WriteLaw(before, law, out->mutable_law());
    out->set_kept_share(law.kept_share);
    if (!out->no_op()) {
      out->set_target_share(TargetShare(chain_.stages[i - 1], before));
      out->set_least_probability(LeastProbability(chain_.stages[i - 1], before));
      WriteCuts(before, law, out);
    }
    out->set_reason(ReasonFor(chain_.stages[i - 1], before, law, *out));
  }

  void WriteCuts(const PrefixLaw& before, const PrefixLaw& law, v1::StageExplanation* out) const {
    if (found_.order.empty() || law.support_size == before.support_size) return;
    if (law.begin > before.begin) {
      WriteCut(before, law, law.begin, law.begin - 1, law.begin - before.begin, out);
    }
    const uint32_t end = before.begin + before.support_size;
    if (law.end < end) WriteCut(before, law, law.end - 1, law.end, end - law.end, out);
  }

  // A rewrite that made logits equal may have moved tokens: a boundary is told only where the two
  // tokens beside it bear it out.
  void WriteCut(const PrefixLaw& before, const PrefixLaw& law, uint32_t kept, uint32_t cut,
                uint32_t removed, v1::StageExplanation* out) const {
    const TokenId last = found_.order[kept];
    const TokenId first = found_.order[cut];
    if (found_.LogprobOf(law, last) == -HUGE_VALF || found_.LogprobOf(law, first) != -HUGE_VALF) {
      return;
    }
    v1::CutExplanation* written = out->add_cuts();
    written->set_from_top(cut < kept);
    written->set_removed(removed);
    WriteToken(before, law, last, written->mutable_last_kept());
    WriteToken(before, law, first, written->mutable_first_cut());
    written->set_tied((*law.logits)[last] == (*law.logits)[first]);
  }

  const Chain& chain_;
  const PrefixLaws& found_;
  v1::ExplainChainResponse& response_;
};

}  // namespace

void WriteLaws(const Chain& chain, const PrefixLaws& found, absl::Span<const TokenId> watched,
               v1::ExplainChainResponse* response) {
  LawWriter(chain, found, response).Write(watched);
}

}  // namespace tessera
