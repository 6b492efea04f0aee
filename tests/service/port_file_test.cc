// What scripts read to find a server on a free port.
#include "service/port_file.h"

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace tessera {
namespace {

// A file of the test's own: ctest runs the tests of this program beside each other.
std::string Written(const std::vector<int>& ports, int admin_port) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/port_file_test.", getpid());
  EXPECT_TRUE(WritePortFile(path, ports, admin_port).ok());
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::remove(path.c_str());
  return text;
}

TEST(PortFile, IsOneNumberForOneListener) { EXPECT_EQ(Written({50051}, 0), "50051\n"); }

TEST(PortFile, NamesTheAdminPort) { EXPECT_EQ(Written({1, 2}, 3), "1\n2\nadmin 3\n"); }

TEST(PortFile, ErrorsNameTheFile) {
  const absl::Status status = WritePortFile("/nonexistent/port", {1}, 0);
  EXPECT_EQ(status.message(), "--port-file is '/nonexistent/port', which cannot be written");
}

}  // namespace
}  // namespace tessera
