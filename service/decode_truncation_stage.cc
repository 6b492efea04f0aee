// Stages of truncation_stages.proto.
#include "service/decode_stage.h"

namespace tessera {
namespace {

absl::StatusOr<Ties> DecodeTies(v1::Ties ties, const StagePlace& place) {
  return place.Choose("ties", ties, Ties::kSplit,
                      {{v1::TIES_SPLIT, Ties::kSplit}, {v1::TIES_WHOLE, Ties::kWhole}});
}

}  // namespace

absl::StatusOr<Stage> Decode(const v1::Temperature& stage, const StagePlace& place) {
  if (!stage.has_t()) return place.Absent("t");
  return Temperature{.t = stage.t()};
}

absl::StatusOr<Stage> Decode(const v1::TopK& stage, const StagePlace& place) {
  if (!stage.has_k()) return place.Absent("k");
  const absl::StatusOr<Ties> ties = DecodeTies(stage.ties(), place);
  if (!ties.ok()) return ties.status();
  return TopK{.k = stage.k(), .ties = *ties};
}

absl::StatusOr<Stage> Decode(const v1::TopP& stage, const StagePlace& place) {
  if (!stage.has_p()) return place.Absent("p");
  const absl::StatusOr<Ties> ties = DecodeTies(stage.ties(), place);
  if (!ties.ok()) return ties.status();
  const absl::StatusOr<Boundary> boundary =
      place.Choose("boundary", stage.boundary(), Boundary::kReach,
                   {{v1::BOUNDARY_REACH, Boundary::kReach},
                    {v1::BOUNDARY_EXCEED, Boundary::kExceed},
                    {v1::BOUNDARY_WITHIN, Boundary::kWithin}});
  if (!boundary.ok()) return boundary.status();
  return TopP{.p = stage.p(),
              .joint = stage.joint(),
              .boundary = *boundary,
              .ties = *ties,
              .partial = stage.partial()};
}

absl::StatusOr<Stage> Decode(const v1::MinP& stage, const StagePlace& place) {
  if (!stage.has_m()) return place.Absent("m");
  return MinP{.m = stage.m()};
}

absl::StatusOr<Stage> Decode(const v1::TopA& stage, const StagePlace& place) {
  if (!stage.has_a()) return place.Absent("a");
  return TopA{.a = stage.a()};
}

absl::StatusOr<Stage> Decode(const v1::EpsilonCutoff& stage, const StagePlace& place) {
  if (!stage.has_epsilon()) return place.Absent("epsilon");
  return EpsilonCutoff{.epsilon = stage.epsilon()};
}

absl::StatusOr<Stage> Decode(const v1::EtaCutoff& stage, const StagePlace& place) {
  if (!stage.has_epsilon()) return place.Absent("epsilon");
  return EtaCutoff{.epsilon = stage.epsilon()};
}

absl::StatusOr<Stage> Decode(const v1::TypicalP& stage, const StagePlace& place) {
  if (!stage.has_p()) return place.Absent("p");
  const absl::StatusOr<Boundary> boundary = place.Choose(
      "boundary", stage.boundary(), Boundary::kReach,
      {{v1::BOUNDARY_REACH, Boundary::kReach}, {v1::BOUNDARY_EXCEED, Boundary::kExceed}});
  if (!boundary.ok()) return boundary.status();
  return TypicalP{.p = stage.p(), .boundary = *boundary};
}

absl::StatusOr<Stage> Decode(const v1::TopNSigma& stage, const StagePlace& place) {
  if (!stage.has_n()) return place.Absent("n");
  return TopNSigma{.n = stage.n()};
}

absl::StatusOr<Stage> Decode(const v1::TailFree& stage, const StagePlace& place) {
  if (!stage.has_z()) return place.Absent("z");
  return TailFree{.z = stage.z()};
}

absl::StatusOr<Stage> Decode(const v1::Xtc& stage, const StagePlace& place) {
  if (!stage.has_probability()) return place.Absent("probability");
  if (!stage.has_threshold()) return place.Absent("threshold");
  return Xtc{.probability = stage.probability(), .threshold = stage.threshold()};
}

}  // namespace tessera
