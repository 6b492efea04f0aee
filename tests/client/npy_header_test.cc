// .npy headers: those NumPy writes, and those that nobody should.
#include "client/cli/npy_header.h"

#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

std::string Header(int major, absl::string_view dict) {
  std::string head =
      absl::StrCat("\x93NUMPY", std::string(1, static_cast<char>(major)), std::string(1, '\0'));
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    head.push_back(static_cast<char>(dict.size() >> (8 * i) & 0xFF));
  }
  return absl::StrCat(head, dict);
}

std::string Dict(absl::string_view descr, absl::string_view order, absl::string_view shape) {
  return absl::StrCat("{'descr': '", descr, "', 'fortran_order': ", order, ", 'shape': ", shape,
                      ", }      \n");
}

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  for (int major : {1, 2, 3}) {
    const std::string dict = Dict("<f4", "False", "(3, 128256)");
    const auto header = ParseNpyHeader(Header(major, dict));
    ASSERT_TRUE(header.ok()) << header.status();
    EXPECT_EQ(header->descr, "<f4");
    EXPECT_EQ(header->rows, 3);
    EXPECT_EQ(header->columns, 128256);
    EXPECT_EQ(header->data_offset, (major == 1 ? 10 : 12) + static_cast<int64_t>(dict.size()));
  }
}

TEST(NpyHeader, OneDimensionIsOneRow) {
  const auto header = ParseNpyHeader(Header(1, Dict("|V2", "True", "(7,)")));
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->rows, 1);
  EXPECT_EQ(header->columns, 7);
  EXPECT_EQ(header->descr, "|V2");
}

struct Hostile {
  const char* name;
  std::string head;
  const char* message;  // what the error must say
};

TEST(NpyHeader, HostileFilesAreRefusedWithAReason) {
  std::string huge_length = Header(2, Dict("<f4", "False", "(3, 4)"));
  huge_length.replace(8, 4, "\xFF\xFF\xFF\xFF");
  std::string bad_version = Header(1, Dict("<f4", "False", "(3, 4)"));
  bad_version[6] = 9;
  const std::string good = Header(1, Dict("<f4", "False", "(3, 4)"));
  const Hostile cases[] = {
      {"empty", "", "does not start with"},
      {"text", "hello, this is no array", "does not start with"},
      {"magic only", std::string("\x93NUMPY"), "does not start with"},
      {"cut in length", std::string("\x93NUMPY\x02\x00\x10\x00", 10), "ends inside"},
      {"cut in dict", good.substr(0, 30), "ends inside"},
      {"4 GiB header", huge_length, "4294967295"},
      {"version 9", bad_version, "9.0"},
      {"not a dict", Header(1, "[1, 2]"), "does not start with {"},
      {"open dict", Header(1, "{'descr': '<f4', "), "not a dict"},
      {"records", Header(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}"),
       "records"},
      {"no shape", Header(1, "{'descr': '<f4', 'fortran_order': False}"), "lacks"},
      {"twice", Header(1, "{'descr': '<f4', 'descr': '<f4'}"), "repeated key 'descr'"},
      {"order", Header(1, Dict("<f4", "Maybe", "(3, 4)")), "fortran_order"},
      {"by columns", Header(1, Dict("<f4", "True", "(3, 4)")), "ascontiguousarray"},
      {"scalar", Header(1, Dict("<f4", "False", "()")), "0 dimensions"},
      {"cube", Header(1, Dict("<f4", "False", "(2, 3, 4)")), "3 dimensions"},
      {"no rows", Header(1, Dict("<f4", "False", "(0, 4)")), "at least 1"},
      {"negative", Header(1, Dict("<f4", "False", "(-1, 4)")), "tuple of sizes"},
      {"beyond 64 bits", Header(1, Dict("<f4", "False", "(99999999999999999999, 4)")),
       "tuple of sizes"},
      {"product overflows", Header(1, Dict("<f4", "False", "(4611686018427387904, 8)")), "2^60"},
      {"control bytes", Header(1, "{'\x01\x02': 1}"), "\\x01"},
  };
  for (const Hostile& c : cases) {
    const auto header = ParseNpyHeader(c.head);
    ASSERT_FALSE(header.ok()) << c.name;
    EXPECT_EQ(header.status().code(), absl::StatusCode::kInvalidArgument) << c.name;
    EXPECT_TRUE(absl::StrContains(header.status().message(), c.message))
        << c.name << ": " << header.status();
  }
}

// Whatever the bytes, the parser answers, and what it accepts keeps its promises. 20,000 headers.
TEST(NpyHeader, MutatedHeadersNeverBreakThePromises) {
  std::mt19937 random(1);
  const std::string good = Header(1, Dict("<f4", "False", "(3, 4)"));
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string head = good;
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int e = 0; e < edits; ++e) {
      head[6 + random() % (head.size() - 6)] = static_cast<char>(random() % 256);
    }
    if (random() % 4 == 0) head.resize(random() % head.size());
    const auto header = ParseNpyHeader(head);
    if (!header.ok()) continue;
    ++accepted;
    EXPECT_GE(header->rows, 1);
    EXPECT_GE(header->columns, 1);
    EXPECT_LE(header->rows, (int64_t{1} << 60) / header->columns);
    EXPECT_LE(header->data_offset, static_cast<int64_t>(head.size()));
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 20000);
}

}  // namespace
}  // namespace tessera::cli
