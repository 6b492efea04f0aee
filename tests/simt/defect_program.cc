// Runs one planted defect, for sanitizers to watch: defect_program NAME right|planted SEEDS. Says
// of each seed what the emulator alone saw.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/simt/defect_table.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s NAME right|planted SEEDS\n", argv[0]);
    return 2;
  }
  for (const defects::Defect& defect : defects::Defects()) {
    if (std::strcmp(defect.name, argv[1]) != 0) {
      continue;
    }
    const bool planted = std::strcmp(argv[2], "planted") == 0;
    const std::vector<unsigned> right = defects::RunDefect(defect, false, 0).out;
    for (uint64_t seed = 0; seed < std::strtoull(argv[3], nullptr, 10); ++seed) {
      const defects::Outcome outcome = defects::RunDefect(defect, planted, seed);
      std::printf("%s\n", !outcome.report.empty() ? outcome.report.c_str()
                          : outcome.out == right  ? "same result"
                                                  : "other result");
    }
    return 0;
  }
  std::fprintf(stderr, "no defect is called %s\n", argv[1]);
  return 2;
}
