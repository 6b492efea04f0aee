// A request of two-byte empty rows used to be parsed into a hundred times its size before it was
// refused. Now its entries are counted first.
#include "service/entry_counts.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/requests.h"

namespace tessera {
namespace {

// The bytes in slices of `size`, as a transport may cut them.
grpc::ByteBuffer Sliced(const std::string& bytes, size_t size) {
  std::vector<grpc::Slice> slices;
  for (size_t i = 0; i < bytes.size(); i += size) slices.emplace_back(bytes.substr(i, size));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

std::string EmptyRows(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += std::string("\x1a\x00", 2);
  return bytes;
}

TEST(EntryCounts, TooManyEmptyRowsAreRefusedBeforeParsing) {
  Limits limits;
  limits.max_rows = 5;
  EXPECT_TRUE(CheckEntryCounts(Sliced(EmptyRows(5), 3), limits).ok());
  const absl::Status status = CheckEntryCounts(Sliced(EmptyRows(6), 3), limits);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("rows holds 6 entries"));
}

TEST(EntryCounts, OrdinaryRequestsPassHoweverTheyAreSliced) {
  const std::string bytes = SmallRequest().SerializeAsString();
  for (const size_t size : {1, 2, 7, 1000}) {
    EXPECT_TRUE(CheckEntryCounts(Sliced(bytes, size), Limits()).ok()) << size;
  }
}

TEST(EntryCounts, LeavesGarbageToTheParser) {
  EXPECT_TRUE(CheckEntryCounts(Sliced("\xff\xff\xff\xff\xff", 2), Limits()).ok());
  EXPECT_TRUE(CheckEntryCounts(grpc::ByteBuffer(), Limits()).ok());
}

}  // namespace
}  // namespace tessera
