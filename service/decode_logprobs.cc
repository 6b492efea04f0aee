#include "service/decode_logprobs.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

// The bits of `modes`, each of which must be known and listed once.
absl::Status DecodeModes(absl::string_view field, const google::protobuf::RepeatedField<int>& modes,
                         uint8_t* bits) {
  for (int i = 0; i < modes.size(); ++i) {
    uint8_t bit = 0;
    for (int mode = 0; mode < kLogprobModes; ++mode) {
      if (ToProto(static_cast<LogprobMode>(mode)) == modes[i]) bit = uint8_t(1 << mode);
    }
    if (bit == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("logprobs.", field, "[", i, "] is ", modes[i],
                       "; it must be RAW, RAW_MASKED, TEMPERED or PROCESSED"));
    }
    if (*bits & bit) {
      return absl::InvalidArgumentError(
          absl::StrCat("logprobs.", field, "[", i, "] is ",
                       v1::LogprobMode_Name(static_cast<v1::LogprobMode>(modes[i])),
                       ", which stands there before; each mode may be listed once"));
    }
    *bits |= bit;
  }
  return absl::OkStatus();
}

absl::Status DecodeRankRule(v1::RankRule rule, bool* ties_against) {
  switch (static_cast<int>(rule)) {  // open enum
    case v1::RANK_RULE_UNSPECIFIED:
      return absl::OkStatus();
    case v1::RANK_RULE_STRICT:
    case v1::RANK_RULE_TIES_AGAINST:
      *ties_against = rule == v1::RANK_RULE_TIES_AGAINST;
      return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("logprobs.rank_rule is ", static_cast<int>(rule),
                                                 "; it must be STRICT or TIES_AGAINST"));
}

}  // namespace

absl::Status DecodeLogprobs(const v1::LogprobRequest& request, RowInput* input) {
  absl::Status status = DecodeModes("modes", request.modes(), &input->logprob_modes);
  if (!status.ok()) return status;
  status = DecodeModes("entropy_modes", request.entropy_modes(), &input->entropy_modes);
  if (!status.ok()) return status;
  if (input->entropy_modes & ~input->logprob_modes) {
    return absl::InvalidArgumentError(
        "logprobs.entropy_modes names a mode that logprobs.modes does not; it must be a subset");
  }
  if (request.top_n() > kMaxTopLogprobs) {
    return absl::InvalidArgumentError(absl::StrCat("logprobs.top_n is ", request.top_n(),
                                                   "; it must be at most ", kMaxTopLogprobs));
  }
  if (request.top_n() > 0 && input->logprob_modes == 0) {
    return absl::InvalidArgumentError(absl::StrCat("logprobs.top_n is ", request.top_n(),
                                                   ", but logprobs.modes is empty; name a mode"));
  }
  input->top_logprobs = request.top_n();
  return DecodeRankRule(request.rank_rule(), &input->ties_against);
}

v1::LogprobMode ToProto(LogprobMode mode) {
  switch (mode) {
    case LogprobMode::kRaw:
      return v1::LOGPROB_MODE_RAW;
    case LogprobMode::kRawMasked:
      return v1::LOGPROB_MODE_RAW_MASKED;
    case LogprobMode::kTempered:
      return v1::LOGPROB_MODE_TEMPERED;
    case LogprobMode::kProcessed:
      return v1::LOGPROB_MODE_PROCESSED;
  }
  return v1::LOGPROB_MODE_UNSPECIFIED;
}

}  // namespace tessera
