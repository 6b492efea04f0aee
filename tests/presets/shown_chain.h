// A preset's chain on one line, for tables: "bias | temperature 0.7 | top_k 50 whole". Stages at
// their off value are left out. A refusal is its message.
#ifndef TESSERA_TESTS_PRESETS_SHOWN_CHAIN_H_
#define TESSERA_TESTS_PRESETS_SHOWN_CHAIN_H_

#include <string>
#include <type_traits>
#include <variant>

#include "absl/strings/str_cat.h"
#include "kernels/presets/preset.h"

namespace tessera::testing {

inline std::string Ids(const TokenSequence& ids) {
  std::string shown;
  for (const TokenId id : ids) absl::StrAppend(&shown, shown.empty() ? "" : ",", id);
  return shown;
}

inline std::string Ids(const std::vector<TokenSequence>& sequences) {
  std::string shown;
  for (const TokenSequence& ids : sequences) absl::StrAppend(&shown, " ", Ids(ids));
  return shown;
}

inline const char* Word(PenaltyScope scope) {
  constexpr const char* kWords[] = {" all", " output", " prompt"};
  return kWords[static_cast<int>(scope)];
}
inline const char* Word(HistoryScope scope) {
  return scope == HistoryScope::kOutput ? " output" : " all";
}
inline const char* Word(Ties ties) { return ties == Ties::kWhole ? " whole" : ""; }
inline const char* Word(Boundary boundary) {
  constexpr const char* kWords[] = {"", " exceed", " within"};
  return kWords[static_cast<int>(boundary)];
}

struct StageWords {
  std::string operator()(const LogitBias&) { return "bias"; }
  std::string operator()(const RepetitionPenalty& s) {
    return absl::StrCat("repetition ", s.penalty, Word(s.scope));
  }
  std::string operator()(const FrequencyPenalty& s) {
    return absl::StrCat("frequency ", s.penalty, Word(s.scope));
  }
  std::string operator()(const PresencePenalty& s) {
    return absl::StrCat("presence ", s.penalty, Word(s.scope));
  }
  std::string operator()(const Temperature& s) { return absl::StrCat("temperature ", s.t); }
  std::string operator()(const Greedy&) { return "greedy"; }
  std::string operator()(const TopK& s) { return absl::StrCat("top_k ", s.k, Word(s.ties)); }
  std::string operator()(const TopP& s) {
    return absl::StrCat("top_p ", s.p, s.joint ? " joint" : "", Word(s.boundary), Word(s.ties),
                        s.partial ? " partial" : "");
  }
  std::string operator()(const MinP& s) { return absl::StrCat("min_p ", s.m); }
  std::string operator()(const TopA& s) { return absl::StrCat("top_a ", s.a); }
  std::string operator()(const EpsilonCutoff& s) { return absl::StrCat("epsilon ", s.epsilon); }
  std::string operator()(const EtaCutoff& s) { return absl::StrCat("eta ", s.epsilon); }
  std::string operator()(const TypicalP& s) {
    return absl::StrCat("typical ", s.p, Word(s.boundary));
  }
  std::string operator()(const TopNSigma& s) { return absl::StrCat("top_n_sigma ", s.n); }
  std::string operator()(const TailFree& s) { return absl::StrCat("tail_free ", s.z); }
  std::string operator()(const Xtc& s) {
    return absl::StrCat("xtc ", s.probability, " ", s.threshold);
  }
  std::string operator()(const DynamicTemperature& s) {
    return absl::StrCat("dynamic ", s.low, " ", s.high, " ", s.exponent);
  }
  std::string operator()(const Smoothing& s) {
    return absl::StrCat("smoothing ", s.factor, " ", s.curve);
  }
  std::string operator()(const MirostatV1& s) {
    return absl::StrCat("mirostat_v1 ", s.tau, " ", s.eta);
  }
  std::string operator()(const MirostatV2& s) {
    return absl::StrCat("mirostat_v2 ", s.tau, " ", s.eta);
  }
  std::string operator()(const AdaptiveP& s) {
    return absl::StrCat("adaptive ", s.target, " ", s.decay);
  }
  std::string operator()(const DrawRule& s) {
    constexpr const char* kWords[] = {"philox", "mt19937", "xorshift64"};
    return absl::StrCat("draw ", s.order == DrawOrder::kSorted ? "sorted " : "by id ",
                        kWords[static_cast<int>(s.generator)]);
  }
  std::string operator()(const Dry& s) {
    return absl::StrCat("dry ", s.multiplier, " ", s.base, " ", s.allowed_length, " ", s.last_n,
                        Ids(s.breakers));
  }
  std::string operator()(const NoRepeatNgram& s) {
    return absl::StrCat("no_repeat_ngram ", s.n, Word(s.scope));
  }
  std::string operator()(const BadWords& s) {
    return absl::StrCat("bad_words", Ids(s.words), Word(s.scope));
  }
  std::string operator()(const SequenceBias& s) {
    std::string shown = "sequence_bias";
    for (const BiasedSequence& b : s.sequences)
      absl::StrAppend(&shown, " ", Ids(b.ids), "=", b.bias);
    return shown;
  }
  std::string operator()(const Watermark& s) { return absl::StrCat("watermark ", s.delta); }
  std::string operator()(const Guidance& s) { return absl::StrCat("guidance ", s.scale); }
};

inline std::string Shown(const Chain& chain) {
  std::string shown;
  for (const Stage& stage : chain.stages) {
    if (std::visit([](const auto& s) { return IsOff(s); }, stage)) continue;
    absl::StrAppend(&shown, shown.empty() ? "" : " | ", std::visit(StageWords{}, stage));
  }
  return shown;
}

inline std::string Shown(absl::string_view preset, const PresetParameters& parameters) {
  const absl::StatusOr<ExpandedPreset> expanded = ExpandPreset(preset, parameters);
  return expanded.ok() ? Shown(expanded->chain) : std::string(expanded.status().message());
}

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_PRESETS_SHOWN_CHAIN_H_
