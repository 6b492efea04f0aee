#include "client/state_text.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tessera {
namespace {

bool ReadAdaptive(absl::string_view value, v1::AdaptivePState* state) {
  const std::pair<absl::string_view, absl::string_view> pair =
      absl::StrSplit(value, absl::MaxSplits(':', 1));
  double sum = 0;
  double weight = 0;
  if (!absl::SimpleAtod(pair.first, &sum) || !absl::SimpleAtod(pair.second, &weight)) return false;
  state->set_weighted_sum(sum);
  state->set_total_weight(weight);
  return true;
}

bool ReadItem(absl::string_view name, absl::string_view value, v1::StageState* state) {
  if (name == "mirostat" && state->stage_case() == v1::StageState::STAGE_NOT_SET) {
    double mu = 0;
    if (!absl::SimpleAtod(value, &mu)) return false;
    state->mutable_mirostat()->set_mu(mu);
    return true;
  }
  if (name == "adaptive_p" && state->stage_case() == v1::StageState::STAGE_NOT_SET) {
    return ReadAdaptive(value, state->mutable_adaptive_p());
  }
  uint64_t word = 0;
  if (name != "xorshift64" || state->has_xorshift64() || !absl::SimpleAtoi(value, &word)) {
    return false;
  }
  state->set_xorshift64(word);
  return true;
}

}  // namespace

absl::StatusOr<v1::StageState> ParseState(absl::string_view text) {
  v1::StageState state;
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    if (!ReadItem(pair.first, pair.second, &state)) {
      return absl::InvalidArgumentError(
          absl::StrCat("is '", text, "'; it must be mirostat=MU or adaptive_p=SUM:WEIGHT, and ",
                       "xorshift64=STATE, separated by a comma"));
    }
  }
  return state;
}

std::string StateText(const v1::StageState& state) {
  std::vector<std::string> items;
  if (state.has_mirostat()) {
    items.push_back(absl::StrFormat("mirostat=%.17g", state.mirostat().mu()));
  }
  if (state.has_adaptive_p()) {
    items.push_back(absl::StrFormat("adaptive_p=%.17g:%.17g", state.adaptive_p().weighted_sum(),
                                    state.adaptive_p().total_weight()));
  }
  if (state.has_xorshift64()) items.push_back(absl::StrCat("xorshift64=", state.xorshift64()));
  return absl::StrJoin(items, ",");
}

}  // namespace tessera
