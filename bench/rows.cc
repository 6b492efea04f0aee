#include "bench/rows.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "kernels/math/dtype.h"

namespace tessera::bench {
namespace {

constexpr int64_t kRecordedRows = 16;
constexpr int64_t kRecordedColumns = 262144;

std::vector<uint16_t> ReadRecorded() {
  const std::string path = TESSERA_TEST_DATA "/gemma3_270m_16x262144.bf16";
  std::vector<uint16_t> values(kRecordedRows * kRecordedColumns);
  std::ifstream file(path, std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(values.size() * sizeof(uint16_t));
  if (!file.read(reinterpret_cast<char*>(values.data()), bytes)) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  return values;
}

void Write(DType dtype, float y, std::byte* to) {
  if (dtype == DType::kFloat32) {
    std::memcpy(to, &y, sizeof(y));
    return;
  }
  const uint16_t bits = dtype == DType::kBfloat16 ? ToBfloat16(y) : ToFloat16(y);
  std::memcpy(to, &bits, sizeof(bits));
}

}  // namespace

const char* NameOf(Shape shape) {
  switch (shape) {
    case Shape::kReal:
      return "real";
    case Shape::kPeaked:
      return "peaked";
    case Shape::kFlat:
      return "flat";
  }
  return "";
}

const char* NameOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "fp32";
    case DType::kFloat16:
      return "fp16";
    case DType::kBfloat16:
      return "bf16";
  }
  return "";
}

Rows MakeRows(Shape shape, DType dtype, int64_t rows, int64_t columns) {
  const int64_t size = SizeOf(dtype);
  Rows made;
  made.bytes.resize(static_cast<size_t>(rows * columns * size));
  made.view = {made.bytes.data(), dtype, rows, columns, columns * size};
  const std::vector<uint16_t> recorded =
      shape == Shape::kReal ? ReadRecorded() : std::vector<uint16_t>();
  std::mt19937_64 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> row(static_cast<size_t>(columns));
  for (int64_t r = 0; r < rows; ++r) {
    // 16 different rows; the memory of each copy is its own.
    if (r < kRecordedRows) {
      for (int64_t i = 0; i < columns; ++i) {
        row[i] = shape == Shape::kReal
                     ? FromBfloat16(recorded[r * kRecordedColumns + i % kRecordedColumns])
                     : normal(generator);
      }
      if (shape == Shape::kPeaked) row[generator() % columns] = 25;
      std::byte* to = made.bytes.data() + r * columns * size;
      for (int64_t i = 0; i < columns; ++i) Write(dtype, row[i], to + i * size);
    } else {
      std::memcpy(made.bytes.data() + r * columns * size,
                  made.bytes.data() + (r % kRecordedRows) * columns * size,
                  static_cast<size_t>(columns * size));
    }
  }
  return made;
}

}  // namespace tessera::bench
