// Stages of rewriting_stages.proto.
#include "service/decode_stage.h"

namespace tessera {
namespace {

template <typename Mirostat, typename Message>
absl::StatusOr<Stage> DecodeMirostat(const Message& stage, const StagePlace& place) {
  if (!stage.has_tau()) return place.Absent("tau");
  if (!stage.has_eta()) return place.Absent("eta");
  return Mirostat{.tau = stage.tau(), .eta = stage.eta()};
}

}  // namespace

absl::StatusOr<Stage> Decode(const v1::DynamicTemperature& stage, const StagePlace& place) {
  if (!stage.has_low()) return place.Absent("low");
  if (!stage.has_high()) return place.Absent("high");
  return DynamicTemperature{.low = stage.low(),
                            .high = stage.high(),
                            .exponent = stage.has_exponent() ? stage.exponent() : 1};
}

absl::StatusOr<Stage> Decode(const v1::Smoothing& stage, const StagePlace& place) {
  if (!stage.has_factor()) return place.Absent("factor");
  return Smoothing{.factor = stage.factor(), .curve = stage.has_curve() ? stage.curve() : 1};
}

absl::StatusOr<Stage> Decode(const v1::MirostatV1& stage, const StagePlace& place) {
  return DecodeMirostat<MirostatV1>(stage, place);
}

absl::StatusOr<Stage> Decode(const v1::MirostatV2& stage, const StagePlace& place) {
  return DecodeMirostat<MirostatV2>(stage, place);
}

absl::StatusOr<Stage> Decode(const v1::AdaptiveP& stage, const StagePlace& place) {
  if (!stage.has_target()) return place.Absent("target");
  if (!stage.has_decay()) return place.Absent("decay");
  return AdaptiveP{.target = stage.target(), .decay = stage.decay()};
}

absl::StatusOr<Stage> Decode(const v1::DrawRule& stage, const StagePlace& place) {
  const absl::StatusOr<DrawOrder> order = place.Choose(
      "order", stage.order(), DrawOrder::kId,
      {{v1::DRAW_ORDER_ID, DrawOrder::kId}, {v1::DRAW_ORDER_SORTED, DrawOrder::kSorted}});
  if (!order.ok()) return order.status();
  const absl::StatusOr<Generator> generator =
      place.Choose("generator", stage.generator(), Generator::kPhilox,
                   {{v1::GENERATOR_PHILOX, Generator::kPhilox},
                    {v1::GENERATOR_MT19937, Generator::kMt19937},
                    {v1::GENERATOR_XORSHIFT64, Generator::kXorshift64}});
  if (!generator.ok()) return generator.status();
  return DrawRule{.order = *order, .generator = *generator};
}

}  // namespace tessera
