#include "tests/simt/global_traffic.h"

#include <algorithm>
#include <string>

#include "tests/simt/collectives.h"
#include "tests/simt/options.h"
#include "tests/simt/sanitizers.h"

namespace simt::emulator {
namespace {

std::vector<GlobalTraffic*>& Counted() {
  static std::vector<GlobalTraffic*>& counted = *new std::vector<GlobalTraffic*>;
  return counted;
}

}  // namespace

GlobalTraffic::GlobalTraffic(const void* begin, size_t bytes, size_t element_bytes)
    : begin_(reinterpret_cast<uintptr_t>(begin)),
      bytes_(bytes),
      element_bytes_(element_bytes),
      loads_((bytes + element_bytes - 1) / element_bytes),
      stores_(loads_.size()) {
  for (const GlobalTraffic* other : Counted()) {
    if (begin_ < other->begin_ + other->bytes_ && other->begin_ < begin_ + bytes_) {
      throw Error("GlobalTraffic: the range overlaps one that is counted already");
    }
  }
  Counted().push_back(this);
}

GlobalTraffic::~GlobalTraffic() {
  Counted().erase(std::find(Counted().begin(), Counted().end(), this));
}

void GlobalTraffic::Reset() {
  std::fill(loads_.begin(), loads_.end(), 0);
  std::fill(stores_.begin(), stores_.end(), 0);
  bytes_loaded_ = 0;
  bytes_stored_ = 0;
}

uint64_t GlobalTraffic::Count(const void* address, size_t bytes,
                              std::vector<uint32_t>& touched) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t first = std::max(at, begin_);
  const uintptr_t end = std::min(at + bytes, begin_ + bytes_);
  if (first >= end) {
    return 0;
  }
  for (size_t i = (first - begin_) / element_bytes_; i <= (end - 1 - begin_) / element_bytes_;
       ++i) {
    ++touched[i];
  }
  return end - first;
}

void CountLoad(const void* address, size_t bytes) {
  const Unseen unseen;
  Counters().global_load_bytes += bytes;
  for (GlobalTraffic* counted : Counted()) {
    counted->bytes_loaded_ += counted->Count(address, bytes, counted->loads_);
  }
}

void CountStore(const void* address, size_t bytes) {
  const Unseen unseen;
  Counters().global_store_bytes += bytes;
  for (GlobalTraffic* counted : Counted()) {
    counted->bytes_stored_ += counted->Count(address, bytes, counted->stores_);
  }
}

void CheckAligned(const void* address, size_t alignment, const char* what, Site site) {
  if (reinterpret_cast<uintptr_t>(address) % alignment == 0) {
    return;
  }
  const Unseen unseen;
  Fail(std::string(what) + " at " + site.file + ":" + std::to_string(site.line) +
       ": address not aligned to " + std::to_string(alignment) + " bytes, " + CurrentThread());
}

}  // namespace simt::emulator
