// Reads rows of logits from a .npy file or a file of raw elements.
#include "client/cli/logits_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/names.h"
#include "client/cli/npy_header.h"

namespace tessera::cli {
namespace {

absl::Status Bad(const std::string& path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", why));
}

// The type of elements that NumPy calls `descr`, given what the user said they are.
absl::StatusOr<v1::ElementType> TypeOf(absl::string_view descr, v1::ElementType said) {
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  if (descr == "<f4") type = v1::ELEMENT_TYPE_FLOAT32;
  if (descr == "<f2") type = v1::ELEMENT_TYPE_FLOAT16;
  if (descr == "<u2" || descr == "|V2" || descr == "<V2" || descr == "V2") {
    if (said != v1::ELEMENT_TYPE_BFLOAT16) {
      return absl::InvalidArgumentError(
          absl::StrCat("its elements are '", descr, "'; give --dtype bf16 if they are bfloat16"));
    }
    return said;
  }
  if (type == v1::ELEMENT_TYPE_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        absl::StrCat("its elements are '", descr,
                     "'; '<f4', '<f2', or '<u2' and 'V2' with --dtype bf16 are accepted (save "
                     "x.astype('<f4'))"));
  }
  if (said != v1::ELEMENT_TYPE_UNSPECIFIED && said != type) {
    return absl::InvalidArgumentError(
        absl::StrCat("its elements are ", TypeName(type), ", but --dtype says ", TypeName(said)));
  }
  return type;
}

absl::StatusOr<std::string> ReadHead(std::ifstream* stream, int64_t file_bytes) {
  std::string head(static_cast<size_t>(std::min(file_bytes, kMaxNpyHeaderBytes)), '\0');
  stream->seekg(0);
  stream->read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!*stream) return absl::InvalidArgumentError("it cannot be read");
  return head;
}

}  // namespace

int64_t LogitsFile::row_bytes() const { return columns_ * ElementSize(type_); }

absl::StatusOr<LogitsFile> LogitsFile::Open(const std::string& path,
                                            const LogitsFileLayout& layout) {
  LogitsFile file;
  file.path_ = path;
  file.stream_.open(path, std::ios::binary | std::ios::ate);
  if (!file.stream_) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  const int64_t file_bytes = file.stream_.tellg();
  if (file_bytes < 0 || file_bytes > (int64_t{1} << 60)) return Bad(path, "it is no regular file");
  if (layout.columns > 0) {
    file.type_ = layout.type;
    file.rows_ = layout.rows;
    file.columns_ = layout.columns;
  } else {
    absl::StatusOr<std::string> head = ReadHead(&file.stream_, file_bytes);
    if (!head.ok()) return Bad(path, head.status().message());
    absl::StatusOr<NpyHeader> header = ParseNpyHeader(*head);
    if (!header.ok()) return Bad(path, header.status().message());
    absl::StatusOr<v1::ElementType> type = TypeOf(header->descr, layout.type);
    if (!type.ok()) return Bad(path, type.status().message());
    file.type_ = *type;
    file.rows_ = header->rows;
    file.columns_ = header->columns;
    file.data_offset_ = header->data_offset;
  }
  const int64_t needed = file.rows_ * file.row_bytes();
  if (file_bytes - file.data_offset_ != needed) {
    return Bad(path, absl::StrCat("it has ", file_bytes - file.data_offset_,
                                  " bytes of elements; [", file.rows_, ", ", file.columns_, "] of ",
                                  TypeName(file.type_), " is ", needed));
  }
  return file;
}

absl::StatusOr<std::string> LogitsFile::ReadRows(absl::Span<const int64_t> rows) {
  std::string bytes(static_cast<size_t>(row_bytes()) * rows.size(), '\0');
  char* next = bytes.data();
  for (const int64_t row : rows) {
    if (row < 0 || row >= rows_) {
      return absl::OutOfRangeError(absl::StrCat("row ", row, " is not in ", path_, ", which has ",
                                                rows_, " rows (0 to ", rows_ - 1, ")"));
    }
    stream_.seekg(data_offset_ + row * row_bytes());
    stream_.read(next, row_bytes());
    if (!stream_) return Bad(path_, absl::StrCat("row ", row, " cannot be read"));
    next += row_bytes();
  }
  return bytes;
}

}  // namespace tessera::cli
