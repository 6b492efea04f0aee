// tessera.v1.SamplerService on gRPC: admits calls and moves them to CallThreads; the work itself is
// in sample_tokens.cc.
//
// The callback API, because gRPC's threads then only enqueue, and what carries logits raw (bytes,
// not a parsed message), because the size can then be judged, and answered with a message that
// names the limit, before anything is parsed or copied.
#ifndef TESSERA_SERVICE_SAMPLING_SERVICE_H_
#define TESSERA_SERVICE_SAMPLING_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include "kernels/backend.h"
#include "service/admission.h"
#include "service/call_threads.h"
#include "service/limits.h"
#include "service/run_job.h"
#include "tessera/v1/sampler_service.grpc.pb.h"

namespace tessera {

class SamplingService final
    : public v1::SamplerService::WithRawCallbackMethod_SampleTokens<
          v1::SamplerService::WithCallbackMethod_StreamSampleTokens<
              v1::SamplerService::WithRawCallbackMethod_VerifyDrafts<
                  v1::SamplerService::WithCallbackMethod_StreamVerifyDrafts<
                      v1::SamplerService::WithRawCallbackMethod_ExplainChain<
                          v1::SamplerService::WithCallbackMethod_GetCapabilities<
                              v1::SamplerService::Service>>>>>> {
 public:
  // All pointers must outlive the service. `call_threads` are those that parse, run and encode.
  SamplingService(Backend* backend, const Limits& limits, Admission* admission,
                  v1::GetCapabilitiesResponse capabilities, int call_threads);

  grpc::ServerUnaryReactor* SampleTokens(grpc::CallbackServerContext* call,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* VerifyDrafts(grpc::CallbackServerContext* call,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ExplainChain(grpc::CallbackServerContext* call,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* GetCapabilities(grpc::CallbackServerContext* call,
                                            const v1::GetCapabilitiesRequest* request,
                                            v1::GetCapabilitiesResponse* response) override;

  // Not in this server yet: each answers UNIMPLEMENTED and says where to look.
  grpc::ServerBidiReactor<v1::StreamSampleTokensRequest, v1::StreamSampleTokensResponse>*
  StreamSampleTokens(grpc::CallbackServerContext* call) override;
  grpc::ServerBidiReactor<v1::StreamVerifyDraftsRequest, v1::StreamVerifyDraftsResponse>*
  StreamVerifyDrafts(grpc::CallbackServerContext* call) override;

 private:
  using Answer = grpc::Status (SamplingService::*)(const StillWanted&, const grpc::ByteBuffer&,
                                                   grpc::ByteBuffer*);

  // Judges the request's size, admits it, and answers it on a thread of ours.
  grpc::ServerUnaryReactor* Admit(grpc::CallbackServerContext* call,
                                  const grpc::ByteBuffer* request, grpc::ByteBuffer* response,
                                  Answer answer);

  grpc::Status AnswerSample(const StillWanted& still_wanted, const grpc::ByteBuffer& request,
                            grpc::ByteBuffer* response);
  grpc::Status AnswerVerify(const StillWanted& still_wanted, const grpc::ByteBuffer& request,
                            grpc::ByteBuffer* response);
  grpc::Status AnswerExplain(const StillWanted& still_wanted, const grpc::ByteBuffer& request,
                             grpc::ByteBuffer* response);

  Backend* const backend_;
  const Limits limits_;
  Admission* const admission_;
  const v1::GetCapabilitiesResponse capabilities_;
  CallThreads threads_;  // last: its threads use everything above
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_SAMPLING_SERVICE_H_
