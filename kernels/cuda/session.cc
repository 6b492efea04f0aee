#include "kernels/cuda/session.h"

#include <algorithm>
#include <utility>

#include "kernels/cuda/cuda_status.h"
#include "kernels/no_longer_wanted.h"
#include "kernels/row/edits.h"

namespace tessera {
namespace {

// Logits that are uploaded before a launch: long against a launch, short against the whole.
constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kMostWindowBytes = size_t{256} << 20;

BatchShape ShapeOf(const DeviceLogits& logits, absl::Span<const RowInput> rows) {
  return {static_cast<uint32_t>(rows.size()), logits.columns, logits.dtype,
          std::any_of(rows.begin(), rows.end(), NeedsCopy)};
}

}  // namespace

Session::Session(const Device& device, Stream copies, Stream kernels, Event copied)
    : device_(device),
      copies_(std::move(copies)),
      kernels_(std::move(kernels)),
      copied_(std::move(copied)),
      window_bytes_(std::min(kMostWindowBytes, device.memory_bytes / 8)) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(const Device& device) {
  absl::StatusOr<Stream> copies = Stream::Create();
  if (!copies.ok()) return copies.status();
  absl::StatusOr<Stream> kernels = Stream::Create();
  if (!kernels.ok()) return kernels.status();
  absl::StatusOr<Event> copied = Event::Create();
  if (!copied.ok()) return copied.status();
  return std::unique_ptr<Session>(
      new Session(device, *std::move(copies), *std::move(kernels), *std::move(copied)));
}

absl::Status Session::Run(const Batch& batch, absl::Span<const RowInput> rows,
                          absl::Span<RowResult> results) {
  if (rows.empty()) return absl::OkStatus();
  return Settled(RunBlocks(batch, rows, results));
}

absl::Status Session::RunBlocks(const Batch& batch, absl::Span<const RowInput> rows,
                                absl::Span<RowResult> results) {
  upload_.Measure(batch, rows);
  if (absl::Status s = logits_memory_.Reserve(upload_.bytes()); !s.ok()) return s;
  const DeviceLogits logits{logits_memory_.view().data, batch.logits.dtype,
                            static_cast<int64_t>(upload_.pitch()),
                            static_cast<uint32_t>(batch.vocab_size)};
  const size_t rows_per_block = std::max<size_t>(1, kBlockBytes / upload_.pitch());
  absl::Status prepared =
      PrepareBlocks(logits, rows, results, upload_.device_rows(), rows_per_block);
  if (!prepared.ok()) return prepared;
  size_t sent = 0;
  size_t needed = 0;
  for (const RowBlock& block : blocks_) {
    if (batch.still_wanted && !batch.still_wanted()) {
      return NoLongerWanted();
    }
    for (size_t i = block.first; i < block.end; ++i) {
      const PlacedRow& placed = upload_.device_rows()[i];
      needed = std::max(needed, static_cast<size_t>(std::max(placed.logits, placed.guidance)) + 1);
    }
    if (absl::Status s = UploadLogits(needed, &sent); !s.ok()) return s;
    if (absl::Status s = LaunchBlock(block); !s.ok()) return s;
  }
  return Finish();
}

absl::Status Session::RunOnDevice(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                                  absl::Span<RowResult> results) {
  if (rows.empty()) return absl::OkStatus();
  absl::Status status = Prepare(logits, rows, results);
  if (status.ok()) status = Launch();
  if (status.ok()) status = Finish();
  return status;
}

absl::Status Session::Prepare(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                              absl::Span<RowResult> results) {
  return Settled(PrepareBlocks(logits, rows, results, {}, rows.size()));
}

absl::Status Session::Launch() {
  for (const RowBlock& block : blocks_) {
    if (absl::Status s = LaunchBlock(block); !s.ok()) return Settled(s);
  }
  return absl::OkStatus();
}

absl::Status Session::Finish() {
  const size_t offset = packer_.results_offset();
  absl::Status status = CudaStatus(
      cudaMemcpyAsync(pinned_.view().data() + offset, packed_.view().data + offset,
                      packer_.results_bytes(), cudaMemcpyDeviceToHost, kernels_.view().get()),
      "copying results from the device");
  if (status.ok()) status = kernels_.view().Synchronize();
  if (!status.ok()) return Settled(status);
  packer_.Unpack(pinned_.view().data());
  return absl::OkStatus();
}

absl::Status Session::PrepareBlocks(const DeviceLogits& logits, absl::Span<const RowInput> rows,
                                    absl::Span<RowResult> results,
                                    absl::Span<const PlacedRow> placed, size_t rows_per_block) {
  logits_ = logits;
  SplitRows(rows, rows_per_block);
  if (absl::Status s = packer_.Measure(rows, results, device_.memory_bytes); !s.ok()) return s;
  if (absl::Status s = pinned_.Reserve(packer_.bytes()); !s.ok()) return s;
  if (absl::Status s = packed_.Reserve(packer_.bytes()); !s.ok()) return s;
  if (absl::Status s = ReserveWorkspaceOfBlocks(); !s.ok()) return s;
  packer_.Write(placed, packed_.view().data, pinned_.view().data());
  return CudaStatus(cudaMemcpyAsync(packed_.view().data, pinned_.view().data(), packer_.bytes(),
                                    cudaMemcpyHostToDevice, kernels_.view().get()),
                    "copying rows to the device");
}

void Session::SplitRows(absl::Span<const RowInput> rows, size_t rows_per_block) {
  blocks_.clear();
  for (size_t first = 0; first < rows.size(); first += rows_per_block) {
    const size_t end = std::min(first + rows_per_block, rows.size());
    const BatchShape shape = ShapeOf(logits_, rows.subspan(first, end - first));
    blocks_.push_back(
        {first, end, ChooseShape(device_.traits, shape, device_.kernel, device_.blocks_per_row)});
  }
}

absl::Status Session::ReserveWorkspaceOfBlocks() {
  size_t bytes = 0;
  size_t slots = 0;
  for (const RowBlock& block : blocks_) {
    bytes = std::max(bytes, block.shape.workspace_bytes);
    slots = std::max<size_t>(slots, block.shape.row_groups);
  }
  return ReserveWorkspace(bytes, slots);
}

absl::Status Session::ReserveWorkspace(size_t bytes, size_t slots) {
  if (absl::Status s = workspace_.Reserve(bytes); !s.ok()) return s;
  if (slots * sizeof(uint32_t) > tickets_.view().bytes) tickets_zero_ = false;
  if (absl::Status s = tickets_.Reserve(slots * sizeof(uint32_t)); !s.ok()) return s;
  if (tickets_zero_) return absl::OkStatus();
  const DeviceView tickets = tickets_.view();
  absl::Status zeroed = CudaStatus(
      cudaMemsetAsync(tickets.data, 0, tickets.bytes, kernels_.view().get()), "cudaMemsetAsync");
  tickets_zero_ = zeroed.ok();
  return zeroed;
}

void Session::ReleaseMemory() {
  for (DeviceBuffer* buffer : {&packed_, &logits_memory_, &workspace_}) *buffer = {};
}

absl::Status Session::UploadLogits(size_t needed, size_t* sent) {
  if (needed == *sent) return absl::OkStatus();
  std::byte* to = logits_memory_.view().data;
  if (absl::Status s = upload_.Copy(*sent, needed, to, copies_.view()); !s.ok()) return s;
  *sent = needed;
  if (absl::Status s = copies_.view().Record(copied_.view()); !s.ok()) return s;
  return kernels_.view().WaitFor(copied_.view());
}

absl::Status Session::LaunchBlock(const RowBlock& block) {
  std::byte* packed = packed_.view().data;
  const auto slots = block.shape.row_groups;
  DeviceBatch batch;
  batch.logits = logits_.data;
  batch.dtype = logits_.dtype;
  batch.row_stride_bytes = logits_.row_stride_bytes;
  batch.guidance = logits_.data;
  batch.guidance_stride_bytes = logits_.row_stride_bytes;
  batch.columns = logits_.columns;
  batch.rows = static_cast<uint32_t>(block.end - block.first);
  batch.inputs = reinterpret_cast<const RowInput*>(packed) + block.first;
  batch.results = reinterpret_cast<RowResult*>(packed + packer_.results_offset()) + block.first;
  batch.workspace = {workspace_.view().data,
                     static_cast<int64_t>(block.shape.workspace_bytes / slots), slots,
                     reinterpret_cast<uint32_t*>(tickets_.view().data)};
  return CudaStatus(LaunchRows(batch, block.shape, kernels_.view().get()), "launching kernels");
}

absl::Status Session::Settled(absl::Status status) {
  if (status.ok()) return status;
  tickets_zero_ = false;  // kernels that were to follow may be missing
  const bool copies = copies_.view().Synchronize().ok();
  const bool kernels = kernels_.view().Synchronize().ok();
  usable_ = usable_ && copies && kernels;
  return status;
}

}  // namespace tessera
