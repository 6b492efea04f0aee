// What `tessera explain` was asked: its flags, and the requests they make.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_FLAGS_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/flags.h"
#include "client/cli/logits_flags.h"
#include "client/cli/row_flags.h"
#include "client/cli/terminal.h"
#include "tessera/v1/explain.pb.h"

namespace tessera::cli {

// A chain and how it was typed.
struct TypedChain {
  std::string text;
  v1::SamplerChain chain;
};

struct ExplainFlags {
  // The row: one of a file, typed, or none.
  LogitsFlags matrix;
  int64_t file_row = 0;
  std::optional<std::vector<float>> values;
  std::optional<uint64_t> vocab_size;
  RowFlags masks;
  std::optional<uint64_t> seed;
  int64_t position = 0;
  int64_t stream = 0;

  std::optional<TypedChain> chain;
  std::optional<TypedChain> chain_b;

  // The report.
  std::vector<int64_t> watched;
  std::optional<uint64_t> leaders;
  std::string names_path;
  std::string html_path;
  std::string color = "auto";
  bool ascii = false;
  bool json = false;

  void Declare(Flags* flags);

  // What no single flag can know. InvalidArgument.
  absl::Status Check() const;

  // The terminal as --color and --ascii want it.
  Terminal ShownOn() const;

  bool has_logits() const { return values.has_value() || !matrix.path.empty(); }
};

// The request for the first chain; the second differs in its chain. InvalidArgument, NotFound or
// OutOfRange say what is wrong with the file.
absl::StatusOr<v1::ExplainChainRequest> BuildExplainRequest(const ExplainFlags& flags);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_FLAGS_H_
