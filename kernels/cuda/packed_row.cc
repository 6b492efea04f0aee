#include "kernels/cuda/packed_row.h"

#include <type_traits>

namespace tessera {

static_assert(std::is_trivially_copyable_v<Plan> && alignof(Plan) <= 16);
static_assert(alignof(RowInput) <= 16 && std::is_trivially_destructible_v<RowInput>);

void PlaceRow(const RowInput& row, PlacedSpans* placed, size_t* next) {
  placed->Place(row.plan, sizeof(Plan), next);
  ForEachList(row, [&](auto list) {
    if (!list.empty()) placed->Place(list.data(), BytesOf(list), next);
  });
}

RowInput RelocatedRow(const RowInput& row, const PlacedSpans& placed, std::byte* device) {
  RowInput moved = row;
  moved.plan = reinterpret_cast<const Plan*>(device + placed.OffsetOf(row.plan, sizeof(Plan)));
  ForEachList(moved, [&](auto& list) { list = Relocated(list, placed, device); });
  return moved;
}

}  // namespace tessera
