// Rows read from .npy and raw files.
#include "client/cli/logits_file.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/client/npy_bytes.h"

namespace tessera::cli {
namespace {

std::string Error(const std::string& path, const LogitsFileLayout& layout = {}) {
  const auto file = LogitsFile::Open(path, layout);
  EXPECT_FALSE(file.ok());
  return std::string(file.status().message());
}

TEST(LogitsFile, ReadsTheRowsAskedForInTheirOrder) {
  const std::string path = WriteTemp("a.npy", NpyBytes("<f2", 3, 2, "AABBCCDDEEFF"));
  auto file = LogitsFile::Open(path, {});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->type(), v1::ELEMENT_TYPE_FLOAT16);
  EXPECT_EQ(file->rows(), 3);
  EXPECT_EQ(file->columns(), 2);
  EXPECT_EQ(*file->ReadRows({2, 0, 2}), "EEFFAABBEEFF");
  EXPECT_TRUE(absl::StrContains(file->ReadRows({3}).status().message(), "3 rows (0 to 2)"));
}

TEST(LogitsFile, RawElementsNeedAShape) {
  const std::string path = WriteTemp("raw.bin", "aabbccdd");
  auto file = LogitsFile::Open(path, {v1::ELEMENT_TYPE_BFLOAT16, 2, 2});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(*file->ReadRows({1}), "ccdd");
  EXPECT_EQ(Error(path, {v1::ELEMENT_TYPE_FLOAT32, 2, 2}),
            path + ": it has 8 bytes of elements; [2, 2] of fp32 is 16");
  EXPECT_TRUE(absl::StrContains(Error(path), "give --shape and --dtype"));
}

TEST(LogitsFile, Bfloat16InNpyMustBeSaid) {
  for (const char* descr : {"<u2", "|V2", "<V2"}) {
    const std::string path = WriteTemp("b.npy", NpyBytes(descr, 1, 2, "aabb"));
    EXPECT_TRUE(absl::StrContains(Error(path), "give --dtype bf16")) << descr;
    const auto file = LogitsFile::Open(path, {.type = v1::ELEMENT_TYPE_BFLOAT16});
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->type(), v1::ELEMENT_TYPE_BFLOAT16);
  }
}

TEST(LogitsFile, WrongTypesAndSizes) {
  EXPECT_TRUE(absl::StrContains(Error(WriteTemp("d.npy", NpyBytes("<f8", 1, 1, "12345678"))),
                                "x.astype('<f4')"));
  EXPECT_TRUE(absl::StrContains(Error(WriteTemp("e.npy", NpyBytes(">f4", 1, 1, "1234"))), "'>f4'"));
  const std::string f4 = WriteTemp("f.npy", NpyBytes("<f4", 1, 1, "1234"));
  EXPECT_TRUE(absl::StrContains(Error(f4, {.type = v1::ELEMENT_TYPE_BFLOAT16}),
                                "are fp32, but --dtype says bf16"));
  EXPECT_TRUE(absl::StrContains(Error(WriteTemp("g.npy", NpyBytes("<f4", 2, 2, "short"))),
                                "it has 5 bytes of elements; [2, 2] of fp32 is 16"));
  EXPECT_TRUE(absl::StrContains(Error(WriteTemp("h.npy", NpyBytes("<f4", 1, 1, "1234extra"))),
                                "it has 9 bytes"));
  EXPECT_TRUE(absl::StrContains(
      Error(WriteTemp("i.npy", NpyBytes("<f4", int64_t{1} << 50, 1 << 10, "1234"))),
      "it has 4 bytes of elements"));
}

TEST(LogitsFile, PathsThatAreNoFiles) {
  EXPECT_EQ(Error("/nonexistent/x.npy"), "/nonexistent/x.npy: cannot be opened");
  EXPECT_NE(Error(testing::TempDir()), "");
}

}  // namespace
}  // namespace tessera::cli
