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

}  // namespace

absl::StatusOr<BackendChoice> ChooseBackend(const Options& options) {
  switch (options.backend) {
    case BackendKind::kAuto:
      return Cpu(options, "--backend auto: this build has no CUDA");
    case BackendKind::kCpu:
      return Cpu(options, "--backend cpu");
    case BackendKind::kScalar:
      return Scalar();
    case BackendKind::kCuda:
      break;
  }
  return absl::FailedPreconditionError(
      "--backend is 'cuda', but this tesserad was built without CUDA; use --backend auto or cpu");
}

}  // namespace tessera
