#include "tests/simt/ptx/ptx_frames.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#if defined(__SANITIZE_THREAD__)
#define TESSERA_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TESSERA_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#endif
#endif
#ifndef TESSERA_UNSEEN
#define TESSERA_UNSEEN
#endif

namespace simt::ptx {
namespace {

constexpr size_t kAlignment = 16;
size_t RoundedUp(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

FrameList::~FrameList() {
  while (first_ != nullptr) Delete(first_);
}

Frame* FrameList::New(const Function& function) {
  const size_t header = RoundedUp(sizeof(Frame));
  const size_t slots = RoundedUp(function.slots.size() * sizeof(uint64_t));
  const size_t local = RoundedUp(function.local_bytes);
  const size_t params = function.is_kernel ? 0 : RoundedUp(function.param_bytes);
  auto* memory = static_cast<std::byte*>(
      ::operator new (header + slots + local + params, std::align_val_t{kAlignment}));
  Frame* frame = new (memory) Frame{};
  frame->function = &function;
  frame->slots = reinterpret_cast<uint64_t*>(memory + header);
  frame->local = memory + header + slots;
  frame->params = frame->local + local;
  // Registers hold what was there, as on a device.
  std::copy(function.slots.begin() + static_cast<ptrdiff_t>(function.first_constant),
            function.slots.end(), frame->slots + function.first_constant);
  std::memset(frame->local, 0xA5, local + params);
  Link(frame);
  return frame;
}

void FrameList::Delete(Frame* frame) {
  Unlink(frame);
  ::operator delete (frame, std::align_val_t{kAlignment});
}

TESSERA_UNSEEN void FrameList::Link(Frame* frame) {
  frame->next = first_;
  frame->previous = nullptr;
  if (first_ != nullptr) first_->previous = frame;
  first_ = frame;
}

TESSERA_UNSEEN void FrameList::Unlink(Frame* frame) {
  if (frame->previous != nullptr) frame->previous->next = frame->next;
  if (frame->next != nullptr) frame->next->previous = frame->previous;
  if (first_ == frame) first_ = frame->next;
}

}  // namespace simt::ptx
