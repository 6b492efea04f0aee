#include "bench/gpu/device_rows.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/cuda/cuda_status.h"
#include "kernels/plan.h"

namespace tessera::bench {
namespace {

constexpr size_t kRowAlignment = 16;

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceRows>> DeviceRows::Create(const Device& device,
                                                               const Case& like, int64_t rows) {
  std::unique_ptr<DeviceRows> made(new DeviceRows(like));
  absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(device);
  if (!session.ok()) return session.status();
  made->session_ = *std::move(session);
  const absl::Status uploaded = made->Upload(MakeRows(like.shape, like.dtype, rows, like.columns));
  if (!uploaded.ok()) return uploaded;
  return made;
}

absl::Status DeviceRows::Upload(const Rows& rows) {
  const auto width = static_cast<size_t>(rows.view.columns * SizeOf(rows.view.dtype));
  const size_t pitch = (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  const absl::Status reserved = memory_.Reserve(static_cast<size_t>(rows.view.rows) * pitch);
  if (!reserved.ok()) return reserved;
  logits_ = {memory_.view().data, rows.view.dtype, static_cast<int64_t>(pitch),
             static_cast<uint32_t>(rows.view.columns)};
  const StreamView stream = session_->stream();
  const absl::Status copied = CudaStatus(
      cudaMemcpy2DAsync(memory_.view().data, pitch, rows.view.data,
                        static_cast<size_t>(rows.view.row_stride_bytes), width,
                        static_cast<size_t>(rows.view.rows), cudaMemcpyHostToDevice, stream.get()),
      "copying rows to the device");
  return copied.ok() ? stream.Synchronize() : copied;
}

absl::StatusOr<double> DeviceRows::Time(const Case& one, ReplayTimer& timer) {
  const absl::StatusOr<Plan> plan = CompileChain(BenchChains()[one.chain].chain);
  if (!plan.ok()) return plan.status();
  std::vector<RowInput> inputs(static_cast<size_t>(one.rows));
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].plan = &*plan;
    inputs[i].logits_row = static_cast<int64_t>(i);
    inputs[i].seed = i;
  }
  BatchResult results;
  results.Reset(Batch{{nullptr, one.dtype, one.rows, one.columns, 0}, one.columns, inputs});
  if (absl::Status s = session_->Prepare(logits_, inputs, results.rows()); !s.ok()) return s;
  const absl::StatusOr<double> time =
      timer.Median(session_->stream(), [&] { return session_->Launch(); });
  if (!time.ok()) return time;
  if (absl::Status s = session_->Finish(); !s.ok()) return s;
  for (const RowResult& row : results.rows()) {
    if (row.outcome != Outcome::kOk || row.tokens[0] < 0 || row.tokens[0] >= one.columns) {
      return absl::InternalError(absl::StrCat("a row of the batch of ", one.rows, " x ",
                                              one.columns, " was not drawn from"));
    }
  }
  return time;
}

}  // namespace tessera::bench
