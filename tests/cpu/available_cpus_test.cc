// Quotas of both cgroup versions, as container runtimes lay them out.
#include "kernels/cpu/available_cpus.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "kernels/backend.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

// A file system root of the test's own.
class CgroupTest : public ::testing::Test {
 protected:
  CgroupTest() {
    root_ = fs::temp_directory_path() /
            ("tessera_cgroup_" + std::to_string(getpid()) + "_" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(root_);
  }
  ~CgroupTest() override { fs::remove_all(root_); }

  void Put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  double Quota() const { return CgroupCpuQuota(root_.string()); }

 private:
  fs::path root_;
};

TEST_F(CgroupTest, NoFilesIsNoQuota) { EXPECT_EQ(Quota(), 0); }

TEST_F(CgroupTest, Version2InsideAContainer) {
  Put("proc/self/cgroup", "0::/\n");
  Put("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(Quota(), 1.5);
}

TEST_F(CgroupTest, Version2MaxIsNoQuota) {
  Put("proc/self/cgroup", "0::/\n");
  Put("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(Quota(), 0);
}

TEST_F(CgroupTest, Version2TightestOnTheWayUp) {
  Put("proc/self/cgroup", "0::/kubepods/pod1/container2\n");
  Put("sys/fs/cgroup/kubepods/cpu.max", "1600000 100000\n");
  Put("sys/fs/cgroup/kubepods/pod1/cpu.max", "200000 100000\n");
  Put("sys/fs/cgroup/kubepods/pod1/container2/cpu.max", "max 100000\n");
  EXPECT_EQ(Quota(), 2);
}

TEST_F(CgroupTest, Version1WithCombinedController) {
  Put("proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/docker/abc\n0::/\n");
  Put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "50000\n");
  Put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), 0.5);
}

TEST_F(CgroupTest, Version1MinusOneIsNoQuota) {
  Put("proc/self/cgroup", "4:cpu:/\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), 0);
}

TEST_F(CgroupTest, Version1WhosePathIsNotVisible) {
  Put("proc/self/cgroup", "4:cpu:/docker/of/the/host\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), 3);
}

TEST_F(CgroupTest, OtherControllersDoNotCount) {
  Put("proc/self/cgroup", "4:cpuset,cpuacct:/\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  Put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), 0);
}

TEST_F(CgroupTest, GarbageIsNoQuota) {
  Put("proc/self/cgroup", "nonsense\n::\n0::/\n");
  Put("sys/fs/cgroup/cpu.max", "many\n");
  EXPECT_EQ(Quota(), 0);
}

TEST(CpusWithinTest, QuotaCutsAffinityAndRoundsUp) {
  EXPECT_EQ(CpusWithin(8, 0), 8);
  EXPECT_EQ(CpusWithin(8, 1.5), 2);
  EXPECT_EQ(CpusWithin(8, 0.1), 1);
  EXPECT_EQ(CpusWithin(2, 16), 2);
  EXPECT_EQ(CpusWithin(0, 0), 1);
}

TEST(AvailableCpusTest, AtLeastOne) { EXPECT_GE(AvailableCpus(), 1); }

}  // namespace
}  // namespace tessera
