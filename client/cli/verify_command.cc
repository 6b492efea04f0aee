// `tessera explain --verify`, from its flags to what it prints.
#include "client/cli/verify_command.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "client/cli/failure.h"
#include "client/cli/verify_text.h"
#include "google/protobuf/util/json_util.h"

namespace tessera::cli {

ExitCode ExplainVerification(const VerifyFlags& verify, const ExplainFlags& row,
                             const ConnectionFlags& connection) {
  TokenNames names;
  if (!row.names_path.empty()) {
    absl::StatusOr<TokenNames> read = TokenNames::Read(row.names_path);
    if (!read.ok()) return Fail(kExitUsage, read.status());
    names = *std::move(read);
  }
  const absl::StatusOr<v1::VerifyDraftsRequest> request = BuildVerifyRequest(verify, row);
  if (!request.ok()) return Fail(kExitUsage, request.status());
  const absl::StatusOr<Client> client = connection.Connect();
  if (!client.ok()) return Fail(kExitUsage, client.status());
  const absl::StatusOr<v1::VerifyDraftsResponse> response = client->Verify(*request);
  if (!response.ok()) return Fail(kExitServerError, response.status());
  std::string text;
  if (row.json) {
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    (void)google::protobuf::util::MessageToJsonString(*response, &text, options);
    text += "\n";
  } else {
    text = VerificationText(*request, *response, names, row.ShownOn());
  }
  std::fputs(text.c_str(), stdout);
  const auto& outcomes = response->outcomes();
  const bool all_ok = std::all_of(outcomes.begin(), outcomes.end(),
                                  [](int outcome) { return outcome == v1::ROW_OUTCOME_OK; });
  return all_ok ? kExitOk : kExitRowsFailed;
}

}  // namespace tessera::cli
