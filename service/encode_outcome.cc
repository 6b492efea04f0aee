#include "service/encode_outcome.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace tessera {

v1::RowOutcome ToProto(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return v1::ROW_OUTCOME_OK;
    case Outcome::kInvalidLogits:
      return v1::ROW_OUTCOME_INVALID_LOGITS;
    case Outcome::kEmptySupport:
      return v1::ROW_OUTCOME_EMPTY_SUPPORT;
    case Outcome::kInvalidParameters:
      return v1::ROW_OUTCOME_INVALID_PARAMETERS;
    case Outcome::kLawTooLarge:
      return v1::ROW_OUTCOME_LAW_TOO_LARGE;
  }
  return v1::ROW_OUTCOME_UNSPECIFIED;
}

std::string MessageOf(const RowResult& result) {
  switch (result.outcome) {
    case Outcome::kOk:
      return "";
    case Outcome::kInvalidLogits:
      return absl::StrCat("the logit of id ", result.invalid_id, " is ",
                          std::isnan(result.invalid_logit) ? "NaN" : "+inf",
                          " after edits; it must be finite or -inf, or the id banned");
    case Outcome::kEmptySupport:
      return "masks and logits of -inf left no candidate";
    case Outcome::kInvalidParameters:
      return "the row's parameters were refused by the backend";
    case Outcome::kLawTooLarge:
      return absl::StrCat("the support has ", result.support_size,
                          " ids, more than return_law.max_ids allows");
  }
  return "";
}

}  // namespace tessera
