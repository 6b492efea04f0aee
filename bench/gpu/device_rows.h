// Rows in device memory, and the time that sampling them takes.
#ifndef TESSERA_BENCH_GPU_DEVICE_ROWS_H_
#define TESSERA_BENCH_GPU_DEVICE_ROWS_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "bench/gpu/options.h"
#include "bench/gpu/replay_timer.h"
#include "kernels/cuda/session.h"

namespace tessera::bench {

class DeviceRows {
 public:
  // Rows of this shape, dtype and width, as many as the largest batch has.
  static absl::StatusOr<std::unique_ptr<DeviceRows>> Create(const Device& device, const Case& like,
                                                            int64_t rows);

  bool Serves(const Case& one) const {
    return one.shape == like_.shape && one.dtype == like_.dtype && one.columns == like_.columns;
  }

  // Microseconds of Session::Launch. An error when a row is not drawn from.
  absl::StatusOr<double> Time(const Case& one, ReplayTimer& timer);

 private:
  explicit DeviceRows(const Case& like) : like_(like) {}
  absl::Status Upload(const Rows& rows);

  const Case like_;
  std::unique_ptr<Session> session_;
  DeviceBuffer memory_;
  DeviceLogits logits_;
};

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_GPU_DEVICE_ROWS_H_
