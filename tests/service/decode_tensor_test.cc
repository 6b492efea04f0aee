// Bytes that are not aligned to their elements are copied once, not read in place.
#include "service/decode_tensor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/string_view.h"

namespace tessera {
namespace {

TEST(AlignedBytes, CopiesOnlyWhatIsMisaligned) {
  alignas(4) char buffer[64];
  for (int i = 0; i < 64; ++i) buffer[i] = static_cast<char>(i);
  for (int64_t element : {2, 4}) {
    for (int offset = 0; offset < 8; ++offset) {
      const absl::string_view bytes(buffer + offset, 40);
      std::vector<uint32_t> copy;
      const std::byte* data = AlignedBytes(bytes, element, &copy);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % element, 0u);
      EXPECT_EQ(std::memcmp(data, bytes.data(), bytes.size()), 0);
      EXPECT_EQ(copy.empty(), offset % element == 0) << element << " at " << offset;
    }
  }
}

TEST(DecodeTensor, KnowsTheSizeOfEveryElementType) {
  for (int type = v1::ElementType_MIN; type <= v1::ElementType_MAX; ++type) {
    const bool named = type != v1::ELEMENT_TYPE_UNSPECIFIED;
    EXPECT_EQ(ElementSize(static_cast<v1::ElementType>(type)) > 0, named) << type;
  }
  EXPECT_EQ(ElementSize(static_cast<v1::ElementType>(-5)), 0);
}

}  // namespace
}  // namespace tessera
