// Parses chains as a person types them.
#include "client/chain_text.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/preset_text.h"
#include "client/stage_fields.h"
#include "client/stage_spellings.h"

namespace tessera {
namespace {

std::string AllForms() {
  return absl::StrJoin(StageSpellings(), ", ", [](std::string* out, const StageSpelling& spelling) {
    absl::StrAppend(out, spelling.form);
  });
}

// The message of a stage that `stage` then holds.
google::protobuf::Message* MessageOf(absl::string_view name, v1::SamplerStage* stage) {
  return stage->GetReflection()->MutableMessage(
      stage, v1::SamplerStage::descriptor()->FindFieldByName(std::string(name)));
}

// What would be accepted; empty where all is well. An item is name[=field[:field]...].
std::string ParseStage(absl::string_view item, v1::SamplerStage* stage) {
  const size_t equals = item.find('=');
  const absl::string_view name = absl::StripAsciiWhitespace(item.substr(0, equals));
  std::vector<absl::string_view> fields;
  if (equals != absl::string_view::npos) {
    for (const absl::string_view field : absl::StrSplit(item.substr(equals + 1), ':')) {
      fields.push_back(absl::StripAsciiWhitespace(field));
    }
  }
  for (const StageSpelling& spelling : StageSpellings()) {
    if (spelling.name != name) continue;
    google::protobuf::Message* message = MessageOf(name, stage);
    if (ReadFields(fields, spelling.required, message)) return "";
    const std::vector<std::string> words = WordsOf(*message->GetDescriptor());
    return absl::StrCat(spelling.form, words.empty() ? "" : ", with words from ",
                        absl::StrJoin(words, ", "));
  }
  return absl::StrCat("one of ", AllForms());
}

}  // namespace

absl::StatusOr<v1::SamplerChain> ParseChain(absl::string_view text) {
  v1::SamplerChain chain;
  if (absl::StripAsciiWhitespace(text).empty()) return chain;
  if (IsPresetText(text)) {
    absl::StatusOr<v1::EnginePreset> preset = ParsePreset(text);
    if (!preset.ok()) return preset.status();
    *chain.mutable_preset() = *std::move(preset);
    return chain;
  }
  size_t begin = 0;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    const std::string accepted = ParseStage(item, chain.add_stages());
    if (!accepted.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("chain stage ", chain.stages_size(), " (character ", begin + 1, ") is '",
                       absl::StripAsciiWhitespace(item), "'; it must be ", accepted));
    }
    begin += item.size() + 1;
  }
  return chain;
}

std::string ChainTextHelp() {
  std::string out;
  for (const StageSpelling& spelling : StageSpellings()) {
    absl::StrAppendFormat(&out, "  %s\n      %s\n", spelling.form, spelling.meaning);
  }
  absl::StrAppend(
      &out,
      "  SCOPE is prompt_and_output, output or prompt (dry and the like: not prompt alone); each\n"
      "  stage has a default. TIES is split (default) or whole: what becomes of logits equal to "
      "the\n"
      "  last one kept. BOUNDARY is reach (default), exceed or within: which prefix P means. ORDER "
      "is\n"
      "  id or sorted, GENERATOR philox, mt19937 or xorshift64. IDS are words of token ids, ids "
      "joined\n"
      "  by '-' and words by '/': 5-7/12.\n"
      "Or an engine's own sampler, preset:NAME[,PARAMETER=VALUE]... (tessera info lists them):\n"
      "  preset:vllm-torch,temperature=0.8,top_p=0.9\n");
  return out;
}

}  // namespace tessera
