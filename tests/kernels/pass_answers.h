// Every row pass asked once about one row: what the unit tests of passes compare.
#ifndef TESSERA_TESTS_KERNELS_PASS_ANSWERS_H_
#define TESSERA_TESTS_KERNELS_PASS_ANSWERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cpu/row_memory.h"
#include "kernels/row/chunk_passes.h"
#include "kernels/row/ranked.h"
#include "kernels/row/residual_row.h"

namespace tessera::testing {

// How ids of a row weigh, and what multiplies their weights in a residual.
struct ScaledLaw {
  Weigher weigher;
  Interval support;
  uint64_t scale = 1;  // below 2^63
};

struct PassQuestion {
  RowView row;        // of finite logits and -inf
  ScaledLaw law;      // of that row; its weigher and support are used by every pass
  RowView draft_row;  // likewise, for the residual
  ScaledLaw draft;
  std::vector<TokenId> excluded;
  int32_t above = kNoBound;     // for Weigh
  uint32_t k = 1;               // for CountFloor, RankList and a Collect that is cut short
  double p = 0.5;               // for GuessMassBracket
  TokenKey pivot = 0;           // for MassAbove
  std::vector<uint64_t> rolls;  // for Resolve: taken modulo the chunk's weight
};

struct PassAnswers {
  RowMax max;
  int32_t count_floor = 0;
  WeighTotals totals;
  std::vector<uint64_t> chunk_sums;
  std::vector<TokenKey> collected;
  uint32_t collect_return = 0;
  std::vector<TokenKey> collected_short;  // with room for k
  uint32_t collect_short_return = 0;
  uint32_t count = 0;
  std::vector<float> logits;
  std::vector<uint64_t> weights;      // by id
  std::vector<uint64_t> key_weights;  // of `collected`
  uint64_t mass_above = 0;
  uint64_t count_above = 0;
  std::vector<TokenId> resolved;  // per chunk that weighs anything, then per roll
  EntropySums entropy;
  SpreadMoments moments;
  std::vector<TokenKey> ranked;
  U128 residual{};
  std::vector<U128> residual_chunks;
  std::vector<TokenId> residual_resolved;
};

template <class Passes>
void AskChunks(Passes& passes, const PassQuestion& question, PassAnswers* answers) {
  const RowView& row = passes.row();
  const ScaledLaw& law = question.law;
  const uint32_t padded = row.chunks() * kChunkIds;  // whole chunks may be written
  answers->logits.resize(padded);
  answers->weights.resize(padded);
  for (uint32_t chunk = 0; chunk < row.chunks(); ++chunk) {
    passes.ChunkLogits(chunk, answers->logits.data() + chunk * kChunkIds);
    uint64_t* const weights = answers->weights.data() + chunk * kChunkIds;
    const uint32_t n = passes.ChunkWeights(law.weigher, law.support, chunk, weights);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += weights[i];
    if (sum == 0) continue;
    for (uint64_t roll : question.rolls) {
      answers->resolved.push_back(Resolve(passes, law.weigher, law.support, chunk, roll % sum));
    }
  }
  answers->logits.resize(row.columns);
  answers->weights.resize(row.columns);
}

template <class Passes>
void AskResidual(Passes& passes, Passes& draft, const PassQuestion& question,
                 PassAnswers* answers) {
  ResidualInput input;
  input.a = question.law.scale;
  input.b = question.draft.scale;
  input.excluded = question.excluded;
  ResidualRow<Passes> residual({&passes, question.law.weigher, question.law.support},
                               {&draft, question.draft.weigher, question.draft.support}, input);
  answers->residual_chunks.resize(passes.row().chunks());
  answers->residual = residual.Sum(answers->residual_chunks.data());
  for (uint32_t chunk = 0; chunk < passes.row().chunks(); ++chunk) {
    const U128 sum = answers->residual_chunks[chunk];
    if (sum == U128{}) continue;
    // The largest value below the sum, and about half of it.
    for (const U128 r : {sum - U128{0, 1}, U128{sum.hi / 2, sum.lo / 2}}) {
      answers->residual_resolved.push_back(residual.Resolve(chunk, r));
    }
  }
}

template <class Passes>
PassAnswers Answer(const PassQuestion& question) {
  PassAnswers answers;
  RowMemory memory;
  RowScratch& scratch = memory.ForColumns(question.row.columns);
  Passes passes(question.row, scratch.edited);
  Passes draft(question.draft_row, scratch.received);
  const ScaledLaw& law = question.law;
  answers.max = passes.LoadMax();
  draft.LoadMax();
  answers.count_floor = passes.CountFloor(question.k);
  passes.GuessMassBracket(law.weigher, question.p);  // any answer is right
  answers.chunk_sums.resize(question.row.chunks(), 0xDEADBEEF);
  answers.totals =
      passes.Weigh(law.weigher, law.support, question.above, answers.chunk_sums.data());
  answers.collect_return = passes.Collect(law.support, scratch.candidates, question.row.columns);
  answers.collected.assign(scratch.candidates, scratch.candidates + answers.collect_return);
  answers.count = passes.Count(law.support);
  const auto n = static_cast<uint32_t>(answers.collected.size());
  answers.key_weights.resize(n);
  passes.WeighKeys(law.weigher, answers.collected.data(), n, answers.key_weights.data());
  answers.mass_above =
      passes.MassAbove(answers.collected.data(), answers.key_weights.data(), n, question.pivot);
  answers.count_above = passes.MassAbove(answers.collected.data(), nullptr, n, question.pivot);
  answers.collected_short.resize(question.k);
  answers.collect_short_return =
      passes.Collect(law.support, answers.collected_short.data(), question.k);
  AskChunks(passes, question, &answers);
  answers.entropy = Entropy(passes, law.weigher, law.support);
  answers.moments = MomentsOf(passes, law.support, law.weigher.y_max);
  const KeyList list{scratch.candidates, nullptr, n};
  const KeyList work{scratch.work, nullptr, 0};
  for (const uint32_t first : {0u, question.k}) {
    const uint32_t ranked = RankList(passes, list, first, first + question.k, work);
    answers.ranked.insert(answers.ranked.end(), scratch.work, scratch.work + ranked);
  }
  AskResidual(passes, draft, question, &answers);
  return answers;
}

// The same of a row's maximum alone, which may hold NaN.
template <class Passes>
RowMax AnswerMax(const RowView& row) {
  RowMemory memory;
  return Passes(row, memory.ForColumns(row.columns).edited).LoadMax();
}

// Passes that run here: the scalar ones, then one per SIMD target.
struct NamedPasses {
  std::string name;
  PassAnswers (*answer)(const PassQuestion& question);
  RowMax (*max)(const RowView& row);
};
std::vector<NamedPasses> AllPasses();

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_KERNELS_PASS_ANSWERS_H_
