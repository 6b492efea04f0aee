// Shows a verification in a terminal.
#include "client/cli/verify_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/cli/explain_view.h"
#include "client/cli/names.h"
#include "client/cli/verify_flags.h"

namespace tessera::cli {
namespace {

constexpr int kBar = 40;      // columns of probability 1
constexpr size_t kName = 14;  // columns of a token's name

class VerificationWriter {
 public:
  VerificationWriter(const v1::VerifyDraftsRequest& request,
                     const v1::VerifyDraftsResponse& response, const TokenNames& names,
                     const Terminal& terminal)
      : request_(request), response_(response), names_(names), terminal_(terminal) {}

  std::string Write() {
    for (int s = 0; s < response_.outcomes_size() && s < request_.sequences_size(); ++s) {
      if (s > 0) absl::StrAppend(&out_, "\n");
      Sequence(s);
    }
    return std::move(out_);
  }

 private:
  void Sequence(int s) {
    const v1::DraftSequence& sequence = request_.sequences(s);
    const std::string label =
        request_.sequences_size() > 1 ? absl::StrCat("sequence ", s) : "verification";
    absl::StrAppendFormat(&out_, "%s  %s, %d drafts %s, seed %u, position %u\n",
                          terminal_.Strong(label), MethodName(sequence.method()),
                          sequence.draft_ids_size(), Law(sequence),
                          s < response_.seeds_used_size() ? response_.seeds_used(s) : 0,
                          sequence.target().position());
    if (response_.outcomes(s) != v1::ROW_OUTCOME_OK) {
      Failure(s);
      return;
    }
    if (s < response_.lossless_size() && !response_.lossless(s)) {
      absl::StrAppend(&out_, "   ", terminal_.Cut("this method changes the law of the tokens"),
                      "\n");
    }
    if (s < response_.explanations_size()) {
      for (const v1::DraftTest& test : response_.explanations(s).tests()) Test(sequence, test);
      FinalDraw(response_.explanations(s).final_draw());
    }
    Emitted(s, sequence);
  }

  static std::string Law(const v1::DraftSequence& sequence) {
    if (sequence.has_draft_logits()) return "drawn from logits";
    return sequence.has_sparse() ? "drawn from listed laws" : "that are one-hot";
  }

  void Failure(int s) {
    std::string message = OutcomeName(response_.outcomes(s));
    for (const v1::RowError& error : response_.errors()) {
      if (error.row() == static_cast<uint32_t>(s)) absl::StrAppend(&message, ": ", error.message());
    }
    absl::StrAppend(&out_, "   ", terminal_.Cut(message), "\n");
  }

  std::string Named(int32_t id) const {
    const std::string name = names_.Of(id);
    return name.empty() ? absl::StrCat("token ", id) : absl::StrCat("token ", id, " ", name);
  }

  void Test(const v1::DraftSequence& sequence, const v1::DraftTest& test) {
    const auto node = static_cast<int>(test.node());
    std::string place = absl::StrCat("node ", test.node());
    if (node < sequence.parents_size()) {
      absl::StrAppend(&place, " after ",
                      sequence.parents(node) < 0 ? std::string("the root")
                                                 : absl::StrCat("node ", sequence.parents(node)));
    }
    absl::StrAppend(&out_, "\n", terminal_.Strong(absl::StrCat(place, ":  ", Named(test.id()))),
                    "\n");
    Share("target p", test.target_probability(), true);
    Share("draft  q", test.draft_probability(), true);
    const double q = test.draft_probability();
    absl::StrAppendFormat(
        &out_, "   ratio p/q  %8s\n",
        q > 0 ? ShownProbability(test.target_probability() / q) : std::string("none"));
    const bool tossed = sequence.method() != v1::VERIFICATION_METHOD_TYPICAL;
    const std::string verdict =
        test.passed() ? terminal_.Kept("accepted") : terminal_.Cut("rejected");
    if (!tossed) {
      absl::StrAppend(&out_, "   no coin: ", verdict, "\n");
      return;
    }
    Share("accept  ", test.acceptance_probability(), false);
    const double u = std::ldexp(static_cast<double>(test.word()), -64);
    const auto at = static_cast<size_t>(std::min(u, 1.0) * (kBar - 1));
    absl::StrAppendFormat(&out_, "   coin    u  %8s  %s^ %s\n", ShownProbability(u),
                          std::string(at, ' '), verdict);
  }

  void Share(absl::string_view title, double value, bool of_law) {
    const std::string bar = terminal_.Bar(value, kBar, false);
    absl::StrAppendFormat(&out_, "   %s   %8s", title, ShownProbability(value));
    if (value > 0) absl::StrAppend(&out_, "  ", of_law ? bar : terminal_.Kept(bar));
    absl::StrAppend(&out_, "\n");
  }

  // What is left of p, as a formula.
  static std::string Left(const v1::FinalDraw& draw) {
    if (draw.draft_scale() == 0) return "p";
    const auto scaled = [](double scale, const char* law) {
      return scale == 1 ? std::string(law) : absl::StrFormat("%.4g %s", scale, law);
    };
    return absl::StrCat("max(", scaled(draw.target_scale(), "p"), " - ",
                        scaled(draw.draft_scale(), "q"), ", 0)");
  }

  void FinalDraw(const v1::FinalDraw& draw) {
    const std::string place = draw.position() == 0
                                  ? std::string("at the root")
                                  : absl::StrCat("after node ", draw.position() - 1);
    absl::StrAppend(&out_, "\n", terminal_.Strong(absl::StrCat("last token ", place, ":")),
                    "  from ", Left(draw));
    if (draw.excluded_ids_size() > 0) {
      absl::StrAppend(&out_, " without ", absl::StrJoin(draw.excluded_ids(), ", "));
    }
    absl::StrAppendFormat(&out_, ", mass %s\n", ShownProbability(draw.mass()));
    double largest = 0;
    for (const v1::ResidualLeader& leader : draw.leaders()) {
      largest = std::max(largest, leader.probability());
    }
    if (draw.leaders_size() > 0) {
      absl::StrAppendFormat(&out_, "   %7s  %s%8s  %8s  %8s\n", "token",
                            names_.empty() ? "" : std::string(kName + 2, ' '), "p", "q", "left");
    }
    for (const v1::ResidualLeader& leader : draw.leaders()) Leader(leader, largest);
  }

  void Leader(const v1::ResidualLeader& leader, double largest) {
    absl::StrAppendFormat(&out_, "   %7d  ", leader.id());
    if (!names_.empty()) absl::StrAppend(&out_, Fitted(names_.Of(leader.id()), kName), "  ");
    absl::StrAppendFormat(&out_, "%8s  %8s  %8s", ShownProbability(leader.target_probability()),
                          ShownProbability(leader.draft_probability()),
                          ShownProbability(leader.probability()));
    if (leader.probability() > 0) {
      const std::string bar = terminal_.Bar(leader.probability() / largest, kBar, false);
      absl::StrAppend(&out_, "  ", terminal_.Kept(bar));
    }
    absl::StrAppend(&out_, "\n");
  }

  void Emitted(int s, const v1::DraftSequence& sequence) {
    std::vector<std::string> tokens;
    for (uint32_t i = response_.token_offsets(s); i < response_.token_offsets(s + 1); ++i) {
      tokens.push_back(Named(response_.tokens(static_cast<int>(i))));
    }
    const uint32_t accepted = response_.accepted_offsets(s + 1) - response_.accepted_offsets(s);
    absl::StrAppendFormat(&out_, "\n%s %s; %d of %d drafts accepted\n",
                          terminal_.Strong("emitted:"), absl::StrJoin(tokens, ", "), accepted,
                          sequence.draft_ids_size());
    if (s < response_.impossible_draft_counts_size() && response_.impossible_draft_counts(s) > 0) {
      absl::StrAppend(&out_, "   ", response_.impossible_draft_counts(s),
                      " drafts cannot have been drawn from the law given for them\n");
    }
  }

  const v1::VerifyDraftsRequest& request_;
  const v1::VerifyDraftsResponse& response_;
  const TokenNames& names_;
  const Terminal& terminal_;
  std::string out_;
};

}  // namespace

std::string VerificationText(const v1::VerifyDraftsRequest& request,
                             const v1::VerifyDraftsResponse& response, const TokenNames& names,
                             const Terminal& terminal) {
  return VerificationWriter(request, response, names, terminal).Write();
}

}  // namespace tessera::cli
