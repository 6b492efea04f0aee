// Gives what draws a seed of its own before it is sent.
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

bool SequenceLacksSeed(const v1::DraftSequence& sequence) { return !sequence.target().has_seed(); }

// Seeds from the operating system, a few at a time.
class SeedSource {
 public:
  absl::Status SetSeed(v1::SampleRow* row) {
    if (used_ == words_.size()) {
      if (getentropy(words_.data(), sizeof(words_)) != 0) {
        return absl::InternalError("the operating system gave no random bytes for a seed");
      }
      used_ = 0;
    }
    row->set_seed(words_[used_++]);
    return absl::OkStatus();
  }

 private:
  std::array<uint64_t, 32> words_;  // 256 bytes: the most that getentropy gives at once
  size_t used_ = words_.size();
};

}  // namespace

bool LacksSeeds(const v1::SampleTokensRequest& request) {
  return std::any_of(request.rows().begin(), request.rows().end(), LacksSeed);
}

bool LacksSeeds(const v1::VerifyDraftsRequest& request) {
  return std::any_of(request.sequences().begin(), request.sequences().end(), SequenceLacksSeed);
}

absl::Status FillSeeds(v1::SampleTokensRequest* request) {
  SeedSource source;
  for (v1::SampleRow& row : *request->mutable_rows()) {
    if (!LacksSeed(row)) continue;
    if (absl::Status status = source.SetSeed(&row); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status FillSeeds(v1::VerifyDraftsRequest* request) {
  SeedSource source;
  for (v1::DraftSequence& sequence : *request->mutable_sequences()) {
    if (!SequenceLacksSeed(sequence)) continue;
    absl::Status status = source.SetSeed(sequence.mutable_target());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace tessera
