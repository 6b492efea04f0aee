// The `tessera` program: chooses a subcommand.
#include <cstdio>
#include <string>
#include <vector>

#include "client/cli/commands.h"

namespace {

constexpr char kHelp[] =
    R"(tessera talks to a Tessera server (tesserad), which draws tokens from logits.

  tessera sample   sample or score rows of logits from a file
  tessera explain  what a chain does to a row, stage by stage
  tessera info     what a server implements, on what, and its limits
  tessera load     measure a server under load

  tessera SUBCOMMAND --help explains one of them
  tessera --version

To try it, start a server in one terminal and, in another, ask it for a token from four logits:

  tesserad --listen localhost:50051
  python3 -c 'import numpy; numpy.save("four.npy", numpy.float32([[0.5, 3, -1, 2]]))'
  tessera sample --logits four.npy --chain temperature=0.7 --seed 42 --logprobs 4

)";

}  // namespace

int main(int argc, char** argv) {
  using tessera::cli::kExitOk;
  using tessera::cli::kExitUsage;
  const std::string name = argc > 1 ? argv[1] : "";
  const std::vector<std::string> rest(argv + (argc > 1 ? 2 : argc), argv + argc);
  if (name == "sample") return tessera::cli::RunSample(rest);
  if (name == "explain") return tessera::cli::RunExplain(rest);
  if (name == "info") return tessera::cli::RunInfo(rest);
  if (name == "load") return tessera::cli::RunLoad(rest);
  if (name == "--help" || name == "-h" || name == "help") {
    std::fputs(kHelp, stdout);
    std::fputs(tessera::cli::kExitCodesHelp, stdout);
    return kExitOk;
  }
  if (name == "--version") {
    std::puts("tessera " TESSERA_VERSION);
    return kExitOk;
  }
  if (name.empty()) {
    std::fputs(kHelp, stderr);
  } else {
    std::fprintf(stderr,
                 "tessera: there is no subcommand '%s'; it must be sample, explain, info or load\n"
                 "Try: tessera --help\n",
                 name.c_str());
  }
  return kExitUsage;
}
