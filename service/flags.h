// The table of tesserad's flags: one entry serves the command line, the configuration file and
// --help.
#ifndef TESSERA_SERVICE_FLAGS_H_
#define TESSERA_SERVICE_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "service/options.h"

namespace tessera {

struct Flag {
  const char* name;   // without dashes
  const char* value;  // what stands for the value in --help
  const char* help;
  // InvalidArgument: " is abc; it must be ...", for the caller to put the name in front.
  absl::Status (*set)(absl::string_view value, Options* options);
  std::string (*show)(const Options& options);
};

absl::Span<const Flag> Flags();

// Null where there is none of that name.
const Flag* FindFlag(absl::string_view name);

}  // namespace tessera

#endif  // TESSERA_SERVICE_FLAGS_H_
