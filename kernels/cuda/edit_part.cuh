// Masks and edits of a block's part of a row (kernels/row/edits.h), written as binary32. Every
// block looks at all of the row's lists and takes the ids that are its own.
#ifndef TESSERA_KERNELS_CUDA_EDIT_PART_CUH_
#define TESSERA_KERNELS_CUDA_EDIT_PART_CUH_

#include <cstdint>

#include "kernels/cuda/row_part.cuh"
#include "kernels/row/edits.h"
#include "kernels/row_input.h"

namespace tessera::cuda {

// Where a block's part of the edited row goes: shared or global memory, for whole chunks.
struct EditedPart {
  float* data;  // of the id `first`
  uint32_t first;
  uint32_t end;  // of the row or of the part, whichever comes first
  bool shared;

  __device__ __forceinline__ bool Has(TokenId id) const {
    return static_cast<uint32_t>(id) >= first && static_cast<uint32_t>(id) < end;
  }
  __device__ __forceinline__ float Get(TokenId id) const {
    const float* const place = data + (static_cast<uint32_t>(id) - first);
    return shared ? *place : simt::LoadGlobal(place);
  }
  __device__ __forceinline__ void Set(TokenId id, float y) const {
    float* const place = data + (static_cast<uint32_t>(id) - first);
    if (shared) {
      *place = y;
    } else {
      simt::StoreGlobal(place, y);
    }
  }
  // For lists that may name an id twice: several threads then write the same.
  __device__ __forceinline__ void SetAtomically(TokenId id, float y) const {
    atomicExch(data + (static_cast<uint32_t>(id) - first), y);
  }
  __device__ __forceinline__ void SetVector(uint32_t id, const float (&y)[kVectorIds]) const {
    auto* const place = reinterpret_cast<float4*>(data + (id - first));
    const float4 low{y[0], y[1], y[2], y[3]};
    const float4 high{y[4], y[5], y[6], y[7]};
    if (shared) {
      place[0] = low;
      place[1] = high;
    } else {
      simt::StoreGlobal(place, low);
      simt::StoreGlobal(place + 1, high);
    }
  }
};

// Calls visit(entry) for this thread's share of a list.
template <class T, class Visit>
__device__ __forceinline__ void ForEachEntry(absl::Span<const T> list, Visit visit) {
  const auto size = static_cast<uint32_t>(list.size());
  TESSERA_NO_UNROLL
  for (uint32_t i = threadIdx.x; i < size; i += kThreads) visit(list.data()[i]);
}

__device__ __forceinline__ GrammarMask GrammarOf(const RowInput& input) {
  return {input.grammar.data(), static_cast<uint32_t>(input.grammar.size()),
          !input.grammar.empty()};
}

// A bias of -inf is a mask.
__device__ __forceinline__ void BanInPart(absl::Span<const Bias> list, const EditedPart& out) {
  ForEachEntry(list, [&](const Bias& bias) {
    if (bias.value == kBannedLogit && out.Has(bias.id)) out.SetAtomically(bias.id, kBannedLogit);
  });
}

// The received logits that no mask bans.
__device__ __forceinline__ void CopyUnderMasks(const RowInput& input, Elements received,
                                               const ChunkRange& part, const EditedPart& out) {
  received.grammar = GrammarOf(input);
  ForEachChunk(part, [&](uint32_t chunk) {
    if (!input.has_allowed) {
      ForEachVector(received, chunk,
                    [&](uint32_t id, const float(&y)[kVectorIds]) { out.SetVector(id, y); });
      return;
    }
    const float none[kVectorIds] = {kBannedLogit, kBannedLogit, kBannedLogit, kBannedLogit,
                                    kBannedLogit, kBannedLogit, kBannedLogit, kBannedLogit};
    for (uint32_t i = threadIdx.x % 32 * kVectorIds; i < kChunkIds; i += 32 * kVectorIds) {
      out.SetVector(chunk * kChunkIds + i, none);
    }
  });
  __syncthreads();
  if (input.has_allowed) {
    ForEachEntry(input.allowed, [&](TokenId id) {
      if (out.Has(id)) out.SetAtomically(id, received.At(static_cast<uint32_t>(id)));
    });
    __syncthreads();
  }
  ForEachEntry(input.banned, [&](TokenId id) {
    if (out.Has(id)) out.SetAtomically(id, kBannedLogit);
  });
  if (input.plan->uses_bias) BanInPart(input.bias, out);
  TESSERA_NO_UNROLL
  for (int32_t i = 0; i < input.plan->additions; ++i) BanInPart(input.additions[i], out);
  __syncthreads();
}

__device__ __forceinline__ void AddToPart(absl::Span<const Bias> list, const EditedPart& out) {
  ForEachEntry(list, [&](const Bias& bias) {
    if (!out.Has(bias.id)) return;
    const float y = out.Get(bias.id);
    if (y != kBannedLogit) out.Set(bias.id, y + bias.value);
  });
}

// Calls edited(id, y) for every candidate of the part: its new logit.
template <class Edited>
__device__ __forceinline__ void EditEach(const EditedPart& out, Edited edited) {
  TESSERA_NO_UNROLL
  for (uint32_t id = out.first + threadIdx.x; id < out.end; id += kThreads) {
    const float y = out.Get(static_cast<TokenId>(id));
    if (y != kBannedLogit) out.Set(static_cast<TokenId>(id), edited(id, y));
  }
}

// `guidance` is the guidance row, if the edit needs one.
__device__ __forceinline__ void ApplyEditToPart(const Edit& edit, const RowInput& input,
                                                const Elements& guidance, const EditedPart& out) {
  switch (edit.kind) {
    case Edit::Kind::kScale:
      return EditEach(out, [&](uint32_t, float y) { return y * edit.value; });
    case Edit::Kind::kGreen:
      return EditEach(
          out, [&](uint32_t id, float y) { return HasBit(input.green, id) ? y + edit.value : y; });
    case Edit::Kind::kGuidance:
      return EditEach(out,
                      [&](uint32_t id, float y) { return Guided(edit.value, y, guidance.At(id)); });
    case Edit::Kind::kBias:
      return AddToPart(input.bias, out);
    case Edit::Kind::kAddition:
      return AddToPart(input.additions[edit.list], out);
    case Edit::Kind::kRepetition:
    case Edit::Kind::kFrequency:
    case Edit::Kind::kPresence:
      return ForEachEntry(input.counts, [&](const IdCount& seen) {
        if (!out.Has(seen.id)) return;
        const uint64_t count = CountInScope(seen, edit.scope);
        const float y = out.Get(seen.id);
        if (count != 0 && y != kBannedLogit) out.Set(seen.id, Penalised(edit, y, count));
      });
  }
}

// Ends with a barrier of the block. `guidance` stands in global memory as `received` does.
__device__ __forceinline__ void WriteEditedPart(const RowInput& input, const Elements& received,
                                                const std::byte* guidance, const ChunkRange& part,
                                                const EditedPart& out) {
  CopyUnderMasks(input, received, part, out);
  const Plan& plan = *input.plan;
  TESSERA_NO_UNROLL
  for (int32_t i = 0; i < plan.edit_count; ++i) {
    ApplyEditToPart(plan.edits[i], input,
                    GlobalElements(guidance, received.dtype, received.columns), out);
    __syncthreads();
  }
}

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_EDIT_PART_CUH_
