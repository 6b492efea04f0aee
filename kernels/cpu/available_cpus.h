// How many CPUs this process may use: its affinity, cut down to the cgroup's CPU quota.
#ifndef TESSERA_KERNELS_CPU_AVAILABLE_CPUS_H_
#define TESSERA_KERNELS_CPU_AVAILABLE_CPUS_H_

#include <string>

namespace tessera {

// The quota of the cgroups this process is in, in CPUs (1.5 for 150 ms every 100 ms); 0 where
// there is none. Reads `root`/proc/self/cgroup and the cgroup file systems (v1's cpu controller
// and v2) mounted below `root`/sys/fs/cgroup; the tightest limit on the way up counts.
double CgroupCpuQuota(const std::string& root);

// min(affinity, quota rounded up), at least 1.
int CpusWithin(int affinity, double quota);

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_AVAILABLE_CPUS_H_
