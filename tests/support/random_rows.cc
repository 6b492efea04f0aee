#include "tests/support/random_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

PenaltyScope RandomScope(Random& random) {
  return random.Pick(
      {PenaltyScope::kPromptAndOutput, PenaltyScope::kOutput, PenaltyScope::kPrompt});
}

double RandomTemperature(Random& random) {
  switch (random.Below(6)) {
    case 0:
      return random.Pick({0.1, 0.5, 0.7, 1.5, 2.0, 3.0});
    case 1:
      return random.Pick({0x1p-12, 1e-3, 100.0, 0x1p12, 1.0});
    default:
      return random.Between(0.2, 2.5);
  }
}

Stage RandomEdit(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return LogitBias{};
    case 1:
      return RepetitionPenalty{random.Pick({1.1, 1.3, 0.8, 2.0, 1e-3, 1.0}), RandomScope(random)};
    case 2:
      return FrequencyPenalty{random.Pick({0.5, -0.5, 0.1, 2.0, 1e30, 0.0}), RandomScope(random)};
    default:
      return PresencePenalty{random.Pick({0.5, -1.5, 0.1, 2.0, 1e38, 0.0}), RandomScope(random)};
  }
}

Stage RandomTruncation(Random& random, int64_t vocab_size) {
  switch (random.Below(3)) {
    case 0:
      if (random.OneIn(3)) return TopK{static_cast<int32_t>(random.Below(vocab_size + 5))};
      return TopK{random.Pick({0, 1, 2, 5, 20, 50, 100, std::numeric_limits<int32_t>::max()})};
    case 1: {
      const double exact[] = {0.0, 1.0, 0.25, 0.375, 0.5, 0x1p-60, 1 - 0x1p-53, 1e-300, 0.9, 0.95};
      return TopP{random.OneIn(2) ? random.Pick(exact) : random.Unit(), random.OneIn(4)};
    }
    default: {
      const double exact[] = {0.0, 1.0, 0.5, 0.05, 0.25, 0x1p-44, 1e-300, 0.01};
      return MinP{random.OneIn(2) ? random.Pick(exact)
                                  : std::exp2(-std::floor(random.Between(0, 50)))};
    }
  }
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

void AddReports(Random& random, int64_t vocab_size, RowSpec* row) {
  row->samples = random.Pick({1u, 1u, 1u, 0u, 2u, 7u});
  if (random.OneIn(4)) row->want_support_size = false;
  if (random.OneIn(3)) return;
  row->logprob_modes = static_cast<uint8_t>(random.Below(kAllModes + 1));
  row->entropy_modes = row->logprob_modes & static_cast<uint8_t>(random.Below(kAllModes + 1));
  row->top_logprobs = random.Pick({0u, 1u, 5u, 20u, kMaxTopLogprobs});
  row->score_ids = RandomIds(random, random.Below(6), vocab_size);
}

}  // namespace

double Random::Normal() {
  const double radius = std::sqrt(-2 * std::log(1 - Unit()));
  return radius * std::cos(6.283185307179586 * Unit());
}

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

Chain RandomChain(Random& random, int64_t vocab_size) {
  Chain chain;
  const auto maybe_temperature = [&](int64_t one_in) {
    if (random.OneIn(one_in)) chain.stages.push_back(Temperature{RandomTemperature(random)});
  };
  bool biased = false;
  for (int64_t edits = std::max<int64_t>(0, random.Below(6) - 2); edits > 0; --edits) {
    maybe_temperature(8);
    const Stage edit = RandomEdit(random);
    if (std::holds_alternative<LogitBias>(edit)) {
      if (biased) continue;  // a chain may hold it once
      biased = true;
    }
    chain.stages.push_back(edit);
  }
  for (int64_t cuts = random.Below(5); cuts > 0; --cuts) {
    maybe_temperature(3);
    chain.stages.push_back(RandomTruncation(random, vocab_size));
  }
  maybe_temperature(2);
  if (random.OneIn(16)) {
    chain.stages.push_back(random.OneIn(2) ? Stage{Greedy{}} : Stage{Temperature{0}});
  }
  return chain;
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
  AddReports(random, vocab_size, &row);
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
