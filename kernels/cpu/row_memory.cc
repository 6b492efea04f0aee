#include "kernels/cpu/row_memory.h"

#include <new>

namespace tessera {
namespace {

constexpr size_t kAlignment = 64;

// Hands out aligned pieces of one block; with no block it only adds up their sizes.
class Carver {
 public:
  explicit Carver(std::byte* block) : block_(block) {}

  template <class T>
  void Take(size_t count, T** piece) {
    if (block_ != nullptr) *piece = reinterpret_cast<T*>(block_ + used_);
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  }

  size_t used() const { return used_; }

 private:
  std::byte* block_;
  size_t used_ = 0;
};

size_t Carve(std::byte* block, uint32_t columns, RowScratch* scratch) {
  Carver carver(block);
  const size_t chunks = (columns + kChunkIds - 1) / kChunkIds;
  const size_t padded = chunks * kChunkIds;  // whole chunks may be written
  for (PassScratch* pass : {&scratch->edited, &scratch->received}) {
    carver.Take(chunks * PassScratch::kLanesPerChunk, &pass->lane_maxima);
    carver.Take(chunks + kAlignment, &pass->chunk_maxima);
  }
  carver.Take(padded, &scratch->edited_row);
  carver.Take(padded, &scratch->masked_row);
  carver.Take(padded, &scratch->candidates);
  carver.Take(padded, &scratch->weights);
  carver.Take(padded, &scratch->work);
  carver.Take(padded, &scratch->work_weights);
  carver.Take(chunks, &scratch->chunk_sums);
  return carver.used();
}

}  // namespace

void RowMemory::Free::operator()(std::byte* block) const {
  ::operator delete (block, std::align_val_t{kAlignment});
}

RowScratch& RowMemory::ForColumns(uint32_t columns) {
  if (block_ == nullptr || columns > scratch_.columns) {
    RowScratch unused;
    const size_t bytes = Carve(nullptr, columns, &unused);
    block_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})));
    Carve(block_.get(), columns, &scratch_);
    scratch_.columns = columns;
    scratch_.list_capacity = columns;
  }
  return scratch_;
}

}  // namespace tessera
