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
//   top_p=0.9:joint              repetition_penalty=1.1
//   top_p=0.9:exceed:whole       presence_penalty=0.5:prompt
//   xtc=0.5:0.1                  bad_words=5-7/12  (ids of a word joined by '-', words by '/')
//
// After '=' stand the stage's numbers in the order of its message, separated by colons, and then
// words: options that have names. What is left out has the stage's default. Spaces around words are
// ignored. The empty text is the empty chain: the softmax of the logits. client/stage_spellings.h
// lists all stages.
//
// Or an engine's sampler, "preset:vllm-torch,temperature=0.8" (client/preset_text.h).
//
// InvalidArgument names the stage, its position and what is accepted. Ranges of parameters are the
// server's to check: it answers for each row.
absl::StatusOr<v1::SamplerChain> ParseChain(absl::string_view text);

// One line per stage, for people: its spelling and what it does; then what the words mean.
std::string ChainTextHelp();

}  // namespace tessera

#endif  // TESSERA_CLIENT_CHAIN_TEXT_H_
