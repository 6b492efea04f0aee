// The clusters that are on the emulated device together.
#ifndef TESSERA_TESTS_SIMT_RESIDENT_CLUSTERS_H_
#define TESSERA_TESTS_SIMT_RESIDENT_CLUSTERS_H_

#include <cstdint>
#include <vector>

namespace simt::emulator {

// Runs these clusters of the grid to their end, or to a failure, which it leaves in the machine.
void RunResident(const std::vector<uint64_t>& clusters);

// Ends ThreadSanitizer's threads of the launch's bulk copies.
void ReleaseCopyEngines();

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_RESIDENT_CLUSTERS_H_
