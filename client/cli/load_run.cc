// Measures a server in a closed loop.
#include "client/cli/load_run.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <latch>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client/cli/names.h"
#include "client/float_bits.h"

namespace tessera::cli {
namespace {

// The part of a response that a request determines.
std::string Determined(v1::SampleTokensResponse* response) {
  response->clear_execution();
  return response->SerializeAsString();
}

// Normal numbers as bytes of `type`, enough for any row to be cut out of them.
std::string NormalBytes(int64_t count, v1::ElementType type) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal(0, 3);
  const size_t size = static_cast<size_t>(ElementSize(type));
  std::string bytes(static_cast<size_t>(count) * size, '\0');
  for (char* next = bytes.data(); next != bytes.data() + bytes.size(); next += size) {
    const float value = normal(random);
    const uint16_t half =
        type == v1::ELEMENT_TYPE_BFLOAT16 ? Bfloat16Bits(value) : Float16Bits(value);
    std::memcpy(next, size == 4 ? static_cast<const void*>(&value) : &half, size);
  }
  return bytes;
}

void AddRow(const LoadSpec& spec, int64_t index, v1::SampleTokensRequest* request) {
  v1::SampleRow* row = request->add_rows();
  row->set_seed(static_cast<uint64_t>(index));
  row->set_position(0);
  row->set_samples(static_cast<uint32_t>(spec.samples));
  if (spec.top_logprobs == 0) return;
  row->mutable_logprobs()->add_modes(v1::LOGPROB_MODE_PROCESSED);
  row->mutable_logprobs()->set_top_n(static_cast<uint32_t>(spec.top_logprobs));
}

// What all workers share.
struct Shared {
  const LoadSpec& spec;
  const v1::SampleTokensRequest& request;
  const std::string& expected;
  std::latch warm;
  std::atomic<int64_t> started{0};
  std::atomic<uint64_t> answered{0};
  std::atomic<uint64_t> failed{0};
  std::atomic<int64_t> running;
};

void CountAnswer(v1::SampleTokensResponse response, absl::Duration latency, const Shared& shared,
                 LoadResult* result) {
  result->latency.Record(latency);
  result->compute.Record(absl::Nanoseconds(response.execution().compute_nanos()));
  result->rows_failed += static_cast<uint64_t>(
      std::count_if(response.outcomes().begin(), response.outcomes().end(),
                    [](int outcome) { return outcome != v1::ROW_OUTCOME_OK; }));
  if (Determined(&response) != shared.expected) ++result->differing;
}

void Work(const Client& client, Shared* shared, LoadResult* result) {
  (void)client.Sample(shared->request);  // warm-up: connects; a failure will show in the loop
  shared->warm.arrive_and_wait();
  const absl::Time begin = absl::Now();
  const absl::Time end = begin + absl::Seconds(shared->spec.seconds);
  const int64_t most = shared->spec.max_requests;
  while (absl::Now() < end && (shared->started.fetch_add(1) < most || most == 0)) {
    const absl::Time sent = absl::Now();
    absl::StatusOr<v1::SampleTokensResponse> response = client.Sample(shared->request);
    const absl::Duration latency = absl::Now() - sent;
    if (response.ok()) {
      shared->answered.fetch_add(1);
      CountAnswer(*std::move(response), latency, *shared, result);
      continue;
    }
    shared->failed.fetch_add(1);
    ++result->failed;
    ++result->errors[response.status().ToString()];
    absl::SleepFor(absl::Milliseconds(10));  // a server in trouble is not helped by a busy loop
  }
  result->seconds = absl::ToDoubleSeconds(absl::Now() - begin);
  shared->running.fetch_sub(1);
}

// Until the workers are done.
void ReportProgress(const Shared& shared,
                    const std::function<void(const LoadProgress&)>& progress) {
  const absl::Time begin = absl::Now();
  for (int tick = 1; shared.running.load() > 0; ++tick) {
    absl::SleepFor(absl::Milliseconds(50));
    if (progress && tick % 10 == 0) {
      progress({absl::ToDoubleSeconds(absl::Now() - begin), shared.answered.load(),
                shared.failed.load()});
    }
  }
}

}  // namespace

v1::SampleTokensRequest MakeLoadRequest(const LoadSpec& spec) {
  v1::SampleTokensRequest request;
  request.set_vocab_size(static_cast<uint32_t>(spec.vocab_size));
  *request.add_chains() = spec.chain;
  for (int64_t r = 0; r < spec.rows; ++r) AddRow(spec, r, &request);
  v1::Tensor* tensor = request.add_logits();
  tensor->set_element_type(spec.type);
  tensor->set_rows(spec.rows);
  tensor->set_columns(spec.vocab_size);
  // Each row starts elsewhere in one sequence: millions of normal numbers would take seconds.
  constexpr int64_t kStarts = 65536;
  const std::string numbers = NormalBytes(spec.vocab_size + kStarts, spec.type);
  const int64_t size = ElementSize(spec.type);
  std::string* bytes = tensor->mutable_inline_bytes();
  bytes->reserve(static_cast<size_t>(spec.rows * spec.vocab_size * size));
  for (int64_t r = 0; r < spec.rows; ++r) {
    const int64_t start = r * 7919 % kStarts;
    bytes->append(numbers, static_cast<size_t>(start * size),
                  static_cast<size_t>(spec.vocab_size * size));
  }
  return request;
}

void LoadResult::Merge(const LoadResult& other) {
  latency.Merge(other.latency);
  compute.Merge(other.compute);
  failed += other.failed;
  differing += other.differing;
  rows_failed += other.rows_failed;
  seconds = std::max(seconds, other.seconds);
  for (const auto& [message, count] : other.errors) errors[message] += count;
}

absl::StatusOr<LoadResult> RunClosedLoop(const LoadSpec& spec, const std::string& address,
                                         const ClientOptions& options,
                                         const std::function<void(const LoadProgress&)>& progress) {
  const v1::SampleTokensRequest request = MakeLoadRequest(spec);
  std::vector<Client> clients;
  for (int64_t w = 0; w < spec.concurrency; ++w) {
    ClientOptions own = options;
    own.own_connection = true;
    absl::StatusOr<Client> client = Client::Connect(address, own);
    if (!client.ok()) return client.status();
    clients.push_back(*std::move(client));
  }
  absl::StatusOr<v1::SampleTokensResponse> first = clients[0].Sample(request);
  if (!first.ok()) return first.status();
  const std::string expected = Determined(&*first);

  Shared shared{.spec = spec,
                .request = request,
                .expected = expected,
                .warm = std::latch(static_cast<std::ptrdiff_t>(clients.size())),
                .running = static_cast<int64_t>(clients.size())};
  std::vector<LoadResult> results(clients.size());
  std::vector<std::thread> workers;
  for (size_t w = 0; w < clients.size(); ++w) {
    workers.emplace_back(Work, std::cref(clients[w]), &shared, &results[w]);
  }
  ReportProgress(shared, progress);
  for (std::thread& worker : workers) worker.join();
  LoadResult total;
  for (const LoadResult& result : results) total.Merge(result);
  return total;
}

}  // namespace tessera::cli
