// Adds the CUDA backend on the emulator, in every shape, to a program that judges executors, in
// place of the CPU's SIMD targets.
#include "tests/cuda/emulated_executors.h"

#include "tests/cuda/scheduled_backend.h"
#include "tests/support/backends.h"

namespace tessera::testing {

absl::Span<const EmulatedShape> EmulatedShapes() {
  static constexpr EmulatedShape kShapes[] = {
      {"cluster", 1, 1},   {"cluster", 2, 1},  {"cluster", 4, 3},  {"cluster", 8, 8},
      {"cluster", 16, 16}, {"fallback", 1, 1}, {"fallback", 3, 1}, {"fallback", 16, 1}};
  return kShapes;
}

std::vector<EmulatedShape> ShapesOfTurn(int turn) {
  std::vector<EmulatedShape> due;
  for (const EmulatedShape& shape : EmulatedShapes()) {
    if ((turn + 1) % shape.every == 0) due.push_back(shape);
  }
  return due;
}

namespace {

bool AddAll() {
  for (const EmulatedShape& shape : EmulatedShapes()) {
    const auto make = [shape] { return MakeScheduledBackend(shape.Options(), 0); };
    AddExecutor({shape.Name(), EmulatedName(shape.Options()), make, 48 / shape.every});
  }
  return LeaveOutCpuTargets();
}

[[maybe_unused]] const bool added = AddAll();

}  // namespace
}  // namespace tessera::testing
