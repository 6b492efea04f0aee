// Writes small files for tests: .npy arrays and anything else.
#ifndef TESSERA_TESTS_CLIENT_NPY_BYTES_H_
#define TESSERA_TESTS_CLIENT_NPY_BYTES_H_

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tessera::cli {

// A version 1.0 file of the given shape, whatever the bytes of its elements.
inline std::string NpyBytes(absl::string_view descr, int64_t rows, int64_t columns,
                            absl::string_view elements) {
  const std::string dict = absl::StrCat("{'descr': '", descr, "', 'fortran_order': False, ",
                                        "'shape': (", rows, ", ", columns, "), }\n");
  std::string head("\x93NUMPY\x01\x00", 8);
  head.push_back(static_cast<char>(dict.size() & 0xFF));
  head.push_back(static_cast<char>(dict.size() >> 8));
  return absl::StrCat(head, dict, elements);
}

// Returns the path. Tests run side by side, each in a process of its own.
inline std::string WriteTemp(absl::string_view name, absl::string_view bytes) {
  const std::string path = absl::StrCat(testing::TempDir(), "/tessera_cli_", getpid(), "_", name);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
  return path;
}

}  // namespace tessera::cli

#endif  // TESSERA_TESTS_CLIENT_NPY_BYTES_H_
