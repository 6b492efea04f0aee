// A SamplerService in the test's own process, on a free port, that answers what the test says.
#ifndef TESSERA_TESTS_CLIENT_FAKE_SERVER_H_
#define TESSERA_TESTS_CLIENT_FAKE_SERVER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/grpcpp.h"
#include "tessera/v1/sampler_service.grpc.pb.h"

namespace tessera {

class FakeServer final : public v1::SamplerService::Service {
 public:
  // `attempt` counts the calls from 1.
  using Answer = std::function<grpc::Status(int attempt, const v1::SampleTokensRequest& request,
                                            v1::SampleTokensResponse* response)>;

  // Numeric addresses: resolving a name leaks inside c-ares, which the address sanitizer reports.
  explicit FakeServer(Answer answer) : answer_(std::move(answer)) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.SetMaxReceiveMessageSize(-1);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }

  // In-flight calls end at once, so that no test hangs on one.
  ~FakeServer() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

  // The serialized requests so far.
  std::vector<std::string> requests() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return requests_;
  }

  grpc::Status SampleTokens(grpc::ServerContext*, const v1::SampleTokensRequest* request,
                            v1::SampleTokensResponse* response) override {
    int attempt;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      requests_.push_back(request->SerializeAsString());
      attempt = static_cast<int>(requests_.size());
    }
    return answer_(attempt, *request, response);
  }

  // Unavailable at first; then each sequence emits one token, its number.
  grpc::Status VerifyDrafts(grpc::ServerContext*, const v1::VerifyDraftsRequest* request,
                            v1::VerifyDraftsResponse* response) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    requests_.push_back(request->SerializeAsString());
    if (requests_.size() == 1) return {grpc::StatusCode::UNAVAILABLE, "starting up"};
    for (int i = 0; i < request->sequences_size(); ++i) {
      response->add_outcomes(v1::ROW_OUTCOME_OK);
      response->add_tokens(i);
      response->add_seeds_used(request->sequences(i).target().seed());
    }
    return grpc::Status::OK;
  }

  grpc::Status GetCapabilities(grpc::ServerContext*, const v1::GetCapabilitiesRequest*,
                               v1::GetCapabilitiesResponse* response) override {
    response->set_server_version("fake");
    return grpc::Status::OK;
  }

 private:
  Answer answer_;
  int port_ = 0;
  std::mutex mutex_;
  std::vector<std::string> requests_;  // guarded by mutex_
  std::unique_ptr<grpc::Server> server_;
};

// Answers every row with the token `row index`, and its seed.
inline grpc::Status AnswerRowNumbers(const v1::SampleTokensRequest& request,
                                     v1::SampleTokensResponse* response) {
  response->set_numerics_version(1);
  response->add_token_offsets(0);
  for (int r = 0; r < request.rows_size(); ++r) {
    response->add_outcomes(v1::ROW_OUTCOME_OK);
    response->add_tokens(r);
    response->add_token_offsets(static_cast<uint32_t>(r + 1));
    response->add_seeds_used(request.rows(r).seed());
  }
  return grpc::Status::OK;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_CLIENT_FAKE_SERVER_H_
