// Short names of the proto's enumerations.
#include "client/cli/names.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tessera::cli {
namespace {

// A value without its enumeration's prefix; a newer server's value as its number.
std::string Bare(const std::string& name, absl::string_view prefix, int number) {
  return name.empty() ? absl::StrCat(number) : std::string(absl::StripPrefix(name, prefix));
}

}  // namespace

std::string ModeName(v1::LogprobMode mode) {
  return absl::AsciiStrToLower(Bare(v1::LogprobMode_Name(mode), "LOGPROB_MODE_", mode));
}

std::string OutcomeName(v1::RowOutcome outcome) {
  return Bare(v1::RowOutcome_Name(outcome), "ROW_OUTCOME_", outcome);
}

std::string TypeName(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_FLOAT32) return "fp32";
  if (type == v1::ELEMENT_TYPE_FLOAT16) return "fp16";
  if (type == v1::ELEMENT_TYPE_BFLOAT16) return "bf16";
  return absl::AsciiStrToLower(Bare(v1::ElementType_Name(type), "ELEMENT_TYPE_", type));
}

std::string SourceName(v1::TensorSource source) {
  return absl::AsciiStrToLower(Bare(v1::TensorSource_Name(source), "TENSOR_SOURCE_", source));
}

v1::ElementType TypeFromName(absl::string_view name) {
  if (name == "fp32") return v1::ELEMENT_TYPE_FLOAT32;
  if (name == "fp16") return v1::ELEMENT_TYPE_FLOAT16;
  if (name == "bf16") return v1::ELEMENT_TYPE_BFLOAT16;
  return v1::ELEMENT_TYPE_UNSPECIFIED;
}

int64_t ElementSize(v1::ElementType type) { return type == v1::ELEMENT_TYPE_FLOAT32 ? 4 : 2; }

absl::StatusOr<v1::RankRule> RankRuleFromName(absl::string_view name) {
  if (name == "strict") return v1::RANK_RULE_STRICT;
  if (name == "ties_against") return v1::RANK_RULE_TIES_AGAINST;
  return absl::InvalidArgumentError(
      absl::StrCat("is '", name, "'; it must be strict or ties_against"));
}

absl::StatusOr<std::vector<v1::LogprobMode>> ParseModes(absl::string_view text) {
  std::vector<v1::LogprobMode> modes;
  for (absl::string_view name : absl::StrSplit(text, ',')) {
    v1::LogprobMode mode = v1::LOGPROB_MODE_UNSPECIFIED;
    const std::string full = absl::StrCat("LOGPROB_MODE_", absl::AsciiStrToUpper(name));
    if (!v1::LogprobMode_Parse(full, &mode) || mode == v1::LOGPROB_MODE_UNSPECIFIED) {
      return absl::InvalidArgumentError(absl::StrCat(
          "names '", name, "'; it must be a list of raw, raw_masked, tempered, processed"));
    }
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) {
      return absl::InvalidArgumentError(absl::StrCat("names ", name, " twice"));
    }
    modes.push_back(mode);
  }
  return modes;
}

}  // namespace tessera::cli
