// Chains as a person types them: "temperature=0.7,top_k=50,top_p=0.9".
#ifndef TESSERA_CLIENT_CHAIN_TEXT_H_
#define TESSERA_CLIENT_CHAIN_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

// Comma-separated stages, applied in the order written:
//
//   temperature=0.7              greedy
//   top_k=50                     logit_bias        (adds the row's own bias here)
//   top_p=0.9                    repetition_penalty=1.1
//   top_p=0.9:joint              frequency_penalty=0.5
//   min_p=0.05                   presence_penalty=0.5:prompt
//
// A penalty may name what it looks at after a colon: prompt_and_output, output or prompt; without
// one, the stage's default applies. Spaces around words are ignored. The empty text is the empty
// chain: the softmax of the logits.
//
// InvalidArgument names the stage, its position and what is accepted. Ranges of parameters are the
// server's to check: it answers for each row.
absl::StatusOr<v1::SamplerChain> ParseChain(absl::string_view text);

// One line per stage, for people: its spelling and what it does.
std::string ChainTextHelp();

}  // namespace tessera

#endif  // TESSERA_CLIENT_CHAIN_TEXT_H_
