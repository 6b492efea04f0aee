// Talks to a Tessera server: a channel, deadlines, and retries that cannot change the answer.
//
//   #include "client/client.h"
//   #include "client/request_builder.h"
//   #include "client/sampled_rows.h"
//
//   absl::StatusOr<tessera::Client> client = tessera::Client::Connect("localhost:50051");
//   if (!client.ok()) return client.status();
//
//   tessera::SampleRequestBuilder builder;
//   builder.Float32Logits(logits, /*rows=*/2).Chain("temperature=0.7,top_k=50,top_p=0.9");
//   builder.AddRow(/*position=*/17).set_seed(42);
//   builder.AddRow(/*position=*/5).set_seed(43);
//   absl::StatusOr<tessera::v1::SampleTokensRequest> request = builder.Build();
//   if (!request.ok()) return request.status();
//
//   absl::StatusOr<tessera::v1::SampleTokensResponse> response = client->Sample(*request);
//   if (!response.ok()) return response.status();
//   const int32_t first = response->tokens(0);  // -1 where outcomes(0) is not OK
//
// A request with its seeds set always gives the same response but for its `execution`.
#ifndef TESSERA_CLIENT_CLIENT_H_
#define TESSERA_CLIENT_CLIENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/backoff.h"
#include "grpcpp/security/credentials.h"
#include "tessera/v1/capabilities.pb.h"
#include "tessera/v1/explain.pb.h"
#include "tessera/v1/sampling.pb.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

struct ClientOptions {
  // How long a call may take, its retries and waits included.
  absl::Duration deadline = absl::Seconds(30);

  // Attempts of a call that the server answered with UNAVAILABLE. Every RPC is idempotent.
  RetryOptions retry;

  // A connection with a call in flight and silent for so long is pinged; one that does not answer
  // within the timeout is closed, and its calls fail with UNAVAILABLE.
  absl::Duration keepalive_time = absl::Seconds(60);
  absl::Duration keepalive_timeout = absl::Seconds(20);

  // Largest messages. The server has a limit of its own for requests, see GetCapabilities.
  int32_t max_request_bytes = 256 << 20;
  int32_t max_response_bytes = 64 << 20;

  // By default, clients of one address in one process share one connection. True opens another.
  bool own_connection = false;

  // Null: neither encrypted nor authenticated.
  std::shared_ptr<grpc::ChannelCredentials> credentials;
};

struct CallOptions {
  std::optional<absl::Duration> deadline;  // in place of ClientOptions.deadline
};

// Thread-safe. Cheap to move; a moved-from Client may only be destroyed or assigned to.
class Client {
 public:
  // `address` is "host:port", "unix:/path/to/socket" or any other gRPC target. Does not wait for
  // the connection: an unreachable server is what the first call reports. InvalidArgument when an
  // option is out of range.
  static absl::StatusOr<Client> Connect(const std::string& address,
                                        const ClientOptions& options = {});

  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Draws or scores the rows of `request`. Rows that draw and have no seed get one before the first
  // attempt, so that every attempt asks for the same bytes; the response's seeds_used tells it. The
  // request is copied only if it lacks seeds: set them, or move it in.
  //
  // The status is the server's, message included; RESOURCE_EXHAUSTED, for one, means a limit of
  // GetCapabilities. A row at fault is no error of the call: look at the response's outcomes.
  absl::StatusOr<v1::SampleTokensResponse> Sample(const v1::SampleTokensRequest& request,
                                                  const CallOptions& options = {}) const;
  absl::StatusOr<v1::SampleTokensResponse> Sample(v1::SampleTokensRequest&& request,
                                                  const CallOptions& options = {}) const;

  // Which drafted tokens to accept, and the token after them. Sequences without a seed get one, as
  // rows do in Sample; so does a request that lacks them get copied. A sequence at fault is no
  // error of the call: look at the response's outcomes.
  absl::StatusOr<v1::VerifyDraftsResponse> Verify(const v1::VerifyDraftsRequest& request,
                                                  const CallOptions& options = {}) const;
  absl::StatusOr<v1::VerifyDraftsResponse> Verify(v1::VerifyDraftsRequest&& request,
                                                  const CallOptions& options = {}) const;

  // What a chain does to one row, stage by stage; nothing is drawn. The request's errors are the
  // call's: INVALID_ARGUMENT names the field.
  absl::StatusOr<v1::ExplainChainResponse> Explain(const v1::ExplainChainRequest& request,
                                                   const CallOptions& options = {}) const;

  // What the server implements, on what, and its limits.
  absl::StatusOr<v1::GetCapabilitiesResponse> GetCapabilities(
      const CallOptions& options = {}) const;

 private:
  struct Connection;
  explicit Client(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace tessera

#endif  // TESSERA_CLIENT_CLIENT_H_
