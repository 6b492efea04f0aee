#include "kernels/cuda/placed_spans.h"

#include <algorithm>

namespace tessera {
namespace {

constexpr size_t kFewestCells = 64;
constexpr size_t kAlignment = 16;

size_t HashOf(const void* start, size_t bytes) {
  const uint64_t mixed =
      (reinterpret_cast<uintptr_t>(start) + bytes * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  return static_cast<size_t>(mixed ^ mixed >> 32);
}

}  // namespace

size_t After(size_t offset, size_t bytes) {
  if (offset > SIZE_MAX - kAlignment || bytes > SIZE_MAX - kAlignment - offset) return SIZE_MAX;
  return (offset + bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void PlacedSpans::Clear() {
  entries_.clear();
  std::fill(cells_.begin(), cells_.end(), 0u);
}

size_t PlacedSpans::CellOf(const void* start, size_t bytes) const {
  const size_t mask = cells_.size() - 1;
  size_t cell = HashOf(start, bytes) & mask;
  while (cells_[cell] != 0) {
    const Entry& entry = entries_[cells_[cell] - 1];
    if (entry.start == start && entry.bytes == bytes) break;
    cell = (cell + 1) & mask;
  }
  return cell;
}

void PlacedSpans::Grow() {
  cells_.assign(std::max(kFewestCells, cells_.size() * 2), 0u);
  for (size_t i = 0; i < entries_.size(); ++i) {
    cells_[CellOf(entries_[i].start, entries_[i].bytes)] = static_cast<uint32_t>(i + 1);
  }
}

size_t PlacedSpans::Place(const void* start, size_t bytes, size_t* next) {
  if (2 * (entries_.size() + 1) > cells_.size()) Grow();
  const size_t cell = CellOf(start, bytes);
  if (cells_[cell] != 0) return entries_[cells_[cell] - 1].offset;
  const size_t offset = *next;
  entries_.push_back({start, bytes, offset});
  cells_[cell] = static_cast<uint32_t>(entries_.size());
  *next = After(offset, bytes);
  return offset;
}

size_t PlacedSpans::OffsetOf(const void* start, size_t bytes) const {
  return entries_[cells_[CellOf(start, bytes)] - 1].offset;
}

}  // namespace tessera
