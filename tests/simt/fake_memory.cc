#include "tests/simt/fake_memory.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>

#if defined(__SANITIZE_ADDRESS__)
#define TESSERA_FAKE_MEMORY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TESSERA_FAKE_MEMORY_ASAN 1
#endif
#endif

#ifdef TESSERA_FAKE_MEMORY_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(bytes), (void)(address))
#endif

namespace simt {
namespace {

constexpr size_t kSpaceBytes = size_t{64} << 30;
constexpr size_t kPage = 4096;

size_t PagesOf(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::abort();
}

}  // namespace

FakeMemory::FakeMemory(size_t bytes) : total_(bytes) {
  void* space =
      mmap(nullptr, kSpaceBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) Die("the emulated device's address space");
  space_ = static_cast<std::byte*>(space);
}

FakeMemory::~FakeMemory() {
  ASAN_UNPOISON_MEMORY_REGION(space_, next_);
  munmap(space_, kSpaceBytes);
}

void* FakeMemory::Allocate(size_t bytes) {
  // A page that stays closed follows each allocation.
  const size_t pages = PagesOf(bytes) + kPage;
  if (bytes > total_ - used_ || pages > kSpaceBytes - next_) return nullptr;
  std::byte* start = space_ + next_;
  next_ += pages;
  used_ += bytes;
  live_[start] = bytes;
  if (mprotect(start, PagesOf(bytes), PROT_READ | PROT_WRITE) != 0) Die("mprotect");
  for (size_t i = 0; i < bytes; ++i) {
    if (i % 64 == 0) noise_ = noise_ * 1664525u + 1013904223u;
    start[i] = static_cast<std::byte>(noise_ >> (i % 4 * 8));
  }
  if (mprotect(start, PagesOf(bytes), PROT_NONE) != 0) Die("mprotect");
  ASAN_POISON_MEMORY_REGION(start, pages);
  return start;
}

bool FakeMemory::Free(void* address) {
  const auto found = live_.find(static_cast<std::byte*>(address));
  if (found == live_.end()) return false;
  madvise(found->first, PagesOf(found->second), MADV_DONTNEED);
  used_ -= found->second;
  live_.erase(found);
  return true;
}

bool FakeMemory::Touches(const void* address, size_t bytes) const {
  const auto start = reinterpret_cast<uintptr_t>(address);
  const auto space = reinterpret_cast<uintptr_t>(space_);
  return start < space + kSpaceBytes && start + bytes > space;
}

bool FakeMemory::Holds(const void* address, size_t bytes) const {
  const auto* start = static_cast<const std::byte*>(address);
  auto after = live_.upper_bound(const_cast<std::byte*>(start));
  if (after == live_.begin()) return false;
  const auto& [first, size] = *std::prev(after);
  const auto offset = static_cast<size_t>(start - first);
  return offset <= size && bytes <= size - offset;
}

void FakeMemory::Protect(bool open) {
  for (const auto& [start, bytes] : live_) {
    if (open) {
      ASAN_UNPOISON_MEMORY_REGION(start, bytes);
    } else {
      ASAN_POISON_MEMORY_REGION(start, bytes);
    }
    const int rights = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (mprotect(start, PagesOf(bytes), rights) != 0) Die("mprotect");
  }
}

}  // namespace simt
