// Requests to ExplainChain, answered by every backend.
#ifndef TESSERA_TESTS_SERVICE_EXPLAIN_REQUESTS_H_
#define TESSERA_TESTS_SERVICE_EXPLAIN_REQUESTS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "client/chain_text.h"
#include "service/explain_chain.h"
#include "service/sample_tokens.h"
#include "tests/service/requests.h"

namespace tessera {

inline v1::ExplainChainRequest Request(const std::vector<float>& logits, const std::string& chain) {
  v1::ExplainChainRequest request;
  request.set_vocab_size(static_cast<uint32_t>(logits.size()));
  *request.mutable_logits() = FloatTensor({logits});
  const absl::StatusOr<v1::SamplerChain> parsed = ParseChain(chain);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  *request.mutable_chain() = *parsed;
  return request;
}

// Explains on every backend, demands the same bytes of all, and returns them.
inline v1::ExplainChainResponse Explain(const v1::ExplainChainRequest& request) {
  const absl::StatusOr<std::unique_ptr<Backend>> cpu = MakeCpuBackend({.threads = 2, .target = ""});
  EXPECT_TRUE(cpu.ok()) << cpu.status();
  const std::unique_ptr<Backend> scalar = MakeScalarBackend();
  const auto ours = ExplainChain(request, **cpu, Limits());
  const auto plain = ExplainChain(request, *scalar, Limits());
  EXPECT_TRUE(ours.ok()) << ours.status();
  EXPECT_TRUE(plain.ok()) << plain.status();
  if (!ours.ok() || !plain.ok()) return {};
  EXPECT_EQ(ours->SerializeAsString(), plain->SerializeAsString());
  return *ours;
}

inline std::string Refusal(const v1::ExplainChainRequest& request) {
  const auto answer = ExplainChain(request, *MakeScalarBackend(), Limits());
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument) << answer.status();
  return std::string(answer.status().message());
}

inline const std::vector<float> kSix = {4, 3, 2.2f, 1.6f, 1, -2};

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_EXPLAIN_REQUESTS_H_
