// PTX's fundamental types and state spaces by name.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_TYPES_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simt::ptx {

enum class Type : uint8_t {
  kNone,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF32,
  kF64,
  kPred
};

// kNone where `name` (such as "u32") is no type.
Type TypeNamed(std::string_view name);

size_t SizeOf(Type type);  // in bytes; 4 for a predicate
inline bool IsFloat(Type type) { return type == Type::kF32 || type == Type::kF64; }
inline bool IsSigned(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

// kSharedCluster holds addresses of every block of the cluster, kShared the own block's only.
enum class Space : uint8_t { kGeneric, kGlobal, kConst, kLocal, kParam, kShared, kSharedCluster };

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_TYPES_H_
