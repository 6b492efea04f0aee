// Turns the flags of `tessera explain` into a request.
#include "client/cli/explain_flags.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"
#include "client/cli/id_flag.h"
#include "client/cli/number_list.h"

namespace tessera::cli {
namespace {

constexpr int64_t kMaxTyped = 1 << 16;  // logits on the command line

absl::StatusOr<TypedChain> ParseTyped(absl::string_view text) {
  absl::StatusOr<v1::SamplerChain> chain = ParseChain(text);
  if (!chain.ok()) return chain.status();
  return TypedChain{std::string(text), *std::move(chain)};
}

void DeclareRow(Flags* flags, ExplainFlags* out) {
  flags->Section("Logits of one row (without them, the chain alone is explained)");
  flags->Parsed(
      "values", "LIST", "logits as they stand, of ids 0, 1, ..., as in 4,3,2.2,-inf",
      [out](absl::string_view text) { return Store(ParseFloats(text, kMaxTyped), &out->values); });
  out->matrix.Declare(flags);
  flags->Integer("row", 0, kMaxId, &out->file_row, "row of the file");
  flags->OptionalUnsigned("vocab-size", 1, kMaxId, &out->vocab_size,
                          "ids at and beyond it are padding and never drawn (default all columns)");
}

void DeclareChains(Flags* flags, ExplainFlags* out) {
  flags->Section("Chains");
  flags->Parsed("chain", "CHAIN", "stages in the order they apply, or a preset; see below",
                [out](absl::string_view text) { return Store(ParseTyped(text), &out->chain); });
  flags->Parsed("chain-b", "CHAIN", "another one, to show both side by side",
                [out](absl::string_view text) { return Store(ParseTyped(text), &out->chain_b); });
  flags->OptionalUnsigned("seed", 0, std::numeric_limits<uint64_t>::max(), &out->seed,
                          "for a stage that tosses a coin, as xtc does (default 0)");
  flags->Integer("position", 0, std::numeric_limits<uint32_t>::max(), &out->position,
                 "likewise: index in its sequence of the token to be drawn");
  flags->Integer("stream", 0, std::numeric_limits<uint32_t>::max(), &out->stream,
                 "likewise: sets independent uses of a seed and position apart");
}

void DeclareReport(Flags* flags, ExplainFlags* out) {
  flags->Section("Report");
  DeclareIds(flags, "watch", &out->watched, "ids whose fate to follow, marked with *; at most 64");
  flags->OptionalUnsigned("leaders", 0, 64, &out->leaders,
                          "how many of the likeliest tokens to show (default 12)");
  flags->Text("tokens", "FILE", &out->names_path, "what tokens are called: one a line, id 0 first");
  flags->Text("html", "FILE", &out->html_path, "also write a page of pictures, complete in itself");
  flags->Choice("color", {"auto", "always", "never"}, &out->color,
                "colors; auto is only on a terminal");
  flags->Switch("ascii", &out->ascii, "plain characters, as where the locale is not UTF-8");
  flags->Switch("json", &out->json, "JSON, keys as in ExplainChainResponse; a line for each chain");
}

absl::Status AddLogits(const ExplainFlags& flags, v1::ExplainChainRequest* request) {
  v1::Tensor* tensor = request->mutable_logits();
  tensor->set_rows(1);
  if (flags.values) {
    tensor->set_element_type(v1::ELEMENT_TYPE_FLOAT32);
    tensor->set_columns(static_cast<int64_t>(flags.values->size()));
    tensor->mutable_inline_bytes()->assign(reinterpret_cast<const char*>(flags.values->data()),
                                           flags.values->size() * sizeof(float));
    return absl::OkStatus();
  }
  absl::StatusOr<LogitsFile> file = LogitsFile::Open(flags.matrix.path, flags.matrix.layout);
  if (!file.ok()) return file.status();
  absl::StatusOr<std::string> bytes = file->ReadRows({flags.file_row});
  if (!bytes.ok()) return bytes.status();
  tensor->set_element_type(file->type());
  tensor->set_columns(file->columns());
  tensor->set_inline_bytes(*std::move(bytes));
  return absl::OkStatus();
}

}  // namespace

void ExplainFlags::Declare(Flags* flags) {
  DeclareRow(flags, this);
  DeclareChains(flags, this);
  masks.Declare(flags);
  DeclareReport(flags, this);
}

absl::Status ExplainFlags::Check() const {
  if (!chain) return absl::InvalidArgumentError("--chain CHAIN is needed");
  if (values && !matrix.path.empty()) {
    return absl::InvalidArgumentError("--values and --logits are both given; it must be one");
  }
  if (!has_logits() && !watched.empty()) {
    return absl::InvalidArgumentError("--watch needs a row: --values or --logits");
  }
  return matrix.Check();
}

Terminal ExplainFlags::ShownOn() const {
  Terminal terminal = Terminal::Detect();
  if (ascii) terminal.utf8 = false;
  if (color != "auto") terminal.color = color == "always";
  return terminal;
}

absl::StatusOr<v1::ExplainChainRequest> BuildExplainRequest(const ExplainFlags& flags) {
  v1::ExplainChainRequest request;
  *request.mutable_chain() = flags.chain->chain;
  if (!flags.has_logits()) return request;
  if (absl::Status status = AddLogits(flags, &request); !status.ok()) return status;
  request.set_vocab_size(static_cast<uint32_t>(
      flags.vocab_size.value_or(static_cast<uint64_t>(request.logits().columns()))));
  v1::SampleRow* row = request.mutable_row();
  flags.masks.Fill(row);
  if (flags.seed) row->set_seed(*flags.seed);
  row->set_position(static_cast<uint32_t>(flags.position));
  row->set_stream(static_cast<uint32_t>(flags.stream));
  request.mutable_watch_ids()->Add(flags.watched.begin(), flags.watched.end());
  if (flags.leaders) request.set_leaders(static_cast<uint32_t>(*flags.leaders));
  return request;
}

}  // namespace tessera::cli
