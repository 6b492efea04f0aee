#include "tests/cuda/echo_row.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/support/expected_row.h"

namespace tessera::testing {
namespace {

class Digest {
 public:
  void Add(uint64_t word) { value_ = (value_ ^ word) * 0x100000001B3u + (value_ >> 29); }
  void AddFloat(float value) { Add(std::bit_cast<uint32_t>(value)); }
  void AddDouble(double value) { Add(std::bit_cast<uint64_t>(value)); }
  template <class T>
  void AddList(absl::Span<const T> list) {
    Add(list.size());
    for (const T& entry : list) AddEntry(entry);
  }
  uint64_t value() const { return value_; }

 private:
  void AddEntry(uint32_t word) { Add(word); }
  void AddEntry(uint64_t word) { Add(word); }
  void AddEntry(TokenId id) { Add(static_cast<uint32_t>(id)); }
  void AddEntry(const Bias& bias) {
    Add(static_cast<uint32_t>(bias.id));
    AddFloat(bias.value);
  }
  void AddEntry(const IdCount& count) {
    Add(static_cast<uint32_t>(count.id));
    Add(uint64_t{count.prompt_count} << 32 | count.output_count);
  }

  uint64_t value_ = 0xCBF29CE484222325u;
};

void AddPlan(const Plan& plan, Digest* digest) {
  digest->Add(static_cast<uint64_t>(plan.edit_count) << 32 | static_cast<uint32_t>(plan.cut_count));
  for (int32_t i = 0; i < plan.edit_count; ++i) {
    digest->Add(static_cast<uint64_t>(plan.edits[i].kind));
    digest->Add(static_cast<uint64_t>(plan.edits[i].scope));
    digest->AddFloat(plan.edits[i].value);
    digest->Add(plan.edits[i].list);
  }
  for (int32_t i = 0; i < plan.cut_count; ++i) {
    digest->Add(static_cast<uint64_t>(plan.cuts[i].kind) << 1 | plan.cuts[i].joint);
    digest->Add(plan.cuts[i].count);
    digest->AddFloat(plan.cuts[i].c);
    digest->AddDouble(plan.cuts[i].value);
  }
  digest->Add(plan.greedy << 2 | plan.uses_bias << 1 | static_cast<int>(plan.uses_counts));
  digest->Add(plan.uses_green << 1 | static_cast<int>(plan.uses_guidance));
  digest->Add(static_cast<uint32_t>(plan.additions));
  digest->AddDouble(plan.temperature);
  digest->AddFloat(plan.c);
}

float FloatOf(uint64_t word) { return static_cast<float>(word % 10007) / 8; }

// Repeating it changes nothing, as with real kernels: a graph may be replayed.
void FillReport(uint64_t word, uint32_t most_top, LogprobReport* report) {
  for (TokenScore& score : report->sampled) {
    score = {FloatOf(++word), static_cast<uint32_t>(word >> 7)};
  }
  for (TokenScore& score : report->scored) {
    score = {FloatOf(++word), static_cast<uint32_t>(word >> 9)};
  }
  report->top = report->top.first(word % (most_top + 1));
  for (RankedToken& token : report->top) {
    token = {static_cast<TokenId>(++word % 100000), FloatOf(word * 3)};
  }
  report->entropy = FloatOf(word * 7);
}

}  // namespace

uint64_t DigestOfRow(const EchoedLogits& logits, const RowInput& input) {
  Digest digest;
  const size_t bytes = logits.columns * static_cast<size_t>(SizeOf(logits.dtype));
  for (const std::byte* row : {logits.logits, logits.guidance}) {
    if (row == nullptr) continue;
    for (size_t i = 0; i < bytes; ++i) digest.Add(static_cast<uint64_t>(row[i]));
  }
  AddPlan(*input.plan, &digest);
  digest.Add(input.seed);
  digest.Add(uint64_t{input.position} << 32 | input.stream);
  digest.Add(input.samples);
  digest.AddList(input.grammar);
  digest.Add(static_cast<uint64_t>(input.has_allowed));
  digest.AddList(input.allowed);
  digest.AddList(input.banned);
  digest.AddList(input.bias);
  digest.AddList(input.counts);
  for (const auto& additions : input.additions) digest.AddList(additions);
  digest.AddList(input.green);
  digest.AddList(input.words);
  digest.Add(static_cast<uint64_t>(input.has_state));
  for (const double state : input.state) digest.AddDouble(state);
  digest.Add(uint64_t{input.logprob_modes} << 8 | input.entropy_modes);
  digest.Add(input.top_logprobs);
  digest.AddList(input.score_ids);
  digest.Add(static_cast<uint64_t>(input.want_support_size) << 1 | (input.ties_against ? 1 : 0));
  digest.Add(uint64_t{input.max_law_ids} << 1 | (input.want_law ? 1 : 0));
  return digest.value();
}

void EchoRow(const EchoedLogits& logits, const RowInput& input, RowResult* result) {
  const uint64_t word = DigestOfRow(logits, input);
  if (word % 7 == 0) {
    result->outcome = Outcome::kInvalidLogits;
    result->invalid_id = static_cast<TokenId>(word >> 40);
    result->invalid_logit = FloatOf(word >> 3);
    for (TokenId& token : result->tokens) token = -1;
    for (LogprobReport& report : result->reports) report = {};
    return;
  }
  result->raw_invalid = (word >> 5 & 1) != 0;
  result->support_size = static_cast<uint32_t>(word >> 11);
  result->state[0] = FloatOf(word >> 17);
  result->state[1] = FloatOf(word >> 19);
  for (size_t i = 0; i < result->tokens.size(); ++i) {
    result->tokens[i] = static_cast<TokenId>((word >> 13) + i) & 0x7FFFFFFF;
  }
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    if ((input.logprob_modes >> mode & 1) == 0) continue;
    FillReport(word + static_cast<uint64_t>(mode), input.top_logprobs, &result->reports[mode]);
  }
}

EchoedLogits LogitsFor(const Batch& batch, const RowInput& input) {
  const bool guided = input.plan->uses_guidance;
  return {batch.logits.Row(input.logits_row),
          guided ? batch.guidance.Row(input.guidance_row) : nullptr, batch.logits.dtype,
          static_cast<uint32_t>(batch.vocab_size)};
}

std::vector<std::vector<uint32_t>> EchoedBits(const Batch& batch) {
  BatchResult results;
  results.Reset(batch);
  std::vector<std::vector<uint32_t>> bits;
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const RowInput& input = batch.rows[i];
    EchoRow(LogitsFor(batch, input), input, &results.rows()[i]);
    bits.push_back(BitsOf(results.rows()[i]));
  }
  return bits;
}

std::vector<std::vector<uint32_t>> BitsOfRun(Backend& backend, const Batch& batch) {
  BatchResult results;
  const absl::Status status = backend.Run(batch, &results);
  EXPECT_TRUE(status.ok()) << status;
  std::vector<std::vector<uint32_t>> bits;
  if (!status.ok()) return bits;
  for (const RowResult& row : results.rows()) bits.push_back(BitsOf(row));
  return bits;
}

}  // namespace tessera::testing
