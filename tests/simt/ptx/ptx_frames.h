// Frames of functions that run, and who frees those of a thread that a failed launch abandoned.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_FRAMES_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_FRAMES_H_

#include <cstddef>
#include <cstdint>

#include "tests/simt/ptx/ptx_instruction.h"

namespace simt::ptx {

struct Frame {
  const Function* function;
  const Instruction* back;  // where the caller goes on; null for a kernel
  Frame* caller;
  uint64_t* slots;
  std::byte* local;
  std::byte* params;  // a kernel's are the launch's
  Frame* previous;    // in the FrameList
  Frame* next;
};

// All frames of one launch. Threads share it without synchronisation: they are fibers of one
// operating-system thread. It is kept out of the thread sanitizer's sight, as the scheduler is.
class FrameList {
 public:
  FrameList() = default;
  ~FrameList();
  FrameList(const FrameList&) = delete;
  FrameList& operator=(const FrameList&) = delete;

  // With garbage in registers, local memory and parameters.
  Frame* New(const Function& function);
  void Delete(Frame* frame);

 private:
  void Link(Frame* frame);
  void Unlink(Frame* frame);

  Frame* first_ = nullptr;
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_FRAMES_H_
