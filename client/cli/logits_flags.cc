// Declares the flags that name a file of logits.
#include "client/cli/logits_flags.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/names.h"

namespace tessera::cli {
namespace {

constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

absl::Status ParseShape(absl::string_view text, LogitsFileLayout* layout) {
  const std::vector<absl::string_view> sizes = absl::StrSplit(text, ',');
  if (sizes.size() != 2 || !absl::SimpleAtoi(sizes[0], &layout->rows) ||
      !absl::SimpleAtoi(sizes[1], &layout->columns) || layout->rows < 1 || layout->columns < 1 ||
      layout->rows > kMaxSize || layout->columns > kMaxSize / 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("is '", text, "'; it must be ROWS,COLUMNS, both at least 1"));
  }
  return absl::OkStatus();
}

}  // namespace

void LogitsFlags::Declare(Flags* flags) {
  flags->Text("logits", "FILE", &path,
              "a .npy array [rows, vocabulary] of float32 or float16, or raw elements");
  flags->Parsed("dtype", "fp32|fp16|bf16",
                "element type: needed for raw files, and for bfloat16 that a .npy file holds as "
                "'<u2' or 'V2'",
                [this](absl::string_view text) {
                  layout.type = TypeFromName(text);
                  return layout.type != v1::ELEMENT_TYPE_UNSPECIFIED
                             ? absl::OkStatus()
                             : absl::InvalidArgumentError(absl::StrCat(
                                   "is '", text, "'; it must be one of fp32, fp16, bf16"));
                });
  flags->Parsed("shape", "R,C", "the file holds raw little-endian elements: R rows of C columns",
                [this](absl::string_view text) { return ParseShape(text, &layout); });
}

absl::Status LogitsFlags::Check() const {
  if (layout.columns > 0 && layout.type == v1::ELEMENT_TYPE_UNSPECIFIED) {
    return absl::InvalidArgumentError("--shape says the file is raw, so --dtype is needed too");
  }
  return absl::OkStatus();
}

}  // namespace tessera::cli
