// Short names of the proto's enumerations, as flags take them and output prints them.
#ifndef TESSERA_CLIENT_CLI_NAMES_H_
#define TESSERA_CLIENT_CLI_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/v1/row.pb.h"
#include "tessera/v1/sampling.pb.h"
#include "tessera/v1/tensor.pb.h"

namespace tessera::cli {

std::string ModeName(v1::LogprobMode mode);       // "raw", "raw_masked", "tempered", "processed"
std::string OutcomeName(v1::RowOutcome outcome);  // "OK", "INVALID_LOGITS", ...
std::string TypeName(v1::ElementType type);       // "fp32", "fp16", "bf16", else as in the proto
std::string SourceName(v1::TensorSource source);  // "inline", "shared_memory", ...

// "fp32", "fp16" or "bf16"; ELEMENT_TYPE_UNSPECIFIED for anything else.
v1::ElementType TypeFromName(absl::string_view name);
int64_t ElementSize(v1::ElementType type);  // bytes; of the three types above

// "strict" or "ties_against".
absl::StatusOr<v1::RankRule> RankRuleFromName(absl::string_view name);

// Comma-separated mode names, each at most once.
absl::StatusOr<std::vector<v1::LogprobMode>> ParseModes(absl::string_view text);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_NAMES_H_
