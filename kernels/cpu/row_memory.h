// Owns one thread's row scratch. Grows to the widest row it meets; a row never allocates.
#ifndef TESSERA_KERNELS_CPU_ROW_MEMORY_H_
#define TESSERA_KERNELS_CPU_ROW_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/row/scratch.h"

namespace tessera {

class RowMemory {
 public:
  // Scratch for rows of up to `columns` ids. Allocates only when wider than ever before.
  RowScratch& ForColumns(uint32_t columns);

 private:
  struct Free {
    void operator()(std::byte* block) const;
  };

  std::unique_ptr<std::byte, Free> block_;
  RowScratch scratch_;
};

}  // namespace tessera

#endif  // TESSERA_KERNELS_CPU_ROW_MEMORY_H_
