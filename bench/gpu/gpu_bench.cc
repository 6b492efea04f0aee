// How long sampling takes on a GPU whose memory holds the logits, beside what its memory can do.
//
// Every time is that of replaying a CUDA graph of Session::Launch with a cold L2 cache, the median
// of 51 (--quick: 11). "floor" is reading the logits once at the measured bandwidth. Rows: 16
// different ones, repeated in memory of their own: real (recorded bf16, cropped to the width;
// widened for fp32), peaked and flat. Prints what it would measure, and nothing else, with
// --dry-run.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <vector>

#include "bench/gpu/bandwidth.h"
#include "bench/gpu/device_rows.h"
#include "bench/gpu/options.h"
#include "bench/gpu/table.h"
#include "kernels/cuda/device.h"

namespace tessera::bench {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr uint32_t kReadersPerMultiprocessor = 4;  // blocks

int Failed(const absl::Status& status) {
  std::fprintf(stderr, "gpu_bench: %s\n", status.ToString().c_str());
  return 1;
}

void DryRun(const Options& options) {
  for (const Case& one : AllCases(options)) {
    std::printf("%s V %lld %s, %s, B %lld\n", NameOf(one.dtype),
                static_cast<long long>(one.columns), NameOf(one.shape),
                BenchChains()[one.chain].name, static_cast<long long>(one.rows));
  }
}

absl::StatusOr<std::vector<Measured>> MeasureAll(const Options& options, const Device& device,
                                                 const Bandwidth& bandwidth, ReplayTimer& timer) {
  const int64_t most_rows = *std::max_element(options.batches.begin(), options.batches.end());
  std::vector<Measured> table;
  std::unique_ptr<DeviceRows> rows;
  for (const Case& one : AllCases(options)) {
    if (rows == nullptr || !rows->Serves(one)) {
      rows.reset();  // its memory first
      absl::StatusOr<std::unique_ptr<DeviceRows>> made = DeviceRows::Create(device, one, most_rows);
      if (!made.ok()) return made.status();
      rows = *std::move(made);
    }
    const absl::StatusOr<double> time = rows->Time(one, timer);
    if (!time.ok()) return time.status();
    table.push_back({one, *time});
    PrintRow(table.back(), bandwidth);
  }
  return table;
}

absl::Status Measure(const Options& options, const Device& device) {
  const uint32_t blocks =
      kReadersPerMultiprocessor * static_cast<uint32_t>(device.traits.multiprocessors);
  const auto flush = static_cast<size_t>(options.flush_mib) * kMebibyte;
  absl::StatusOr<std::unique_ptr<ReplayTimer>> timer =
      ReplayTimer::Create(flush, options.repeats, blocks);
  if (!timer.ok()) return timer.status();
  const absl::StatusOr<Bandwidth> bandwidth =
      MeasureBandwidth(static_cast<size_t>(options.copy_mib) * kMebibyte, blocks, **timer);
  if (!bandwidth.ok()) return bandwidth.status();
  std::printf(
      "%s\ncopy %.0f GB/s, read %.0f GB/s; a launch of nothing takes %.2f us, which every "
      "time below includes\n",
      device.Description().c_str(), bandwidth->copy, bandwidth->read, bandwidth->nothing_us);
  PrintHeader();
  const absl::StatusOr<std::vector<Measured>> table =
      MeasureAll(options, device, *bandwidth, **timer);
  if (!table.ok()) return table.status();
  PrintClaims(*table);
  if (options.json.empty()) return absl::OkStatus();
  std::ofstream file(options.json);
  file << TableAsJson(device.Description(), options, *bandwidth, *table);
  return file.flush() ? absl::OkStatus() : absl::UnknownError("cannot write " + options.json);
}

int Main(int argc, char** argv) {
  Options options;
  const std::string wrong = ParseOptions(argc, argv, &options);
  if (!wrong.empty() || options.help) {
    std::fprintf(wrong.empty() ? stdout : stderr, "%s%s%s", wrong.c_str(),
                 wrong.empty() ? "" : "\n", kUsage);
    return wrong.empty() ? 0 : 2;
  }
  if (options.dry_run) {
    DryRun(options);
    return 0;
  }
  const absl::StatusOr<Device> device = OpenDevice({});
  if (!device.ok()) {
    std::printf("gpu_bench: not run: %s\n", device.status().ToString().c_str());
    return options.require_device ? 1 : 0;
  }
  const absl::Status measured = Measure(options, *device);
  return measured.ok() ? 0 : Failed(measured);
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) { return tessera::bench::Main(argc, argv); }
