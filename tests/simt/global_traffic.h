// Counts what kernels read from and write to a range of global memory, element by element.
#ifndef TESSERA_TESTS_SIMT_GLOBAL_TRAFFIC_H_
#define TESSERA_TESTS_SIMT_GLOBAL_TRAFFIC_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/simt/options.h"

namespace simt {
namespace emulator {

// Counts while it lives. Only accesses through LoadGlobal, StoreGlobal, CopyAsync16 and BulkCopy
// are seen. Ranges of two objects must not overlap.
class GlobalTraffic {
 public:
  GlobalTraffic(const void* begin, size_t bytes, size_t element_bytes);
  ~GlobalTraffic();
  GlobalTraffic(const GlobalTraffic&) = delete;
  GlobalTraffic& operator=(const GlobalTraffic&) = delete;

  // How often each element was touched, also in part.
  const std::vector<uint32_t>& loads() const { return loads_; }
  const std::vector<uint32_t>& stores() const { return stores_; }
  uint64_t bytes_loaded() const { return bytes_loaded_; }
  uint64_t bytes_stored() const { return bytes_stored_; }
  void Reset();

 private:
  friend void CountLoad(const void* address, size_t bytes);
  friend void CountStore(const void* address, size_t bytes);
  uint64_t Count(const void* address, size_t bytes, std::vector<uint32_t>& touched) const;

  uintptr_t begin_;
  size_t bytes_;
  size_t element_bytes_;
  std::vector<uint32_t> loads_;
  std::vector<uint32_t> stores_;
  uint64_t bytes_loaded_ = 0;
  uint64_t bytes_stored_ = 0;
};

void CountLoad(const void* address, size_t bytes);
void CountStore(const void* address, size_t bytes);
// Fails when the device would refuse the access.
void CheckAligned(const void* address, size_t alignment, const char* what, Site site);

}  // namespace emulator

// One load or store of global memory, of 1 to 16 bytes, that is counted.
template <typename T>
T LoadGlobal(const T* address, SIMT_SITE_PARAMETERS) {
  emulator::CheckAligned(address, alignof(T), "LoadGlobal", SIMT_SITE);
  emulator::CountLoad(address, sizeof(T));
  return *address;
}

template <typename T>
void StoreGlobal(T* address, const T& value, SIMT_SITE_PARAMETERS) {
  emulator::CheckAligned(address, alignof(T), "StoreGlobal", SIMT_SITE);
  emulator::CountStore(address, sizeof(T));
  *address = value;
}

}  // namespace simt

#endif  // TESSERA_TESTS_SIMT_GLOBAL_TRAFFIC_H_
