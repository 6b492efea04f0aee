#include "kernels/cuda/pack_batch.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "kernels/backend.h"
#include "kernels/cuda/packed_row.h"

namespace tessera {
namespace {

static_assert(alignof(RowResult) <= 16 && std::is_trivially_destructible_v<RowResult>);

// Those of a result, in the order in which they stand in the block.
template <class Result, class Visit>
void ForEachResultList(Result& result, Visit visit) {
  visit(result.tokens);
  visit(result.law_weights);
  visit(result.law_ids);
  for (auto& report : result.reports) {
    visit(report.sampled);
    visit(report.scored);
    visit(report.top);
  }
}

// Brings a list back: `found` may be shorter than the room there is for it.
template <class T>
void BringBack(const std::byte* from, size_t found, size_t room, absl::Span<T>* list) {
  *list = {list->data(), std::min(found, room)};
  if (!list->empty()) std::memcpy(list->data(), from, BytesOf(*list));
}

}  // namespace

size_t PackedBytes(const RowInput& row, const RowResult& result) {
  size_t bytes = After(After(0, sizeof(RowInput)) + sizeof(RowResult), sizeof(Plan));
  const auto add = [&](auto list) { bytes = After(bytes, BytesOf(list)); };
  ForEachList(row, add);
  ForEachResultList(result, add);
  return bytes;
}

absl::Status BatchPacker::Measure(absl::Span<const RowInput> rows, absl::Span<RowResult> results,
                                  size_t most_bytes) {
  rows_ = rows;
  results_ = results;
  inputs_.Clear();
  size_t next = After(0, rows.size() * sizeof(RowInput));
  for (const RowInput& row : rows) PlaceRow(row, &inputs_, &next);
  results_offset_ = next;
  next = After(next, results.size() * sizeof(RowResult));
  room_.clear();
  for (const RowResult& result : results) {
    ForEachResultList(result, [&](auto list) {
      next = After(next, BytesOf(list));
      room_.push_back(list.size());
    });
  }
  bytes_ = next;
  if (bytes_ <= most_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("what ", rows.size(), " rows ask for and get back takes ", bytes_,
                   " bytes on the device; there may be at most ", most_bytes));
}

void BatchPacker::Write(absl::Span<const PlacedRow> placed, std::byte* device,
                        std::byte* block) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    RowInput moved = RelocatedRow(rows_[i], inputs_, device);
    if (!placed.empty()) {
      moved.logits_row = placed[i].logits;
      moved.guidance_row = placed[i].guidance;
    }
    std::memcpy(block + i * sizeof(RowInput), static_cast<const void*>(&moved), sizeof(RowInput));
  }
  for (const PlacedSpans::Entry& entry : inputs_.entries()) {
    std::memcpy(block + entry.offset, entry.start, entry.bytes);
  }
  // What no kernel writes reads as it would on the host.
  size_t next = After(results_offset_, results_.size() * sizeof(RowResult));
  for (size_t i = 0; i < results_.size(); ++i) {
    RowResult moved = results_[i];
    ForEachResultList(moved, [&](auto& list) {
      if (!list.empty()) std::memcpy(block + next, list.data(), BytesOf(list));
      const size_t after = After(next, BytesOf(list));
      list = MovedTo(device + next, list);
      next = after;
    });
    std::memcpy(block + results_offset_ + i * sizeof(RowResult), static_cast<const void*>(&moved),
                sizeof(RowResult));
  }
}

void BatchPacker::Unpack(const std::byte* block) const {
  size_t next = After(results_offset_, results_.size() * sizeof(RowResult));
  auto room = room_.begin();
  for (size_t i = 0; i < results_.size(); ++i) {
    RowResult found;
    std::memcpy(static_cast<void*>(&found), block + results_offset_ + i * sizeof(RowResult),
                sizeof(RowResult));
    size_t sizes[3 + 3 * kLogprobModes];
    size_t* size = sizes;
    ForEachResultList(found, [&](auto list) { *size++ = list.size(); });
    RowResult& result = results_[i];
    size = sizes;
    ForEachResultList(result, [&](auto& list) {
      BringBack(block + next, *size++, *room, &list);
      next = After(next, *room++ * sizeof(list[0]));
    });
    result.outcome = found.outcome;
    result.raw_invalid = found.raw_invalid;
    result.invalid_id = found.invalid_id;
    result.invalid_logit = found.invalid_logit;
    result.support_size = found.support_size;
    std::copy(found.state, found.state + 2, result.state);
    result.law = found.law;
    for (int mode = 0; mode < kLogprobModes; ++mode) {
      result.reports[mode].entropy = found.reports[mode].entropy;
    }
  }
  SortLawIds(results_);
}

}  // namespace tessera
