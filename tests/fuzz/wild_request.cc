#include "tests/fuzz/wild_request.h"

#include <cstdint>
#include <limits>
#include <string>

namespace tessera {
namespace {

// In [low, high] mostly; one time in sixteen anything the type holds.
template <typename T>
T Near(FuzzedDataProvider& fuzzed, T low, T high) {
  if (fuzzed.ConsumeIntegralInRange(0, 15) == 0) return fuzzed.ConsumeIntegral<T>();
  return fuzzed.ConsumeIntegralInRange<T>(low, high);
}

double WildNumber(FuzzedDataProvider& fuzzed) {
  constexpr double kPicks[] = {0,
                               -0.0,
                               0.25,
                               0.5,
                               0.9,
                               1,
                               1.5,
                               -1,
                               1e-40,
                               0x1p-101,
                               1e300,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
  return fuzzed.ConsumeBool() ? fuzzed.PickValueInArray(kPicks)
                              : fuzzed.ConsumeFloatingPointInRange<double>(0, 2);
}

v1::PenaltyScope WildScope(FuzzedDataProvider& fuzzed) {
  return static_cast<v1::PenaltyScope>(Near<int>(fuzzed, 0, 3));
}

void FillStage(FuzzedDataProvider& fuzzed, v1::SamplerStage* stage) {
  switch (fuzzed.ConsumeIntegralInRange(0, 9)) {
    case 0:
      stage->mutable_logit_bias();
      break;
    case 1:
      stage->mutable_repetition_penalty()->set_penalty(WildNumber(fuzzed));
      stage->mutable_repetition_penalty()->set_scope(WildScope(fuzzed));
      break;
    case 2:
      stage->mutable_frequency_penalty()->set_penalty(WildNumber(fuzzed));
      stage->mutable_frequency_penalty()->set_scope(WildScope(fuzzed));
      break;
    case 3:
      stage->mutable_presence_penalty()->set_penalty(WildNumber(fuzzed));
      stage->mutable_presence_penalty()->set_scope(WildScope(fuzzed));
      break;
    case 4:
      stage->mutable_temperature()->set_t(WildNumber(fuzzed));
      break;
    case 5:
      stage->mutable_greedy();
      break;
    case 6:
      stage->mutable_top_k()->set_k(Near<int32_t>(fuzzed, 0, 20));
      break;
    case 7:
      stage->mutable_top_p()->set_p(WildNumber(fuzzed));
      stage->mutable_top_p()->set_joint(fuzzed.ConsumeBool());
      break;
    case 8:
      stage->mutable_min_p()->set_m(WildNumber(fuzzed));
      break;
    default:
      break;  // no stage set, or a number forgotten
  }
}

// `element_bytes` of the type that is claimed; the bytes themselves may be fewer or more.
void FillTensor(FuzzedDataProvider& fuzzed, int64_t rows, int64_t columns, int element_bytes,
                v1::Tensor* tensor) {
  tensor->set_rows(Near<int64_t>(fuzzed, rows, rows));
  tensor->set_columns(Near<int64_t>(fuzzed, columns, columns));
  if (fuzzed.ConsumeIntegralInRange(0, 7) == 0) {
    tensor->set_row_stride_bytes(Near<int64_t>(fuzzed, 0, columns * element_bytes * 2));
  }
  const int64_t size = Near<uint8_t>(fuzzed, 1, 255) == 0 ? 3 : rows * columns * element_bytes;
  std::string bytes = fuzzed.ConsumeBytesAsString(size);
  bytes.resize(size, '\x3c');
  *tensor->mutable_inline_bytes() = std::move(bytes);
}

void FillLists(FuzzedDataProvider& fuzzed, int32_t vocab, v1::SampleRow* row) {
  const auto id = [&] { return Near<int32_t>(fuzzed, -1, vocab); };
  const auto times = [&] { return Near<uint8_t>(fuzzed, 0, 3); };
  for (int i = times(); i > 0; --i) row->add_banned_ids(id());
  for (int i = times(); i > 0; --i) row->add_stop_ids(id());
  for (int i = times(); i > 0; --i) row->add_score_ids(id());
  for (int i = times(); i > 0; --i) {
    row->add_bias()->set_id(id());
    row->mutable_bias(row->bias_size() - 1)->set_value(static_cast<float>(WildNumber(fuzzed)));
  }
  if (fuzzed.ConsumeBool()) {
    for (int i = times(); i > 0; --i) row->mutable_allowed()->add_ids(id());
  }
  for (int i = times(); i > 0; --i) row->mutable_history()->add_prompt_ids(id());
  for (int i = times(); i > 0; --i) row->mutable_history()->add_output_ids(id());
  if (fuzzed.ConsumeIntegralInRange(0, 7) == 0) {
    v1::TokenCount* count = row->mutable_history()->add_counts();
    count->set_id(id());
    count->set_prompt_count(fuzzed.ConsumeIntegral<uint32_t>());
    count->set_output_count(fuzzed.ConsumeIntegral<uint32_t>());
  }
}

void FillRow(FuzzedDataProvider& fuzzed, int32_t vocab, int rows, int chains, v1::SampleRow* row) {
  row->set_chain(Near<uint8_t>(fuzzed, 0, chains > 0 ? chains - 1 : 0));
  if (fuzzed.ConsumeBool()) row->set_logits_row(Near<uint8_t>(fuzzed, 0, rows));
  if (fuzzed.ConsumeIntegralInRange(0, 7) != 0) row->set_position(Near<uint32_t>(fuzzed, 0, 9));
  row->set_seed(fuzzed.ConsumeIntegral<uint64_t>());
  if (fuzzed.ConsumeBool()) row->set_samples(Near<uint16_t>(fuzzed, 0, 4));
  FillLists(fuzzed, vocab, row);
  if (fuzzed.ConsumeBool()) {
    row->set_min_tokens(Near<uint32_t>(fuzzed, 0, 4));
    row->set_output_length(Near<uint32_t>(fuzzed, 0, 4));
  }
  if (fuzzed.ConsumeBool()) row->set_grammar_row(Near<uint8_t>(fuzzed, 0, 2));
  for (int i = Near<uint8_t>(fuzzed, 0, 2); i > 0; --i) {
    row->mutable_logprobs()->add_modes(static_cast<v1::LogprobMode>(Near<int>(fuzzed, 1, 4)));
    row->mutable_logprobs()->set_top_n(Near<uint32_t>(fuzzed, 0, 5));
    row->mutable_logprobs()->add_entropy_modes(
        static_cast<v1::LogprobMode>(Near<int>(fuzzed, 1, 4)));
  }
  row->set_return_support_size(fuzzed.ConsumeBool());
}

}  // namespace

v1::SampleTokensRequest WildRequest(FuzzedDataProvider& fuzzed) {
  v1::SampleTokensRequest request;
  const int32_t vocab = fuzzed.ConsumeIntegralInRange<int32_t>(1, 70);
  const int rows = fuzzed.ConsumeIntegralInRange(0, 4);
  const int chains = fuzzed.ConsumeIntegralInRange(0, 3);
  request.set_vocab_size(Near<uint32_t>(fuzzed, vocab, vocab));
  for (int i = 0; i < chains; ++i) {
    v1::SamplerChain* chain = request.add_chains();
    for (int n = Near<uint8_t>(fuzzed, 0, 4) % 40; n > 0; --n) {
      FillStage(fuzzed, chain->add_stages());
    }
  }
  for (int i = 0; i < rows; ++i) FillRow(fuzzed, vocab, rows, chains, request.add_rows());
  v1::Tensor* logits = request.add_logits();
  const auto type = static_cast<v1::ElementType>(Near<uint8_t>(fuzzed, 1, 3));
  logits->set_element_type(type);
  FillTensor(fuzzed, rows, vocab, type == v1::ELEMENT_TYPE_FLOAT32 ? 4 : 2, logits);
  if (fuzzed.ConsumeBool()) {
    request.mutable_grammar()->set_element_type(v1::ELEMENT_TYPE_UINT32);
    FillTensor(fuzzed, rows, (vocab + 31) / 32, 4, request.mutable_grammar());
  }
  return request;
}

}  // namespace tessera
