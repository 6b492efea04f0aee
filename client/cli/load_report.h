// Prints what a load run measured.
#ifndef TESSERA_CLIENT_CLI_LOAD_REPORT_H_
#define TESSERA_CLIENT_CLI_LOAD_REPORT_H_

#include <string>

#include "client/cli/load_run.h"

namespace tessera::cli {

std::string LoadText(const LoadSpec& spec, const LoadResult& result);

// The keys are stable; new ones may be added. Latencies are in milliseconds.
std::string LoadJson(const LoadSpec& spec, const LoadResult& result);

// "12.5 s  3400 requests  272.0/s  0 failed", no newline.
std::string ProgressLine(const LoadProgress& progress);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_LOAD_REPORT_H_
