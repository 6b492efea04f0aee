#include "tests/support/random_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/random_cuts.h"

namespace tessera::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

float RandomLogit(Random& random, Shape shape, DType dtype) {
  const bool half = dtype == DType::kFloat16;
  switch (shape) {
    case Shape::kNormal:
      return static_cast<float>(3 * random.Normal());
    case Shape::kFlat:
      return static_cast<float>(0.01 * random.Normal());
    case Shape::kPeaked:
      return static_cast<float>(random.Normal());
    case Shape::kAllTie:
      return 2.5f;
    case Shape::kFewValues:
      return static_cast<float>(random.Below(7) - 3);
    case Shape::kMostlyInf:
      return random.OneIn(10) ? static_cast<float>(random.Normal()) : -kInf;
    case Shape::kZeros:
      return random.OneIn(8) ? 1.0f : random.OneIn(2) ? -0.0f : 0.0f;
    case Shape::kSubnormal:  // of the dtype itself
      return static_cast<float>(
          std::ldexp(random.Between(-1, 1),
                     half ? -14 - int(random.Below(10)) : -127 - int(random.Below(22))));
    case Shape::kHuge:
      return static_cast<float>(
          std::ldexp(random.Between(-1, 1), 15 + static_cast<int>(random.Below(113))));
  }
  return 0;
}

// `count` distinct ids, in random order.
std::vector<TokenId> RandomIds(Random& random, int64_t count, int64_t vocab_size) {
  std::vector<TokenId> ids(vocab_size);
  std::iota(ids.begin(), ids.end(), 0);
  count = std::min(count, vocab_size);
  for (int64_t i = 0; i < count; ++i) std::swap(ids[i], ids[i + random.Below(vocab_size - i)]);
  ids.resize(count);
  return ids;
}

void AddMasks(Random& random, int64_t vocab_size, RowSpec* row) {
  if (random.OneIn(4)) {
    // Now and then a word short or a word long.
    const int64_t words = (vocab_size + 31) / 32 + random.Below(3) - 1;
    for (int64_t i = 0; i < words; ++i) {
      row->grammar.push_back(static_cast<uint32_t>(random.Word() | random.Word()));
    }
  }
  if (random.OneIn(8)) {
    row->has_allowed = true;
    row->allowed = RandomIds(random, random.Below(40), vocab_size);
    if (!row->allowed.empty()) row->allowed.push_back(row->allowed.front());
  }
  if (random.OneIn(4)) row->banned = RandomIds(random, random.Below(10), vocab_size);
}

// Bias and history, where the chain has a stage that reads them.
void AddEdited(Random& random, int64_t vocab_size, RowSpec* row) {
  const auto has = [&](auto want) {
    return std::any_of(row->chain.stages.begin(), row->chain.stages.end(), want);
  };
  if (has([](const Stage& s) { return std::holds_alternative<LogitBias>(s); })) {
    for (TokenId id : RandomIds(random, random.Below(12), vocab_size)) {
      const float value = random.OneIn(6)    ? -kInf
                          : random.OneIn(40) ? 3e38f
                                             : static_cast<float>(4 * random.Normal());
      row->bias.push_back({id, value});
    }
  }
  if (has([](const Stage& s) {
        return std::holds_alternative<RepetitionPenalty>(s) ||
               std::holds_alternative<FrequencyPenalty>(s) ||
               std::holds_alternative<PresencePenalty>(s);
      })) {
    for (TokenId id : RandomIds(random, random.Below(30), vocab_size)) {
      row->counts.push_back(
          {id, static_cast<uint32_t>(random.Below(4)),
           random.OneIn(50) ? 33554433u : static_cast<uint32_t>(random.Below(4))});
    }
  }
}

void AddState(Random& random, RowSpec* row) {
  if (row->chain.stages.empty() || !random.OneIn(2)) return;
  const Stage& last = row->chain.stages.back();
  row->has_state = HasState(last);
  if (std::holds_alternative<AdaptiveP>(last)) {
    row->state[1] = random.Between(1, 10);
    row->state[0] = row->state[1] * random.Unit();
  } else if (row->has_state) {
    row->state[0] = random.OneIn(8) ? random.Between(-20, 80) : random.Between(0, 9);
  }
}

void AddReports(Random& random, int64_t vocab_size, RowSpec* row) {
  const bool stateful = !row->chain.stages.empty() && HasState(row->chain.stages.back());
  row->samples = stateful ? random.Pick({1u, 1u, 0u}) : random.Pick({1u, 1u, 1u, 0u, 2u, 7u});
  if (random.OneIn(8)) {
    for (uint32_t i = 0; i < row->samples; ++i) {
      row->words.push_back(random.OneIn(4) ? random.Pick({uint64_t{0}, ~uint64_t{0}})
                                           : random.Word());
    }
  }
  if (random.OneIn(4)) row->want_support_size = false;
  row->ties_against = random.OneIn(3);
  if (random.OneIn(3)) return;
  row->logprob_modes = static_cast<uint8_t>(random.Below(kAllModes + 1));
  row->entropy_modes = row->logprob_modes & static_cast<uint8_t>(random.Below(kAllModes + 1));
  row->top_logprobs = random.Pick({0u, 1u, 5u, 20u, kMaxTopLogprobs});
  row->score_ids = RandomIds(random, random.Below(6), vocab_size);
}

// By chance of its own, so that rows are otherwise what they were without.
void AddLaw(int64_t vocab_size, RowSpec* row) {
  Random random(row->seed + 1);
  row->want_law = random.OneIn(3);
  if (!row->want_law) return;
  row->max_law_ids = random.Pick({0u, 1u, 5u, 200u, kMaxLawIds});
  if (row->logprob_modes == 0) row->score_ids = RandomIds(random, random.Below(20), vocab_size);
}

}  // namespace

std::string ShapeName(Shape shape) {
  constexpr const char* kNames[] = {"Normal",    "Flat",  "Peaked",    "AllTie", "FewValues",
                                    "MostlyInf", "Zeros", "Subnormal", "Huge"};
  return kNames[static_cast<int>(shape)];
}

std::vector<float> RandomLogits(Random& random, Shape shape, int64_t columns, DType dtype) {
  std::vector<float> logits(columns);
  for (float& logit : logits) {
    logit = Rounded(RandomLogit(random, shape, dtype), dtype);
    // Beyond the range of the dtype; an infinity belongs only where a test puts it.
    if (std::isinf(logit) && shape == Shape::kHuge) logit = std::copysign(65504.0f, logit);
  }
  if (shape == Shape::kPeaked) {
    logits[random.Below(columns)] = 20;
    logits[random.Below(columns)] = 19;
  }
  if (shape == Shape::kMostlyInf) logits[random.Below(columns)] = 1;
  return logits;
}

RowSpec RandomRow(Random& random, Shape shape, int64_t columns, int64_t vocab_size, DType dtype) {
  RowSpec row;
  row.logits = RandomLogits(random, shape, columns, dtype);
  row.chain = RandomChain(random, vocab_size);
  row.seed = random.Word();
  row.position = static_cast<uint32_t>(random.Word());
  row.stream = random.OneIn(4) ? static_cast<uint32_t>(random.Word()) : 0;
  AddMasks(random, vocab_size, &row);
  AddEdited(random, vocab_size, &row);
  AddState(random, &row);
  AddReports(random, vocab_size, &row);
  AddLaw(vocab_size, &row);
  if (random.OneIn(20)) {
    row.logits[random.Below(columns)] =
        random.OneIn(2) ? kInf : std::numeric_limits<float>::quiet_NaN();
  }
  // Padding may hold anything.
  for (int64_t id = vocab_size; id < columns; ++id) {
    if (random.OneIn(3)) row.logits[id] = random.OneIn(2) ? kInf : std::nanf("");
  }
  return row;
}

std::vector<RowSpec> NormalRows(uint64_t seed, int rows, int64_t width) {
  Random random(seed);
  std::vector<RowSpec> mixed;
  mixed.reserve(rows);
  for (int i = 0; i < rows; ++i) {
    mixed.push_back(RandomRow(random, Shape::kNormal, width, width, DType::kFloat32));
  }
  return mixed;
}

}  // namespace tessera::testing
