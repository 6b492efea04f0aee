// Single instructions as kernels, for tables of cases.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_SNIPPET_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_SNIPPET_H_

#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tests/simt/launch.h"

namespace simt::ptx {

// `text` with $0 for the result and $1, $2, ... for the operands, whose registers `signature`
// gives: "r:rd" is a result of 32 bits, of operands of 32 and 64. p is a predicate, h 16 bits, r
// 32, d 64, f and e floats of 32 and 64.
struct Case {
  const char* text;
  const char* signature;
  std::vector<uint64_t> operands;
  uint64_t result;
};

inline std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.text; }

inline uint64_t F(float value) { return std::bit_cast<uint32_t>(value); }
inline uint64_t D(double value) { return std::bit_cast<uint64_t>(value); }

// A module of one kernel of that name; it has the parameters (const uint64_t* in, uint64_t* out),
// in registers %in and %out, %p, %h, %r, %d, %f and %e from 0 to 31, 1 KiB of shared memory named
// `memory`, and `body`.
std::string KernelText(const std::string& body, const std::string& name = "snippet");
// The version, target and address size that modules of these tests have.
std::string ModuleHead();
// The body of a case's kernel.
std::string Body(const Case& one);

// Runs a module's only kernel; returns what it left in `out_count` words that were zero.
std::vector<uint64_t> RunModule(const std::string& module, const std::vector<uint64_t>& in,
                                size_t out_count, const LaunchConfig& config);
// One block of `threads` of KernelText(body).
std::vector<uint64_t> RunBody(const std::string& body, const std::vector<uint64_t>& in,
                              size_t out_count, unsigned threads = 1);

// Runs every case and expects its result; then asks ptxas, where there is one, whether all of it
// is PTX.
void ExpectCases(const std::vector<Case>& cases);

// The text of the Error that parsing or running throws; empty if none.
std::string ErrorOf(const std::string& module, unsigned threads = 1);

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_SNIPPET_H_
