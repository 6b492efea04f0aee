#include "bench/read_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/read_row.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h, which includes this file once per target:
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

uint64_t ReadBytesWith(const void* data, size_t bytes) {
  const hn::ScalableTag<uint64_t> tag;
  const size_t lanes = hn::Lanes(tag);
  const auto* words = static_cast<const uint64_t*>(data);
  const size_t n = bytes / sizeof(uint64_t);
  auto a = hn::Zero(tag);
  auto b = hn::Zero(tag);
  size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    hwy::Prefetch(reinterpret_cast<const char*>(words + i) + 2048);
    a = hn::Xor(a, hn::LoadU(tag, words + i));
    b = hn::Xor(b, hn::LoadU(tag, words + i + lanes));
  }
  uint64_t rest = 0;
  for (; i < n; ++i) rest ^= words[i];
  return rest ^ hn::GetLane(hn::SumOfLanes(tag, hn::Xor(a, b)));
}

}  // namespace tessera::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::bench {

HWY_EXPORT(ReadBytesWith);

uint64_t ReadBytes(const void* data, size_t bytes) {
  return HWY_DYNAMIC_DISPATCH(ReadBytesWith)(data, bytes);
}

}  // namespace tessera::bench
#endif
