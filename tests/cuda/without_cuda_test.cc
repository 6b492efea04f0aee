// A build without CUDA: the stand-in for the backend says so.
#include <gtest/gtest.h>

#include "kernels/cuda/cuda_backend.h"

namespace tessera {
namespace {

TEST(WithoutCuda, EveryBackendIsRefusedWithTheReason) {
  for (const CudaOptions& options :
       {CudaOptions(), CudaOptions{.device = 1, .kernel = "cluster"}}) {
    const absl::Status status = MakeCudaBackend(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(status.message(), "built without CUDA");
  }
}

}  // namespace
}  // namespace tessera
