#include "kernels/cpu/available_cpus.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "kernels/backend.h"

namespace tessera {
namespace {

// The tighter of two quotas, where 0 is none.
double Tighter(double a, double b) {
  if (a == 0 || b == 0) return a + b;
  return std::min(a, b);
}

// Version 2: "QUOTA PERIOD" or "max PERIOD" in microseconds.
double ReadV2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return quota / period;
}

// Version 1: two files in microseconds, -1 for no quota.
double ReadV1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us");
  std::ifstream period_file(folder + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) return 0;
  return quota / period;
}

// The tightest quota of `path` and the groups above it, below the mount point `mount`. Inside a
// container the path may name a group that is not visible; then the mount point itself is ours.
template <class Read>
double TightestOnTheWayUp(const std::string& mount, std::string path, Read read) {
  double tightest = read(mount);
  while (!path.empty() && path != "/") {
    tightest = Tighter(tightest, read(mount + path));
    path.erase(path.find_last_of('/'));
  }
  return tightest;
}

bool HasController(const std::string& controllers, const std::string& name) {
  std::istringstream list(controllers);
  for (std::string one; std::getline(list, one, ',');) {
    if (one == name) return true;
  }
  return false;
}

}  // namespace

double CgroupCpuQuota(const std::string& root) {
  // Lines are "ID:CONTROLLERS:PATH"; version 2's has ID 0 and no controllers.
  std::ifstream groups(root + "/proc/self/cgroup");
  const std::string base = root + "/sys/fs/cgroup";
  double tightest = 0;
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      tightest = Tighter(tightest, TightestOnTheWayUp(base, path, ReadV2));
    } else if (HasController(controllers, "cpu")) {
      for (const std::string& mount : {base + "/cpu", base + "/cpu,cpuacct"}) {
        tightest = Tighter(tightest, TightestOnTheWayUp(mount, path, ReadV1));
      }
    }
  }
  return tightest;
}

int CpusWithin(int affinity, double quota) {
  if (quota <= 0) return std::max(affinity, 1);
  const int whole = static_cast<int>(std::min(quota, 1e9));
  return std::max(1, std::min(affinity, whole + (quota > whole ? 1 : 0)));  // a part counts as one
}

int AvailableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int affinity = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return CpusWithin(affinity, CgroupCpuQuota(""));
}

}  // namespace tessera
