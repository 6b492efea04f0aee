// How each stage of a chain is typed, and what it does, for people.
#ifndef TESSERA_CLIENT_STAGE_SPELLINGS_H_
#define TESSERA_CLIENT_STAGE_SPELLINGS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tessera {

struct StageSpelling {
  absl::string_view name;  // its field in SamplerStage
  absl::string_view form;  // numbers in the order of the message's fields, then lists, then words
  absl::string_view meaning;
  int required = 0;  // the first so many numbers and lists; the others have defaults
};

// Every stage of the proto, in the order in which help lists them.
absl::Span<const StageSpelling> StageSpellings();

}  // namespace tessera

#endif  // TESSERA_CLIENT_STAGE_SPELLINGS_H_
