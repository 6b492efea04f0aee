// Gives the programs of the GPU check the emulated device, with little memory, so that their own
// logic runs where there is no GPU.
#include "tests/simt/fake_device.h"

namespace {

[[maybe_unused]] const bool ready = [] {
  simt::ResetFakeDevice({.memory_bytes = size_t{64} << 20});
  return true;
}();

}  // namespace
