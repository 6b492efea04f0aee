// Talks to a Tessera server.
#include "client/client.h"

#include <chrono>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/seeds.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/support/channel_arguments.h"
#include "tessera/v1/sampler_service.grpc.pb.h"

namespace tessera {
namespace {

absl::Status CheckPositive(absl::string_view name, absl::Duration value) {
  if (value > absl::ZeroDuration()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is ", absl::FormatDuration(value), "; it must be above 0"));
}

absl::Status CheckAtLeastOne(absl::string_view name, int64_t value) {
  if (value >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(name, " is ", value, "; it must be at least 1"));
}

absl::Status Check(const std::string& address, const ClientOptions& options) {
  absl::Status status;
  if (address.empty()) {
    status = absl::InvalidArgumentError("address is empty; it must be host:port or unix:/path");
  }
  status.Update(CheckPositive("deadline", options.deadline));
  status.Update(CheckAtLeastOne("retry.max_attempts", options.retry.max_attempts));
  status.Update(CheckPositive("retry.first_backoff", options.retry.first_backoff));
  status.Update(CheckPositive("retry.max_backoff", options.retry.max_backoff));
  status.Update(CheckPositive("keepalive_time", options.keepalive_time));
  status.Update(CheckPositive("keepalive_timeout", options.keepalive_timeout));
  status.Update(CheckAtLeastOne("max_request_bytes", options.max_request_bytes));
  status.Update(CheckAtLeastOne("max_response_bytes", options.max_response_bytes));
  return status;
}

// Milliseconds for a channel argument, which is an int.
int Millis(absl::Duration duration) {
  const absl::Duration most = absl::Milliseconds(std::numeric_limits<int>::max());
  return static_cast<int>(absl::ToInt64Milliseconds(std::min(duration, most)));
}

grpc::ChannelArguments ArgumentsFor(const ClientOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxSendMessageSize(options.max_request_bytes);
  arguments.SetMaxReceiveMessageSize(options.max_response_bytes);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, Millis(options.keepalive_time));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Millis(options.keepalive_timeout));
  // We retry ourselves: gRPC's own retries would need the whole request buffered once more.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // Come back to a server that was restarted within the time that retries cover.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5000);
  if (options.own_connection) arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

double Jitter() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(random);
}

absl::Status FromServer(const grpc::Status& status, const std::string& address, int attempts) {
  if (status.ok()) return absl::OkStatus();
  std::string message = absl::StrCat(address, ": ", status.error_message());
  if (attempts > 1) absl::StrAppend(&message, " (after ", attempts, " attempts)");
  // The two enumerations share their numbers.
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), message);
}

}  // namespace

struct Client::Connection {
  std::string address;
  ClientOptions options;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::SamplerService::Stub> stub;

  // Waits before the next attempt, and on the channel: a lost connection is not mended while nobody
  // waits on it (but every 5 s), so that a sleep here would outlast a server that is back at once.
  void WaitBeforeRetry(absl::Duration wait) const {
    const absl::Time until = absl::Now() + wait;
    channel->WaitForConnected(absl::ToChronoTime(until));
    absl::SleepFor(until - absl::Now());
  }

  // Runs `attempt(grpc::ClientContext*)` until it succeeds, fails for good, or time is up.
  template <typename Attempt>
  absl::Status Call(const CallOptions& call_options, const Attempt& attempt) const {
    const absl::Duration limit = call_options.deadline.value_or(options.deadline);
    if (absl::Status status = CheckPositive("deadline", limit); !status.ok()) return status;
    const absl::Time end = absl::Now() + limit;
    for (int attempts = 1;; ++attempts) {
      grpc::ClientContext call;
      if (end != absl::InfiniteFuture()) call.set_deadline(absl::ToChronoTime(end));
      const grpc::Status status = attempt(&call);
      const bool again = status.error_code() == grpc::StatusCode::UNAVAILABLE &&
                         attempts < options.retry.max_attempts;
      const absl::Duration wait = BackoffAfter(options.retry, attempts, Jitter());
      if (!again || absl::Now() + wait >= end) return FromServer(status, address, attempts);
      WaitBeforeRetry(wait);
    }
  }
};

Client::Client(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

absl::StatusOr<Client> Client::Connect(const std::string& address, const ClientOptions& options) {
  if (absl::Status status = Check(address, options); !status.ok()) return status;
  const auto credentials =
      options.credentials ? options.credentials : grpc::InsecureChannelCredentials();
  auto connection = std::make_unique<Connection>();
  connection->address = address;
  connection->options = options;
  connection->channel = grpc::CreateCustomChannel(address, credentials, ArgumentsFor(options));
  connection->stub = v1::SamplerService::NewStub(connection->channel);
  return Client(std::move(connection));
}

absl::StatusOr<v1::SampleTokensResponse> Client::Sample(const v1::SampleTokensRequest& request,
                                                        const CallOptions& options) const {
  if (LacksSeeds(request)) return Sample(v1::SampleTokensRequest(request), options);
  v1::SampleTokensResponse response;
  absl::Status status = connection_->Call(options, [&](grpc::ClientContext* call) {
    return connection_->stub->SampleTokens(call, request, &response);
  });
  if (!status.ok()) return status;
  return response;
}

absl::StatusOr<v1::SampleTokensResponse> Client::Sample(v1::SampleTokensRequest&& request,
                                                        const CallOptions& options) const {
  if (absl::Status status = FillSeeds(&request); !status.ok()) return status;
  return Sample(std::as_const(request), options);
}

absl::StatusOr<v1::VerifyDraftsResponse> Client::Verify(const v1::VerifyDraftsRequest& request,
                                                        const CallOptions& options) const {
  if (LacksSeeds(request)) return Verify(v1::VerifyDraftsRequest(request), options);
  v1::VerifyDraftsResponse response;
  absl::Status status = connection_->Call(options, [&](grpc::ClientContext* call) {
    return connection_->stub->VerifyDrafts(call, request, &response);
  });
  if (!status.ok()) return status;
  return response;
}

absl::StatusOr<v1::VerifyDraftsResponse> Client::Verify(v1::VerifyDraftsRequest&& request,
                                                        const CallOptions& options) const {
  if (absl::Status status = FillSeeds(&request); !status.ok()) return status;
  return Verify(std::as_const(request), options);
}

absl::StatusOr<v1::ExplainChainResponse> Client::Explain(const v1::ExplainChainRequest& request,
                                                         const CallOptions& options) const {
  v1::ExplainChainResponse response;
  absl::Status status = connection_->Call(options, [&](grpc::ClientContext* call) {
    return connection_->stub->ExplainChain(call, request, &response);
  });
  if (!status.ok()) return status;
  return response;
}

absl::StatusOr<v1::GetCapabilitiesResponse> Client::GetCapabilities(
    const CallOptions& options) const {
  v1::GetCapabilitiesResponse response;
  absl::Status status = connection_->Call(options, [&](grpc::ClientContext* call) {
    return connection_->stub->GetCapabilities(call, {}, &response);
  });
  if (!status.ok()) return status;
  return response;
}

}  // namespace tessera
