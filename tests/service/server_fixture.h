// A whole server in the test's process, and a generated client that reaches it over a real socket.
#ifndef TESSERA_TESTS_SERVICE_SERVER_FIXTURE_H_
#define TESSERA_TESTS_SERVICE_SERVER_FIXTURE_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "service/server.h"
#include "tessera/v1/sampler_service.grpc.pb.h"

namespace tessera {

class ServerTest : public ::testing::Test {
 protected:
  ServerTest() {
    options_.listen = {"127.0.0.1:0"};
    options_.backend = BackendKind::kScalar;
    options_.limits.max_unary_bytes = 1 << 16;
  }

  void Start() {
    absl::StatusOr<BackendChoice> backend = ChooseBackend(options_);
    ASSERT_TRUE(backend.ok()) << backend.status();
    Start(*std::move(backend));
  }

  void Start(BackendChoice backend) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options_, std::move(backend));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    channel_ = grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", server_->ports().at(0)),
                                         grpc::InsecureChannelCredentials(), arguments);
    stub_ = v1::SamplerService::NewStub(channel_);
  }

  grpc::Status Sample(const v1::SampleTokensRequest& request) {
    grpc::ClientContext call;
    call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    return stub_->SampleTokens(&call, request, &response_);
  }

  // A call of bytes, as a client without our stubs would make it.
  grpc::Status CallRaw(const std::string& method, const std::string& bytes, std::string* answer) {
    grpc::ClientContext call;
    const grpc::Slice sent(bytes);
    const grpc::ByteBuffer request(&sent, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> done;
    grpc::GenericStub(channel_).UnaryCall(&call, method, grpc::StubOptions(), &request, &response,
                                          [&done](grpc::Status s) { done.set_value(s); });
    const grpc::Status status = done.get_future().get();
    grpc::Slice received;
    if (status.ok() && response.DumpToSingleSlice(&received).ok()) {
      answer->assign(reinterpret_cast<const char*>(received.begin()), received.size());
    }
    return status;
  }

  Options options_;
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::SamplerService::Stub> stub_;
  v1::SampleTokensResponse response_;
};

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_SERVER_FIXTURE_H_
