// tesserad: parses flags, serves until told to stop, stops gracefully.
#include <malloc.h>

#include <cstdio>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "service/capabilities.h"
#include "service/options.h"
#include "service/port_file.h"
#include "service/server.h"
#include "service/stop_signal.h"

namespace tessera {
namespace {

constexpr int kUsageError = 2;  // exit status: flags or configuration
constexpr int kStartError = 1;  // exit status: could not serve

void Say(const std::string& line) { std::fprintf(stderr, "tesserad: %s\n", line.c_str()); }

// Requests are large and come again and again: memory that goes back to the system between them is
// faulted in anew each time, which costs more than the copy into it. So nothing is mapped for one
// allocation, trimmed, or kept in per-thread heaps, which vanish whole when they empty. (Two
// callers of 51 MB requests on 2 cores: 18,000 page faults and 352 ms a call before, 3,600 and 174
// ms after.)
void KeepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_ARENA_MAX, 1);
#endif
}

int Serve(const Options& options) {
  BlockStopSignals();
  KeepFreedMemory();
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
  if (!server.ok()) {
    Say(std::string(server.status().message()));
    return kStartError;
  }
  if (!options.port_file.empty()) {
    absl::Status status =
        WritePortFile(options.port_file, (*server)->ports(), (*server)->admin_port());
    if (!status.ok()) {
      Say(std::string(status.message()));
      return kStartError;
    }
  }
  const BackendChoice& backend = (*server)->backend();
  Say(absl::StrCat("serving on ", absl::StrJoin(options.listen, ", "),
                   (*server)->ports().empty()
                       ? ""
                       : absl::StrCat(" (port ", absl::StrJoin((*server)->ports(), ", "), ")"),
                   " with ", backend.backend->name(), ", threads ", backend.threads, " (",
                   backend.reason, ")"));

  const int signal = WaitForStopSignal();
  Say(absl::StrCat("signal ", signal, ": finishing what is in flight"));
  const absl::Duration patience = options.drain_delay + options.shutdown_grace + absl::Seconds(10);
  StartWatchdog(static_cast<unsigned>(absl::ToInt64Seconds(patience)));
  (*server)->Drain();
  server->reset();
  Say("stopped");
  return 0;
}

int Main(absl::Span<const char* const> arguments) {
  absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) {
    Say(std::string(options.status().message()));
    return kUsageError;
  }
  if (options->help) {
    std::fputs(HelpText().c_str(), stdout);
    return 0;
  }
  if (options->version) {
    std::printf("tesserad %s, numerics version %u\n", ServerVersion(), kNumericsVersion);
    return 0;
  }
  return Serve(*options);
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  return tessera::Main(
      absl::MakeConstSpan(argv + (argc > 0), static_cast<size_t>(argc > 0 ? argc - 1 : 0)));
}
