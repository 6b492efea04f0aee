// The floor that sampling is measured against: reading a row, with the widest loads there are.
#ifndef TESSERA_BENCH_READ_ROW_H_
#define TESSERA_BENCH_READ_ROW_H_

#include <cstddef>
#include <cstdint>

namespace tessera::bench {

// Some function of all bytes, so that none of the loads may be left out.
uint64_t ReadBytes(const void* data, size_t bytes);

}  // namespace tessera::bench

#endif  // TESSERA_BENCH_READ_ROW_H_
