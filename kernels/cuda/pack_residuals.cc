#include "kernels/cuda/pack_residuals.h"

#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/packed_row.h"

namespace tessera {
namespace {

static_assert(alignof(ResidualInput) <= 16 && alignof(ResidualResult) <= 16);
static_assert(std::is_trivially_destructible_v<ResidualInput>);
static_assert(std::is_trivially_copyable_v<ResidualResult>);

size_t BytesOfRow(const RowInput* row) {
  if (row == nullptr) return 0;
  size_t bytes = After(0, sizeof(Plan));
  ForEachList(*row, [&](auto list) { bytes = After(bytes, BytesOf(list)); });
  return bytes;
}

}  // namespace

size_t PackedBytes(const ResidualInput& residual) {
  size_t bytes = After(After(0, sizeof(ResidualInput)), 2 * sizeof(RowInput));
  bytes = After(bytes, BytesOfRow(residual.target.row));
  bytes = After(bytes, BytesOfRow(residual.draft.row));
  bytes = After(bytes, BytesOf(residual.sparse));
  return After(After(bytes, BytesOf(residual.excluded)), sizeof(ResidualResult));
}

absl::Status ResidualPacker::Measure(absl::Span<const ResidualInput> residuals, size_t most_bytes) {
  residuals_ = residuals;
  placed_.Clear();
  rows_offset_ = After(0, residuals.size() * sizeof(ResidualInput));
  size_t next = After(rows_offset_, 2 * residuals.size() * sizeof(RowInput));
  const auto place = [&](auto list) {
    if (!list.empty()) placed_.Place(list.data(), BytesOf(list), &next);
  };
  for (const ResidualInput& residual : residuals) {
    PlaceRow(*residual.target.row, &placed_, &next);
    if (residual.draft.row != nullptr) PlaceRow(*residual.draft.row, &placed_, &next);
    place(residual.sparse);
    place(residual.excluded);
  }
  results_offset_ = next;
  bytes_ = After(next, residuals.size() * sizeof(ResidualResult));
  if (bytes_ <= most_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("what ", residuals.size(), " residuals ask for takes ", bytes_,
                   " bytes on the device; there may be at most ", most_bytes));
}

void ResidualPacker::Write(absl::Span<const PlacedRow> target, absl::Span<const PlacedRow> draft,
                           std::byte* device, std::byte* block) const {
  // The row at `place` of the rows, of a side of residual i.
  const auto write_row = [&](size_t place, const PlacedRow& logits, LawOfRow* side) {
    RowInput row = RelocatedRow(*side->row, placed_, device);
    row.logits_row = logits.logits;
    row.guidance_row = logits.guidance;
    const size_t offset = rows_offset_ + place * sizeof(RowInput);
    std::memcpy(block + offset, static_cast<const void*>(&row), sizeof(RowInput));
    side->row = reinterpret_cast<const RowInput*>(device + offset);
  };
  for (size_t i = 0; i < residuals_.size(); ++i) {
    ResidualInput moved = residuals_[i];
    write_row(2 * i, target[i], &moved.target);
    if (moved.draft.row != nullptr) write_row(2 * i + 1, draft[i], &moved.draft);
    moved.sparse = Relocated(moved.sparse, placed_, device);
    moved.excluded = Relocated(moved.excluded, placed_, device);
    std::memcpy(block + i * sizeof(ResidualInput), static_cast<const void*>(&moved),
                sizeof(ResidualInput));
  }
  for (const PlacedSpans::Entry& entry : placed_.entries()) {
    std::memcpy(block + entry.offset, entry.start, entry.bytes);
  }
}

void ResidualPacker::Unpack(const std::byte* block, absl::Span<ResidualResult> results) const {
  std::memcpy(results.data(), block + results_offset_, results.size() * sizeof(ResidualResult));
}

}  // namespace tessera
