// The rows that benchmarks run over: recorded from a real model, peaked, and flat.
#ifndef TESSERA_BENCH_ROWS_H_
#define TESSERA_BENCH_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/types.h"

namespace tessera::bench {

// Rows one after the other in memory, more of them than caches hold.
struct Rows {
  std::vector<std::byte> bytes;
  LogitsView view;
};

enum class Shape {
  kReal,    // the first columns of the recorded rows in tests/data
  kPeaked,  // iid N(0, 1) under one token that holds nearly all mass
  kFlat,    // iid N(0, 1): some 61 % of all tokens survive top-p 0.9
};

const char* NameOf(Shape shape);
const char* NameOf(DType dtype);

// Exits with a message when the recorded rows cannot be read.
Rows MakeRows(Shape shape, DType dtype, int64_t rows, int64_t columns);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_ROWS_H_
