// The plain words every layer shares: ids, dtypes, the view of a logits matrix, outcomes.
#ifndef TESSERA_KERNELS_TYPES_H_
#define TESSERA_KERNELS_TYPES_H_

#include <cstddef>
#include <cstdint>

namespace tessera {

using TokenId = int32_t;  // in [0, vocab_size)

// The widest row accepted. Row sums of integer weights stay below 2^63 up to here.
inline constexpr int64_t kMaxVocabulary = int64_t{1} << 19;

enum class DType : uint8_t { kFloat32, kFloat16, kBfloat16 };

constexpr int64_t SizeOf(DType dtype) { return dtype == DType::kFloat32 ? 4 : 2; }

// A row-major matrix [rows, columns] that somebody else owns. Elements are little-endian and
// aligned to their size; rows need no further alignment.
struct LogitsView {
  const std::byte* data = nullptr;
  DType dtype = DType::kFloat32;
  int64_t rows = 0;
  int64_t columns = 0;           // elements readable in each row
  int64_t row_stride_bytes = 0;  // >= columns * SizeOf(dtype)

  const std::byte* Row(int64_t row) const { return data + row * row_stride_bytes; }
};

// What became of a row. Only kOk rows carry tokens.
enum class Outcome : uint8_t {
  kOk,
  kInvalidLogits,      // NaN or +inf, as received or after edits, on an id that no mask bans
  kEmptySupport,       // masks and -inf left no candidate
  kInvalidParameters,  // the row's chain, ids, bias or history was refused; nothing was computed
  kLawTooLarge,        // a law was wanted that has more ids than allowed; no backend says so itself
};

// Which law a log-probability speaks of; docs/numerics.md section 7.
enum class LogprobMode : uint8_t {
  kRaw,        // log-softmax of the logits as received, T = 1
  kRawMasked,  // kRaw restricted to what the grammar bitmask allows
  kTempered,   // after edits and temperature, before truncation
  kProcessed,  // the law that tokens are drawn from
};
inline constexpr int kLogprobModes = 4;

}  // namespace tessera

#endif  // TESSERA_KERNELS_TYPES_H_
