// The planted defects by name, and how to run one.
#ifndef TESSERA_TESTS_SIMT_DEFECT_TABLE_H_
#define TESSERA_TESTS_SIMT_DEFECT_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simt/defects.cuh"

namespace defects {

struct Defect {
  const char* name;
  void (*right)(Memory);
  void (*planted)(Memory);
  unsigned blocks = 1;
  unsigned cluster = 1;
  unsigned resident_clusters = 1;
};

const std::vector<Defect>& Defects();

// What came of one run: the emulator's report, or what the kernel wrote.
struct Outcome {
  std::string report;  // empty: none
  std::vector<unsigned> out;
};

Outcome RunDefect(const Defect& defect, bool planted, uint64_t seed);

}  // namespace defects

#endif  // TESSERA_TESTS_SIMT_DEFECT_TABLE_H_
