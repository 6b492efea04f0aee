#include "kernels/presets/llamacpp_names.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace tessera {
namespace {

struct SamplerName {
  LlamaSampler sampler;
  char letter;
  const char* name;
  const char* other;  // that the command line takes too
};

constexpr SamplerName kNames[] = {
    {LlamaSampler::kPenalties, 'e', "penalties", "penalties"},
    {LlamaSampler::kDry, 'd', "dry", "dry"},
    {LlamaSampler::kTopNSigma, 's', "top_n_sigma", "top_n_sigma"},
    {LlamaSampler::kTopK, 'k', "top_k", "top_k"},
    {LlamaSampler::kTypical, 'y', "typ_p", "typical_p"},
    {LlamaSampler::kTopP, 'p', "top_p", "nucleus"},
    {LlamaSampler::kMinP, 'm', "min_p", "min_p"},
    {LlamaSampler::kXtc, 'x', "xtc", "xtc"},
    {LlamaSampler::kTemperature, 't', "temperature", "temp"},
    {LlamaSampler::kAdaptive, 'a', "adaptive_p", "adaptive_p"},
};

const SamplerName* Find(absl::string_view word) {
  for (const SamplerName& name : kNames) {
    if (word == name.name || word == name.other) return &name;
  }
  return nullptr;
}

const SamplerName* Find(char letter) {
  for (const SamplerName& name : kNames) {
    if (letter == name.letter) return &name;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::vector<LlamaSampler>> ReadSamplers(const PresetValues& values) {
  const std::string text = absl::StrReplaceAll(values.Text("samplers"), {{"-", "_"}});
  std::vector<LlamaSampler> samplers;
  const auto add = [&samplers](const SamplerName* name) {
    if (name != nullptr) samplers.push_back(name->sampler);
    return name != nullptr;
  };
  const bool words = text.find(';') != std::string::npos || Find(text) != nullptr;
  bool known = true;
  if (words) {
    for (const absl::string_view word : absl::StrSplit(text, ';')) {
      if (!word.empty()) known = known && add(Find(word));
    }
  } else {
    for (const char letter : text) known = known && add(Find(letter));
  }
  if (known) return samplers;
  return values.Refuse("samplers",
                       "it must name samplers of this preset, separated by semicolons (penalties, "
                       "dry, top_n_sigma, top_k, typ_p, top_p, min_p, xtc, temperature, "
                       "adaptive_p), or be letters of edskypmxta; infill is not offered: it reads "
                       "the tokens' texts");
}

}  // namespace tessera
