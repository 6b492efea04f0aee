// Logits that are on the device: any stride, many streams at once, replays of a captured launch.
//
// TESSERA_GPU_STREAMS (default 8) sessions run at once; TESSERA_GPU_DIVIDE divides widths.
#include <gtest/gtest.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/session.h"
#include "tests/cuda/gpu_comparison.h"
#include "tests/cuda/gpu_shapes.h"
#include "tests/support/random_rows.h"

namespace tessera::testing {
namespace {

std::vector<RowSpec> RandomRows(uint64_t seed, int rows, int64_t width, DType dtype) {
  Random random(seed);
  std::vector<RowSpec> made;
  for (int i = 0; i < rows; ++i) {
    made.push_back(RandomRow(random, random.Pick(kAllShapes), width, width, dtype));
  }
  return made;
}

// A session, and a batch whose logits lie in device memory.
class OnDevice {
 public:
  // Of the device's memory: `lead_in` elements, then rows `gap` elements apart.
  OnDevice(const CudaOptions& options, const std::vector<RowSpec>& rows, DType dtype,
           size_t lead_in, size_t gap)
      : width_(static_cast<int64_t>(rows[0].logits.size())),
        specs_(rows, dtype, width_),
        element_(static_cast<size_t>(SizeOf(dtype))),
        stride_((static_cast<size_t>(width_) + gap) * element_) {
    status_ = Open(options);
    if (!status_.ok()) return;
    status_ = memory_.Reserve(lead_in * element_ + rows.size() * stride_);
    if (!status_.ok()) return;
    logits_ = {memory_.view().data + lead_in * element_, dtype, static_cast<int64_t>(stride_),
               static_cast<uint32_t>(width_)};
    results_.Reset(specs_.batch());
    status_ = Upload(specs_.batch().logits);
  }

  // Overwrites the logits on the device.
  absl::Status Upload(const LogitsView& view) {
    const cudaError_t error = cudaMemcpy2DAsync(
        memory_.view().data + (logits_.data - memory_.view().data), stride_, view.data,
        static_cast<size_t>(view.row_stride_bytes), static_cast<size_t>(width_) * element_,
        static_cast<size_t>(view.rows), cudaMemcpyHostToDevice, session_->stream().get());
    if (error != cudaSuccess) return absl::InternalError(cudaGetErrorString(error));
    return session_->stream().Synchronize();
  }

  absl::Status Run() {
    return session_->RunOnDevice(logits_, specs_.batch().rows, results_.rows());
  }
  absl::Status Prepare() {
    return session_->Prepare(logits_, specs_.batch().rows, results_.rows());
  }

  const absl::Status& status() const { return status_; }
  Session& session() { return *session_; }
  const Batch& batch() const { return specs_.batch(); }
  std::vector<std::vector<uint32_t>> Bits() { return BitsOfRows(results_.rows()); }

 private:
  absl::Status Open(const CudaOptions& options) {
    absl::StatusOr<Device> device = OpenDevice(options);
    if (!device.ok()) return device.status();
    device_ = *device;
    absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(device_);
    if (!session.ok()) return session.status();
    session_ = *std::move(session);
    return absl::OkStatus();
  }

  const int64_t width_;
  const SpecBatch specs_;
  const size_t element_;  // bytes
  const size_t stride_;   // bytes
  absl::Status status_;
  Device device_;
  std::unique_ptr<Session> session_;
  DeviceBuffer memory_;
  DeviceLogits logits_;
  BatchResult results_;
};

class GpuSessions : public ::testing::Test {
 protected:
  void SetUp() override { TESSERA_NEEDS_DEVICE(); }
  int64_t Divided(int64_t width) { return width / FromEnvironment("TESSERA_GPU_DIVIDE", 1); }
};

struct Place {
  size_t lead_in, gap;  // elements
};

void FindRowsAt(const Place& place, const CudaOptions& options, DType dtype, int64_t width) {
  const std::vector<RowSpec> rows = RandomRows(40 + static_cast<uint64_t>(dtype), 3, width, dtype);
  OnDevice on_device(options, rows, dtype, place.lead_in, place.gap);
  ASSERT_TRUE(on_device.status().ok()) << on_device.status();
  const absl::Status ran = on_device.Run();
  ASSERT_TRUE(ran.ok()) << ran;
  EXPECT_EQ(on_device.Bits(), ScalarBits(on_device.batch()))
      << NameOf(options) << ", " << DTypeName(dtype) << ", lead-in " << place.lead_in << ", gap "
      << place.gap;
}

// Where the device is emulated, only one dtype at each place, another one with every shape.
TEST_F(GpuSessions, FindRowsAtAnyStride) {
  const bool emulated = FromEnvironment("TESSERA_GPU_DIVIDE", 1) > 1;
  size_t number = 0;
  int batches = 0;
  for (const CudaOptions& options : GpuShapes()) {
    for (const Place& place : {Place{0, 0}, Place{1, 0}, Place{0, 1}, Place{3, 5}}) {
      for (const DType dtype : kAllDTypes) {
        if (number++ % 4 != 0 && emulated) continue;
        FindRowsAt(place, options, dtype, Divided(33001));
        ASSERT_FALSE(HasFailure());
        ++batches;
      }
    }
  }
  std::printf("%d batches\n", batches);
}

TEST_F(GpuSessions, RunInManyStreamsAtOnce) {
  const int64_t streams = FromEnvironment("TESSERA_GPU_STREAMS", 8);
  constexpr int kRuns = 5;
  const std::string complaint = JudgeAll(streams, [&](int64_t number) -> std::string {
    const DType dtype = kAllDTypes[number % 3];
    OnDevice on_device({}, RandomRows(70 + number, 20, Divided(9000 + 64 * number), dtype), dtype,
                       0, 0);
    if (!on_device.status().ok()) return on_device.status().ToString();
    const auto expected = ScalarBits(on_device.batch());
    for (int run = 0; run < kRuns; ++run) {
      if (const absl::Status ran = on_device.Run(); !ran.ok()) return ran.ToString();
      if (on_device.Bits() != expected) return absl::StrCat("stream ", number, ", run ", run);
    }
    return "";
  });
  EXPECT_EQ(complaint, "");
  std::printf("%d runs in each of %d streams\n", kRuns, static_cast<int>(streams));
}

// The same rows with other logits in the memory that the graph reads.
TEST_F(GpuSessions, AGraphReplaysTheLaunch) {
  for (const CudaOptions& options : GpuShapes()) {
    std::vector<RowSpec> rows = RandomRows(90, 3, Divided(50000), DType::kBfloat16);
    OnDevice on_device(options, rows, DType::kBfloat16, 0, 0);
    ASSERT_TRUE(on_device.status().ok()) << on_device.status();
    Random random(91);
    for (RowSpec& row : rows) {
      row.logits = RandomLogits(random, Shape::kNormal, row.logits.size(), DType::kBfloat16);
    }
    const SpecBatch others(rows, DType::kBfloat16, on_device.batch().vocab_size);
    ASSERT_TRUE(on_device.Prepare().ok());
    const cudaStream_t stream = on_device.session().stream().get();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    const absl::Status launched = on_device.session().Launch();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << launched;
    ASSERT_TRUE(launched.ok()) << launched;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (const SpecBatch* written : {&others, static_cast<const SpecBatch*>(nullptr)}) {
      const Batch& batch = written == nullptr ? on_device.batch() : written->batch();
      ASSERT_TRUE(on_device.Upload(batch.logits).ok());
      for (int replay = 0; replay < 2; ++replay) {
        ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
      }
      ASSERT_TRUE(on_device.session().Finish().ok());
      ASSERT_EQ(on_device.Bits(), ScalarBits(batch)) << NameOf(options);
    }
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

}  // namespace
}  // namespace tessera::testing
