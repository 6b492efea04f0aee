// Turns the flags of `tessera sample` into a request.
#include "client/cli/sample_flags.h"

#include <limits>
#include <numeric>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/chain_text.h"
#include "client/cli/names.h"
#include "client/cli/number_list.h"

namespace tessera::cli {
namespace {

constexpr int64_t kMaxId = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxIds = 1 << 20;      // in one flag; the server has limits of its own
constexpr int64_t kMaxRows = 1 << 16;     // in one request
constexpr int64_t kMaxBytes = 1LL << 30;  // of logits in one request

// A flag that holds a list of ids; OUT is a vector or an optional vector.
template <typename Out>
void DeclareIds(Flags* flags, absl::string_view name, Out* out, absl::string_view help) {
  flags->Parsed(name, "IDS", help, [out](absl::string_view text) {
    return Store(ParseNumbers(text, kMaxId, kMaxIds), out);
  });
}

absl::Status ParseShape(absl::string_view text, LogitsFileLayout* layout) {
  const std::vector<absl::string_view> sizes = absl::StrSplit(text, ',');
  if (sizes.size() != 2 || !absl::SimpleAtoi(sizes[0], &layout->rows) ||
      !absl::SimpleAtoi(sizes[1], &layout->columns) || layout->rows < 1 || layout->columns < 1 ||
      layout->rows > kMaxId || layout->columns > kMaxId / 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("is '", text, "'; it must be ROWS,COLUMNS, both at least 1"));
  }
  return absl::OkStatus();
}

void DeclareMatrix(Flags* flags, SampleFlags* out) {
  flags->Section("Logits");
  flags->Text("logits", "FILE", &out->logits_path,
              "a .npy array [rows, vocabulary] of float32 or float16, or raw elements");
  flags->Parsed("dtype", "fp32|fp16|bf16",
                "element type: needed for raw files, and for bfloat16 that a .npy file holds as "
                "'<u2' or 'V2'",
                [out](absl::string_view text) {
                  out->layout.type = TypeFromName(text);
                  return out->layout.type != v1::ELEMENT_TYPE_UNSPECIFIED
                             ? absl::OkStatus()
                             : absl::InvalidArgumentError(absl::StrCat(
                                   "is '", text, "'; it must be one of fp32, fp16, bf16"));
                });
  flags->Parsed("shape", "R,C", "the file holds raw little-endian elements: R rows of C columns",
                [out](absl::string_view text) { return ParseShape(text, &out->layout); });
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

void DeclareMasks(Flags* flags, SampleFlags* out) {
  flags->Section("Masks and history (the same for every row)");
  DeclareIds(flags, "banned", &out->banned, "ids that cannot be drawn");
  DeclareIds(flags, "allowed", &out->allowed, "the only ids that can be drawn");
  flags->Parsed(
      "bias", "ID:VALUE,...", "added to logits where the chain says logit_bias",
      [out](absl::string_view text) { return Store(ParsePairs(text, kMaxId), &out->bias); });
  DeclareIds(flags, "prompt", &out->prompt, "the prompt's ids, for penalties");
  DeclareIds(flags, "output", &out->output, "ids drawn so far, for penalties and --min-tokens");
  DeclareIds(flags, "stop", &out->stop, "ids banned until the output has --min-tokens");
  flags->Integer("min-tokens", 0, kMaxId, &out->min_tokens, "shortest output; needs --stop");
  flags->OptionalUnsigned("output-length", 0, kMaxId, &out->output_length,
                          "length of the output so far, if --output does not tell it");
}

void DeclareReport(Flags* flags, SampleFlags* out) {
  flags->Section("Report");
  flags->OptionalUnsigned("logprobs", 0, kMaxId, &out->top_logprobs,
                          "logprob and rank of what was drawn, and the N likeliest tokens");
  flags->Parsed("logprob-modes", "MODES",
                "of which law: a list of raw, raw_masked, tempered, processed (default raw); "
                "without --logprobs, only of what was drawn",
                [out](absl::string_view text) { return Store(ParseModes(text), &out->modes); });
  DeclareIds(flags, "score", &out->score_ids, "ids whose logprob and rank to report");
  flags->Switch("entropy", &out->entropy, "entropy in nats of each law of --logprob-modes");
  flags->Switch("support-size", &out->support_size, "how many tokens the chain left");
  flags->Switch("json", &out->json, "one line of JSON for machines");
}

void FillRow(const SampleFlags& flags, v1::SampleRow* row) {
  row->set_position(static_cast<uint32_t>(flags.position));
  row->set_stream(static_cast<uint32_t>(flags.stream));
  row->set_samples(static_cast<uint32_t>(flags.samples));
  row->mutable_banned_ids()->Add(flags.banned.begin(), flags.banned.end());
  if (flags.allowed) {
    row->mutable_allowed()->mutable_ids()->Add(flags.allowed->begin(), flags.allowed->end());
  }
  for (const auto& [id, value] : flags.bias) {
    v1::TokenBias* bias = row->add_bias();
    bias->set_id(static_cast<int32_t>(id));
    bias->set_value(value);
  }
  if (!flags.prompt.empty() || !flags.output.empty()) {
    v1::TokenHistory* history = row->mutable_history();
    history->mutable_prompt_ids()->Add(flags.prompt.begin(), flags.prompt.end());
    history->mutable_output_ids()->Add(flags.output.begin(), flags.output.end());
  }
  row->mutable_stop_ids()->Add(flags.stop.begin(), flags.stop.end());
  row->set_min_tokens(static_cast<uint32_t>(flags.min_tokens));
  if (flags.output_length) row->set_output_length(static_cast<uint32_t>(*flags.output_length));
}

void FillReport(const SampleFlags& flags, v1::SampleRow* row) {
  row->set_return_support_size(flags.support_size);
  row->mutable_score_ids()->Add(flags.score_ids.begin(), flags.score_ids.end());
  std::vector<v1::LogprobMode> modes = flags.modes;
  const bool wanted = flags.top_logprobs || flags.entropy || !flags.score_ids.empty();
  if (modes.empty() && wanted) modes.push_back(v1::LOGPROB_MODE_RAW);
  if (modes.empty()) return;
  v1::LogprobRequest* logprobs = row->mutable_logprobs();
  logprobs->set_top_n(static_cast<uint32_t>(flags.top_logprobs.value_or(0)));
  for (const v1::LogprobMode mode : modes) {
    logprobs->add_modes(mode);
    if (flags.entropy) logprobs->add_entropy_modes(mode);
  }
}

}  // namespace

void SampleFlags::Declare(Flags* flags) {
  DeclareMatrix(flags, this);
  DeclareDraw(flags, this);
  DeclareMasks(flags, this);
  DeclareReport(flags, this);
}

absl::Status SampleFlags::Check() const {
  if (logits_path.empty()) return absl::InvalidArgumentError("--logits FILE is needed");
  if (layout.columns > 0 && layout.type == v1::ELEMENT_TYPE_UNSPECIFIED) {
    return absl::InvalidArgumentError("--shape says the file is raw, so --dtype is needed too");
  }
  return absl::OkStatus();
}

absl::StatusOr<FileSample> BuildFileSample(const SampleFlags& flags) {
  absl::StatusOr<LogitsFile> file = LogitsFile::Open(flags.logits_path, flags.layout);
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
  absl::StatusOr<std::string> bytes = file->ReadRows(sample.file_rows);
  if (!bytes.ok()) return bytes.status();
  v1::SampleTokensRequest& request = sample.request;
  request.set_vocab_size(static_cast<uint32_t>(flags.vocab_size.value_or(file->columns())));
  *request.add_chains() = flags.chain;
  v1::Tensor* tensor = request.add_logits();
  tensor->set_element_type(file->type());
  tensor->set_rows(rows);
  tensor->set_columns(file->columns());
  tensor->set_inline_bytes(*std::move(bytes));
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
