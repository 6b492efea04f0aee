// Prints what was sampled: a table for people, a line of JSON for machines.
#ifndef TESSERA_CLIENT_CLI_SAMPLE_REPORT_H_
#define TESSERA_CLIENT_CLI_SAMPLE_REPORT_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "client/sampled_rows.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera::cli {

// `file_rows` names the rows, which are as many.
std::string SampleText(absl::Span<const SampledRow> rows, absl::Span<const int64_t> file_rows,
                       const v1::SampleTokensResponse& response);

// The keys are stable; new ones may be added. Seeds are strings, because readers of JSON keep only
// 53 bits of a number.
std::string SampleJson(absl::Span<const SampledRow> rows, absl::Span<const int64_t> file_rows,
                       const v1::SampleTokensResponse& response);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_SAMPLE_REPORT_H_
