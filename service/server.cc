#include "service/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "service/capabilities.h"

namespace tessera {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// gRPC's own limit answers with a bare number, so it stands well above ours, which names the flag
// and a way round. (gRPC 1.51 holds a whole message in memory before either limit is looked at.)
int TransportLimit(const Limits& limits) {
  return static_cast<int>(std::min<int64_t>(4 * limits.max_unary_bytes + 16 * kMiB, INT_MAX));
}

void SetChannelArguments(const Options& options, grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(TransportLimit(options.limits));
  builder->SetMaxSendMessageSize(-1);
  // A second server on the same port must fail to start, not take half of the traffic.
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Logits do not compress, and a small compressed message can grow without bound.
  builder->AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  if (options.max_connection_age < absl::InfiniteDuration()) {
    const int64_t age = absl::ToInt64Milliseconds(options.max_connection_age);
    builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                                static_cast<int>(std::min<int64_t>(age, INT_MAX)));
  }
  grpc::ResourceQuota quota("tesserad");
  quota.Resize(static_cast<size_t>(options.admission.max_bytes + 64 * kMiB));
  builder->SetResourceQuota(quota);
}

// For answers that are on their way when the last call has ended. Not the whole grace: connections
// that only watch the health service, or are idle and slow to hang up, would use all of it.
constexpr absl::Duration kLastAnswers = absl::Seconds(1);

std::chrono::system_clock::time_point After(absl::Duration patience) {
  return std::chrono::system_clock::now() + absl::ToChronoMilliseconds(patience);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options) {
  absl::StatusOr<BackendChoice> backend = ChooseBackend(options);
  if (!backend.ok()) return backend.status();
  return Start(options, *std::move(backend));
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options,
                                                      BackendChoice backend) {
  std::unique_ptr<Server> server(new Server(options, std::move(backend)));
  if (absl::Status status = server->StartListening(); !status.ok()) return status;
  return server;
}

Server::Server(const Options& options, BackendChoice backend)
    : options_(options),
      backend_(std::move(backend)),
      watched_(backend_.backend.get(), [this](const std::string& reason) { Lose(reason); }),
      admission_(options.admission),
      service_(&watched_, options.limits, &admission_,
               DescribeCapabilities(backend_, options.limits), AvailableCpus()) {}

Server::~Server() {
  admin_.reset();
  if (grpc_ != nullptr) grpc_->Shutdown(std::chrono::system_clock::now());
}

absl::Status Server::StartListening() {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  SetChannelArguments(options_, &builder);
  std::vector<int> bound(options_.listen.size(), 0);  // filled by BuildAndStart
  for (size_t i = 0; i < options_.listen.size(); ++i) {
    builder.AddListeningPort(options_.listen[i], grpc::InsecureServerCredentials(), &bound[i]);
  }
  builder.RegisterService(&service_);
  grpc_ = builder.BuildAndStart();
  if (grpc_ == nullptr) {
    return absl::UnavailableError(absl::StrCat("cannot listen on ",
                                               absl::StrJoin(options_.listen, ", "),
                                               "; is another server there already?"));
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!absl::StartsWith(options_.listen[i], "unix:")) ports_.push_back(bound[i]);
  }
  if (!options_.admin_listen.empty()) {
    absl::StatusOr<std::unique_ptr<AdminServer>> admin =
        AdminServer::Start(options_.admin_listen, [this] {
          const std::lock_guard<std::mutex> lock(health_mutex_);
          return Health{.alive = !lost_, .ready = listening_ && !lost_};
        });
    if (!admin.ok()) return admin.status();
    admin_ = *std::move(admin);
  }
  Become(/*listening=*/true);
  return absl::OkStatus();
}

void Server::Become(bool listening) {
  const std::lock_guard<std::mutex> lock(health_mutex_);
  listening_ = listening;
  TellHealth();
}

// The process cannot get its device back. Whoever watches it is told, and decides.
void Server::Lose(const std::string& reason) {
  std::fprintf(stderr, "tesserad: %s lost its device (%s): not serving until restarted\n",
               backend_.backend->name().c_str(), reason.c_str());
  const std::lock_guard<std::mutex> lock(health_mutex_);
  lost_ = true;
  TellHealth();
}

void Server::TellHealth() {
  const bool ready = listening_ && !lost_;
  grpc::HealthCheckServiceInterface* health = grpc_->GetHealthCheckService();
  if (health == nullptr) return;
  health->SetServingStatus(ready);
  health->SetServingStatus(v1::SamplerService::service_full_name(), ready);
}

void Server::Drain() {
  Become(/*listening=*/false);
  absl::SleepFor(options_.drain_delay);
  admission_.Close();
  const absl::Time deadline = absl::Now() + options_.shutdown_grace;
  admission_.WaitUntilIdle(absl::ToChronoMilliseconds(options_.shutdown_grace));
  // Always with a deadline: without one this never returns while a stream is open.
  const absl::Duration left = std::min(deadline - absl::Now(), kLastAnswers);
  grpc_->Shutdown(After(std::max(left, absl::Milliseconds(100))));
  admin_.reset();
}

}  // namespace tessera
