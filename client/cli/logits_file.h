// Reads rows of logits from a .npy file or a file of raw elements.
#ifndef TESSERA_CLIENT_CLI_LOGITS_FILE_H_
#define TESSERA_CLIENT_CLI_LOGITS_FILE_H_

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/v1/tensor.pb.h"

namespace tessera::cli {

// What the command line says about the file.
struct LogitsFileLayout {
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;  // unspecified: as the .npy header says
  int64_t rows = 0;                                     // with columns: raw elements, no header
  int64_t columns = 0;
};

// An open file whose layout and size have been checked. Only the rows asked for are read.
class LogitsFile {
 public:
  // Raw elements when `layout` has a shape, which needs a type too; .npy otherwise. bfloat16, which
  // NumPy lacks, is recognized in .npy files as '<u2' or 'V2' when `layout` says so.
  // InvalidArgument or NotFound names the path.
  static absl::StatusOr<LogitsFile> Open(const std::string& path, const LogitsFileLayout& layout);

  v1::ElementType type() const { return type_; }
  int64_t rows() const { return rows_; }        // >= 1
  int64_t columns() const { return columns_; }  // >= 1
  int64_t row_bytes() const;

  // The bytes of these rows, one after the other. OutOfRange when the file has no such row.
  absl::StatusOr<std::string> ReadRows(absl::Span<const int64_t> rows);

 private:
  LogitsFile() = default;

  std::string path_;
  std::ifstream stream_;
  v1::ElementType type_ = v1::ELEMENT_TYPE_UNSPECIFIED;
  int64_t rows_ = 0;
  int64_t columns_ = 0;
  int64_t data_offset_ = 0;  // bytes
};

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_LOGITS_FILE_H_
