// What `tessera explain --verify` was asked: drafts with their laws, and the request they make.
#ifndef TESSERA_CLIENT_CLI_VERIFY_FLAGS_H_
#define TESSERA_CLIENT_CLI_VERIFY_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/explain_flags.h"
#include "client/cli/flags.h"
#include "tessera/v1/verification.pb.h"

namespace tessera::cli {

// Rows of logits as they are typed: equal in length, one after the other.
struct TypedRows {
  std::vector<float> values;
  int64_t rows = 0;
  int64_t columns = 0;
};

struct VerifyFlags {
  v1::VerificationMethod method = v1::VERIFICATION_METHOD_UNSPECIFIED;
  std::string request_path;  // a whole VerifyDraftsRequest, in place of all that follows

  std::vector<int64_t> drafts;
  std::vector<float> parents;  // whole numbers from -1 on; empty: a chain
  bool without_replacement = false;
  std::optional<TypedRows> target;  // [drafts + 1], unless --logits names a file
  std::optional<TypedRows>
      draft;  // [ExpandedPositions()]; without it and draft_path drafts are one-hot
  std::string draft_path;
  int64_t draft_row = 0;
  std::optional<TypedChain> draft_chain;  // else the target's

  void Declare(Flags* flags);

  // Whether a verification is to be explained, and not a chain.
  bool wanted() const {
    return method != v1::VERIFICATION_METHOD_UNSPECIFIED || !request_path.empty();
  }

  // Positions with drafts after them, which share one draft law: as many as drafts in a chain.
  size_t ExpandedPositions() const;

  // What no single flag can know, beside the flags of a row. InvalidArgument.
  absl::Status Check(const ExplainFlags& row) const;
};

// "token", "block", ...: a method as flags and reports spell it.
std::string MethodName(v1::VerificationMethod method);

// The chain, the row's masks, the seed and --logits are those of `row`. InvalidArgument, NotFound
// or OutOfRange say what is wrong with a file.
absl::StatusOr<v1::VerifyDraftsRequest> BuildVerifyRequest(const VerifyFlags& flags,
                                                           const ExplainFlags& row);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_VERIFY_FLAGS_H_
