// Turns the flags of `tessera sample` into a request.
#include "client/cli/sample_flags.h"

#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "client/chain_text.h"
#include "client/cli/id_flag.h"
#include "client/cli/names.h"
#include "client/cli/number_list.h"

namespace tessera::cli {
namespace {

constexpr int64_t kMaxRows = 1 << 16;     // in one request
constexpr int64_t kMaxBytes = 1LL << 30;  // of logits in one request

void DeclareMatrix(Flags* flags, SampleFlags* out) {
  flags->Section("Logits");
  out->matrix.Declare(flags);
  flags->Text("guidance-logits", "FILE", &out->guidance_path,
              "a file of the same kind, row for row, that a guidance stage leads away from");
  flags->Parsed("rows", "LIST", "rows of the file to sample, as in 0,3,5-8 (default all)",
                [out](absl::string_view text) {
                  return Store(ParseNumbers(text, kMaxId, kMaxRows), &out->rows);
                });
  flags->OptionalUnsigned("vocab-size", 1, kMaxId, &out->vocab_size,
                          "ids at and beyond it are padding and never drawn (default all columns)");
}

void DeclareDraw(Flags* flags, SampleFlags* out) {
  flags->Section("Sampling");
  flags->Parsed("chain", "CHAIN", "stages in the order they apply, see below (default none)",
                [out](absl::string_view text) { return Store(ParseChain(text), &out->chain); });
  flags->OptionalUnsigned("seed", 0, std::numeric_limits<uint64_t>::max(), &out->seed,
                          "row r of the file draws with seed N + r (default: a random seed per "
                          "row, which is printed)");
  flags->Integer("position", 0, std::numeric_limits<uint32_t>::max(), &out->position,
                 "index in its sequence of the token to be drawn");
  flags->Integer("stream", 0, std::numeric_limits<uint32_t>::max(), &out->stream,
                 "sets independent uses of a seed and position apart");
  flags->Integer("samples", 0, kMaxId, &out->samples, "independent draws per row; 0 only scores");
}

void DeclareReport(Flags* flags, SampleFlags* out) {
  flags->Section("Report");
  flags->OptionalUnsigned("logprobs", 0, kMaxId, &out->top_logprobs,
                          "logprob and rank of what was drawn, and the N likeliest tokens");
  flags->Parsed("logprob-modes", "MODES",
                "of which law: a list of raw, raw_masked, tempered, processed (default raw); "
                "without --logprobs, only of what was drawn",
                [out](absl::string_view text) { return Store(ParseModes(text), &out->modes); });
  flags->Parsed(
      "rank-rule", "strict|ties_against",
      "how ranks number tokens of one logit: all as the first, or as the last (default: as the "
      "preset does, else strict)",
      [out](absl::string_view text) { return Store(RankRuleFromName(text), &out->rank_rule); });
  DeclareIds(flags, "score", &out->score_ids, "ids whose logprob and rank to report");
  flags->Switch("entropy", &out->entropy, "entropy in nats of each law of --logprob-modes");
  flags->Switch("support-size", &out->support_size, "how many tokens the chain left");
  flags->Switch("json", &out->json, "one line of JSON for machines");
}

void FillRow(const SampleFlags& flags, v1::SampleRow* row) {
  row->set_position(static_cast<uint32_t>(flags.position));
  row->set_stream(static_cast<uint32_t>(flags.stream));
  row->set_samples(static_cast<uint32_t>(flags.samples));
  flags.masks.Fill(row);
}

void FillReport(const SampleFlags& flags, v1::SampleRow* row) {
  row->set_return_support_size(flags.support_size);
  row->mutable_score_ids()->Add(flags.score_ids.begin(), flags.score_ids.end());
  std::vector<v1::LogprobMode> modes = flags.modes;
  const bool wanted = flags.top_logprobs || flags.entropy || !flags.score_ids.empty();
  if (modes.empty() && wanted) modes.push_back(v1::LOGPROB_MODE_RAW);
  if (modes.empty()) return;
  v1::LogprobRequest* logprobs = row->mutable_logprobs();
  logprobs->set_rank_rule(flags.rank_rule);
  logprobs->set_top_n(static_cast<uint32_t>(flags.top_logprobs.value_or(0)));
  for (const v1::LogprobMode mode : modes) {
    logprobs->add_modes(mode);
    if (flags.entropy) logprobs->add_entropy_modes(mode);
  }
}

absl::Status FillTensor(LogitsFile* file, const std::vector<int64_t>& rows, v1::Tensor* tensor) {
  absl::StatusOr<std::string> bytes = file->ReadRows(rows);
  if (!bytes.ok()) return bytes.status();
  tensor->set_element_type(file->type());
  tensor->set_rows(static_cast<int64_t>(rows.size()));
  tensor->set_columns(file->columns());
  tensor->set_inline_bytes(*std::move(bytes));
  return absl::OkStatus();
}

}  // namespace

void SampleFlags::Declare(Flags* flags) {
  DeclareMatrix(flags, this);
  DeclareDraw(flags, this);
  masks.Declare(flags);
  DeclareReport(flags, this);
}

absl::Status SampleFlags::Check() const {
  if (matrix.path.empty()) return absl::InvalidArgumentError("--logits FILE is needed");
  return matrix.Check();
}

absl::StatusOr<FileSample> BuildFileSample(const SampleFlags& flags) {
  absl::StatusOr<LogitsFile> file = LogitsFile::Open(flags.matrix.path, flags.matrix.layout);
  if (!file.ok()) return file.status();
  const bool all = flags.rows.empty();
  const int64_t rows = all ? file->rows() : static_cast<int64_t>(flags.rows.size());
  if (rows > kMaxRows || rows > kMaxBytes / file->row_bytes()) {
    return absl::InvalidArgumentError(absl::StrCat(
        rows, " rows of ", file->row_bytes(), " bytes are too many for one request, at most ",
        kMaxRows, " rows and ", kMaxBytes, " bytes; choose some with --rows"));
  }
  FileSample sample{.request = {}, .file_rows = flags.rows};
  if (all) {
    sample.file_rows.resize(static_cast<size_t>(rows));
    std::iota(sample.file_rows.begin(), sample.file_rows.end(), 0);
  }
  v1::SampleTokensRequest& request = sample.request;
  absl::Status status = FillTensor(&*file, sample.file_rows, request.add_logits());
  if (status.ok() && !flags.guidance_path.empty()) {
    absl::StatusOr<LogitsFile> guidance =
        LogitsFile::Open(flags.guidance_path, flags.matrix.layout);
    if (!guidance.ok()) return guidance.status();
    status = FillTensor(&*guidance, sample.file_rows, request.mutable_guidance_logits());
  }
  if (!status.ok()) return status;
  request.set_vocab_size(static_cast<uint32_t>(flags.vocab_size.value_or(file->columns())));
  *request.add_chains() = flags.chain;
  for (const int64_t file_row : sample.file_rows) {
    v1::SampleRow* row = request.add_rows();
    FillRow(flags, row);
    FillReport(flags, row);
    if (flags.seed && flags.samples > 0) {
      row->set_seed(*flags.seed + static_cast<uint64_t>(file_row));
    }
  }
  return sample;
}

}  // namespace tessera::cli
