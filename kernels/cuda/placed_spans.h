// Gives each distinct piece of host memory one place in a block, however often it is named.
#ifndef TESSERA_KERNELS_CUDA_PLACED_SPANS_H_
#define TESSERA_KERNELS_CUDA_PLACED_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

class PlacedSpans {
 public:
  struct Entry {
    const void* start;
    size_t bytes;
    size_t offset;  // in the block
  };

  // Keeps its memory for the next batch.
  void Clear();

  // The offset of the piece: *next where it is new, and then *next moves on to the following
  // multiple of 16. *next stays at SIZE_MAX once it would pass that.
  size_t Place(const void* start, size_t bytes, size_t* next);

  // REQUIRES: placed.
  size_t OffsetOf(const void* start, size_t bytes) const;

  // In the order of their offsets.
  absl::Span<const Entry> entries() const { return entries_; }

 private:
  // The table's cell that holds this piece, or the empty one where it belongs.
  size_t CellOf(const void* start, size_t bytes) const;
  void Grow();

  std::vector<Entry> entries_;
  std::vector<uint32_t> cells_;  // 1 + index into entries_; 0 is empty. A power of two of them
};

// `offset` + `bytes`, rounded up to a multiple of 16; SIZE_MAX when that does not fit.
size_t After(size_t offset, size_t bytes);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CUDA_PLACED_SPANS_H_
