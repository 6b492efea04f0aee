// The whole server in this process, over real sockets, by a generated client.
#include "service/server.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/service/requests.h"
#include "tests/service/server_fixture.h"

namespace tessera {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

TEST_F(ServerTest, Samples) {
  Start();
  const grpc::Status status = Sample(SmallRequest());
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_THAT(response_.tokens(), ElementsAre(3, 0, 1));
  EXPECT_EQ(response_.execution().backend(), "scalar");
}

TEST_F(ServerTest, SamplesOverAUnixSocket) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/tessera_", getpid(), ".sock");
  options_.listen.push_back("unix:" + path);
  Start();
  EXPECT_EQ(server_->ports().size(), 1u);
  stub_ = v1::SamplerService::NewStub(
      grpc::CreateChannel("unix:" + path, grpc::InsecureChannelCredentials()));
  const grpc::Status status = Sample(SmallRequest());
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(ServerTest, ErrorsOfARequestReachTheClient) {
  Start();
  v1::SampleTokensRequest request = SmallRequest();
  request.set_vocab_size(9);
  const grpc::Status status = Sample(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "vocab_size is 9; it must be in [1, 4], the columns of logits");
}

TEST_F(ServerTest, ARequestOverTheLimitIsToldTheLimitAndAWayRound) {
  Start();
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_logits(0) = FloatTensor({std::vector<float>(1 << 15)});  // 128 KiB
  request.mutable_rows()->DeleteSubrange(1, 2);
  const grpc::Status status = Sample(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("at most 65536 (tesserad --max-unary-bytes)"));
  EXPECT_THAT(status.error_message(), HasSubstr("Send fewer rows per call"));
}

TEST_F(ServerTest, AMessageThatIsNoRequestIsInvalid) {
  Start();
  std::string answer;
  const grpc::Status status =
      CallRaw("/tessera.v1.SamplerService/SampleTokens", "\x12\xff\xff", &answer);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("not a serialized SampleTokensRequest"));
}

TEST_F(ServerTest, CompressedMessagesAreRefusedNotInflated) {
  Start();
  v1::SampleTokensRequest request = SmallRequest();
  *request.mutable_logits(0) = FloatTensor({std::vector<float>(1 << 13)});
  grpc::ClientContext call;
  call.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  const grpc::Status status = stub_->SampleTokens(&call, request, &response_);
  EXPECT_FALSE(status.ok());
}

// The standard health protocol: HealthCheckRequest.service is field 1, SERVING is status 1.
TEST_F(ServerTest, HealthSaysServingForTheServerAndTheService) {
  Start();
  const std::string service = v1::SamplerService::service_full_name();
  const std::string named = "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
  for (const std::string& request : {std::string(), named}) {
    std::string answer;
    const grpc::Status status = CallRaw("/grpc.health.v1.Health/Check", request, &answer);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(answer, "\x08\x01");
  }
  std::string answer;
  EXPECT_EQ(CallRaw("/grpc.health.v1.Health/Check", "\x0a\x01x", &answer).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServerTest, DescribesItself) {
  Start();
  grpc::ClientContext call;
  v1::GetCapabilitiesResponse capabilities;
  ASSERT_TRUE(stub_->GetCapabilities(&call, v1::GetCapabilitiesRequest(), &capabilities).ok());
  EXPECT_EQ(capabilities.numerics_version(), kNumericsVersion);
  EXPECT_THAT(capabilities.rpcs(),
              ElementsAre("SampleTokens", "VerifyDrafts", "ExplainChain", "GetCapabilities"));
  EXPECT_THAT(capabilities.stages(), IsSupersetOf({"logit_bias", "dry", "top_k", "adaptive_p"}));
  EXPECT_EQ(capabilities.stages_size(), v1::SamplerStage::descriptor()->field_count());
  EXPECT_GT(capabilities.presets_size(), 0);
  EXPECT_EQ(capabilities.logprob_modes_size(), 4);
  EXPECT_THAT(capabilities.tensor_sources(), ElementsAre(v1::TENSOR_SOURCE_INLINE));
  EXPECT_EQ(capabilities.backend().name(), "scalar");
  EXPECT_THAT(capabilities.backend().reason(), StartsWith("--backend scalar"));
  EXPECT_EQ(capabilities.backend().threads(), 1u);
  EXPECT_EQ(capabilities.limits().max_unary_bytes(), 65536u);
  EXPECT_EQ(capabilities.limits().max_vocab_size(), 524288u);
  EXPECT_EQ(capabilities.limits().max_stages(), 32u);
}

TEST_F(ServerTest, WhatIsNotImplementedSaysSo) {
  Start();
  grpc::ClientContext stream;
  v1::StreamSampleTokensResponse streamed;
  auto samples = stub_->StreamSampleTokens(&stream);
  EXPECT_FALSE(samples->Read(&streamed));
  const grpc::Status status = samples->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(),
              StartsWith("SamplerService.StreamSampleTokens is not implemented"));
  grpc::ClientContext drafts;
  EXPECT_EQ(stub_->StreamVerifyDrafts(&drafts)->Finish().error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(ServerTest, ASecondServerOnTheSamePortDoesNotStart) {
  Start();
  options_.listen = {absl::StrCat("127.0.0.1:", server_->ports().at(0))};
  const absl::Status status = Server::Start(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot listen on " + options_.listen[0]));
}

TEST_F(ServerTest, WhatCannotBeChosenDoesNotStart) {
  options_.backend = BackendKind::kCuda;
  options_.cuda_device = 255;
  const absl::Status status = Server::Start(options_).status();
  EXPECT_THAT(std::string(status.message()), StartsWith("--backend is 'cuda'"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("use --backend cpu or auto"));
}

TEST_F(ServerTest, AutoPicksWhatRunsAndSaysWhy) {
  options_.backend = BackendKind::kAuto;
  Start();
  const std::string name = server_->backend().backend->name();
  EXPECT_THAT(server_->backend().reason, StartsWith("--backend auto: "));
  if (absl::StartsWith(name, "cuda/")) return;  // this machine has a device
  EXPECT_THAT(name, StartsWith("cpu/"));
  EXPECT_THAT(server_->backend().reason, HasSubstr("CUDA"));
  EXPECT_THAT(CpuTargets(), Contains(server_->backend().simd_target));
}

TEST_F(ServerTest, AnUnknownCpuTargetIsToldWhatThereIs) {
  options_.backend = BackendKind::kCpu;
  options_.cpu_target = "ABACUS";
  const absl::Status status = Server::Start(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("ABACUS"));
  EXPECT_THAT(std::string(status.message()), HasSubstr(CpuTargets().back()));
}

}  // namespace
}  // namespace tessera
