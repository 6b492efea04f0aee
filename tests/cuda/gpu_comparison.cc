#include "tests/cuda/gpu_comparison.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "absl/strings/str_cat.h"
#include "kernels/cpu/mutex.h"
#include "tests/cuda/gpu_shapes.h"
#include "tests/support/expected_row.h"

namespace tessera::testing {

std::string JudgeAll(int64_t count, const std::function<std::string(int64_t)>& judge) {
  std::atomic<int64_t> next = 0;
  Mutex mutex;
  std::string first;  // complaint
  const auto work = [&] {
    for (int64_t number = next++; number < count; number = next++) {
      const std::string complaint = judge(number);
      if (complaint.empty()) continue;
      next = count;
      const MutexLock lock(mutex);
      if (first.empty()) first = complaint;
    }
  };
  const int64_t threads = FromEnvironment("TESSERA_GPU_THREADS", AvailableCpus());
  std::vector<std::thread> others;
  for (int64_t i = 1; i < std::min(threads, count); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return first;
}

std::vector<std::vector<uint32_t>> BitsOfRows(absl::Span<const RowResult> rows) {
  std::vector<std::vector<uint32_t>> bits;
  bits.reserve(rows.size());
  for (const RowResult& row : rows) bits.push_back(BitsOf(row));
  return bits;
}

std::vector<std::vector<uint32_t>> ScalarBits(const Batch& batch) {
  BatchResult results;
  if (!MakeScalarBackend()->Run(batch, &results).ok()) return {};  // equals no device's answer
  return BitsOfRows(results.rows());
}

std::string Compare(Backend& backend, const Batch& batch, const std::vector<RowSpec>& specs,
                    const std::vector<std::vector<uint32_t>>& expected) {
  BatchResult results;
  const absl::Status status = backend.Run(batch, &results);
  if (!status.ok()) return absl::StrCat(backend.name(), ": ", status.ToString());
  const std::vector<std::vector<uint32_t>> bits = BitsOfRows(results.rows());
  if (bits == expected) return "";
  if (expected.size() != bits.size()) return "the scalar executor did not answer every row";
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != expected[i]) {
      return absl::StrCat(backend.name(), " differs from the scalar executor in row ", i, " of ",
                          bits.size(), ", ", DTypeName(batch.logits.dtype), ", vocab_size ",
                          batch.vocab_size, ": ", Describe(specs[i]));
    }
  }
  return "";
}

}  // namespace tessera::testing
