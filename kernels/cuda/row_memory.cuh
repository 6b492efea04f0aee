// A block's shared memory for the row it works on, beside the row's own elements.
#ifndef TESSERA_KERNELS_CUDA_ROW_MEMORY_CUH_
#define TESSERA_KERNELS_CUDA_ROW_MEMORY_CUH_

#include <cstdint>

#include "kernels/cuda/row_part.cuh"
#include "kernels/cuda/row_place.cuh"
#include "kernels/cuda/team.cuh"
#include "kernels/cuda/team_list.cuh"
#include "kernels/row/row.h"
#include "kernels/row/row_view.h"
#include "kernels/row_input.h"

namespace tessera::cuda {

inline constexpr uint32_t kMaxChunks = static_cast<uint32_t>(kMaxVocabulary) / kChunkIds;
inline constexpr uint32_t kChunksPerThread = kMaxChunks / kThreads;  // where each has a few
// Bulk copies come in pieces of whole chunks; each piece has a barrier.
inline constexpr uint32_t kPieceChunks = 4;
inline constexpr uint32_t kMaxPieces = 32;  // more than shared memory has room for
inline constexpr uint32_t kMaxScores = kMaxSamples + kMaxScoredIds;

// For counting what is larger than each of many logits; stands where the list does otherwise.
struct LargerMemory {
  int32_t keys[kMaxScores];         // as asked for
  int32_t sorted[kMaxScores];       // ascending
  uint16_t places[kMaxScores];      // of each asked key among the sorted
  uint32_t counts[kMaxScores + 1];  // [i]: keys of the row above i of the sorted and no more
  uint32_t larger[kMaxScores];      // [i]: keys of this block's part above sorted[i]
};

// What is known of the row. Written by one thread at the end of a step, read by all in later ones.
struct RowKnown {
  bool opened;  // some view is
  View view;
  int32_t max_key;  // of the open view; kInvalidKey: NaN or +inf stands in it
  bool weighed;     // chunk_sums are of all candidates, under weighed_c
  float weighed_c;
  uint64_t whole;  // their sum
  bool sums_read;  // chunk_sums were read or changed without a barrier of the team since
  bool counted;    // team_counts are known, under counted_c
  float counted_c;
  uint32_t list_size;
  Weigher list_weigher;   // of the list's weights
  uint64_t noted_weight;  // what the row algorithm wants to know later
  int32_t noted_key;
};

struct RowMemory {
  TeamScratch team;
  DeviceBatch batch;     // of the cluster kernel, which would keep its parameters in registers
  uint32_t slice_bytes;  // likewise: of shared memory behind this
  uint32_t next_row;     // likewise
  RowKnown known;
  RowPlace place;
  ChunkRange part;     // of this block
  Elements elements;   // of the view that is open
  uint32_t bulk_rows;  // that came by bulk copies: the phase of their barriers
  union {
    ListMemory list;
    LargerMemory larger;
  };
  uint64_t chunk_sums[kMaxChunks];    // of all chunks, in every block
  int32_t chunk_maxima[kMaxChunks];   // order keys, of this block's chunks
  uint32_t chunk_places[kMaxChunks];  // of this block's chunks: keys found in a pass, or before it
  uint32_t counts[kBins];             // ids by distance from the largest logit, this block's
  uint32_t team_counts[kBins];        // of the whole row
  uint64_t words[kMaxSamples];        // random, of the draws at hand
  TokenId draws[kMaxSamples];         // what they gave, in the leading block
  uint64_t answer;                    // what one thread found
  SpreadMoments moments;              // what all found
  simt::Barrier arrivals[kMaxPieces];
};

}  // namespace tessera::cuda

#endif  // TESSERA_KERNELS_CUDA_ROW_MEMORY_CUH_
