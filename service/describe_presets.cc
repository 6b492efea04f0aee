#include "service/describe_presets.h"

#include <variant>

#include "kernels/presets/preset.h"
#include "service/decode_logprobs.h"

namespace tessera {
namespace {

v1::RankRule ToProto(RankRule rule) {
  switch (rule) {
    case RankRule::kNone:
      return v1::RANK_RULE_UNSPECIFIED;
    case RankRule::kLargerPlusOne:
      return v1::RANK_RULE_STRICT;
    case RankRule::kAtLeast:
      return v1::RANK_RULE_TIES_AGAINST;
  }
  return v1::RANK_RULE_UNSPECIFIED;
}

v1::PresetValue ToProto(const PresetValue& value) {
  v1::PresetValue out;
  if (const double* number = std::get_if<double>(&value)) {
    out.set_number(*number);
  } else {
    out.set_text(std::get<std::string>(value));
  }
  return out;
}

bool CanBeSet(PresetParameter::Type type) {
  return type != PresetParameter::Type::kFixed && type != PresetParameter::Type::kRow;
}

}  // namespace

void DescribePresets(v1::GetCapabilitiesResponse* response) {
  for (const std::string& name : PresetNames()) {
    const absl::StatusOr<const PresetDescription*> found = DescribePreset(name);
    if (!found.ok()) continue;  // names and descriptions are one list
    const PresetDescription& preset = **found;
    v1::PresetReport* report = response->add_presets();
    report->set_name(preset.name);
    report->set_follows(preset.follows);
    report->set_same_tokens(preset.fidelity == Fidelity::kTokens);
    report->set_logprob_mode(ToProto(preset.logprobs));
    report->set_rank_rule(ToProto(preset.rank));
    for (const PresetParameter& parameter : preset.parameters) {
      v1::PresetParameterReport* out = report->add_parameters();
      out->set_name(parameter.name);
      *out->mutable_default_value() = ToProto(parameter.initial);
      out->set_accepted(parameter.accepted);
      out->set_meaning(parameter.meaning);
      out->set_can_be_set(CanBeSet(parameter.type));
      if (!parameter.alias.empty()) out->set_alias(parameter.alias);
    }
  }
}

}  // namespace tessera
