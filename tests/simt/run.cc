// One launch from its first thread to its last.
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "kernels/cpu/mutex.h"
#include "tests/simt/emulator.h"
#include "tests/simt/launch.h"
#include "tests/simt/machine.h"
#include "tests/simt/resident_clusters.h"
#include "tests/simt/sanitizers.h"
#include "tests/simt/scheduler.h"
#include "tests/simt/shared_memory.h"
#include "tests/simt/stream_hook.h"

namespace simt::emulator {
namespace {

uint64_t Product(dim3 v) { return uint64_t{v.x} * v.y * v.z; }

Order OrderOf(const RunOptions& options) {
  if (options.order != Order::kAutomatic) {
    return options.order;
  }
  if (options.seed < 2) {
    return options.seed == 0 ? Order::kForward : Order::kReverse;
  }
  return options.seed % 2 == 0 ? Order::kRandom : Order::kPriority;
}

// The clusters of the grid in the order in which they run.
std::vector<uint64_t> ClusterOrder(uint64_t clusters) {
  std::vector<uint64_t> order(clusters);
  for (uint64_t i = 0; i < clusters; ++i) {
    order[i] = i;
  }
  if (machine->order == Order::kReverse) {
    std::reverse(order.begin(), order.end());
  }
  if (machine->randomised()) {
    for (uint64_t i = clusters; i > 1; --i) {
      std::swap(order[i - 1], order[machine->Random() % i]);
    }
  }
  return order;
}

void SetUp(Machine& m, const LaunchConfig& config, void (*body)(void*), void* argument) {
  m.config = config;
  m.body = body;
  m.argument = argument;
  m.random_state = ((Options().seed + 1) * 0x9E3779B97F4A7C15u) | 1;
  for (int i = 0; i < 8; ++i) {  // neighbouring seeds start alike
    m.Random();
  }
  m.order = OrderOf(Options());
  m.current = &m.host;
  m.host.fiber.tsan = CurrentTsanFiber();
  blockDim = config.block;
  gridDim = config.grid;
}

// One launch at a time; the calling thread of the operating system plays all of its threads.
class Turn {
 public:
  explicit Turn(Machine& m) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if (running_) {
      throw Error("a kernel launched a kernel");
    }
    mutex().Lock();
    running_ = true;
    machine = &m;
  }
  ~Turn() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    machine = nullptr;
    running_ = false;
    mutex().Unlock();
  }

 private:
  static tessera::Mutex& mutex() {
    static tessera::Mutex& mutex = *new tessera::Mutex;
    return mutex;
  }
  static thread_local bool running_;
};
thread_local bool Turn::running_ = false;

// Threads that never ended still refer to the arguments.
void KeepForever(std::shared_ptr<void> argument) {
  static auto& kept = *new std::vector<std::shared_ptr<void>>;
  kept.push_back(std::move(argument));
}

}  // namespace

RunOptions& Options() {
  static RunOptions options;
  return options;
}

RunCounters& Counters() {
  static RunCounters counters;
  return counters;
}

cudaError_t CheckConfig(const LaunchConfig& config) {
  const uint64_t threads = Product(config.block);
  if (threads < 1 || threads > 1024 || config.block.z > 64 || Product(config.grid) == 0 ||
      config.grid.x > 0x7FFFFFFFu || config.grid.y > 65535 || config.grid.z > 65535) {
    return cudaErrorInvalidConfiguration;
  }
  if (config.cluster < 1 || config.cluster > 16 || config.grid.x % config.cluster != 0) {
    return cudaErrorInvalidClusterSize;
  }
  return config.shared_bytes > kMaxSharedBytes ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t Run(const LaunchConfig& config, void (*body)(void*), std::shared_ptr<void> argument) {
  if (const cudaError_t error = CheckConfig(config); error != cudaSuccess) {
    return error;
  }
  Machine m;
  const Turn turn(m);
  SetUp(m, config, body, argument.get());
  // Blocks are ordered after what the host did and before what it does next, not among each other.
  Release(&m.start_token);
  const std::vector<uint64_t> order = ClusterOrder(Product(config.grid) / config.cluster);
  const size_t resident = std::max(1u, Options().resident_clusters);
  for (size_t first = 0; first < order.size() && m.failure.empty(); first += resident) {
    const size_t last = std::min(first + resident, order.size());
    RunResident({order.begin() + static_cast<std::ptrdiff_t>(first),
                 order.begin() + static_cast<std::ptrdiff_t>(last)});
  }
  ReleaseCopyEngines();
  Acquire(&m.end_token);
  if (!m.failure.empty()) {
    KeepForever(std::move(argument));
    throw Error(m.failure);
  }
  return cudaSuccess;
}

cudaError_t RunInStream(const LaunchConfig& config, void (*body)(void*),
                        std::shared_ptr<void> argument) {
  if (const cudaError_t error = CheckConfig(config); error != cudaSuccess) {
    return error;
  }
  if (stream_hook == nullptr) {
    return Run(config, body, std::move(argument));
  }
  return stream_hook(config.stream, [config, body, argument] { Run(config, body, argument); });
}

}  // namespace simt::emulator
