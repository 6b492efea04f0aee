// Declares the flags of a row's masks, history and state.
#include "client/cli/row_flags.h"

#include "client/cli/id_flag.h"
#include "client/cli/number_list.h"
#include "client/state_text.h"

namespace tessera::cli {

void RowFlags::Declare(Flags* flags) {
  flags->Section("Masks and history (the same for every row)");
  DeclareIds(flags, "banned", &banned, "ids that cannot be drawn");
  DeclareIds(flags, "allowed", &allowed, "the only ids that can be drawn");
  flags->Parsed("bias", "ID:VALUE,...", "added to logits where the chain says logit_bias",
                [this](absl::string_view text) { return Store(ParsePairs(text, kMaxId), &bias); });
  DeclareIds(flags, "prompt", &prompt, "the prompt's ids, for stages that look back");
  DeclareIds(flags, "output", &output, "ids drawn so far, for such stages and --min-tokens");
  DeclareIds(flags, "stop", &stop, "ids banned until the output has --min-tokens");
  flags->Integer("min-tokens", 0, kMaxId, &min_tokens, "shortest output; needs --stop");
  flags->OptionalUnsigned("output-length", 0, kMaxId, &output_length,
                          "length of the output so far, if --output does not tell it");
  flags->Parsed("state", "STATE",
                "what the last draw printed, for mirostat, adaptive_p and xorshift64 to go on from",
                [this](absl::string_view text) { return Store(ParseState(text), &state); });
}

void RowFlags::Fill(v1::SampleRow* row) const {
  row->mutable_banned_ids()->Add(banned.begin(), banned.end());
  if (allowed) row->mutable_allowed()->mutable_ids()->Add(allowed->begin(), allowed->end());
  for (const auto& [id, value] : bias) {
    v1::TokenBias* entry = row->add_bias();
    entry->set_id(static_cast<int32_t>(id));
    entry->set_value(value);
  }
  if (!prompt.empty() || !output.empty()) {
    v1::TokenHistory* history = row->mutable_history();
    history->mutable_prompt_ids()->Add(prompt.begin(), prompt.end());
    history->mutable_output_ids()->Add(output.begin(), output.end());
  }
  row->mutable_stop_ids()->Add(stop.begin(), stop.end());
  row->set_min_tokens(static_cast<uint32_t>(min_tokens));
  if (output_length) row->set_output_length(static_cast<uint32_t>(*output_length));
  if (state) *row->mutable_state() = *state;
}

}  // namespace tessera::cli
