#include "tests/fuzz/wild_request.h"

#include <cstdint>
#include <string>

#include "tests/fuzz/wild_chain.h"

namespace tessera {
namespace {

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
  const auto seldom = [&] { return fuzzed.ConsumeIntegralInRange(0, 7) == 0; };
  for (int i = seldom() ? times() : 0; i > 0; --i) {
    row->add_bias()->set_id(id());
    row->mutable_bias(row->bias_size() - 1)->set_value(static_cast<float>(WildNumber(fuzzed)));
  }
  if (fuzzed.ConsumeBool()) {
    for (int i = times(); i > 0; --i) row->mutable_allowed()->add_ids(id());
  }
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) {
    for (int i = times(); i > 0; --i) row->mutable_history()->add_prompt_ids(id());
    for (int i = times(); i > 0; --i) row->mutable_history()->add_output_ids(id());
  } else if (seldom()) {
    v1::TokenCount* count = row->mutable_history()->add_counts();
    count->set_id(id());
    count->set_prompt_count(fuzzed.ConsumeIntegral<uint32_t>());
    count->set_output_count(fuzzed.ConsumeIntegral<uint32_t>());
  }
}

void FillState(FuzzedDataProvider& fuzzed, v1::SampleRow* row) {
  if (fuzzed.ConsumeIntegralInRange(0, 3) != 0) return;
  if (fuzzed.ConsumeBool())
    row->mutable_state()->set_xorshift64(fuzzed.ConsumeIntegral<uint64_t>());
  if (fuzzed.ConsumeBool()) {
    row->mutable_state()->mutable_mirostat()->set_mu(WildNumber(fuzzed));
  } else if (fuzzed.ConsumeBool()) {
    row->mutable_state()->mutable_adaptive_p()->set_weighted_sum(WildNumber(fuzzed));
    row->mutable_state()->mutable_adaptive_p()->set_total_weight(1 + WildNumber(fuzzed));
  }
}

void FillRow(FuzzedDataProvider& fuzzed, int32_t vocab, int rows, int chains, v1::SampleRow* row) {
  row->set_chain(Near<uint8_t>(fuzzed, 0, chains > 0 ? chains - 1 : 0));
  if (fuzzed.ConsumeBool()) row->set_logits_row(Near<uint8_t>(fuzzed, 0, rows));
  if (fuzzed.ConsumeIntegralInRange(0, 7) != 0) row->set_position(Near<uint32_t>(fuzzed, 0, 9));
  row->set_seed(fuzzed.ConsumeIntegral<uint64_t>());
  if (fuzzed.ConsumeBool()) row->set_samples(Near<uint16_t>(fuzzed, 0, 4));
  FillLists(fuzzed, vocab, row);
  FillState(fuzzed, row);
  if (fuzzed.ConsumeIntegralInRange(0, 7) == 0) row->set_guidance_row(Near<uint8_t>(fuzzed, 0, 4));
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) {
    row->set_min_tokens(Near<uint32_t>(fuzzed, 0, 4));
    row->set_output_length(Near<uint32_t>(fuzzed, 0, 4));
  }
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) row->set_grammar_row(Near<uint8_t>(fuzzed, 0, 2));
  for (int i = Near<uint8_t>(fuzzed, 0, 2); i > 0; --i) {
    row->mutable_logprobs()->add_modes(static_cast<v1::LogprobMode>(Near<int>(fuzzed, 1, 4)));
    row->mutable_logprobs()->set_top_n(Near<uint32_t>(fuzzed, 0, 5));
    row->mutable_logprobs()->set_rank_rule(static_cast<v1::RankRule>(Near<int>(fuzzed, 0, 2)));
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
  const int chains = Near<uint8_t>(fuzzed, 1, 3) % 4;
  request.set_vocab_size(Near<uint32_t>(fuzzed, vocab, vocab));
  for (int i = 0; i < chains; ++i) {
    WildChain(fuzzed, vocab, request.add_chains());
  }
  for (int i = 0; i < rows; ++i) FillRow(fuzzed, vocab, rows, chains, request.add_rows());
  v1::Tensor* logits = request.add_logits();
  const auto type = static_cast<v1::ElementType>(Near<uint8_t>(fuzzed, 1, 3));
  logits->set_element_type(type);
  FillTensor(fuzzed, rows, vocab, type == v1::ELEMENT_TYPE_FLOAT32 ? 4 : 2, logits);
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) {
    request.mutable_guidance_logits()->set_element_type(type);
    FillTensor(fuzzed, rows, vocab, type == v1::ELEMENT_TYPE_FLOAT32 ? 4 : 2,
               request.mutable_guidance_logits());
  }
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) {
    request.mutable_grammar()->set_element_type(v1::ELEMENT_TYPE_UINT32);
    FillTensor(fuzzed, rows, (vocab + 31) / 32, 4, request.mutable_grammar());
  }
  return request;
}

}  // namespace tessera
