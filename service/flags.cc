#include "service/flags.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "service/flag_values.h"

namespace tessera {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

constexpr struct {
  const char* name;
  BackendKind kind;
} kBackends[] = {{"auto", BackendKind::kAuto},
                 {"cpu", BackendKind::kCpu},
                 {"cuda", BackendKind::kCuda},
                 {"scalar", BackendKind::kScalar}};

absl::Status SetListen(absl::string_view value, Options* options) {
  for (absl::string_view address : absl::StrSplit(value, ',')) {
    if (absl::Status status = CheckAddress(address, /*allow_unix=*/true); !status.ok()) {
      return status;
    }
    options->listen.emplace_back(address);
  }
  return absl::OkStatus();
}

absl::Status SetBackend(absl::string_view value, Options* options) {
  for (const auto& backend : kBackends) {
    if (value != backend.name) continue;
    options->backend = backend.kind;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(" is '", value, "'; it must be auto, cpu, cuda or scalar"));
}

absl::Status SetCudaDevice(absl::string_view value, Options* options) {
  int64_t device = 0;
  absl::Status status = ParseNumber(value, 0, 255, &device);
  options->cuda_device = static_cast<int>(device);
  return status;
}

absl::Status SetCudaKernel(absl::string_view value, Options* options) {
  if (value != "auto" && value != "cluster" && value != "fallback") {
    return absl::InvalidArgumentError(
        absl::StrCat(" is '", value, "'; it must be auto, cluster or fallback"));
  }
  options->cuda_kernel = std::string(value);
  return absl::OkStatus();
}

std::string ShowBackend(const Options& options) {
  for (const auto& backend : kBackends) {
    if (options.backend == backend.kind) return backend.name;
  }
  return "";
}

absl::Status SetThreads(absl::string_view value, Options* options) {
  int64_t threads = 0;
  absl::Status status = ParseNumber(value, 0, 1024, &threads);
  options->threads = static_cast<int>(threads);
  return status;
}

absl::Status SetAge(absl::string_view value, Options* options) {
  absl::Status status = ParsePeriod(value, &options->max_connection_age);
  if (status.ok() && options->max_connection_age == absl::ZeroDuration()) {
    options->max_connection_age = absl::InfiniteDuration();
  }
  return status;
}

constexpr Flag kFlags[] = {
    {"listen", "ADDRESS,...",
     "Where gRPC listens: host:port or unix:path; may be repeated. Port 0 takes a free one",
     SetListen, [](const Options& o) { return absl::StrJoin(o.listen, ","); }},
    {"admin-listen", "HOST:PORT",
     "Where plain HTTP answers /livez and /readyz, on its own thread; empty: nowhere",
     [](absl::string_view value, Options* o) {
       o->admin_listen = std::string(value);
       return value.empty() ? absl::OkStatus() : CheckAddress(value, /*allow_unix=*/false);
     },
     [](const Options& o) { return o.admin_listen; }},
    {"port-file", "FILE",
     "Written once listening: the port of each TCP listener on a line, then 'admin PORT' if any",
     [](absl::string_view value, Options* o) {
       o->port_file = std::string(value);
       return absl::OkStatus();
     },
     [](const Options& o) { return o.port_file; }},
    {"backend", "KIND",
     "What computes: cpu, cuda, scalar (plain loops, slow), or auto: cuda where it runs, else cpu",
     SetBackend, ShowBackend},
    {"cuda-device", "N", "Device of the cuda backend, as CUDA numbers them", SetCudaDevice,
     [](const Options& o) { return absl::StrCat(o.cuda_device); }},
    {"cuda-kernel", "KIND",
     "Kernels of the cuda backend: cluster (sm_90 or newer), fallback, or auto: what suits the "
     "device",
     SetCudaKernel, [](const Options& o) { return o.cuda_kernel; }},
    {"cpu-target", "NAME",
     "SIMD target of the cpu backend (AVX3, AVX2, ...); empty: the best that runs here",
     [](absl::string_view value, Options* o) {
       o->cpu_target = std::string(value);
       return absl::OkStatus();
     },
     [](const Options& o) { return o.cpu_target; }},
    {"threads", "N", "Threads that sample; 0: as many as the CPU quota allows", SetThreads,
     [](const Options& o) { return absl::StrCat(o.threads); }},
    {"max-unary-bytes", "BYTES", "Largest unary request",
     [](absl::string_view value, Options* o) {
       return ParseBytes(value, 1024, kGiB, &o->limits.max_unary_bytes);
     },
     [](const Options& o) { return ShowBytes(o.limits.max_unary_bytes); }},
    {"max-inflight-bytes", "BYTES", "Requests in flight, all together; more are refused",
     [](absl::string_view value, Options* o) {
       return ParseBytes(value, 1024, 1024 * kGiB, &o->admission.max_bytes);
     },
     [](const Options& o) { return ShowBytes(o.admission.max_bytes); }},
    {"max-inflight-calls", "N", "Calls in flight, running or waiting; more are refused",
     [](absl::string_view value, Options* o) {
       return ParseNumber(value, 1, 65536, &o->admission.max_calls);
     },
     [](const Options& o) { return absl::StrCat(o.admission.max_calls); }},
    {"max-rows", "N", "Rows in one call",
     [](absl::string_view value, Options* o) {
       return ParseNumber(value, 1, 1 << 20, &o->limits.max_rows);
     },
     [](const Options& o) { return absl::StrCat(o.limits.max_rows); }},
    {"max-chains", "N", "Chains in one call",
     [](absl::string_view value, Options* o) {
       return ParseNumber(value, 1, 1 << 20, &o->limits.max_chains);
     },
     [](const Options& o) { return absl::StrCat(o.limits.max_chains); }},
    {"max-row-ids", "N", "Ids in each list of a row (bias, banned, allowed, stop)",
     [](absl::string_view value, Options* o) {
       return ParseNumber(value, 1, 1 << 20, &o->limits.max_row_ids);
     },
     [](const Options& o) { return absl::StrCat(o.limits.max_row_ids); }},
    {"max-history", "N", "Ids or counts in one row's history",
     [](absl::string_view value, Options* o) {
       return ParseNumber(value, 1, 1 << 28, &o->limits.max_history);
     },
     [](const Options& o) { return absl::StrCat(o.limits.max_history); }},
    {"drain-delay", "DURATION",
     "After SIGTERM: keep serving for so long, not ready, while load balancers look away",
     [](absl::string_view value, Options* o) { return ParsePeriod(value, &o->drain_delay); },
     [](const Options& o) { return absl::FormatDuration(o.drain_delay); }},
    {"shutdown-grace", "DURATION", "After that: how long calls in flight may take to finish",
     [](absl::string_view value, Options* o) { return ParsePeriod(value, &o->shutdown_grace); },
     [](const Options& o) { return absl::FormatDuration(o.shutdown_grace); }},
    {"max-connection-age", "DURATION",
     "Asks clients to reconnect after so long, so that new replicas get load; 0: never", SetAge,
     [](const Options& o) {
       return o.max_connection_age == absl::InfiniteDuration()
                  ? std::string("0")
                  : absl::FormatDuration(o.max_connection_age);
     }},
};

}  // namespace

absl::Span<const Flag> Flags() { return kFlags; }

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& flag : kFlags) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

}  // namespace tessera
