// The C++ client library against the real tesserad: every element type, and a server that dies.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/client.h"
#include "client/request_builder.h"
#include "client/sampled_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/server_program.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kRows = 3;
constexpr int64_t kColumns = 1003;

// Quarters in [-16, 16), which all three element types hold exactly; every tenth is -inf.
std::vector<float> ExactLogits() {
  std::vector<float> values(kRows * kColumns);
  uint32_t state = 12345;
  for (size_t i = 0; i < values.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = static_cast<float>(static_cast<int>(state >> 25) - 64) / 4;
    if (i % 10 == 7) values[i] = -std::numeric_limits<float>::infinity();
  }
  return values;
}

uint32_t BitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

uint16_t ToBfloat16(float value) { return static_cast<uint16_t>(BitsOf(value) >> 16); }

// Of a value that binary16 holds as a normal number, 0 or an infinity.
uint16_t ToFloat16(float value) {
  const uint32_t sign = BitsOf(value) >> 16 & 0x8000u;
  if (value == 0) return static_cast<uint16_t>(sign);
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7C00u);
  const uint32_t exponent = (BitsOf(value) >> 23 & 0xFFu) - 127 + 15;
  return static_cast<uint16_t>(sign | exponent << 10 | (BitsOf(value) & 0x7FFFFFu) >> 13);
}

std::string Bytes16(const std::vector<float>& values, uint16_t (*convert)(float)) {
  std::string bytes;
  for (const float value : values) {
    const uint16_t bits = convert(value);
    bytes.push_back(static_cast<char>(bits & 0xFF));
    bytes.push_back(static_cast<char>(bits >> 8));
  }
  return bytes;
}

void AddRows(SampleRequestBuilder* builder) {
  builder->Chain("temperature=0.7,top_k=50,top_p=0.9");
  for (uint32_t r = 0; r < kRows; ++r) {
    v1::SampleRow& row = builder->AddRow(/*position=*/r);
    row.set_seed(uint64_t{1} << 63 | r);
    row.set_samples(4);
    row.set_return_support_size(true);
    row.mutable_logprobs()->add_modes(v1::LOGPROB_MODE_RAW);
    row.mutable_logprobs()->add_modes(v1::LOGPROB_MODE_PROCESSED);
    row.mutable_logprobs()->set_top_n(5);
  }
}

v1::SampleTokensRequest RequestOf(v1::ElementType type) {
  const std::vector<float> values = ExactLogits();
  SampleRequestBuilder builder;
  if (type == v1::ELEMENT_TYPE_FLOAT32) {
    builder.Float32Logits(values, kRows);
  } else {
    builder.LogitsBytes(type,
                        Bytes16(values, type == v1::ELEMENT_TYPE_FLOAT16 ? ToFloat16 : ToBfloat16),
                        kRows, kColumns);
  }
  AddRows(&builder);
  absl::StatusOr<v1::SampleTokensRequest> request = builder.Build();
  EXPECT_TRUE(request.ok()) << request.status();
  return *std::move(request);
}

// What is a function of the request.
std::string ResultBytes(v1::SampleTokensResponse response) {
  response.clear_execution();
  return response.SerializeAsString();
}

class ClientE2e : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(server_.Start()); }

  Client Connect(const ClientOptions& options = {}) const {
    absl::StatusOr<Client> client = Client::Connect(server_.address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  static ClientOptions Patient() {
    ClientOptions options;
    options.deadline = absl::Seconds(60);
    options.retry = {.max_attempts = 1000,
                     .first_backoff = absl::Milliseconds(20),
                     .max_backoff = absl::Milliseconds(50)};
    options.own_connection = true;
    return options;
  }

  ServerProgram server_;
};

TEST_F(ClientE2e, EveryElementTypeOfEqualValuesGivesTheSameBytes) {
  const Client client = Connect();
  const auto expected = client.Sample(RequestOf(v1::ELEMENT_TYPE_FLOAT32));
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_THAT(expected->outcomes(),
              ElementsAre(v1::ROW_OUTCOME_OK, v1::ROW_OUTCOME_OK, v1::ROW_OUTCOME_OK));
  EXPECT_EQ(expected->tokens_size(), 4 * kRows);
  for (const v1::ElementType type : {v1::ELEMENT_TYPE_FLOAT16, v1::ELEMENT_TYPE_BFLOAT16}) {
    const auto response = client.Sample(RequestOf(type));
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(ResultBytes(*response), ResultBytes(*expected)) << v1::ElementType_Name(type);
  }
}

TEST_F(ClientE2e, RowsAreReadBackWithTheirValues) {
  const v1::SampleTokensRequest request = RequestOf(v1::ELEMENT_TYPE_FLOAT32);
  const auto response = Connect().Sample(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const auto rows = ReadRows(request, *response);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), size_t{kRows});
  for (const SampledRow& row : *rows) {
    EXPECT_EQ(row.tokens.size(), 4u);
    EXPECT_LE(row.support_size.value(), 50u);
    ASSERT_EQ(row.modes.size(), 2u);
    for (const TokenLogprob& sampled : row.modes[1].sampled) {
      EXPECT_TRUE(std::isfinite(sampled.logprob)) << "drawn, so inside the support";
      EXPECT_GE(sampled.rank, 1u);
    }
  }
}

TEST_F(ClientE2e, ASeedFilledInByTheClientReproducesTheRow) {
  const Client client = Connect();
  v1::SampleTokensRequest request = RequestOf(v1::ELEMENT_TYPE_FLOAT32);
  for (v1::SampleRow& row : *request.mutable_rows()) row.clear_seed();
  const auto first = client.Sample(request);
  ASSERT_TRUE(first.ok()) << first.status();
  for (int r = 0; r < kRows; ++r) request.mutable_rows(r)->set_seed(first->seeds_used(r));
  const auto second = client.Sample(request);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(ResultBytes(*first), ResultBytes(*second));
}

TEST_F(ClientE2e, CapabilitiesCome) {
  const auto listed = Connect().GetCapabilities();
  ASSERT_TRUE(listed.ok()) << listed.status();
  EXPECT_THAT(listed->rpcs(),
              ElementsAre("SampleTokens", "VerifyDrafts", "ExplainChain", "GetCapabilities"));
}

TEST_F(ClientE2e, ARefusalCarriesTheServersWords) {
  v1::SampleTokensRequest request = RequestOf(v1::ELEMENT_TYPE_FLOAT32);
  request.set_vocab_size(kColumns + 1);
  const auto response = Connect().Sample(request);
  EXPECT_EQ(response.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(
      absl::StrContains(response.status().message(), "vocab_size is 1004; it must be in [1, 1003]"))
      << response.status();
}

// The story of a rolling restart: the call waits through it and gets the same bytes.
TEST_F(ClientE2e, ACallThatMeetsARestartIsRetriedAndGivesTheSameBytes) {
  const Client client = Connect(Patient());
  const v1::SampleTokensRequest request = RequestOf(v1::ELEMENT_TYPE_BFLOAT16);
  const auto before = client.Sample(request);
  ASSERT_TRUE(before.ok()) << before.status();
  server_.Kill();
  absl::StatusOr<v1::SampleTokensResponse> during;
  std::thread caller([&] { during = client.Sample(request); });
  absl::SleepFor(absl::Milliseconds(300));
  const bool back = server_.Start();
  const absl::Time begun = absl::Now();
  caller.join();
  EXPECT_LT(absl::Now() - begun, absl::Seconds(3)) << "gRPC left alone takes up to 5 s";
  ASSERT_TRUE(back);
  ASSERT_TRUE(during.ok()) << during.status();
  EXPECT_EQ(ResultBytes(*during), ResultBytes(*before));
}

TEST_F(ClientE2e, AServerThatDiesMidwayIsUnavailableAfterTheLastAttempt) {
  ClientOptions options = Patient();
  options.retry.max_attempts = 2;
  const Client client = Connect(options);
  ASSERT_TRUE(client.GetCapabilities().ok());
  server_.Kill();
  const auto response = client.Sample(RequestOf(v1::ELEMENT_TYPE_FLOAT32));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kUnavailable) << response.status();
  EXPECT_TRUE(absl::StrContains(response.status().message(), server_.address()))
      << "says which server: " << response.status();
}

TEST_F(ClientE2e, TheDeadlineEndsTheWaitForADeadServer) {
  const Client client = Connect(Patient());
  server_.Kill();
  const absl::Time begun = absl::Now();
  const auto response =
      client.Sample(RequestOf(v1::ELEMENT_TYPE_FLOAT32), {.deadline = absl::Milliseconds(400)});
  EXPECT_LT(absl::Now() - begun, absl::Seconds(5));
  EXPECT_TRUE(absl::IsUnavailable(response.status()) || absl::IsDeadlineExceeded(response.status()))
      << response.status();
}

TEST_F(ClientE2e, ManyThreadsOfOneClientGetTheirOwnAnswers) {
  const Client client = Connect();
  const v1::SampleTokensRequest request = RequestOf(v1::ELEMENT_TYPE_FLOAT32);
  std::vector<std::string> answers(8);
  std::vector<v1::SampleTokensRequest> requests(answers.size(), request);
  for (size_t t = 0; t < requests.size(); ++t) requests[t].mutable_rows(0)->set_seed(t / 2);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < answers.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto response = client.Sample(requests[t]);
      if (response.ok()) answers[t] = ResultBytes(*response);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < answers.size(); t += 2) {
    EXPECT_FALSE(answers[t].empty());
    EXPECT_EQ(answers[t], answers[t + 1]) << "equal requests";
    if (t > 0) {
      EXPECT_NE(answers[t], answers[0]) << "their seeds differ";
    }
  }
}

TEST_F(ClientE2e, SigtermStopsTheServerWithStatusZero) {
  const Client client = Connect();
  ASSERT_TRUE(client.GetCapabilities().ok());
  EXPECT_EQ(server_.Stop(), 0);
}

}  // namespace
}  // namespace tessera
