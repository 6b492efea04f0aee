// What --backend makes of a machine with and without a usable CUDA device.
#include "service/backend_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kNoDriver[] = "no CUDA driver (cudaErrorInsufficientDriver)";

// Stands for a device; never runs.
class NamedBackend : public Backend {
 public:
  explicit NamedBackend(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  absl::Status Run(const Batch&, BatchResult*) override {
    return absl::InternalError("not to be run");
  }
  absl::Status RunResiduals(const ResidualBatch&, absl::Span<ResidualResult>) override {
    return absl::InternalError("not to be run");
  }

 private:
  std::string name_;
};

// One machine each.
absl::StatusOr<std::unique_ptr<Backend>> Usable(const CudaOptions& options) {
  return std::make_unique<NamedBackend>(absl::StrCat("cuda/", options.device, " ", options.kernel));
}
absl::StatusOr<std::unique_ptr<Backend>> NoDriver(const CudaOptions&) {
  return absl::UnavailableError(kNoDriver);
}
absl::StatusOr<std::unique_ptr<Backend>> Unfit(const CudaOptions&) {
  return absl::InvalidArgumentError("device is 3; it must be in [0, 1]");
}
absl::StatusOr<std::unique_ptr<Backend>> Broken(const CudaOptions&) {
  return absl::InternalError("cudaErrorECCUncorrectable");
}

Options With(BackendKind kind, int device = 0, const std::string& kernel = "auto") {
  Options options;
  options.backend = kind;
  options.cuda_device = device;
  options.cuda_kernel = kernel;
  return options;
}

absl::Status Refusal(const Options& options, CudaFactory machine) {
  return ChooseBackend(options, machine).status();
}

TEST(BackendChoice, AutoTakesADeviceThatIsThere) {
  const auto choice = ChooseBackend(With(BackendKind::kAuto), Usable);
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(choice->backend->name(), "cuda/0 auto");
  EXPECT_EQ(choice->reason, "--backend auto: a CUDA device is here");
  EXPECT_EQ(choice->simd_target, "");
  EXPECT_EQ(choice->threads, 1);
}

TEST(BackendChoice, AutoTakesTheCpuAndTellsWhatKeptItFromCuda) {
  const struct {
    CudaFactory machine;
    const char* reason;
  } cases[] = {
      {NoDriver, kNoDriver}, {Broken, "cudaErrorECCUncorrectable"}, {Unfit, "device is 3"}};
  for (const auto& c : cases) {
    const auto choice = ChooseBackend(With(BackendKind::kAuto), c.machine);
    ASSERT_TRUE(choice.ok()) << choice.status();
    EXPECT_THAT(choice->backend->name(), StartsWith("cpu/"));
    EXPECT_THAT(choice->reason, StartsWith(absl::StrCat("--backend auto: ", c.reason)));
    EXPECT_THAT(choice->reason, HasSubstr("; best SIMD target that runs here"));
    EXPECT_THAT(CpuTargets(), Contains(choice->simd_target));
  }
}

TEST(BackendChoice, AutoDoesNotPassOverADeviceOrKernelThatWasNamed) {
  for (const Options& named :
       {With(BackendKind::kAuto, 3), With(BackendKind::kAuto, 0, "cluster")}) {
    const absl::Status status = Refusal(named, Unfit);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(),
              absl::StrCat("--cuda-device ", named.cuda_device, " and --cuda-kernel ",
                           named.cuda_kernel, ": device is 3; it must be in [0, 1]"));
    EXPECT_TRUE(ChooseBackend(named, NoDriver).ok()) << "a machine without any is no mistake";
  }
}

TEST(BackendChoice, CudaGetsTheFlags) {
  const auto choice = ChooseBackend(With(BackendKind::kCuda, 2, "fallback"), Usable);
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(choice->backend->name(), "cuda/2 fallback");
  EXPECT_EQ(choice->reason, "--backend cuda");
}

TEST(BackendChoice, CudaThatDoesNotRunNamesTheFlagTheReasonAndAWayRound) {
  const absl::Status none = Refusal(With(BackendKind::kCuda), NoDriver);
  EXPECT_EQ(none.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(none.message(), absl::StrCat("--backend is 'cuda', which does not run here: ",
                                         kNoDriver, "; use --backend cpu or auto"));
  const absl::Status unfit = Refusal(With(BackendKind::kCuda, 3), Unfit);
  EXPECT_EQ(unfit.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unfit.message()),
              StartsWith("--backend is 'cuda' with --cuda-device 3 and --cuda-kernel auto, which "
                         "does not run here: device is 3; it must be in [0, 1]"));
}

// A device is not asked for, nor touched, where another backend was.
TEST(BackendChoice, CpuAndScalarLeaveTheDeviceAlone) {
  static int asked = 0;
  const CudaFactory counts = [](const CudaOptions& options) {
    ++asked;
    return Usable(options);
  };
  const auto cpu = ChooseBackend(With(BackendKind::kCpu), counts);
  ASSERT_TRUE(cpu.ok()) << cpu.status();
  EXPECT_THAT(cpu->backend->name(), StartsWith("cpu/"));
  const auto scalar = ChooseBackend(With(BackendKind::kScalar), counts);
  ASSERT_TRUE(scalar.ok()) << scalar.status();
  EXPECT_EQ(scalar->backend->name(), "scalar");
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace tessera
