#include "service/explain_chain.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "kernels/describe_stage.h"
#include "service/decode_chain.h"
#include "service/decode_preset.h"
#include "service/explain_preset.h"
#include "service/prefix_laws.h"
#include "service/prefix_rows.h"
#include "service/write_laws.h"

namespace tessera {
namespace {

constexpr uint32_t kLeaders = 12;  // by default
constexpr uint32_t kMaxFollowed = 64;

v1::StageEffect ToProto(StageEffect effect) {
  switch (effect) {
    case StageEffect::kEdit:
      return v1::STAGE_EFFECT_EDIT;
    case StageEffect::kMeasure:
      return v1::STAGE_EFFECT_MEASURE;
    case StageEffect::kCut:
      return v1::STAGE_EFFECT_CUT;
    case StageEffect::kRewrite:
      return v1::STAGE_EFFECT_REWRITE;
    case StageEffect::kDraw:
      return v1::STAGE_EFFECT_DRAW;
  }
  return v1::STAGE_EFFECT_UNSPECIFIED;
}

void AddWords(const Chain& chain, v1::ExplainChainResponse* response) {
  for (const Stage& stage : chain.stages) {
    StageWords words = DescribeStage(stage);
    v1::StageExplanation* out = response->add_stages();
    out->set_name(words.name);
    out->set_description(std::move(words.rule));
    out->set_no_op(words.off);
    out->set_effect(ToProto(words.effect));
    out->set_tie_rule(std::move(words.ties));
    out->set_boundary_rule(std::move(words.boundary));
  }
}

absl::Status CheckFollowed(const v1::ExplainChainRequest& request) {
  if (request.leaders() > kMaxFollowed) {
    return absl::InvalidArgumentError(
        absl::StrCat("leaders is ", request.leaders(), "; it must be at most ", kMaxFollowed));
  }
  if (request.watch_ids_size() > static_cast<int>(kMaxFollowed)) {
    return absl::InvalidArgumentError(absl::StrCat("watch_ids holds ", request.watch_ids_size(),
                                                   " ids; it may hold at most ", kMaxFollowed));
  }
  for (int i = 0; i < request.watch_ids_size(); ++i) {
    const int32_t id = request.watch_ids(i);
    if (id >= 0 && static_cast<uint32_t>(id) < request.vocab_size()) continue;
    return absl::InvalidArgumentError(absl::StrCat("watch_ids[", i, "] is ", id,
                                                   "; it must be in [0, ", request.vocab_size(),
                                                   "), the vocabulary"));
  }
  return absl::OkStatus();
}

// What only logits give a meaning.
absl::Status CheckChainAlone(const v1::ExplainChainRequest& request) {
  const char* set = nullptr;
  if (request.has_row()) set = "row";
  if (!request.watch_ids().empty()) set = "watch_ids";
  if (request.has_leaders()) set = "leaders";
  if (request.has_grammar()) set = "grammar";
  if (request.has_guidance_logits()) set = "guidance_logits";
  if (set == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(set, " is set without logits; add the row's logits, or leave it out"));
}

absl::Status ExplainRow(const v1::ExplainChainRequest& request, const Chain& chain,
                        Backend& backend, const Limits& limits, const StillWanted& still_wanted,
                        v1::ExplainChainResponse* response) {
  if (absl::Status status = CheckFollowed(request); !status.ok()) return status;
  absl::StatusOr<PrefixRows> rows = DecodePrefixRows(request, chain, limits);
  if (!rows.ok()) return rows.status();
  const auto watched = absl::MakeConstSpan(request.watch_ids().data(),
                                           static_cast<size_t>(request.watch_ids_size()));
  const uint32_t leaders = request.has_leaders() ? request.leaders() : kLeaders;
  absl::StatusOr<PrefixLaws> found =
      FindPrefixLaws(chain, std::move(rows->job), leaders, watched, backend, still_wanted);
  if (!found.ok()) return found.status();
  WriteLaws(chain, *found, watched, response);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::ExplainChainResponse> ExplainChain(const v1::ExplainChainRequest& request,
                                                      Backend& backend, const Limits& limits,
                                                      const StillWanted& still_wanted) {
  const DecodedChain decoded = DecodeChain(request.chain());
  if (!decoded.plan.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("chain.", decoded.plan.status().message()));
  }
  v1::ExplainChainResponse response;
  response.set_numerics_version(kNumericsVersion);
  AddWords(decoded.chain, &response);
  if (request.chain().has_preset()) {
    const absl::StatusOr<ExpandedPreset> preset = DecodePreset(request.chain().preset());
    if (!preset.ok()) return preset.status();  // it was read a moment ago
    *response.mutable_preset() = ExplainPreset(*preset);
  }
  const bool alone = !request.has_logits();
  const absl::Status status =
      alone ? CheckChainAlone(request)
            : ExplainRow(request, decoded.chain, backend, limits, still_wanted, &response);
  if (!status.ok()) return status;
  return response;
}

}  // namespace tessera
