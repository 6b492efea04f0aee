#include "service/backend_choice.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

absl::StatusOr<BackendChoice> Cpu(const Options& options, const std::string& reason) {
  const CpuOptions cpu{.threads = options.threads, .target = options.cpu_target};
  absl::StatusOr<std::unique_ptr<Backend>> backend = MakeCpuBackend(cpu);
  if (!backend.ok()) {
    return absl::Status(backend.status().code(),
                        absl::StrCat("--cpu-target: ", backend.status().message()));
  }
  BackendChoice choice;
  choice.backend = *std::move(backend);
  choice.reason =
      absl::StrCat(reason, options.cpu_target.empty() ? "; best SIMD target that runs here"
                                                      : "; --cpu-target forced the SIMD target");
  const std::string name = choice.backend->name();  // "cpu/AVX3"
  const size_t slash = name.find('/');
  if (slash != std::string::npos) choice.simd_target = name.substr(slash + 1);
  choice.threads = options.threads > 0 ? options.threads : AvailableCpus();
  return choice;
}

absl::StatusOr<BackendChoice> Scalar() {
  BackendChoice choice;
  choice.backend = MakeScalarBackend();
  choice.reason = "--backend scalar: the readable definition, on the calling thread";
  return choice;
}

absl::StatusOr<std::unique_ptr<Backend>> MakeCuda(const Options& options, CudaFactory make_cuda) {
  return make_cuda({.device = options.cuda_device, .kernel = options.cuda_kernel});
}

BackendChoice Chosen(std::unique_ptr<Backend> backend, const char* reason) {
  BackendChoice choice;
  choice.backend = std::move(backend);
  choice.reason = reason;
  return choice;
}

// "--cuda-device 7 and --cuda-kernel cluster": what a device that does not fit was asked for.
std::string AskedFor(const Options& options) {
  return absl::StrCat("--cuda-device ", options.cuda_device, " and --cuda-kernel ",
                      options.cuda_kernel);
}

absl::StatusOr<BackendChoice> Cuda(const Options& options, CudaFactory make_cuda) {
  auto backend = MakeCuda(options, make_cuda);
  if (backend.ok()) return Chosen(*std::move(backend), "--backend cuda");
  const absl::Status& status = backend.status();
  const std::string asked = absl::IsInvalidArgument(status) ? " with " + AskedFor(options) : "";
  return absl::Status(status.code(), absl::StrCat("--backend is 'cuda'", asked,
                                                  ", which does not run here: ", status.message(),
                                                  "; use --backend cpu or auto"));
}

absl::StatusOr<BackendChoice> Auto(const Options& options, CudaFactory make_cuda) {
  auto backend = MakeCuda(options, make_cuda);
  if (backend.ok()) return Chosen(*std::move(backend), "--backend auto: a CUDA device is here");
  const absl::Status& status = backend.status();
  // Whoever names a device or a kernel wants that one, and not silently the CPU instead.
  const Options defaults;
  const bool named =
      options.cuda_device != defaults.cuda_device || options.cuda_kernel != defaults.cuda_kernel;
  if (named && absl::IsInvalidArgument(status)) {
    return absl::InvalidArgumentError(absl::StrCat(AskedFor(options), ": ", status.message()));
  }
  return Cpu(options, absl::StrCat("--backend auto: ", status.message()));
}

}  // namespace

absl::StatusOr<BackendChoice> ChooseBackend(const Options& options, CudaFactory make_cuda) {
  switch (options.backend) {
    case BackendKind::kAuto:
      return Auto(options, make_cuda);
    case BackendKind::kCpu:
      return Cpu(options, "--backend cpu");
    case BackendKind::kScalar:
      return Scalar();
    case BackendKind::kCuda:
      break;
  }
  return Cuda(options, make_cuda);
}

}  // namespace tessera
