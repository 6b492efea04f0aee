#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {
namespace {

struct Named {
  std::string_view name;
  Type type;
  size_t bytes;
};

constexpr Named kTypes[] = {
    {"b8", Type::kB8, 1},   {"b16", Type::kB16, 2}, {"b32", Type::kB32, 4},  {"b64", Type::kB64, 8},
    {"u8", Type::kU8, 1},   {"u16", Type::kU16, 2}, {"u32", Type::kU32, 4},  {"u64", Type::kU64, 8},
    {"s8", Type::kS8, 1},   {"s16", Type::kS16, 2}, {"s32", Type::kS32, 4},  {"s64", Type::kS64, 8},
    {"f32", Type::kF32, 4}, {"f64", Type::kF64, 8}, {"pred", Type::kPred, 4}};

}  // namespace

Type TypeNamed(std::string_view name) {
  for (const Named& named : kTypes) {
    if (named.name == name) return named.type;
  }
  return Type::kNone;
}

size_t SizeOf(Type type) {
  for (const Named& named : kTypes) {
    if (named.type == type) return named.bytes;
  }
  return 0;
}

}  // namespace simt::ptx
