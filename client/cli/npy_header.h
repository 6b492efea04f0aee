// Reads the header of a NumPy .npy file, trusting nothing in it.
#ifndef TESSERA_CLIENT_CLI_NPY_HEADER_H_
#define TESSERA_CLIENT_CLI_NPY_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tessera::cli {

struct NpyHeader {
  std::string descr;        // NumPy's name of the element type: "<f4", "<f2", "<u2", "|V2", ...
  int64_t rows = 0;         // >= 1; 1 for an array of one dimension
  int64_t columns = 0;      // >= 1; rows * columns * 8 fits in 63 bits
  int64_t data_offset = 0;  // bytes before the first element
};

// The longest header accepted; NumPy's own are 118 bytes for such arrays.
inline constexpr int64_t kMaxNpyHeaderBytes = 64 << 10;

// `head` is the beginning of the file, at least min(file size, kMaxNpyHeaderBytes) bytes of it.
// Format versions 1.0 to 3.0, C order, one or two dimensions. InvalidArgument says what else the
// file is and, where there is one, the NumPy expression that makes it acceptable.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view head);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_NPY_HEADER_H_
