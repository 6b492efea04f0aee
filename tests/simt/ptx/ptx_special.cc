#include "tests/simt/ptx/ptx_special.h"

#include "tests/simt/emulator.h"
#include "tests/simt/ptx/ptx_thread.h"

namespace simt::ptx {
namespace {

struct Named {
  std::string_view name;
  Special special;
};

// Clusters are laid out along x here, so the rest of their shape is ones and zeros.
constexpr Named kSpecials[] = {{"%tid.x", Special::kTidX},
                               {"%tid.y", Special::kTidY},
                               {"%tid.z", Special::kTidZ},
                               {"%ntid.x", Special::kNtidX},
                               {"%ntid.y", Special::kNtidY},
                               {"%ntid.z", Special::kNtidZ},
                               {"%ctaid.x", Special::kCtaidX},
                               {"%ctaid.y", Special::kCtaidY},
                               {"%ctaid.z", Special::kCtaidZ},
                               {"%nctaid.x", Special::kNctaidX},
                               {"%nctaid.y", Special::kNctaidY},
                               {"%nctaid.z", Special::kNctaidZ},
                               {"%laneid", Special::kLaneId},
                               {"%warpid", Special::kWarpId},
                               {"%nwarpid", Special::kNwarpId},
                               {"%lanemask_eq", Special::kLaneMaskEq},
                               {"%lanemask_lt", Special::kLaneMaskLt},
                               {"%lanemask_le", Special::kLaneMaskLe},
                               {"%lanemask_gt", Special::kLaneMaskGt},
                               {"%lanemask_ge", Special::kLaneMaskGe},
                               {"%cluster_ctarank", Special::kClusterRank},
                               {"%cluster_nctarank", Special::kClusterBlocks},
                               {"%cluster_ctaid.x", Special::kClusterRank},
                               {"%cluster_ctaid.y", Special::kZero},
                               {"%cluster_ctaid.z", Special::kZero},
                               {"%cluster_nctaid.x", Special::kClusterBlocks},
                               {"%cluster_nctaid.y", Special::kOne},
                               {"%cluster_nctaid.z", Special::kOne},
                               {"%clusterid.x", Special::kClusterIdX},
                               {"%clusterid.y", Special::kCtaidY},
                               {"%clusterid.z", Special::kCtaidZ},
                               {"%nclusterid.x", Special::kClusterCountX},
                               {"%nclusterid.y", Special::kNctaidY},
                               {"%nclusterid.z", Special::kNctaidZ},
                               {"%is_explicit_cluster", Special::kOne},
                               {"%dynamic_smem_size", Special::kDynamicSharedBytes},
                               {"%total_smem_size", Special::kTotalSharedBytes},
                               {"WARP_SZ", Special::kWarpSize}};

unsigned Threads() { return blockDim.x * blockDim.y * blockDim.z; }
unsigned LinearThread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

}  // namespace

std::optional<Special> SpecialNamed(std::string_view name) {
  for (const Named& named : kSpecials) {
    if (named.name == name) return named.special;
  }
  return std::nullopt;
}

uint64_t ValueOf(Special special, const Thread& thread) {
  const uint64_t lane_bit = uint64_t{1} << thread.lane();
  switch (special) {
    case Special::kTidX:
      return threadIdx.x;
    case Special::kTidY:
      return threadIdx.y;
    case Special::kTidZ:
      return threadIdx.z;
    case Special::kNtidX:
      return blockDim.x;
    case Special::kNtidY:
      return blockDim.y;
    case Special::kNtidZ:
      return blockDim.z;
    case Special::kCtaidX:
      return blockIdx.x;
    case Special::kCtaidY:
      return blockIdx.y;
    case Special::kCtaidZ:
      return blockIdx.z;
    case Special::kNctaidX:
      return gridDim.x;
    case Special::kNctaidY:
      return gridDim.y;
    case Special::kNctaidZ:
      return gridDim.z;
    case Special::kLaneId:
      return thread.lane();
    case Special::kWarpId:
      return LinearThread() / 32;
    case Special::kNwarpId:
      return (Threads() + 31) / 32;
    case Special::kLaneMaskEq:
      return lane_bit;
    case Special::kLaneMaskLt:
      return lane_bit - 1;
    case Special::kLaneMaskLe:
      return 2 * lane_bit - 1;
    case Special::kLaneMaskGt:
      return static_cast<uint32_t>(~(2 * lane_bit - 1));
    case Special::kLaneMaskGe:
      return static_cast<uint32_t>(~(lane_bit - 1));
    case Special::kClusterRank:
      return emulator::ClusterRank();
    case Special::kClusterBlocks:
      return emulator::ClusterBlocks();
    case Special::kClusterIdX:
      return blockIdx.x / emulator::ClusterBlocks();
    case Special::kClusterCountX:
      return gridDim.x / emulator::ClusterBlocks();
    case Special::kDynamicSharedBytes:
      return thread.shared_bytes() - thread.function().static_shared;
    case Special::kTotalSharedBytes:
      return thread.shared_bytes();
    case Special::kWarpSize:
      return 32;
    case Special::kOne:
      return 1;
    case Special::kZero:
      return 0;
  }
  return 0;
}

}  // namespace simt::ptx
