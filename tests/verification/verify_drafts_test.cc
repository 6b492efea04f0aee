// VerifyDrafts over backends: the same bytes on all of them, in any batch and any order, and TOKEN
// against a plain reference over the oracle's weights.
//
// TESSERA_SEQUENCES sets how many random sequences there are of each (default 4,000);
// TESSERA_SEQUENCE_SEED where they start.
#include "kernels/verification/verify_drafts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/math/philox.h"
#include "tests/support/backends.h"
#include "tests/support/exact_residual.h"
#include "tests/verification/random_sequences.h"
#include "tests/verification/verified.h"

namespace tessera::testing {
namespace {

using oracle::Uint128;

constexpr int kPerBatch = 20;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

int64_t Sequences() { return FromEnvironment("TESSERA_SEQUENCES", 4000); }
uint64_t FirstSeed() { return FromEnvironment("TESSERA_SEQUENCE_SEED", 0); }

int64_t AnyVocabSize(Random& random) {
  if (random.OneIn(10)) return 300 + random.Below(4701);
  return 2 + random.Below(random.Pick({3, 40, 300}));
}

// The batch backwards, in parts.
void ExpectSameInParts(const RandomSequences& random, const std::vector<std::string>& expected,
                       Backend& backend, size_t part) {
  VerificationBatch batch = random.batch();
  const std::vector<DraftedSequence> turned(batch.sequences.rbegin(), batch.sequences.rend());
  for (size_t first = 0; first < turned.size(); first += part) {
    batch.sequences = absl::MakeConstSpan(turned).subspan(first, part);
    const std::vector<SequenceResult> results = Verified(batch, backend);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(TextOf(results[i]), expected[turned.size() - 1 - first - i]);
    }
  }
}

TEST(VerifyDraftsTest, AllBackendsAndBatchesGiveTheSameBytes) {
  int64_t sequences = 0;
  int64_t runs = 0;
  for (uint64_t seed = FirstSeed(); sequences < Sequences(); ++seed) {
    Random random(seed);
    const RandomSequences drafts(random, AnyVocabSize(random), kPerBatch, kAllMethods);
    std::vector<std::string> expected;
    for (const SequenceResult& result : Verified(drafts.batch(), *MakeScalarBackend())) {
      ASSERT_EQ(result.outcome, Outcome::kOk);
      expected.push_back(TextOf(result));
    }
    for (const BackendSpec& spec : NextBackends(3)) {
      SCOPED_TRACE(Describe(spec) + ", seed " + std::to_string(seed));
      const std::vector<SequenceResult> found = Verified(drafts.batch(), SharedBackend(spec));
      for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(TextOf(found[i]), expected[i]) << i;
      runs += kPerBatch;
      if (!random.OneIn(4)) continue;
      ExpectSameInParts(drafts, expected, SharedBackend(spec), 1 + random.Below(kPerBatch));
      if (HasFatalFailure()) return;
    }
    sequences += kPerBatch;
  }
  std::printf("%lld sequences, %lld on executors\n", static_cast<long long>(sequences),
              static_cast<long long>(runs));
}

Uint128 Word(const DraftedSequence& sequence, Purpose purpose, size_t index) {
  const auto words = oracle::Philox(
      {sequence.position, sequence.stream, static_cast<uint32_t>(purpose),
       static_cast<uint32_t>(index)},
      {static_cast<uint32_t>(sequence.seed), static_cast<uint32_t>(sequence.seed >> 32)});
  Uint128 word = 0;
  for (int i = 3; i >= 0; --i) word = word << 32 | words[i];
  return word;
}

uint64_t TotalOf(const std::vector<uint64_t>& weights) {
  return std::accumulate(weights.begin(), weights.end(), uint64_t{0});
}

// TOKEN, written down from the paper with weights in place of probabilities, q = 1 for one-hot.
class Reference {
 public:
  Reference(const RandomSequences& drafts, size_t index)
      : drafts_(drafts), index_(index), sequence_(drafts.sequences()[index]) {}

  std::vector<TokenId> Tokens() {
    std::vector<TokenId> tokens;
    for (size_t i = 0; i < sequence_.ids.size(); ++i) {
      Read(i);
      const TokenId x = sequence_.ids[i];
      if (!Accepts(x, i)) {
        tokens.push_back(Residual(x).Draw(Word(sequence_, Purpose::kResidual, i)));
        return tokens;
      }
      tokens.push_back(x);
    }
    // Of this word the low 64 bits count. Above 64 zeros they are the same fraction of 1.
    const size_t last = sequence_.ids.size();
    p_ = drafts_.TargetWeights(index_, last);
    q_.assign(p_.size(), 0);
    tokens.push_back(
        oracle::ResidualOf(1, p_, 0, q_, {}).Draw(Word(sequence_, Purpose::kDraw, last) << 64));
    return tokens;
  }

 private:
  void Read(size_t i) {
    p_ = drafts_.TargetWeights(index_, i);
    if (sequence_.law == DraftLaw::kOneHot) {
      q_.assign(p_.size(), 0);
      q_[sequence_.ids[i]] = 1;
    } else {
      q_ = drafts_.DraftWeights(index_, i);
    }
    p_total_ = TotalOf(p_);
    q_total_ = TotalOf(q_);
  }

  // u / 2^64 < (P / W_p) / (Q / W_q).
  bool Accepts(TokenId x, size_t i) const {
    const Uint128 u = Word(sequence_, Purpose::kAccept, i) << 64;  // times 2^64
    const Uint128 numerator = static_cast<Uint128>(p_[x]) * q_total_;
    const Uint128 denominator = static_cast<Uint128>(q_[x]) * p_total_;
    return q_[x] != 0 && oracle::MulHigh128(u, denominator) < numerator;
  }

  // p - q where that is above 0; p itself where a draft that q cannot have drawn leaves nothing.
  oracle::ExactResidual Residual(TokenId x) const {
    const oracle::ExactResidual left = sequence_.law == DraftLaw::kOneHot
                                           ? oracle::ResidualOf(1, p_, 0, q_, {x})
                                           : oracle::ResidualOf(q_total_, p_, p_total_, q_, {});
    return left.total > 0 ? left : oracle::ResidualOf(1, p_, 0, q_, {});
  }

  const RandomSequences& drafts_;
  const size_t index_;
  const DraftedSequence& sequence_;
  std::vector<uint64_t> p_;
  std::vector<uint64_t> q_;
  uint64_t p_total_ = 0;
  uint64_t q_total_ = 0;
};

TEST(VerifyDraftsTest, TokenIsThePapersRule) {
  int64_t sequences = 0;
  int64_t residuals[3] = {};  // by DraftLaw: sequences that ended by one
  for (uint64_t seed = FirstSeed(); sequences < Sequences(); ++seed) {
    Random random(seed + 1'000'000);
    const RandomSequences drafts(random, AnyVocabSize(random), kPerBatch,
                                 {VerificationMethod::kToken});
    const std::vector<BackendSpec> specs = NextBackends(3);
    const BackendSpec& spec = specs[random.Below(static_cast<int64_t>(specs.size()))];
    const std::vector<SequenceResult> results = Verified(drafts.batch(), SharedBackend(spec));
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i].outcome, Outcome::kOk);
      ASSERT_EQ(results[i].tokens, Reference(drafts, i).Tokens())
          << Describe(spec) << ", seed " << seed << ", sequence " << i;
      const DraftedSequence& sequence = drafts.sequences()[i];
      if (results[i].tokens.size() <= sequence.ids.size()) {
        ++residuals[static_cast<int>(sequence.law)];
      }
    }
    sequences += kPerBatch;
  }
  for (int64_t count : residuals) EXPECT_GT(count, sequences / 50);
  std::printf("%lld sequences, by a residual: %lld one-hot, %lld logits, %lld listed\n",
              static_cast<long long>(sequences), static_cast<long long>(residuals[0]),
              static_cast<long long>(residuals[1]), static_cast<long long>(residuals[2]));
}

}  // namespace
}  // namespace tessera::testing
