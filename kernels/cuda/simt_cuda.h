// The device side of simt.h: thin wrappers over special registers and PTX. Clusters, barriers with
// byte counts and bulk copies need sm_90, copies by thread sm_80; older code paths never call them.
#ifndef TESSERA_KERNELS_CUDA_SIMT_CUDA_H_
#define TESSERA_KERNELS_CUDA_SIMT_CUDA_H_

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#define SIMT_DEVICE __device__ __forceinline__

namespace simt {

struct LaunchConfig {
  dim3 grid{1};
  dim3 block{1};
  size_t shared_bytes = 0;  // over 48 KiB: the kernel's limit was raised (cudaFuncSetAttribute)
  cudaStream_t stream = nullptr;
  unsigned cluster = 1;  // blocks of a cluster, along x; over 8: the kernel allows it (same call)
};

// Puts a kernel into a stream; the arguments become the kernel's parameter types first.
template <typename... P, typename... A>
cudaError_t Launch(const LaunchConfig& config, void (*kernel)(P...), A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "wrong number of kernel arguments");
  cudaLaunchConfig_t launch{};
  launch.gridDim = config.grid;
  launch.blockDim = config.block;
  launch.dynamicSmemBytes = config.shared_bytes;
  launch.stream = config.stream;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = config.cluster;
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  launch.attrs = &cluster;
  launch.numAttrs = config.cluster > 1 ? 1 : 0;
  return cudaLaunchKernelEx(&launch, kernel, static_cast<P>(std::forward<A>(arguments))...);
}

// The block's dynamic shared memory, 128-byte aligned.
template <typename T>
SIMT_DEVICE T* DynamicShared() {
  extern __shared__ __align__(128) unsigned char simt_dynamic_shared[];
  return reinterpret_cast<T*>(simt_dynamic_shared);
}

SIMT_DEVICE unsigned SharedAddress(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// Of memory that the caller wants counted by the emulator; 1 to 16 bytes.
template <typename T>
SIMT_DEVICE T LoadGlobal(const T* address) {
  return *address;
}
template <typename T>
SIMT_DEVICE void StoreGlobal(T* address, const T& value) {
  *address = value;
}

SIMT_DEVICE unsigned ClusterRank() {
#if __CUDA_ARCH__ >= 900
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  return 0;
#endif
}

SIMT_DEVICE unsigned ClusterBlocks() {
#if __CUDA_ARCH__ >= 900
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  return blocks;
#else
  return 1;
#endif
}

// What was written before an arrival is seen by whoever waits after it, in every block of the
// cluster. On a device without clusters a block is its own cluster.
SIMT_DEVICE void ClusterArrive() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}
SIMT_DEVICE void ClusterWait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  __syncthreads();
#endif
}
SIMT_DEVICE void ClusterSync() {
  ClusterArrive();
  ClusterWait();
}

// The larger; NaN if either is. Of pairs, each half by itself.
SIMT_DEVICE float MaxNan(float a, float b) {
  float max;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(max) : "f"(a), "f"(b));
  return max;
}
SIMT_DEVICE uint32_t MaxNanHalf2(uint32_t a, uint32_t b) {
  uint32_t max;
  asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(max) : "r"(a), "r"(b));
  return max;
}
SIMT_DEVICE uint32_t MaxNanBfloat2(uint32_t a, uint32_t b) {
  uint32_t max;
  asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(max) : "r"(a), "r"(b));
  return max;
}

// The same object in the shared memory of another block of the cluster.
template <typename T>
SIMT_DEVICE T* ClusterMap(T* own, unsigned rank) {
#if __CUDA_ARCH__ >= 900
  uint64_t mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(reinterpret_cast<uint64_t>(own)), "r"(rank));
  return reinterpret_cast<T*>(mapped);
#else
  (void)rank;
  return own;
#endif
}

}  // namespace simt

#include "kernels/cuda/simt_cuda_copy.h"

#endif  // __CUDACC__

#endif  // TESSERA_KERNELS_CUDA_SIMT_CUDA_H_
