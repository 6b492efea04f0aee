// The .npy format: "\x93NUMPY", two version bytes, the header's length (2 bytes in version 1, 4
// after it, little-endian), then a Python dict literal with the keys descr, fortran_order, shape.
#include "client/cli/npy_header.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tessera::cli {
namespace {

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr int64_t kMaxElements = int64_t{1} << 60;

absl::Status Bad(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("not a usable .npy file: ", why));
}

// What a person may see of untrusted text.
std::string Shown(absl::string_view text) { return absl::CHexEscape(text.substr(0, 40)); }

// A cursor over the dict literal. Every Take returns false and leaves the cursor when what it
// looks for is not there.
class Literal {
 public:
  explicit Literal(absl::string_view text) : rest_(text) {}

  absl::string_view rest() const { return rest_; }

  bool Take(absl::string_view token) {
    SkipSpace();
    return absl::ConsumePrefix(&rest_, token);
  }

  bool TakeString(std::string* out) {
    SkipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const size_t end = rest_.find(rest_[0], 1);
    if (end == absl::string_view::npos) return false;
    *out = std::string(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return true;
  }

  // A run of at most 19 digits, without a sign.
  bool TakeInteger(int64_t* out) {
    SkipSpace();
    const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || digits > 19 || !absl::SimpleAtoi(rest_.substr(0, digits), out)) return false;
    rest_.remove_prefix(digits);
    Take("L");  // Python 2 wrote long integers so
    return true;
  }

  // "()", "(3,)", "(3, 4)", ...
  bool TakeTuple(std::vector<int64_t>* out) {
    if (!Take("(")) return false;
    while (!Take(")")) {
      int64_t value;
      if (!TakeInteger(&value)) return false;
      out->push_back(value);
      if (!Take(",")) return Take(")");
    }
    return true;
  }

 private:
  void SkipSpace() {
    const size_t begin = rest_.find_first_not_of(" \t\n");
    rest_.remove_prefix(std::min(begin, rest_.size()));
  }

  absl::string_view rest_;
};

struct Dict {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<int64_t>> shape;
};

absl::Status ParseEntry(Literal* literal, Dict* dict) {
  std::string key;
  if (!literal->TakeString(&key) || !literal->Take(":")) {
    return Bad(absl::StrCat("its header is not a dict at '", Shown(literal->rest()), "'"));
  }
  if (key == "descr" && !dict->descr) {
    std::string text;
    if (!literal->TakeString(&text)) {
      return Bad("it holds records; one plain number type is needed");
    }
    dict->descr = text;
    return absl::OkStatus();
  }
  if (key == "fortran_order" && !dict->fortran_order) {
    const bool is_true = literal->Take("True");
    if (!is_true && !literal->Take("False")) return Bad("fortran_order is neither True nor False");
    dict->fortran_order = is_true;
    return absl::OkStatus();
  }
  if (key == "shape" && !dict->shape) {
    std::vector<int64_t> shape;
    if (!literal->TakeTuple(&shape)) {
      return Bad(
          absl::StrCat("its shape is not a tuple of sizes at '", Shown(literal->rest()), "'"));
    }
    dict->shape = std::move(shape);
    return absl::OkStatus();
  }
  return Bad(absl::StrCat("its header has an unknown or repeated key '", Shown(key), "'"));
}

absl::StatusOr<Dict> ParseDict(absl::string_view text) {
  Literal literal(text);
  Dict dict;
  if (!literal.Take("{")) return Bad("its header does not start with {");
  while (!literal.Take("}")) {
    if (absl::Status status = ParseEntry(&literal, &dict); !status.ok()) return status;
    if (literal.Take(",")) continue;
    if (literal.Take("}")) break;
    return Bad(absl::StrCat("its header is not a dict at '", Shown(literal.rest()), "'"));
  }
  if (!dict.descr || !dict.fortran_order || !dict.shape) {
    return Bad("its header lacks one of descr, fortran_order, shape");
  }
  return dict;
}

absl::StatusOr<NpyHeader> FromDict(const Dict& dict) {
  const std::vector<int64_t>& shape = *dict.shape;
  if (shape.empty() || shape.size() > 2) {
    return Bad(absl::StrCat("it has ", shape.size(),
                            " dimensions; [rows, columns] or [columns] is needed"));
  }
  NpyHeader header;
  header.descr = *dict.descr;
  header.rows = shape.size() == 2 ? shape[0] : 1;
  header.columns = shape.back();
  if (header.rows < 1 || header.columns < 1) {
    return Bad(absl::StrCat("its shape is [", header.rows, ", ", header.columns,
                            "]; both must be at least 1"));
  }
  if (header.rows > kMaxElements / header.columns) {
    return Bad(absl::StrCat("its shape [", header.rows, ", ", header.columns,
                            "] has more than 2^60 elements"));
  }
  if (*dict.fortran_order && shape.size() == 2) {
    return Bad("it is stored by columns; save np.ascontiguousarray(x)");
  }
  return header;
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view head) {
  if (head.size() < 10 || head.substr(0, kMagic.size()) != kMagic) {
    return Bad("it does not start with \\x93NUMPY (for raw elements give --shape and --dtype)");
  }
  const int major = static_cast<unsigned char>(head[6]);
  const int minor = static_cast<unsigned char>(head[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return Bad(absl::StrCat("its format version is ", major, ".", minor, "; 1.0 to 3.0 are known"));
  }
  const size_t prefix = major == 1 ? 10 : 12;
  if (head.size() < prefix) return Bad("it ends inside its header");
  uint64_t length = 0;
  for (size_t i = prefix; i-- > 8;) length = length << 8 | static_cast<unsigned char>(head[i]);
  if (length > kMaxNpyHeaderBytes - prefix) {
    return Bad(absl::StrCat("its header claims ", length, " bytes; at most ",
                            kMaxNpyHeaderBytes - prefix, " are accepted"));
  }
  if (length > head.size() - prefix) return Bad("it ends inside its header");
  absl::StatusOr<Dict> dict = ParseDict(head.substr(prefix, length));
  if (!dict.ok()) return dict.status();
  absl::StatusOr<NpyHeader> header = FromDict(*dict);
  if (header.ok()) header->data_offset = static_cast<int64_t>(prefix + length);
  return header;
}

}  // namespace tessera::cli
