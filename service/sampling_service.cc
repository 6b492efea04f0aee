#include "service/sampling_service.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "service/decode_request.h"
#include "service/entry_counts.h"
#include "service/explain_chain.h"
#include "service/sample_tokens.h"
#include "service/verify_drafts.h"

namespace tessera {
namespace {

// The two libraries number their codes alike.
grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

grpc::Status NotImplemented(absl::string_view rpc) {
  return grpc::Status(grpc::StatusCode::UNIMPLEMENTED,
                      absl::StrCat("SamplerService.", rpc,
                                   " is not implemented by this server; GetCapabilities lists the "
                                   "RPCs that are"));
}

// Ends a stream as soon as it begins.
template <typename Request, typename Response>
class RefusedStream final : public grpc::ServerBidiReactor<Request, Response> {
 public:
  explicit RefusedStream(absl::string_view rpc) { this->Finish(NotImplemented(rpc)); }
  void OnDone() override { delete this; }
};

// An error where nobody waits for the answer any more.
absl::Status StillAwaited(const grpc::CallbackServerContext& call) {
  if (call.IsCancelled()) return absl::CancelledError("the client cancelled the call");
  if (call.deadline() <= std::chrono::system_clock::now()) {
    return absl::DeadlineExceededError("the deadline passed before the response was computed");
  }
  return absl::OkStatus();
}

// Shares the slices of `bytes` with the reader; the one copy of the heavy bytes is the parser's.
template <typename Request>
absl::Status Parse(const grpc::ByteBuffer& bytes, Request* request) {
  grpc::ByteBuffer slices(bytes);
  if (grpc::SerializationTraits<Request>::Deserialize(&slices, request).ok()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("the request is not a serialized ",
                                                 Request::descriptor()->name(),
                                                 " (compressed messages are not accepted)"));
}

template <typename Response>
grpc::Status Written(const absl::StatusOr<Response>& answer, grpc::ByteBuffer* response) {
  if (!answer.ok()) return ToGrpc(answer.status());
  bool own_buffer = false;
  return grpc::SerializationTraits<Response>::Serialize(*answer, response, &own_buffer);
}

}  // namespace

SamplingService::SamplingService(Backend* backend, const Limits& limits, Admission* admission,
                                 v1::GetCapabilitiesResponse capabilities, int call_threads)
    : backend_(backend),
      limits_(limits),
      admission_(admission),
      capabilities_(std::move(capabilities)),
      threads_(call_threads) {}

grpc::ServerUnaryReactor* SamplingService::Admit(grpc::CallbackServerContext* call,
                                                 const grpc::ByteBuffer* request,
                                                 grpc::ByteBuffer* response, Answer answer) {
  grpc::ServerUnaryReactor* reactor = call->DefaultReactor();
  const int64_t bytes = static_cast<int64_t>(request->Length());
  if (absl::Status size = CheckUnaryBytes(bytes, limits_); !size.ok()) {
    reactor->Finish(ToGrpc(size));
    return reactor;
  }
  absl::StatusOr<Admission::Ticket> ticket = admission_->Enter(bytes);
  if (!ticket.ok()) {
    reactor->Finish(ToGrpc(ticket.status()));
    return reactor;
  }
  auto held = std::make_shared<Admission::Ticket>(*std::move(ticket));
  threads_.Start([this, call, request, response, reactor, answer, held]() mutable {
    const StillWanted still_wanted = [call] { return StillAwaited(*call); };
    absl::Status status = still_wanted();
    const grpc::Status answered =
        status.ok() ? (this->*answer)(still_wanted, *request, response) : ToGrpc(status);
    held.reset();  // first, so that a client's next call finds the room that this one had
    reactor->Finish(answered);
  });
  return reactor;
}

grpc::ServerUnaryReactor* SamplingService::SampleTokens(grpc::CallbackServerContext* call,
                                                        const grpc::ByteBuffer* request,
                                                        grpc::ByteBuffer* response) {
  return Admit(call, request, response, &SamplingService::AnswerSample);
}

grpc::ServerUnaryReactor* SamplingService::VerifyDrafts(grpc::CallbackServerContext* call,
                                                        const grpc::ByteBuffer* request,
                                                        grpc::ByteBuffer* response) {
  return Admit(call, request, response, &SamplingService::AnswerVerify);
}

grpc::ServerUnaryReactor* SamplingService::ExplainChain(grpc::CallbackServerContext* call,
                                                        const grpc::ByteBuffer* request,
                                                        grpc::ByteBuffer* response) {
  return Admit(call, request, response, &SamplingService::AnswerExplain);
}

grpc::Status SamplingService::AnswerSample(const StillWanted& still_wanted,
                                           const grpc::ByteBuffer& request,
                                           grpc::ByteBuffer* response) {
  if (absl::Status status = CheckEntryCounts(request, limits_); !status.ok()) {
    return ToGrpc(status);
  }
  v1::SampleTokensRequest parsed;
  if (absl::Status status = Parse(request, &parsed); !status.ok()) return ToGrpc(status);
  return Written(tessera::SampleTokens(parsed, *backend_, limits_, still_wanted), response);
}

grpc::Status SamplingService::AnswerVerify(const StillWanted& still_wanted,
                                           const grpc::ByteBuffer& request,
                                           grpc::ByteBuffer* response) {
  if (absl::Status status = CheckVerificationEntryCounts(request, limits_); !status.ok()) {
    return ToGrpc(status);
  }
  v1::VerifyDraftsRequest parsed;
  if (absl::Status status = Parse(request, &parsed); !status.ok()) return ToGrpc(status);
  return Written(tessera::VerifyDrafts(&parsed, *backend_, limits_, still_wanted), response);
}

grpc::Status SamplingService::AnswerExplain(const StillWanted& still_wanted,
                                            const grpc::ByteBuffer& request,
                                            grpc::ByteBuffer* response) {
  v1::ExplainChainRequest parsed;
  if (absl::Status status = Parse(request, &parsed); !status.ok()) return ToGrpc(status);
  return Written(tessera::ExplainChain(parsed, *backend_, limits_, still_wanted), response);
}

grpc::ServerUnaryReactor* SamplingService::GetCapabilities(grpc::CallbackServerContext* call,
                                                           const v1::GetCapabilitiesRequest*,
                                                           v1::GetCapabilitiesResponse* response) {
  *response = capabilities_;
  grpc::ServerUnaryReactor* reactor = call->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerBidiReactor<v1::StreamSampleTokensRequest, v1::StreamSampleTokensResponse>*
SamplingService::StreamSampleTokens(grpc::CallbackServerContext*) {
  return new RefusedStream<v1::StreamSampleTokensRequest, v1::StreamSampleTokensResponse>(
      "StreamSampleTokens");
}

grpc::ServerBidiReactor<v1::StreamVerifyDraftsRequest, v1::StreamVerifyDraftsResponse>*
SamplingService::StreamVerifyDrafts(grpc::CallbackServerContext*) {
  return new RefusedStream<v1::StreamVerifyDraftsRequest, v1::StreamVerifyDraftsResponse>(
      "StreamVerifyDrafts");
}

}  // namespace tessera
