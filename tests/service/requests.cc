#include "tests/service/requests.h"

#include <gtest/gtest.h>

#include "google/protobuf/text_format.h"

namespace tessera {
namespace {

template <typename T>
v1::Tensor Pack(v1::ElementType type, const std::vector<std::vector<T>>& rows) {
  v1::Tensor tensor;
  tensor.set_element_type(type);
  tensor.set_rows(static_cast<int64_t>(rows.size()));
  tensor.set_columns(rows.empty() ? 0 : static_cast<int64_t>(rows[0].size()));
  std::string* bytes = tensor.mutable_inline_bytes();
  for (const std::vector<T>& row : rows) {
    bytes->append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(T));
  }
  return tensor;
}

}  // namespace

v1::Tensor FloatTensor(const std::vector<std::vector<float>>& rows) {
  return Pack(v1::ELEMENT_TYPE_FLOAT32, rows);
}

v1::Tensor WordTensor(const std::vector<std::vector<uint32_t>>& rows) {
  return Pack(v1::ELEMENT_TYPE_UINT32, rows);
}

v1::SampleTokensRequest SmallRequest() {
  v1::SampleTokensRequest request;
  request.set_vocab_size(4);
  request.add_chains()->add_stages()->mutable_greedy();
  v1::SamplerChain* all = request.add_chains();
  all->add_stages()->mutable_logit_bias();
  all->add_stages()->mutable_repetition_penalty()->set_penalty(1.1);
  all->add_stages()->mutable_frequency_penalty()->set_penalty(0.2);
  all->add_stages()->mutable_presence_penalty()->set_penalty(0.3);
  all->add_stages()->mutable_temperature()->set_t(0.7);
  all->add_stages()->mutable_top_k()->set_k(3);
  all->add_stages()->mutable_top_p()->set_p(0.9);
  all->add_stages()->mutable_min_p()->set_m(0.05);
  for (int i = 0; i < 3; ++i) request.add_rows();
  *request.add_logits() = FloatTensor({{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 5, 1, 2}});
  return request;
}

v1::SampleTokensRequest OneRowRequest(const std::string& chain, const std::string& row) {
  v1::SampleTokensRequest request;
  request.set_vocab_size(4);
  *request.add_logits() = FloatTensor({{0, 1, 2, 3}});
  using google::protobuf::TextFormat;
  EXPECT_TRUE(TextFormat::ParseFromString(chain, request.add_chains())) << chain;
  EXPECT_TRUE(TextFormat::ParseFromString(row, request.add_rows())) << row;
  return request;
}

}  // namespace tessera
