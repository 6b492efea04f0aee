// Opens a view of a row for a team. Where shared memory holds it, the row as it is sampled is read
// from global memory once; other views, and rows too wide, are read where they are.
#ifndef TESSERA_KERNELS_CUDA_OPEN_VIEW_CUH_
#define TESSERA_KERNELS_CUDA_OPEN_VIEW_CUH_

#include <cstdint>

#include "kernels/cuda/edit_part.cuh"
#include "kernels/cuda/memory_sizes.h"
#include "kernels/cuda/row_memory.cuh"
#include "kernels/row/row.h"

namespace tessera::cuda {

__device__ __forceinline__ uint32_t PiecesOf(const ChunkRange& part) {
  return (part.end - part.first + kPieceChunks - 1) / kPieceChunks;
}

// -inf in the row's dtype.
__device__ __forceinline__ uint32_t BannedBits(DType dtype) {
  if (dtype == DType::kFloat32) return 0xFF800000u;
  return dtype == DType::kBfloat16 ? 0xFF80u : 0xFC00u;
}

// Copies elements [begin, end) of the row to the slice, which starts at element `first`; -inf
// beyond the row.
template <class T>
__device__ __forceinline__ void CopyElements(const RowPlace& place, uint32_t first, uint32_t begin,
                                             uint32_t end) {
  const T* const from = reinterpret_cast<const T*>(place.received);
  T* const to = reinterpret_cast<T*>(place.slice);
  for (uint32_t id = begin + threadIdx.x; id < end; id += kThreads) {
    to[id - first] =
        id < place.columns ? simt::LoadGlobal(from + id) : static_cast<T>(BannedBits(place.dtype));
  }
}

// Brings this block's part into its slice. Bulk copies are only started.
__device__ __forceinline__ void LoadSlice(RowMemory& memory, const RowPlace& place,
                                          const ChunkRange& part) {
  const uint32_t first = part.first * kChunkIds;
  const uint32_t padded = part.end * kChunkIds;
  const uint32_t end = padded < place.columns ? padded : place.columns;
  const auto size = static_cast<uint32_t>(SizeOf(place.dtype));
  uint32_t bulk_bytes = 0;
  if (place.arrives_by_bulk && end > first) bulk_bytes = (end - first) * size / 16 * 16;
  if (place.arrives_by_bulk && threadIdx.x == 0) {
    const uint32_t piece_bytes = kPieceChunks * kChunkIds * size;
    const std::byte* const from = place.received + size_t{first} * size;
    TESSERA_NO_UNROLL
    for (uint32_t piece = 0; piece < PiecesOf(part); ++piece) {
      const uint32_t at = piece * piece_bytes;
      const uint32_t left = at < bulk_bytes ? bulk_bytes - at : 0;
      const uint32_t bytes = left < piece_bytes ? left : piece_bytes;
      simt::BarrierExpect(&memory.arrivals[piece], bytes);
      if (bytes > 0) simt::BulkCopy(place.slice + at, from + at, bytes, &memory.arrivals[piece]);
    }
  }
  const uint32_t begin = first + bulk_bytes / size;
  if (place.dtype == DType::kFloat32) {
    CopyElements<uint32_t>(place, first, begin, padded);
  } else {
    CopyElements<uint16_t>(place, first, begin, padded);
  }
  __syncthreads();
}

// Returns when a chunk of the part has arrived.
__device__ __forceinline__ void AwaitChunk(RowMemory& memory, uint32_t chunk) {
  const uint32_t piece = (chunk - memory.part.first) / kPieceChunks;
  simt::BarrierWait(&memory.arrivals[piece], memory.bulk_rows % 2);
}

__device__ __forceinline__ Elements SliceElements(const RowPlace& place, const ChunkRange& part,
                                                  DType dtype) {
  return {place.slice, part.first * kChunkIds, place.columns, part.end * kChunkIds, dtype, true,
          {}};
}

// Where this block's part of the edited row goes: to its slice, or to global memory.
__device__ __forceinline__ EditedPart EditedPartOf(const RowPlace& place, const ChunkRange& part) {
  const uint32_t first = part.first * kChunkIds;
  const uint32_t end = part.end * kChunkIds < place.columns ? part.end * kChunkIds : place.columns;
  const bool shared = place.slice != nullptr;
  float* const out = shared ? reinterpret_cast<float*>(place.slice) : place.edited + first;
  return {out, first, end, shared};
}

__device__ __forceinline__ void EditPart(const RowPlace& place, const ChunkRange& part) {
  WriteEditedPart(*place.input, GlobalElements(place.received, place.dtype, place.columns),
                  place.guidance, part, EditedPartOf(place, part));
}

// Where the elements of a view will be.
__device__ __forceinline__ Elements ElementsOf(const RowPlace& place, const ChunkRange& part,
                                               View view) {
  if (view == View::kEdited) {
    if (place.slice == nullptr) return EditedInGlobal(place);
    return SliceElements(place, part, place.copied ? DType::kFloat32 : place.dtype);
  }
  Elements elements = GlobalElements(place.received, place.dtype, place.columns);
  if (view == View::kMasked) elements.grammar = GrammarOf(*place.input);
  return elements;
}

// Brings the edited view to where its elements are to be.
__device__ __forceinline__ void BringEdited(RowMemory& memory) {
  if (memory.place.copied) {
    EditPart(memory.place, memory.part);
  } else if (memory.place.slice != nullptr) {
    LoadSlice(memory, memory.place, memory.part);
  }
}

// The logit of any id, by any thread alone.
TESSERA_STEP float LogitOf(RowMemory& memory, uint32_t id) {
  Elements elements = memory.elements;
  if (!elements.shared) return elements.At(id);
  const uint32_t blocks = simt::ClusterBlocks();
  const auto each = static_cast<uint32_t>(PartColumns(elements.columns, blocks));
  if (blocks > 1) elements.data = simt::ClusterMap(elements.data, id / each);
  elements.first = id / each * each;
  return elements.At(id);
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_OPEN_VIEW_CUH_
