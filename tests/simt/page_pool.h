// Memory for stacks and shared memory: pages with a guard page below, kept from launch to launch.
#ifndef TESSERA_TESTS_SIMT_PAGE_POOL_H_
#define TESSERA_TESTS_SIMT_PAGE_POOL_H_

#include <cstddef>
#include <vector>

namespace simt::emulator {

class PagePool {
 public:
  // `bytes` is a multiple of 4,096. Pieces of one size are kept; another size lets them go. What is
  // in a piece is left over from its last use.
  char* Take(size_t bytes);
  void GiveBack(char* piece) { free_.push_back(piece); }

 private:
  std::vector<char*> free_;
  size_t bytes_ = 0;
};

// The pools of the process.
PagePool& StackPool();
PagePool& SharedMemoryPool();

}  // namespace simt::emulator

#endif  // TESSERA_TESTS_SIMT_PAGE_POOL_H_
