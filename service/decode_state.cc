#include "service/decode_state.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "kernels/random_words.h"

namespace tessera {
namespace {

constexpr double kMaxAdaptiveSum = 1024;  // 1 / (1 - decay) is at most 100

template <typename... Words>
absl::Status Refuse(const Words&... words) {
  return absl::InvalidArgumentError(absl::StrCat(words...));
}

absl::Status NoStage(const v1::SampleRow& row, absl::string_view field, absl::string_view stage) {
  return Refuse("state.", field, " is given, but chains[", row.chain(), "] has no ", stage);
}

// A number of a state and its range, which NaN fails.
struct StateNumber {
  const char* field;
  double value;
  double low;
  double high;
  const char* accepted;
};

absl::Status Check(const StateNumber& number, bool present) {
  if (!present) return Refuse("state.", number.field, " is absent; it is required");
  if (number.value >= number.low && number.value <= number.high) return absl::OkStatus();
  return Refuse("state.", number.field, " is ", number.value, "; it must be in ", number.accepted);
}

absl::Status DecodeMirostat(const v1::MirostatState& state, RowInput* input) {
  input->has_state = true;
  input->state[0] = state.mu();
  return Check({"mirostat.mu", state.mu(), -0x1p40, 0x1p40, "[-2^40, 2^40]"}, state.has_mu());
}

absl::Status DecodeAdaptiveP(const v1::AdaptivePState& state, RowInput* input) {
  input->has_state = true;
  input->state[0] = state.weighted_sum();
  input->state[1] = state.total_weight();
  absl::Status status =
      Check({"adaptive_p.weighted_sum", state.weighted_sum(), 0, kMaxAdaptiveSum, "[0, 1024]"},
            state.has_weighted_sum());
  if (!status.ok()) return status;
  return Check({"adaptive_p.total_weight", state.total_weight(), 1, kMaxAdaptiveSum, "[1, 1024]"},
               state.has_total_weight());
}

absl::Status DecodeStageState(const v1::SampleRow& row, const DecodedChain& chain,
                              RowInput* input) {
  switch (row.state().stage_case()) {
    case v1::StageState::kMirostat:
      if (!chain.has_mirostat_stage) return NoStage(row, "mirostat", "mirostat_v1 or mirostat_v2");
      return DecodeMirostat(row.state().mirostat(), input);
    case v1::StageState::kAdaptiveP:
      if (!chain.has_adaptive_p_stage) return NoStage(row, "adaptive_p", "adaptive_p");
      return DecodeAdaptiveP(row.state().adaptive_p(), input);
    case v1::StageState::STAGE_NOT_SET:
      break;
  }
  return absl::OkStatus();
}

absl::Status DecodeGeneratorState(const v1::SampleRow& row, const Plan& plan, uint64_t* state) {
  if (!row.state().has_xorshift64()) return absl::OkStatus();
  if (plan.generator != Generator::kXorshift64) {
    return NoStage(row, "xorshift64", "draw_rule with the generator XORSHIFT64");
  }
  *state = row.state().xorshift64();
  if (*state == 0) {
    return Refuse("state.xorshift64 is 0, which the generator never leaves; it must be above 0");
  }
  return absl::OkStatus();
}

// What the row's generator can serve.
absl::Status CheckDraw(const v1::SampleRow& row, const Plan& plan, uint64_t generator_state) {
  if (row.stream() != 0) {
    return Refuse("stream is ", row.stream(), "; it must be 0 where chains[", row.chain(),
                  "] names a generator other than PHILOX");
  }
  if (plan.generator == Generator::kMt19937 && row.position() > kMaxMt19937Position) {
    return Refuse("position is ", row.position(), "; it must be at most ", kMaxMt19937Position,
                  " where the generator is MT19937, which is walked there");
  }
  if (plan.generator == Generator::kXorshift64 && generator_state == 0 && row.has_seed() &&
      row.seed() == 0) {
    return Refuse(
        "seed is 0, which XORSHIFT64 never leaves; it must be above 0 where state does "
        "not hold the generator's");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeState(const v1::SampleRow& row, const DecodedChain& chain, bool draws,
                         RowInput* input, uint64_t* generator_state) {
  const Plan& plan = *input->plan;
  if (absl::Status status = DecodeStageState(row, chain, input); !status.ok()) return status;
  if (absl::Status status = DecodeGeneratorState(row, plan, generator_state); !status.ok()) {
    return status;
  }
  if (!draws) return absl::OkStatus();
  const bool own_words = plan.generator != Generator::kPhilox;
  if (input->samples > 1 && (plan.stateful || own_words)) {
    return Refuse(
        "samples is ", input->samples, "; it must be at most 1 where chains[", row.chain(),
        plan.stateful ? "] has a stage with a state" : "] names a generator other than PHILOX");
  }
  return own_words ? CheckDraw(row, plan, *generator_state) : absl::OkStatus();
}

}  // namespace tessera
