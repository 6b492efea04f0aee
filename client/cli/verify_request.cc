// Turns the flags of `tessera explain --verify` into a request.
#include <fstream>
#include <iterator>
#include <numeric>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/cli/verify_flags.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/json_util.h"

namespace tessera::cli {
namespace {

v1::Tensor TensorOf(const TypedRows& typed) {
  v1::Tensor tensor;
  tensor.set_element_type(v1::ELEMENT_TYPE_FLOAT32);
  tensor.set_rows(typed.rows);
  tensor.set_columns(typed.columns);
  tensor.mutable_inline_bytes()->assign(reinterpret_cast<const char*>(typed.values.data()),
                                        typed.values.size() * sizeof(float));
  return tensor;
}

absl::StatusOr<v1::Tensor> TensorOf(const std::string& path, const LogitsFileLayout& layout,
                                    int64_t first, size_t count) {
  absl::StatusOr<LogitsFile> file = LogitsFile::Open(path, layout);
  if (!file.ok()) return file.status();
  std::vector<int64_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  absl::StatusOr<std::string> bytes = file->ReadRows(rows);
  if (!bytes.ok()) return bytes.status();
  v1::Tensor tensor;
  tensor.set_element_type(file->type());
  tensor.set_rows(static_cast<int64_t>(count));
  tensor.set_columns(file->columns());
  tensor.set_inline_bytes(*std::move(bytes));
  return tensor;
}

// Keeps what is wrong with a text first.
class FirstFault : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstFault(std::string* fault) : fault_(*fault) {}
  void AddError(int line, int /*column*/, const std::string& message) override {
    if (fault_.empty()) fault_ = absl::StrCat("line ", line + 1, ": ", message);
  }

 private:
  std::string& fault_;
};

absl::StatusOr<v1::VerifyDraftsRequest> ReadRequest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": it cannot be read"));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  v1::VerifyDraftsRequest request;
  std::string fault;
  FirstFault collector(&fault);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "{")) {
    const auto read = google::protobuf::util::JsonStringToMessage(text, &request);
    if (read.ok()) return request;
    fault = read.ToString();
  } else if (parser.ParseFromString(text, &request)) {
    return request;
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": it is no VerifyDraftsRequest in JSON or in protobuf's text format",
                   fault.empty() ? "" : ": ", fault));
}

absl::Status AddDrafts(const VerifyFlags& flags, const ExplainFlags& row,
                       v1::VerifyDraftsRequest* request) {
  v1::DraftSequence* sequence = request->mutable_sequences(0);
  if (!flags.draft && flags.draft_path.empty()) {
    sequence->mutable_one_hot();
    return absl::OkStatus();
  }
  sequence->mutable_draft_logits()->set_chain(flags.draft_chain ? 1 : 0);
  if (flags.draft_chain) *request->add_chains() = flags.draft_chain->chain;
  if (flags.draft) {
    *request->add_draft_logits() = TensorOf(*flags.draft);
    return absl::OkStatus();
  }
  absl::StatusOr<v1::Tensor> rows =
      TensorOf(flags.draft_path, row.matrix.layout, flags.draft_row, flags.ExpandedPositions());
  if (rows.ok()) *request->add_draft_logits() = *std::move(rows);
  return rows.status();
}

}  // namespace

absl::StatusOr<v1::VerifyDraftsRequest> BuildVerifyRequest(const VerifyFlags& flags,
                                                           const ExplainFlags& row) {
  v1::VerifyDraftsRequest request;
  if (!flags.request_path.empty()) {
    absl::StatusOr<v1::VerifyDraftsRequest> read = ReadRequest(flags.request_path);
    if (!read.ok()) return read.status();
    read->set_explain(true);
    return read;
  }
  request.set_explain(true);
  request.add_chains();
  if (row.chain) *request.mutable_chains(0) = row.chain->chain;
  v1::DraftSequence* sequence = request.add_sequences();
  sequence->set_method(flags.method);
  sequence->set_without_replacement(flags.without_replacement);
  sequence->mutable_draft_ids()->Add(flags.drafts.begin(), flags.drafts.end());
  for (const float parent : flags.parents) sequence->add_parents(static_cast<int32_t>(parent));
  row.masks.Fill(sequence->mutable_target());
  sequence->mutable_target()->set_seed(row.seed.value_or(0));
  sequence->mutable_target()->set_position(static_cast<uint32_t>(row.position));
  sequence->mutable_target()->set_stream(static_cast<uint32_t>(row.stream));
  absl::StatusOr<v1::Tensor> target =
      flags.target
          ? TensorOf(*flags.target)
          : TensorOf(row.matrix.path, row.matrix.layout, row.file_row, flags.drafts.size() + 1);
  if (!target.ok()) return target.status();
  request.set_vocab_size(
      static_cast<uint32_t>(row.vocab_size.value_or(static_cast<uint64_t>(target->columns()))));
  *request.add_target_logits() = *std::move(target);
  if (absl::Status status = AddDrafts(flags, row, &request); !status.ok()) return status;
  return request;
}

}  // namespace tessera::cli
