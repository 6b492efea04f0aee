#include "service/capabilities.h"

#include "kernels/verification/verification_presets.h"
#include "service/decode_logprobs.h"
#include "service/describe_presets.h"
#include "service/draft_sequence.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {
namespace {

// Every stage of the oneof has its case in decode_stage.cc: the compiler demands it.
void AddStages(v1::GetCapabilitiesResponse* response) {
  const google::protobuf::OneofDescriptor* stages =
      v1::SamplerStage::descriptor()->FindOneofByName("stage");
  for (int i = 0; i < stages->field_count(); ++i) {
    response->add_stages(std::string(stages->field(i)->name()));
  }
}

void AddLimits(const Limits& limits, v1::Limits* out) {
  out->set_max_unary_bytes(static_cast<uint64_t>(limits.max_unary_bytes));
  out->set_max_rows(static_cast<uint32_t>(limits.max_rows));
  out->set_max_chains(static_cast<uint32_t>(limits.max_chains));
  out->set_max_vocab_size(kMaxVocabulary);
  out->set_max_logits_slices(1);
  out->set_max_stages(kMaxStages);
  out->set_max_samples(kMaxSamples);
  out->set_max_top_logprobs(kMaxTopLogprobs);
  out->set_max_score_ids(kMaxScoredIds);
  out->set_max_row_ids(static_cast<uint32_t>(limits.max_row_ids));
  out->set_max_history(static_cast<uint64_t>(limits.max_history));
  out->set_max_sequence_ids(static_cast<uint64_t>(limits.max_sequence_ids));
  out->set_max_law_ids(kMaxLawIds);
  out->set_max_draft_nodes(kMaxDraftNodes);
}

void AddVerificationPresets(v1::GetCapabilitiesResponse* response) {
  for (const VerificationPreset& preset : VerificationPresets()) {
    v1::VerificationPresetReport* out = response->add_verification_presets();
    out->set_name(std::string(preset.name));
    out->set_follows(std::string(preset.follows));
    out->set_method(v1::VerificationMethod_Name(ToProto(preset.method)));
    out->set_rule(std::string(preset.rule));
    out->set_impossible_drafts(std::string(preset.impossible));
    out->set_departs(std::string(preset.departs));
    out->set_typical_epsilon(preset.typical_epsilon);
    out->set_typical_alpha(preset.typical_alpha);
  }
}

}  // namespace

v1::GetCapabilitiesResponse DescribeCapabilities(const BackendChoice& choice,
                                                 const Limits& limits) {
  v1::GetCapabilitiesResponse response;
  response.set_server_version(ServerVersion());
  response.set_numerics_version(kNumericsVersion);
  response.add_rpcs("SampleTokens");
  response.add_rpcs("VerifyDrafts");
  response.add_rpcs("ExplainChain");
  response.add_rpcs("GetCapabilities");
  AddStages(&response);
  for (int mode = 0; mode < kLogprobModes; ++mode) {
    response.add_logprob_modes(ToProto(static_cast<LogprobMode>(mode)));
  }
  response.add_logits_element_types(v1::ELEMENT_TYPE_FLOAT32);
  response.add_logits_element_types(v1::ELEMENT_TYPE_FLOAT16);
  response.add_logits_element_types(v1::ELEMENT_TYPE_BFLOAT16);
  response.add_tensor_sources(v1::TENSOR_SOURCE_INLINE);
  v1::BackendReport* backend = response.mutable_backend();
  backend->set_name(choice.backend->name());
  backend->set_reason(choice.reason);
  backend->set_simd_target(choice.simd_target);
  backend->set_threads(static_cast<uint32_t>(choice.threads));
  AddLimits(limits, response.mutable_limits());
  DescribePresets(&response);
  AddVerificationPresets(&response);
  return response;
}

const char* ServerVersion() { return TESSERA_VERSION; }

}  // namespace tessera
