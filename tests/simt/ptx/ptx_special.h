// PTX's special registers that do not change while a thread runs.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_SPECIAL_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_SPECIAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace simt::ptx {

class Thread;

enum class Special : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneId,
  kWarpId,
  kNwarpId,
  kLaneMaskEq,
  kLaneMaskLt,
  kLaneMaskLe,
  kLaneMaskGt,
  kLaneMaskGe,
  kClusterRank,
  kClusterBlocks,
  kClusterIdX,
  kClusterCountX,
  kDynamicSharedBytes,
  kTotalSharedBytes,
  kWarpSize,
  kOne,
  kZero
};

// None for a name that is no such register, %clock among them: what it reads no CPU can say.
std::optional<Special> SpecialNamed(std::string_view name);

uint64_t ValueOf(Special special, const Thread& thread);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_SPECIAL_H_
