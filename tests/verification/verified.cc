#include "tests/verification/verified.h"

#include <gtest/gtest.h>

#include <ios>
#include <sstream>

namespace tessera::testing {

std::string TextOf(const SequenceResult& result) {
  std::ostringstream out;
  out << std::hexfloat << "outcome " << static_cast<int>(result.outcome);
  out << (result.failed_draft ? " draft " : " target ") << result.failed_position << " id "
      << result.invalid_id << " logit " << result.invalid_logit << "\ntokens";
  for (TokenId token : result.tokens) out << ' ' << token;
  const Verdict& verdict = result.verdict;
  out << "\nlast " << verdict.token << " of " << verdict.position << ", accepted";
  for (uint32_t node : verdict.accepted) out << ' ' << node;
  out << ", impossible " << verdict.impossible << "\ntests";
  for (const NodeTest& test : verdict.tests) {
    out << " (" << test.node << ' ' << test.probability << ' ' << test.word << ' ' << test.accepted
        << ')';
  }
  out << "\np and q";
  for (double p : result.target_probabilities) out << ' ' << p;
  for (double q : result.draft_probabilities) out << ' ' << q;
  const ResidualAsk& last = result.last_draw;
  out << "\nlast draw " << last.position << ": " << last.a << ' ' << last.b << ", total "
      << result.last_total.hi << ':' << result.last_total.lo << ", excluded";
  for (TokenId id : last.excluded) out << ' ' << id;
  return out.str();
}

std::vector<SequenceResult> Verified(const VerificationBatch& batch, Backend& backend) {
  std::vector<SequenceResult> results;
  const absl::Status status = VerifyDrafts(batch, backend, &results);
  EXPECT_TRUE(status.ok()) << status;
  results.resize(batch.sequences.size());
  return results;
}

}  // namespace tessera::testing
