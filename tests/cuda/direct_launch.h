// Runs batches by the kernels' launch alone, without the host side around it: memory, shape and
// schedule are the test's.
#ifndef TESSERA_TESTS_CUDA_DIRECT_LAUNCH_H_
#define TESSERA_TESTS_CUDA_DIRECT_LAUNCH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/cuda/launch.h"
#include "tests/cuda/emulated_executors.h"

namespace tessera::testing {

// Host memory stands for the device's. The logits stay where and as they are, at any alignment.
class DirectLaunch : public Backend {
 public:
  explicit DirectLaunch(const EmulatedShape& shape) : shape_(shape) {}

  // Rows in flight; 0: as the shape of launch has it.
  DirectLaunch& WithRowGroups(uint32_t row_groups) {
    row_groups_ = row_groups;
    return *this;
  }
  // Shared memory has no room for the rows themselves.
  DirectLaunch& WithoutSlices() {
    slices_ = false;
    return *this;
  }
  // What the workspace holds before a batch.
  DirectLaunch& WithFill(std::byte fill) {
    fill_ = fill;
    return *this;
  }

  std::string name() const override { return "direct " + shape_.Name(); }
  absl::Status Run(const Batch& batch, BatchResult* results) override;
  absl::Status RunResiduals(const ResidualBatch&, absl::Span<ResidualResult>) override {
    return absl::UnimplementedError("rows alone are launched directly");
  }

  // Of the last batch.
  const std::vector<std::byte>& workspace() const { return workspace_; }
  const LaunchShape& launched() const { return launched_; }

 private:
  LaunchShape ShapeFor(const Batch& batch) const;

  const EmulatedShape shape_;
  uint32_t row_groups_ = 0;
  bool slices_ = true;
  std::byte fill_{0x5A};
  std::vector<std::byte> workspace_;
  LaunchShape launched_;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_CUDA_DIRECT_LAUNCH_H_
