// Presets: an engine's sampler under the engine's own parameter names and defaults, expanded to an
// explicit chain. A preset is named after one implementation, because an engine may hold several
// that answer the same boundary case differently.
//
// What an engine takes per sequence (seed, minimum length, bias values, word lists) is not a
// parameter here: it belongs to the row, and a preset says so when it refuses it.
#ifndef TESSERA_KERNELS_PRESETS_PRESET_H_
#define TESSERA_KERNELS_PRESETS_PRESET_H_

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "kernels/chain.h"
#include "kernels/types.h"

namespace tessera {

// A switch is a number, 0 or 1, or the text "true" or "false".
using PresetValue = std::variant<double, std::string>;
using PresetParameters = std::map<std::string, PresetValue, std::less<>>;

enum class Fidelity : uint8_t {
  kLaw,     // the kept set and its probabilities
  kTokens,  // also the token, for the engine's own seed and position in its stream
};

// How an engine numbers a token in its log-probability reports.
enum class RankRule : uint8_t {
  kNone,           // it reports no rank
  kLargerPlusOne,  // 1 + tokens strictly likelier: the best rank of a tie group, as Tessera reports
  kAtLeast,        // tokens at least as likely: the worst rank of a tie group (vLLM)
};

struct PresetParameter {
  enum class Type : uint8_t {
    kNumber,
    kInteger,
    kSwitch,
    kText,
    kFixed,  // known, but only its default is offered; `meaning` says why
    kRow,    // known, but belongs to the row; `meaning` says where
  };
  std::string name;
  Type type = Type::kNumber;
  PresetValue initial;   // the engine's default
  std::string accepted;  // completes "it must be ..."
  std::string meaning;
  double low = 0;  // kNumber, kInteger: the range in `accepted`
  double high = 0;
  bool low_open = false, high_open = false;
  std::optional<double> extra;  // one value more that is accepted, outside the range
  std::string alias;            // another name that the engine has for it; or empty
};

// What holds for every use of a preset. Sentences are for people: ExplainChain, tessera explain.
struct PresetDescription {
  std::string name = {};
  std::string follows = {};  // the implementation, and what was read of it
  Fidelity fidelity = Fidelity::kLaw;
  LogprobMode logprobs = LogprobMode::kRaw;  // what the engine reports by default
  RankRule rank = RankRule::kNone;
  std::string order = {};        // of its stages
  std::string ties = {};         // at the k-th
  std::string boundary = {};     // of the nucleus
  std::string base = {};         // of the nucleus: sequential or joint
  std::string penalties = {};    // scope and order
  std::string greedy_when = {};  // the threshold
  std::string disabled = {};     // which values turn a parameter off
  std::string draw = {};         // the rule and its random words
  std::vector<PresetParameter> parameters = {};
};

struct ExpandedPreset {
  Chain chain;                                     // what CompileChain takes
  bool greedy = false;                             // these parameters leave no draw
  Fidelity fidelity = Fidelity::kLaw;              // of these parameters: at most the description's
  const PresetDescription* description = nullptr;  // lives as long as the program
  std::vector<std::string> notes;  // departures, and what the parameters did: short sentences
};

// Every name that ExpandPreset takes, in the order of the documentation.
const std::vector<std::string>& PresetNames();

// InvalidArgument lists the names that exist.
absl::StatusOr<const PresetDescription*> DescribePreset(absl::string_view name);

// InvalidArgument names the parameter, its value and what would be accepted, or why the preset does
// not offer it: "vllm-torch.top_p is 0; it must be in (0, 1]". Parameters left out have the
// engine's defaults.
absl::StatusOr<ExpandedPreset> ExpandPreset(absl::string_view name,
                                            const PresetParameters& parameters);

}  // namespace tessera

#endif  // TESSERA_KERNELS_PRESETS_PRESET_H_
