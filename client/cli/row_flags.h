// The flags of a row's masks, history and state.
#ifndef TESSERA_CLIENT_CLI_ROW_FLAGS_H_
#define TESSERA_CLIENT_CLI_ROW_FLAGS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "client/cli/flags.h"
#include "tessera/v1/row.pb.h"

namespace tessera::cli {

struct RowFlags {
  std::vector<int64_t> banned, stop, prompt, output;
  std::optional<std::vector<int64_t>> allowed;
  std::vector<std::pair<int64_t, float>> bias;
  int64_t min_tokens = 0;
  std::optional<uint64_t> output_length;
  std::optional<v1::StageState> state;

  void Declare(Flags* flags);
  void Fill(v1::SampleRow* row) const;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_ROW_FLAGS_H_
