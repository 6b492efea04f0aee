// Turns one stage's message into its data. Ranges are checked when the chain is compiled
// (kernels/plan.h); here only what the wire can do wrong: a forgotten number, an unknown enum
// value.
#ifndef TESSERA_SERVICE_DECODE_STAGE_H_
#define TESSERA_SERVICE_DECODE_STAGE_H_

#include "absl/status/statusor.h"
#include "kernels/chain.h"
#include "service/stage_place.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// The stage at `index` of a chain, whichever it is. InvalidArgument names the place and the field.
absl::StatusOr<Stage> DecodeStage(int index, const v1::SamplerStage& stage);

// Each message on its own. In decode_edit_stage.cc:
absl::StatusOr<Stage> Decode(const v1::RepetitionPenalty& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::FrequencyPenalty& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::PresencePenalty& stage, const StagePlace& place);

// In decode_history_stage.cc:
absl::StatusOr<Stage> Decode(const v1::Dry& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::NoRepeatNgram& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::BadWords& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::SequenceBias& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::Watermark& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::Guidance& stage, const StagePlace& place);

// In decode_truncation_stage.cc:
absl::StatusOr<Stage> Decode(const v1::Temperature& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TopK& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TopP& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::MinP& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TopA& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::EpsilonCutoff& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::EtaCutoff& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TypicalP& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TopNSigma& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::TailFree& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::Xtc& stage, const StagePlace& place);

// In decode_rewriting_stage.cc:
absl::StatusOr<Stage> Decode(const v1::DynamicTemperature& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::Smoothing& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::MirostatV1& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::MirostatV2& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::AdaptiveP& stage, const StagePlace& place);
absl::StatusOr<Stage> Decode(const v1::DrawRule& stage, const StagePlace& place);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_STAGE_H_
