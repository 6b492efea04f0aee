// The flags of `tessera explain --verify`.
#include "client/cli/verify_flags.h"

#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/chain_text.h"
#include "client/cli/id_flag.h"
#include "client/cli/number_list.h"

namespace tessera::cli {
namespace {

constexpr int64_t kMaxTyped = 1 << 16;  // logits on the command line
constexpr int64_t kMaxNodes = 1 << 10;

absl::StatusOr<v1::VerificationMethod> MethodFromName(absl::string_view name) {
  std::vector<std::string> known;
  const google::protobuf::EnumDescriptor* methods = v1::VerificationMethod_descriptor();
  for (int i = 0; i < methods->value_count(); ++i) {
    const auto method = static_cast<v1::VerificationMethod>(methods->value(i)->number());
    if (method == v1::VERIFICATION_METHOD_UNSPECIFIED) continue;
    known.push_back(MethodName(method));
    if (known.back() == name) return method;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("is '", name, "'; it must be one of ", absl::StrJoin(known, ", ")));
}

absl::StatusOr<TypedRows> ParseRows(absl::string_view text) {
  TypedRows typed;
  for (absl::string_view part : absl::StrSplit(text, ';')) {
    const absl::StatusOr<std::vector<float>> row = ParseFloats(part, kMaxTyped);
    if (!row.ok()) return row.status();
    const auto columns = static_cast<int64_t>(row->size());
    if (typed.rows > 0 && columns != typed.columns) {
      return absl::InvalidArgumentError(absl::StrCat("has a row of ", columns,
                                                     " logits after one of ", typed.columns,
                                                     "; all rows must be as long"));
    }
    typed.values.insert(typed.values.end(), row->begin(), row->end());
    typed.columns = columns;
    ++typed.rows;
  }
  return typed;
}

absl::StatusOr<TypedChain> ParseTyped(absl::string_view text) {
  absl::StatusOr<v1::SamplerChain> chain = ParseChain(text);
  if (!chain.ok()) return chain.status();
  return TypedChain{std::string(text), *std::move(chain)};
}

absl::Status WrongCount(absl::string_view flag, int64_t rows, absl::string_view wanted,
                        size_t drafts) {
  return absl::InvalidArgumentError(absl::StrCat("--", flag, " has ", rows, " rows; for ", drafts,
                                                 " drafts it must have ", wanted));
}

}  // namespace

std::string MethodName(v1::VerificationMethod method) {
  const std::string name = v1::VerificationMethod_Name(method);
  constexpr absl::string_view kPrefix = "VERIFICATION_METHOD_";
  return name.size() > kPrefix.size() ? absl::AsciiStrToLower(name.substr(kPrefix.size())) : name;
}

void VerifyFlags::Declare(Flags* flags) {
  flags->Section("A verification in place of a chain; --logits then names the target's rows");
  flags->Parsed("verify", "METHOD", "token, block, ...: how drafts are accepted or rejected",
                [this](absl::string_view text) { return Store(MethodFromName(text), &method); });
  DeclareIds(flags, "drafts", &drafts, "the drafted tokens, in the order of nodes");
  flags->Parsed("target", "ROWS",
                "logits of the target before each draft and after the last, as in '2,1;0,3;1,1'",
                [this](absl::string_view text) { return Store(ParseRows(text), &target); });
  flags->Parsed("draft", "ROWS",
                "logits that drafts were drawn from, one row for siblings; without them, one-hot",
                [this](absl::string_view text) { return Store(ParseRows(text), &draft); });
  flags->Text("draft-logits", "FILE", &draft_path, "the same from a file like that of --logits");
  flags->Integer("draft-row", 0, kMaxId, &draft_row, "row of that file of the first draft");
  flags->Parsed("draft-chain", "CHAIN", "of the drafts (default: --chain)",
                [this](absl::string_view text) { return Store(ParseTyped(text), &draft_chain); });
  flags->Parsed(
      "parents", "LIST", "of a tree: each node's parent, -1 for the root",
      [this](absl::string_view text) { return Store(ParseFloats(text, kMaxNodes), &parents); });
  flags->Switch("without-replacement", &without_replacement,
                "siblings were drawn without replacement");
  flags->Text(
      "request", "FILE", &request_path,
      "a whole VerifyDraftsRequest in JSON or protobuf's text format, in place of all this");
}

size_t VerifyFlags::ExpandedPositions() const {
  return parents.empty() ? drafts.size() : std::set<float>(parents.begin(), parents.end()).size();
}

absl::Status VerifyFlags::Check(const ExplainFlags& row) const {
  if (!request_path.empty()) return absl::OkStatus();
  if (!wanted()) {
    const char* given = !drafts.empty()       ? "--drafts"
                        : target              ? "--target"
                        : draft               ? "--draft"
                        : !draft_path.empty() ? "--draft-logits"
                        : !parents.empty()    ? "--parents"
                                              : nullptr;
    if (given == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(given, " needs --verify METHOD"));
  }
  if (row.values || row.chain_b || !row.html_path.empty()) {
    return absl::InvalidArgumentError(
        "--values, --chain-b and --html explain a chain; with --verify, use --target or --logits");
  }
  if (target.has_value() != row.matrix.path.empty()) {
    return absl::InvalidArgumentError("--verify needs the target's rows: --target or --logits");
  }
  if (draft && !draft_path.empty()) {
    return absl::InvalidArgumentError("--draft and --draft-logits are both given; it must be one");
  }
  const auto nodes = static_cast<int64_t>(drafts.size());
  if (target && target->rows != nodes + 1) {
    return WrongCount("target", target->rows, "one more", drafts.size());
  }
  if (draft && draft->rows != static_cast<int64_t>(ExpandedPositions()))
    return WrongCount("draft", draft->rows,
                      absl::StrCat(ExpandedPositions(), ", one for each position with drafts"),
                      drafts.size());
  for (const float parent : parents) {
    if (parent >= -1 && parent < static_cast<float>(kMaxNodes) && parent == std::floor(parent)) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("--parents has ", parent, "; it must be -1 or the number of an earlier node"));
  }
  return row.matrix.Check();
}

}  // namespace tessera::cli
