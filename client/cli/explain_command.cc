// `tessera explain`: what a chain does to a row, stage by stage, or two chains side by side.
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"
#include "client/cli/commands.h"
#include "client/cli/connection_flags.h"
#include "client/cli/explain_flags.h"
#include "client/cli/explain_html.h"
#include "client/cli/explain_text.h"
#include "client/cli/failure.h"
#include "client/cli/verify_command.h"
#include "client/cli/verify_flags.h"
#include "google/protobuf/util/json_util.h"

namespace tessera::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Shows what a chain does to one row of logits, stage by stage: tokens left, their mass, who was cut
at the boundary and why. With two chains, also where they differ. Nothing is drawn. With --verify,
how the drafts of a speculative step are accepted or rejected.

  tessera explain --values 4,3,2.2,1.6,1,-2 --chain temperature=1.5,top_p=0.9
  tessera explain --values 4,3,2.2,1.6,1,-2 --chain top_p=0.9 --chain-b top_p=0.9:exceed
  tessera explain --logits rows.npy --row 3 --chain top_k=50,min_p=0.05 --watch 17,99
  tessera explain --chain preset:vllm-torch,top_p=0.9 --chain-b preset:llamacpp,top_p=0.9
  tessera explain --values 3,2.5,2,1,0.5,0 --chain top_p=0.9 --html page.html
  tessera explain --verify token --drafts 0,1 --target '2,1,0;0,2,1;1,1,1' --draft '1,2,0;0,2,2'
)";

constexpr char kOutput[] = R"(
Output: for each stage its rule, why it cut where it did, how many tokens it left, their share of
the mass before any truncation, the entropy and the last token kept; then a line per token: id,
logit after the edits so far, probability before and after the stage, and a bar of the latter.
With --verify, for each draft tested: its probability p in the target's law and q in the drafter's,
the probability of its acceptance and the random number u that decided; then the law that the last
token came from, among the target's likeliest tokens, and what was emitted.
)";

constexpr int kMaxWatched = 64;  // ids of one request

std::string Help(const Flags& flags) {
  return absl::StrCat(kIntroduction, flags.Help(),
                      "\nStages of a chain, comma-separated, in the order they apply:\n",
                      ChainTextHelp(), kOutput, "\n", kExitCodesHelp);
}

// Follows in each chain what the other follows, so that every token is told of both.
void WatchBoth(const v1::ExplainChainResponse& other, v1::ExplainChainRequest* request) {
  std::set<int32_t> ids(request->watch_ids().begin(), request->watch_ids().end());
  const auto watch = [&](int32_t id) {
    if (request->watch_ids_size() < kMaxWatched && ids.insert(id).second)
      request->add_watch_ids(id);
  };
  for (const v1::StageExplanation& stage : other.stages()) {
    for (const v1::CutExplanation& cut : stage.cuts()) {
      watch(cut.last_kept().id());
      watch(cut.first_cut().id());
    }
  }
  for (const int32_t id : other.followed_ids()) watch(id);
}

absl::StatusOr<std::vector<v1::ExplainChainResponse>> Ask(const ExplainFlags& wanted,
                                                          v1::ExplainChainRequest request,
                                                          const Client& client) {
  absl::StatusOr<v1::ExplainChainResponse> first = client.Explain(request);
  if (!first.ok()) return first.status();
  if (!wanted.chain_b) return std::vector<v1::ExplainChainResponse>{*std::move(first)};
  v1::ExplainChainRequest request_b = request;
  *request_b.mutable_chain() = wanted.chain_b->chain;
  absl::StatusOr<v1::ExplainChainResponse> second = client.Explain(request_b);
  if (second.ok() && second->has_start() && first->has_start()) {
    const v1::ExplainChainResponse alone = *first;
    WatchBoth(*second, &request);
    WatchBoth(alone, &request_b);
    first = client.Explain(request);
    if (first.ok()) second = client.Explain(request_b);
  }
  if (!first.ok()) return first.status();
  if (!second.ok()) return second.status();
  return std::vector<v1::ExplainChainResponse>{*std::move(first), *std::move(second)};
}

absl::Status WritePage(const std::string& path, const std::string& page) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << page;
  file.close();
  if (file) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": it cannot be written"));
}

std::string JsonLines(const std::vector<v1::ExplainChainResponse>& responses) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string out;
  for (const v1::ExplainChainResponse& response : responses) {
    std::string line;
    (void)google::protobuf::util::MessageToJsonString(response, &line, options);
    absl::StrAppend(&out, line, "\n");
  }
  return out;
}

ExitCode Show(const ExplainFlags& wanted, const TokenNames& names,
              std::vector<v1::ExplainChainResponse> responses) {
  ExitCode code = kExitOk;
  std::vector<ExplanationView> views;
  for (size_t i = 0; i < responses.size(); ++i) {
    if (!responses[i].error().empty()) code = kExitRowsFailed;
    const TypedChain& chain = i == 0 ? *wanted.chain : *wanted.chain_b;
    views.push_back(ViewOf(responses[i], chain.text, wanted.watched, names));
    if (responses.size() > 1) views.back().label = std::string(1, i == 0 ? 'A' : 'B');
  }
  ExplainedPair pair;
  if (views.size() > 1) pair = Compare(views[0], views[1]);
  const Terminal terminal = wanted.ShownOn();
  std::string text = wanted.json ? JsonLines(responses) : "";
  for (size_t i = 0; i < views.size() && !wanted.json; ++i) {
    absl::StrAppend(&text, ExplanationText(views[i], terminal), views.size() > 1 ? "\n" : "");
  }
  if (views.size() > 1 && !wanted.json) absl::StrAppend(&text, PairText(pair, terminal));
  std::fputs(text.c_str(), stdout);
  if (wanted.html_path.empty()) return code;
  const std::string page = ExplanationPage(views, views.size() > 1 ? &pair : nullptr);
  const absl::Status written = WritePage(wanted.html_path, page);
  return written.ok() ? code : Fail(kExitUsage, written);
}

ExitCode Explain(const ExplainFlags& wanted, const ConnectionFlags& connection) {
  TokenNames names;
  if (!wanted.names_path.empty()) {
    absl::StatusOr<TokenNames> read = TokenNames::Read(wanted.names_path);
    if (!read.ok()) return Fail(kExitUsage, read.status());
    names = *std::move(read);
  }
  absl::StatusOr<v1::ExplainChainRequest> request = BuildExplainRequest(wanted);
  if (!request.ok()) return Fail(kExitUsage, request.status());
  absl::StatusOr<Client> client = connection.Connect();
  if (!client.ok()) return Fail(kExitUsage, client.status());
  auto responses = Ask(wanted, *std::move(request), *client);
  if (!responses.ok()) return Fail(kExitServerError, responses.status());
  return Show(wanted, names, *std::move(responses));
}

}  // namespace

ExitCode RunExplain(absl::Span<const std::string> arguments) {
  ExplainFlags wanted;
  VerifyFlags verify;
  ConnectionFlags connection;
  Flags flags;
  wanted.Declare(&flags);
  verify.Declare(&flags);
  connection.Declare(&flags);
  connection.DeclareAttempts(&flags);
  absl::Status status = flags.Parse(arguments);
  if (flags.help_wanted()) {
    std::fputs(Help(flags).c_str(), stdout);
    return kExitOk;
  }
  status.Update(verify.Check(wanted));
  if (!verify.wanted()) status.Update(wanted.Check());
  if (!status.ok()) return FailUsage("explain", status);
  if (verify.wanted()) return ExplainVerification(verify, wanted, connection);
  return Explain(wanted, connection);
}

}  // namespace tessera::cli
