#include "service/decode_chain.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "service/decode_preset.h"
#include "service/decode_stage.h"

namespace tessera {
namespace {

absl::StatusOr<Chain> DecodeStages(const v1::SamplerChain& chain) {
  if (chain.stages_size() > kMaxStages) {
    return absl::InvalidArgumentError(absl::StrCat("stages holds ", chain.stages_size(),
                                                   " entries; it may hold at most ", kMaxStages));
  }
  Chain stages;
  for (int i = 0; i < chain.stages_size(); ++i) {
    absl::StatusOr<Stage> stage = DecodeStage(i, chain.stages(i));
    if (!stage.ok()) return stage.status();
    stages.stages.push_back(*std::move(stage));
  }
  return stages;
}

DecodedChain Refused(absl::Status status) { return DecodedChain{.plan = std::move(status)}; }

DecodedChain ExpandAndCompile(const v1::EnginePreset& preset) {
  absl::StatusOr<ExpandedPreset> expanded = DecodePreset(preset);
  if (!expanded.ok()) return Refused(expanded.status());
  DecodedChain decoded = Compiled(std::move(expanded->chain));
  decoded.ties_against = expanded->description->rank == RankRule::kAtLeast;
  if (!decoded.plan.ok()) {
    decoded.plan = absl::Status(
        decoded.plan.status().code(),
        absl::StrCat("preset: ", preset.name(),
                     " expands to a chain that is refused: ", decoded.plan.status().message()));
  }
  return decoded;
}

int64_t SequenceIds(const std::vector<TokenSequence>& sequences) {
  int64_t ids = 0;
  for (const TokenSequence& sequence : sequences) ids += static_cast<int64_t>(sequence.size());
  return ids;
}

// Notes what a stage lets the chain's rows carry.
struct Noter {
  template <typename S>
  void operator()(const S&) {}
  void operator()(const LogitBias&) { chain.has_bias_stage = true; }
  void operator()(const RepetitionPenalty&) { chain.has_penalty_stage = true; }
  void operator()(const FrequencyPenalty&) { chain.has_penalty_stage = true; }
  void operator()(const PresencePenalty&) { chain.has_penalty_stage = true; }
  void operator()(const Dry& stage) { NoteHistory(SequenceIds(stage.breakers)); }
  void operator()(const NoRepeatNgram&) { NoteHistory(0); }
  void operator()(const BadWords& stage) { NoteHistory(SequenceIds(stage.words)); }
  void operator()(const SequenceBias& stage) {
    int64_t ids = 0;
    for (const auto& sequence : stage.sequences) ids += static_cast<int64_t>(sequence.ids.size());
    NoteHistory(ids);
  }
  void operator()(const Watermark&) { NoteHistory(0); }
  void operator()(const Guidance&) { chain.has_guidance_stage = true; }
  void operator()(const MirostatV1&) { chain.has_mirostat_stage = true; }
  void operator()(const MirostatV2&) { chain.has_mirostat_stage = true; }
  void operator()(const AdaptiveP&) { chain.has_adaptive_p_stage = true; }

  void NoteHistory(int64_t ids) {
    chain.has_history_stage = true;
    chain.sequence_ids += ids;
  }

  DecodedChain& chain;
};

}  // namespace

DecodedChain Compiled(Chain chain) {
  DecodedChain decoded{.plan = CompileChain(chain)};
  for (const Stage& stage : chain.stages) std::visit(Noter{decoded}, stage);
  decoded.chain = std::move(chain);
  return decoded;
}

DecodedChain DecodeChain(const v1::SamplerChain& chain) {
  if (chain.has_preset()) {
    if (chain.stages().empty()) return ExpandAndCompile(chain.preset());
    return Refused(
        absl::InvalidArgumentError("preset and stages are both set; it must be one of them"));
  }
  absl::StatusOr<Chain> stages = DecodeStages(chain);
  return stages.ok() ? Compiled(*std::move(stages)) : Refused(stages.status());
}

}  // namespace tessera
