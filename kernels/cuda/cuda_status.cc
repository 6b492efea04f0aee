#include "kernels/cuda/cuda_status.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

constexpr absl::string_view kDeviceLost = "tessera/cuda_device_lost";

bool LosesDevice(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

absl::StatusCode CodeOf(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return absl::StatusCode::kResourceExhausted;
    case cudaErrorInitializationError:
    case cudaErrorInsufficientDriver:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoDevice:
    case cudaErrorSystemNotReady:
      return absl::StatusCode::kUnavailable;
    default:
      return LosesDevice(error) ? absl::StatusCode::kUnavailable : absl::StatusCode::kInternal;
  }
}

}  // namespace

absl::Status CudaStatus(cudaError_t error, absl::string_view call) {
  if (error == cudaSuccess) return absl::OkStatus();
  cudaGetLastError();  // a failed call leaves its error behind, for the next one to find
  absl::Status status(CodeOf(error), absl::StrCat(call, ": ", cudaGetErrorName(error), ": ",
                                                  cudaGetErrorString(error)));
  if (LosesDevice(error)) status.SetPayload(kDeviceLost, absl::Cord());
  return status;
}

bool SaysDeviceLost(const absl::Status& status) {
  return status.GetPayload(kDeviceLost).has_value();
}

}  // namespace tessera
