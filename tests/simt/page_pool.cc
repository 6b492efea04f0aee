#include "tests/simt/page_pool.h"

#include <sys/mman.h>

#include <new>

#include "tests/simt/sanitizers.h"

namespace simt::emulator {
namespace {

constexpr size_t kGuardBytes = 4096;

char* MapPages(size_t bytes) {
  void* pages = mmap(nullptr, bytes + kGuardBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::bad_alloc();
  }
  mprotect(pages, kGuardBytes, PROT_NONE);
  return static_cast<char*>(pages) + kGuardBytes;
}

}  // namespace

char* PagePool::Take(size_t bytes) {
  const Unseen unseen;
  if (bytes_ != bytes) {
    for (char* piece : free_) {
      Unpoison(piece, bytes_);
      munmap(piece - kGuardBytes, bytes_ + kGuardBytes);
    }
    free_.clear();
    bytes_ = bytes;
  }
  if (free_.empty()) {
    return MapPages(bytes);
  }
  char* piece = free_.back();
  free_.pop_back();
  if (kThreadSanitizer) {  // forgets the accesses of the last owner
    mmap(piece, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
  Unpoison(piece, bytes);
  return piece;
}

PagePool& StackPool() {
  static PagePool& pool = *new PagePool;
  return pool;
}

PagePool& SharedMemoryPool() {
  static PagePool& pool = *new PagePool;
  return pool;
}

}  // namespace simt::emulator
