// What `tessera sample` was asked: its flags, and the request they make.
#ifndef TESSERA_CLIENT_CLI_SAMPLE_FLAGS_H_
#define TESSERA_CLIENT_CLI_SAMPLE_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/flags.h"
#include "client/cli/logits_flags.h"
#include "client/cli/row_flags.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera::cli {

struct SampleFlags {
  // The matrix.
  LogitsFlags matrix;
  std::string guidance_path;  // a file like it, row for row; empty: none
  std::vector<int64_t> rows;  // of the file; empty: all
  std::optional<uint64_t> vocab_size;

  // The law and the draw.
  v1::SamplerChain chain;
  std::optional<uint64_t> seed;  // row r of the file gets seed + r
  int64_t position = 0;
  int64_t stream = 0;
  int64_t samples = 1;

  RowFlags masks;  // the same for every row

  // The report.
  std::optional<uint64_t> top_logprobs;
  std::vector<v1::LogprobMode> modes;
  v1::RankRule rank_rule = v1::RANK_RULE_UNSPECIFIED;
  std::vector<int64_t> score_ids;
  bool entropy = false;
  bool support_size = true;
  bool json = false;

  void Declare(Flags* flags);

  // What no single flag can know. InvalidArgument.
  absl::Status Check() const;
};

// A request and the rows of the file that its rows are.
struct FileSample {
  v1::SampleTokensRequest request;
  std::vector<int64_t> file_rows;
};

// Reads the file's rows into a request. InvalidArgument, NotFound or OutOfRange say what is wrong
// with the file.
absl::StatusOr<FileSample> BuildFileSample(const SampleFlags& flags);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_SAMPLE_FLAGS_H_
