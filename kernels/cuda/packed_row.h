// A row's input as it is copied to a device: its plan and lists find a place in a block of bytes,
// and the copy of the row points at them there.
#ifndef TESSERA_KERNELS_CUDA_PACKED_ROW_H_
#define TESSERA_KERNELS_CUDA_PACKED_ROW_H_

#include <cstddef>

#include "absl/types/span.h"
#include "kernels/cuda/placed_spans.h"
#include "kernels/row_input.h"

namespace tessera {

template <class T>
size_t BytesOf(absl::Span<T> list) {
  return list.size() * sizeof(T);
}

// The same list at another place.
template <class T>
absl::Span<T> MovedTo(std::byte* start, absl::Span<T> list) {
  using Pointer = T*;
  return {list.empty() ? nullptr : reinterpret_cast<Pointer>(start), list.size()};
}

// The list where `placed` has it in the block at `device`.
template <class T>
absl::Span<T> Relocated(absl::Span<T> list, const PlacedSpans& placed, std::byte* device) {
  const size_t offset = list.empty() ? 0 : placed.OffsetOf(list.data(), BytesOf(list));
  return MovedTo(device + offset, list);
}

// The lists of a row, for a function that takes any of them.
template <class Row, class Visit>
void ForEachList(Row& row, Visit visit) {
  visit(row.words);
  visit(row.grammar);
  visit(row.allowed);
  visit(row.banned);
  visit(row.bias);
  visit(row.counts);
  for (auto& additions : row.additions) visit(additions);
  visit(row.green);
  visit(row.score_ids);
}

// Finds places for the row's plan and lists, from *next on.
void PlaceRow(const RowInput& row, PlacedSpans* placed, size_t* next);

// The row for a copy of the block at `device`. REQUIRES: PlaceRow.
RowInput RelocatedRow(const RowInput& row, const PlacedSpans& placed, std::byte* device);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_PACKED_ROW_H_
