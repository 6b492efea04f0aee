// What tesserad was told to do: flags, the configuration file, defaults.
#ifndef TESSERA_SERVICE_OPTIONS_H_
#define TESSERA_SERVICE_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "service/admission.h"
#include "service/limits.h"

namespace tessera {

enum class BackendKind { kAuto, kCpu, kCuda, kScalar };

struct Options {
  std::vector<std::string> listen = {"127.0.0.1:50051"};  // host:port or unix:path
  std::string admin_listen;                               // host:port; empty: none
  std::string port_file;                                  // empty: none
  BackendKind backend = BackendKind::kAuto;
  std::string cpu_target;            // empty: the best that runs here
  int cuda_device = 0;               // as CUDA numbers them
  std::string cuda_kernel = "auto";  // or cluster, fallback
  int threads = 0;                   // 0: as many as the cgroup's CPU quota allows
  Limits limits;
  AdmissionLimits admission;
  absl::Duration drain_delay = absl::ZeroDuration();  // serves on, not ready, after SIGTERM
  absl::Duration shutdown_grace = absl::Seconds(10);  // for calls in flight, after that
  absl::Duration max_connection_age = absl::InfiniteDuration();
  bool help = false;
  bool version = false;
};

// Parses the arguments after the program's name. A --config file is read first, wherever it stands,
// and flags override it. InvalidArgument names the flag (or file and line), its value and what is
// accepted.
absl::StatusOr<Options> ParseOptions(absl::Span<const char* const> arguments);

// The same names in a file: `name = value` lines; blank lines and lines that begin with # are
// skipped. `source` names the file in messages.
absl::Status ApplyConfig(absl::string_view text, absl::string_view source, Options* options);

// What --help prints.
std::string HelpText();

}  // namespace tessera

#endif  // TESSERA_SERVICE_OPTIONS_H_
