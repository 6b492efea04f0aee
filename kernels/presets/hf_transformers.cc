// Hugging Face transformers: the processors and warpers that `generate` builds, in its order.
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/presets/engines.h"
#include "kernels/presets/one_minus.h"
#include "kernels/presets/parameter.h"

namespace tessera {
namespace {

std::vector<PresetParameter> Offered() {
  return {
      Switch("do_sample", false, "draws; without it the choice is greedy and no warper acts"),
      Number("temperature", 1, In(kMinTemperature, kMaxTemperature), "divides logits"),
      Integer("top_k", 50, AtLeast(0), "keeps the k likeliest and their ties; 0 is off"),
      Number("top_p", 1, In(0, 1), "nucleus; 1 is off, 0 keeps one token"),
      Number("min_p", 0, In(0, 1), "share of the likeliest token's probability; 0 is unset"),
      Number("typical_p", 1, Above(0, 1), "mass nearest to the entropy; 1 is off"),
      Number("epsilon_cutoff", 0, Below(0, 1), "least probability; 0 is off"),
      Number("eta_cutoff", 0, Below(0, 1), "least probability, by entropy; 0 is off"),
      Number("repetition_penalty", 1, Above(0), "on ids of prompt and output; 1 is off"),
      Number("encoder_repetition_penalty", 1, Above(0),
             "its inverse acts as a repetition penalty on the prompt's ids; 1 is off"),
      Integer("no_repeat_ngram_size", 0, AtLeast(0), "no n-gram twice; 0 is off"),
      Number("guidance_scale", 1, Finite(), "classifier-free guidance; 1 is off"),
      Text("bad_words_ids", "", "ids separated by commas, words by semicolons",
           "words whose last id is banned where the context ends in the others"),
      Text("sequence_bias", "", "\"ids=bias\" with ids separated by commas, entries by semicolons",
           "added to the last id of a sequence where the context ends in the others"),
      Switch("renormalize_logits", false, "shifts the row, which changes no probability"),
  };
}

std::vector<PresetParameter> Parameters() {
  std::vector<PresetParameter> all = Offered();
  for (PresetParameter& refused : std::vector<PresetParameter>{
           Fixed("top_h", 0.0, "its entropy budget reads the 100 likeliest tokens one by one"),
           Fixed("watermarking_config", "",
                 "it follows truncation, where an edit cannot stand; a watermark stage can stand "
                 "before it in an explicit chain"),
           Fixed("encoder_no_repeat_ngram_size", 0.0,
                 "the ban would compare the output with the prompt alone; send banned_ids"),
           Fixed("remove_invalid_values", 0.0,
                 "rows with NaN or +inf have an outcome of their own"),
           Fixed("num_beams", 1.0, "a beam search is no draw from one row"),
           OfRow("exponential_decay_length_penalty", "SampleRow.bias on the ids that end the text"),
           OfRow("min_length", "SampleRow.min_tokens less the prompt's length, with stop_ids"),
           OfRow("min_new_tokens", "SampleRow.min_tokens, with stop_ids"),
           OfRow("suppress_tokens", "SampleRow.banned_ids"),
           OfRow("begin_suppress_tokens", "SampleRow.banned_ids of the first row"),
           OfRow("forced_bos_token_id", "SampleRow.allowed"),
           OfRow("forced_eos_token_id", "SampleRow.allowed"),
           OfRow("prefix_allowed_tokens_fn", "SampleRow.allowed"),
           OfRow("num_return_sequences", "SampleRow.samples"),
           OfRow("seed", "SampleRow.seed"),
       }) {
    all.push_back(std::move(refused));
  }
  return all;
}

// "5,7=-1.5;9=2".
absl::StatusOr<SequenceBias> ReadBias(const std::string& text) {
  SequenceBias bias;
  if (text.empty()) return bias;
  for (const absl::string_view part : absl::StrSplit(text, ';')) {
    const std::vector<absl::string_view> sides = absl::StrSplit(part, '=');
    double value = 0;
    if (sides.size() != 2 || !absl::SimpleAtod(sides[1], &value)) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(part), " is not \"ids=bias\""));
    }
    absl::StatusOr<std::vector<TokenSequence>> ids = ReadSequences(sides[0]);
    if (!ids.ok()) return ids.status();
    if (ids->size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(part), " must have ids"));
    }
    bias.sequences.push_back({.ids = ids->front(), .bias = value});
  }
  return bias;
}

absl::Status AddEdits(const PresetValues& values, std::vector<Stage>* stages) {
  absl::StatusOr<SequenceBias> bias = ReadBias(values.Text("sequence_bias"));
  if (!bias.ok()) return values.Refuse("sequence_bias", bias.status().message());
  absl::StatusOr<std::vector<TokenSequence>> words = ReadSequences(values.Text("bad_words_ids"));
  if (!words.ok()) return values.Refuse("bad_words_ids", words.status().message());
  stages->push_back(Guidance{values.Number("guidance_scale")});
  stages->push_back(LogitBias{});
  stages->push_back(*std::move(bias));
  stages->push_back(RepetitionPenalty{.penalty = 1 / values.Number("encoder_repetition_penalty"),
                                      .scope = PenaltyScope::kPrompt});
  stages->push_back(RepetitionPenalty{.penalty = values.Number("repetition_penalty")});
  stages->push_back(
      NoRepeatNgram{.n = static_cast<uint32_t>(values.Integer("no_repeat_ngram_size"))});
  stages->push_back(BadWords{.words = *std::move(words), .scope = HistoryScope::kPromptAndOutput});
  return absl::OkStatus();
}

void AddWarpers(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  const double p = values.Number("top_p");
  stages.emplace_back(Temperature{values.Number("temperature")});
  stages.emplace_back(TopK{.k = values.Integer("top_k"), .ties = Ties::kWhole});
  stages.emplace_back(TopP{.p = p < 1 ? ShareByRoundedComplement(p) : 1});
  stages.emplace_back(MinP{values.Number("min_p")});
  stages.emplace_back(TypicalP{.p = values.Number("typical_p")});
  stages.emplace_back(EpsilonCutoff{values.Number("epsilon_cutoff")});
  stages.emplace_back(EtaCutoff{values.Number("eta_cutoff")});
  if (p < 1) {
    expanded->notes.emplace_back(
        "which of the tokens tied at the nucleus's end stay, the engine leaves open: here those of "
        "lower id");
  }
}

absl::Status Expand(const PresetValues& values, ExpandedPreset* expanded) {
  std::vector<Stage>& stages = expanded->chain.stages;
  if (absl::Status status = AddEdits(values, &stages); !status.ok()) return status;
  if (values.Number("guidance_scale") != 1) {
    expanded->notes.emplace_back(
        "guidance here joins logits, the engine's the logarithms of probabilities: the row is "
        "shifted by a constant, which changes no probability until a repetition penalty multiplies "
        "or divides by sign");
  }
  if (!values.Text("sequence_bias").empty() || !values.Text("bad_words_ids").empty()) {
    expanded->notes.emplace_back(
        "a sequence that continues the whole context counts, as in transformers 5.19; releases "
        "that compare the sequence's own length with the context's pass over it");
  }
  if (values.Switch("do_sample")) {
    AddWarpers(values, expanded);
    return absl::OkStatus();
  }
  stages.emplace_back(Greedy{});
  expanded->greedy = true;
  expanded->notes.emplace_back("do_sample is false, the engine's default: greedy, no warper acts");
  return absl::OkStatus();
}

}  // namespace

std::vector<Preset> HfTransformersPresets() {
  PresetDescription d{
      .name = "hf-transformers",
      .follows = "transformers, the processors and warpers of generate",
      .fidelity = Fidelity::kLaw,
      .logprobs = LogprobMode::kProcessed,
      .rank = RankRule::kNone,
      .order =
          "guidance, bias, sequence bias, encoder repetition, repetition, no-repeat n-gram, bad "
          "words, temperature, top-k, top-p, min-p, typical-p, epsilon, eta",
      .ties = "every token tied with the k-th stays",
      .boundary = "the smallest prefix that reaches P, by 1 - P; ties split, lower id first",
      .base = "sequential: each warper reads what the one before it left",
      .penalties = "repetition on prompt and output; no frequency, no presence",
      .greedy_when = "do_sample is false, whatever the temperature; 0 is refused",
      .disabled =
          "temperature 1; top_k 0; top_p 1; typical_p 1; epsilon and eta 0; repetition 1; "
          "guidance 1",
      .draw = "torch.multinomial on a global generator; here Tessera's own draw",
      .parameters = Parameters(),
  };
  return {{std::move(d), Expand}};
}

}  // namespace tessera
