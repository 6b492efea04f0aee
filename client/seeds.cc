// Gives rows that draw a seed of their own before they are sent.
#include "client/seeds.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera {
namespace {

bool LacksSeed(const v1::SampleRow& row) {
  const bool draws = !row.has_samples() || row.samples() > 0;
  return draws && !row.has_seed();
}

}  // namespace

bool LacksSeeds(const v1::SampleTokensRequest& request) {
  return std::any_of(request.rows().begin(), request.rows().end(), LacksSeed);
}

absl::Status FillSeeds(v1::SampleTokensRequest* request) {
  std::array<uint64_t, 32> words;  // 256 bytes: the most that getentropy gives at once
  size_t used = words.size();
  for (v1::SampleRow& row : *request->mutable_rows()) {
    if (!LacksSeed(row)) continue;
    if (used == words.size()) {
      if (getentropy(words.data(), sizeof(words)) != 0) {
        return absl::InternalError("the operating system gave no random bytes for a seed");
      }
      used = 0;
    }
    row.set_seed(words[used++]);
  }
  return absl::OkStatus();
}

}  // namespace tessera
