// VerifyDrafts over backends: equal results on all of them and in any batch, TOKEN against a plain
// reference, and sequences that fail alone.
#include "kernels/verification/verify_drafts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/math/philox.h"
#include "kernels/plan.h"
#include "tests/support/backends.h"

namespace tessera::testing {
namespace {

using Uint128 = unsigned __int128;

// Matrices and sequences of one random batch, and the memory that they point into.
struct RandomDrafts {
  int64_t vocab_size;
  std::vector<Plan> plans;
  std::vector<float> target;
  std::vector<float> draft;
  std::vector<std::vector<TokenId>> ids;
  std::vector<std::vector<int32_t>> parents;
  std::vector<std::vector<RowInput>> target_rows;
  std::vector<std::vector<RowInput>> draft_rows;
  std::vector<std::vector<WeightedId>> listed;
  std::vector<std::vector<absl::Span<const WeightedId>>> sparse;
  std::vector<DraftedSequence> sequences;

  VerificationBatch Batch() const {
    const auto view = [&](const std::vector<float>& values) {
      return LogitsView{reinterpret_cast<const std::byte*>(values.data()), DType::kFloat32,
                        static_cast<int64_t>(values.size()) / vocab_size, vocab_size,
                        vocab_size * 4};
    };
    VerificationBatch batch;
    batch.target = view(target);
    batch.draft = view(draft);
    batch.vocab_size = vocab_size;
    batch.sequences = sequences;
    return batch;
  }
};

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random_); }

  // `methods` to choose from; trees for those that take them.
  RandomDrafts Make(int sequences, const std::vector<VerificationMethod>& methods) {
    RandomDrafts made;
    made.vocab_size = 2 + Below(Below(4) == 0 ? 5000 : 40);
    made.plans = {*CompileChain({}), *CompileChain({{Temperature{0.7}, TopP{0.9}}}),
                  *CompileChain({{TopK{3}}}), *CompileChain({{MinP{0.2}}}),
                  *CompileChain({{Greedy{}}})};
    for (int i = 0; i < sequences; ++i) Add(&made, methods);
    Finish(&made);
    return made;
  }

 private:
  void AddRow(int64_t columns, std::vector<float>* matrix) {
    std::normal_distribution<float> normal(0, 2);
    for (int64_t id = 0; id < columns; ++id) {
      matrix->push_back(Below(30) == 0 ? -std::numeric_limits<float>::infinity() : normal(random_));
    }
    matrix->back() = 0;  // a candidate
  }

  RowInput Row(const RandomDrafts& made, const std::vector<float>& matrix) {
    RowInput row;
    row.plan = &made.plans[Below(static_cast<int64_t>(made.plans.size()))];
    row.logits_row = static_cast<int64_t>(matrix.size()) / made.vocab_size;
    return row;
  }

  void Add(RandomDrafts* made, const std::vector<VerificationMethod>& methods) {
    DraftedSequence sequence;
    sequence.method = methods[Below(static_cast<int64_t>(methods.size()))];
    const bool tree = sequence.method != VerificationMethod::kToken &&
                      sequence.method != VerificationMethod::kBlock;
    const int64_t nodes = Below(6);
    std::vector<TokenId> ids;
    std::vector<int32_t> parents;
    for (int64_t i = 0; i < nodes; ++i) {
      ids.push_back(static_cast<TokenId>(Below(std::min<int64_t>(made->vocab_size, 6))));
      parents.push_back(static_cast<int32_t>(tree ? Below(i + 1) - 1 : i - 1));
    }
    std::vector<RowInput> targets;
    for (int64_t i = 0; i <= nodes; ++i) {
      targets.push_back(Row(*made, made->target));
      AddRow(made->vocab_size, &made->target);
    }
    std::vector<RowInput> drafts;
    std::vector<WeightedId> listed;
    for (int64_t i = 0; i < nodes; ++i) {
      drafts.push_back(Row(*made, made->draft));
      AddRow(made->vocab_size, &made->draft);
    }
    for (TokenId id = 0; id < std::min<int64_t>(made->vocab_size, 6); ++id) {
      if (id == 0 || Below(4) != 0) listed.push_back({id, static_cast<uint64_t>(1 + Below(100))});
    }
    sequence.law = static_cast<DraftLaw>(Below(3));
    sequence.without_replacement = tree && Below(2) == 0;
    sequence.typical_epsilon = 0.3;
    sequence.typical_alpha = 0.5;
    sequence.seed = random_();
    sequence.position = static_cast<uint32_t>(Below(1000));
    made->ids.push_back(std::move(ids));
    made->parents.push_back(std::move(parents));
    made->target_rows.push_back(std::move(targets));
    made->draft_rows.push_back(std::move(drafts));
    made->listed.push_back(std::move(listed));
    made->sequences.push_back(sequence);
  }

  // Points the sequences at what does not grow any more.
  static void Finish(RandomDrafts* made) {
    made->sparse.resize(made->sequences.size());
    for (size_t i = 0; i < made->sequences.size(); ++i) {
      made->sparse[i].assign(made->ids[i].size(), made->listed[i]);
      DraftedSequence& sequence = made->sequences[i];
      sequence.ids = made->ids[i];
      sequence.parents = made->parents[i];
      sequence.target = made->target_rows[i];
      sequence.draft = made->draft_rows[i];
      sequence.sparse = made->sparse[i];
    }
  }

  std::mt19937_64 random_;
};

constexpr VerificationMethod kAll[] = {
    VerificationMethod::kToken,     VerificationMethod::kBlock,      VerificationMethod::kTree,
    VerificationMethod::kTraversal, VerificationMethod::kTargetOnly, VerificationMethod::kTypical};

std::vector<SequenceResult> Verified(const VerificationBatch& batch, Backend& backend) {
  std::vector<SequenceResult> results;
  const absl::Status status = VerifyDrafts(batch, backend, &results);
  EXPECT_TRUE(status.ok()) << status;
  return results;
}

void ExpectSame(const SequenceResult& a, const SequenceResult& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.verdict.accepted, b.verdict.accepted);
  EXPECT_EQ(a.verdict.impossible, b.verdict.impossible);
  ASSERT_EQ(a.verdict.tests.size(), b.verdict.tests.size());
  for (size_t i = 0; i < a.verdict.tests.size(); ++i) {
    EXPECT_EQ(a.verdict.tests[i].probability, b.verdict.tests[i].probability);
    EXPECT_EQ(a.verdict.tests[i].word, b.verdict.tests[i].word);
  }
  EXPECT_EQ(a.last_total, b.last_total);
}

TEST(VerifyDraftsTest, AllBackendsAndBatchesGiveTheSame) {
  int sequences = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const RandomDrafts drafts = Maker(seed).Make(20, {std::begin(kAll), std::end(kAll)});
    const std::vector<SequenceResult> expected = Verified(drafts.Batch(), *MakeScalarBackend());
    for (const BackendSpec& spec : AllBackends()) {
      SCOPED_TRACE(Describe(spec) + ", seed " + std::to_string(seed));
      const auto found = Verified(drafts.Batch(), SharedBackend(spec));
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i) ExpectSame(found[i], expected[i]);
    }
    VerificationBatch backwards = drafts.Batch();
    const std::vector<DraftedSequence> turned(drafts.sequences.rbegin(), drafts.sequences.rend());
    backwards.sequences = turned;
    const auto found = Verified(backwards, BestBackend());
    for (size_t i = 0; i < found.size(); ++i)
      ExpectSame(found[i], expected[expected.size() - 1 - i]);
    for (size_t i = 0; i < expected.size(); i += 7) {
      VerificationBatch alone = drafts.Batch();
      alone.sequences = alone.sequences.subspan(i, 1);
      ExpectSame(Verified(alone, BestBackend()).front(), expected[i]);
    }
    sequences += static_cast<int>(expected.size());
  }
  std::printf("%d sequences on each executor\n", sequences);
}

// The law of one row as weights by id, from the scalar executor's list of it.
std::vector<uint64_t> Weights(const RandomDrafts& drafts, const std::vector<float>& matrix,
                              const RowInput& row) {
  RowInput wanted = row;
  wanted.samples = 0;
  wanted.want_law = true;
  wanted.max_law_ids = static_cast<uint32_t>(drafts.vocab_size);
  Batch batch;
  batch.logits = {reinterpret_cast<const std::byte*>(matrix.data()), DType::kFloat32,
                  static_cast<int64_t>(matrix.size()) / drafts.vocab_size, drafts.vocab_size,
                  drafts.vocab_size * 4};
  batch.vocab_size = drafts.vocab_size;
  batch.rows = {&wanted, 1};
  BatchResult result;
  EXPECT_TRUE(MakeScalarBackend()->Run(batch, &result).ok());
  std::vector<uint64_t> weights(static_cast<size_t>(drafts.vocab_size), 0);
  for (const WeightedId& entry : result.rows()[0].law_ids) weights[entry.id] = entry.weight;
  return weights;
}

std::vector<uint64_t> DraftWeights(const RandomDrafts& drafts, size_t s, size_t position) {
  const DraftedSequence& sequence = drafts.sequences[s];
  if (sequence.law == DraftLaw::kLogits) {
    return Weights(drafts, drafts.draft, sequence.draft[position]);
  }
  std::vector<uint64_t> weights(static_cast<size_t>(drafts.vocab_size), 0);
  if (sequence.law == DraftLaw::kOneHot) weights[sequence.ids[position]] = 1;
  if (sequence.law == DraftLaw::kSparse) {
    for (const WeightedId& entry : sequence.sparse[position]) weights[entry.id] = entry.weight;
  }
  return weights;
}

// floor(word * total / 2^128), bit by bit.
Uint128 Scaled(U128 word, Uint128 total) {
  Uint128 r = 0;
  for (int bit = 0; bit < 128; ++bit) {
    const bool set = bit < 64 ? (word.lo >> bit & 1) != 0 : (word.hi >> (bit - 64) & 1) != 0;
    r = (r + (set ? total : 0)) >> 1;  // below 2^128: total < 2^127. Floors of halves compose
  }
  return r;
}

TokenId Pick(const std::vector<Uint128>& weights, Uint128 r) {
  for (size_t id = 0; id < weights.size(); ++id) {
    if (r < weights[id]) return static_cast<TokenId>(id);
    r -= weights[id];
  }
  return -1;
}

// TOKEN, written down from the paper with weights in place of probabilities.
std::vector<TokenId> ReferenceToken(const RandomDrafts& drafts, size_t s) {
  const DraftedSequence& sequence = drafts.sequences[s];
  std::vector<TokenId> tokens;
  for (size_t i = 0; i <= sequence.ids.size(); ++i) {
    const std::vector<uint64_t> p = Weights(drafts, drafts.target, sequence.target[i]);
    const Uint128 wp = std::accumulate(p.begin(), p.end(), Uint128{0});
    const auto index = static_cast<uint32_t>(i);
    if (i == sequence.ids.size()) {
      const uint64_t word =
          RandomWord(sequence.seed, sequence.position, sequence.stream, Purpose::kDraw, index);
      tokens.push_back(Pick({p.begin(), p.end()}, word * wp >> 64));
      return tokens;
    }
    const std::vector<uint64_t> q = DraftWeights(drafts, s, i);
    const Uint128 wq = std::accumulate(q.begin(), q.end(), Uint128{0});
    const TokenId x = sequence.ids[i];
    const uint64_t u =
        RandomWord(sequence.seed, sequence.position, sequence.stream, Purpose::kAccept, index);
    // u / 2^64 < (p / wp) / (q / wq), strictly: floor(u * den / 2^64) decides but for its
    // remainder.
    const Uint128 num = Uint128{p[x]} * wq;
    const Uint128 den = Uint128{q[x]} * wp;
    const Uint128 high = (den >> 64) * u + ((den & ~uint64_t{0}) * u >> 64);
    const bool accepted = q[x] != 0 && high < num;
    if (accepted) {
      tokens.push_back(x);
      continue;
    }
    std::vector<Uint128> rest(p.size());
    Uint128 total = 0;
    for (size_t v = 0; v < p.size(); ++v) {
      const Uint128 plus = p[v] * wq;
      const Uint128 minus = q[v] * wp;
      const bool is_x = sequence.law == DraftLaw::kOneHot && static_cast<TokenId>(v) == x;
      rest[v] = is_x ? 0 : plus > minus ? plus - minus : 0;
      if (sequence.law == DraftLaw::kOneHot && !is_x) rest[v] = p[v];
      total += rest[v];
    }
    if (total == 0) {
      rest.assign(p.begin(), p.end());
      total = wp;
    }
    const U128 word =
        RandomWord128(sequence.seed, sequence.position, sequence.stream, Purpose::kResidual, index);
    tokens.push_back(Pick(rest, Scaled(word, total)));
    return tokens;
  }
  return tokens;
}

TEST(VerifyDraftsTest, TokenIsThePapersRule) {
  int sequences = 0;
  for (uint64_t seed = 1000; seed < 1040; ++seed) {
    const RandomDrafts drafts = Maker(seed).Make(50, {VerificationMethod::kToken});
    if (drafts.vocab_size > 100) continue;  // the reference is slow
    const auto results = Verified(drafts.Batch(), BestBackend());
    for (size_t s = 0; s < results.size(); ++s) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sequence " + std::to_string(s));
      ASSERT_EQ(results[s].outcome, Outcome::kOk);
      EXPECT_EQ(results[s].tokens, ReferenceToken(drafts, s));
    }
    sequences += static_cast<int>(results.size());
  }
  EXPECT_GE(sequences, 1000);
  std::printf("%d sequences against the reference\n", sequences);
}

TEST(VerifyDraftsTest, ABadRowFailsItsSequenceAlone) {
  RandomDrafts drafts = Maker(5).Make(30, {std::begin(kAll), std::end(kAll)});
  const auto before = Verified(drafts.Batch(), BestBackend());
  size_t bad = 0;
  while (drafts.ids[bad].size() < 2) ++bad;
  const int64_t row = drafts.target_rows[bad][1].logits_row;
  drafts.target[row * drafts.vocab_size] = std::numeric_limits<float>::quiet_NaN();
  const auto after = Verified(drafts.Batch(), BestBackend());
  for (size_t i = 0; i < after.size(); ++i) {
    if (i != bad) ExpectSame(after[i], before[i]);
  }
  EXPECT_EQ(after[bad].outcome, Outcome::kInvalidLogits);
  EXPECT_EQ(after[bad].failed_position, 1u);
  EXPECT_EQ(after[bad].invalid_id, 0);
  EXPECT_TRUE(after[bad].tokens.empty());
}

}  // namespace
}  // namespace tessera::testing
