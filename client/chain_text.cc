// Parses chains as a person types them.
#include "client/chain_text.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tessera {
namespace {

// One item of the text: name[=value[:option]].
struct Word {
  absl::string_view name;
  absl::string_view value;
  absl::string_view option;
  bool has_value = false;
  bool has_option = false;
};

// What would be accepted; empty when all is well.
using Accepted = std::string;

Accepted ParseNumber(const Word& word, double* value) {
  return absl::SimpleAtod(word.value, value) ? "" : absl::StrCat(word.name, "=NUMBER");
}

Accepted RefuseOption(const Word& word) {
  return word.has_option ? absl::StrCat(word.name, " without ':", word.option, "'") : "";
}

Accepted RefuseValue(const Word& word) {
  return word.has_value ? absl::StrCat(word.name, " alone; it takes no value") : "";
}

template <typename Penalty>
Accepted ParsePenalty(const Word& word, Penalty* stage) {
  double penalty;
  if (Accepted accepted = ParseNumber(word, &penalty); !accepted.empty()) return accepted;
  stage->set_penalty(penalty);
  if (!word.has_option) return "";
  if (word.option == "prompt_and_output") {
    stage->set_scope(v1::PENALTY_SCOPE_PROMPT_AND_OUTPUT);
  } else if (word.option == "output") {
    stage->set_scope(v1::PENALTY_SCOPE_OUTPUT);
  } else if (word.option == "prompt") {
    stage->set_scope(v1::PENALTY_SCOPE_PROMPT);
  } else {
    return absl::StrCat(word.name, "=NUMBER:SCOPE with SCOPE one of prompt_and_output, output, ",
                        "prompt");
  }
  return "";
}

Accepted ParseTopP(const Word& word, v1::TopP* stage) {
  double p;
  if (Accepted accepted = ParseNumber(word, &p); !accepted.empty()) return accepted;
  stage->set_p(p);
  if (word.has_option && word.option != "joint") return "top_p=NUMBER or top_p=NUMBER:joint";
  stage->set_joint(word.has_option);
  return "";
}

Accepted ParseTopK(const Word& word, v1::TopK* stage) {
  int32_t k;
  if (!absl::SimpleAtoi(word.value, &k)) return "top_k=INTEGER";
  stage->set_k(k);
  return RefuseOption(word);
}

struct Spelling {
  absl::string_view name;
  absl::string_view form;
  absl::string_view meaning;
  Accepted (*parse)(const Word& word, v1::SamplerStage* stage);
};

constexpr Spelling kSpellings[] = {
    {"temperature", "temperature=T", "divides logits by T; 0 is greedy",
     [](const Word& word, v1::SamplerStage* stage) {
       double t = 0;
       Accepted accepted = ParseNumber(word, &t);
       stage->mutable_temperature()->set_t(t);
       return accepted.empty() ? RefuseOption(word) : accepted;
     }},
    {"greedy", "greedy", "takes the largest logit, ties by lower id",
     [](const Word& word, v1::SamplerStage* stage) {
       stage->mutable_greedy();
       return RefuseValue(word);
     }},
    {"top_k", "top_k=K", "keeps the K largest logits; 0 is off",
     [](const Word& word, v1::SamplerStage* stage) {
       return ParseTopK(word, stage->mutable_top_k());
     }},
    {"top_p", "top_p=P[:joint]", "keeps the likeliest tokens that reach probability P together",
     [](const Word& word, v1::SamplerStage* stage) {
       return ParseTopP(word, stage->mutable_top_p());
     }},
    {"min_p", "min_p=M", "keeps tokens at least M times as likely as the likeliest",
     [](const Word& word, v1::SamplerStage* stage) {
       double m = 0;
       Accepted accepted = ParseNumber(word, &m);
       stage->mutable_min_p()->set_m(m);
       return accepted.empty() ? RefuseOption(word) : accepted;
     }},
    {"repetition_penalty", "repetition_penalty=R[:SCOPE]",
     "divides positive logits of tokens seen by R, multiplies others",
     [](const Word& word, v1::SamplerStage* stage) {
       return ParsePenalty(word, stage->mutable_repetition_penalty());
     }},
    {"frequency_penalty", "frequency_penalty=F[:SCOPE]", "subtracts F times a token's count",
     [](const Word& word, v1::SamplerStage* stage) {
       return ParsePenalty(word, stage->mutable_frequency_penalty());
     }},
    {"presence_penalty", "presence_penalty=S[:SCOPE]", "subtracts S from the logits of tokens seen",
     [](const Word& word, v1::SamplerStage* stage) {
       return ParsePenalty(word, stage->mutable_presence_penalty());
     }},
    {"logit_bias", "logit_bias", "adds the row's own biases here",
     [](const Word& word, v1::SamplerStage* stage) {
       stage->mutable_logit_bias();
       return RefuseValue(word);
     }},
};

std::string AllForms() {
  return absl::StrJoin(kSpellings, ", ", [](std::string* out, const Spelling& spelling) {
    absl::StrAppend(out, spelling.form);
  });
}

Word Split(absl::string_view item) {
  Word word;
  const size_t equals = item.find('=');
  word.name = absl::StripAsciiWhitespace(item.substr(0, equals));
  if (equals == absl::string_view::npos) return word;
  word.has_value = true;
  const absl::string_view rest = item.substr(equals + 1);
  const size_t colon = rest.find(':');
  word.value = absl::StripAsciiWhitespace(rest.substr(0, colon));
  if (colon == absl::string_view::npos) return word;
  word.has_option = true;
  word.option = absl::StripAsciiWhitespace(rest.substr(colon + 1));
  return word;
}

Accepted ParseStage(absl::string_view item, v1::SamplerStage* stage) {
  const Word word = Split(item);
  for (const Spelling& spelling : kSpellings) {
    if (spelling.name == word.name) return spelling.parse(word, stage);
  }
  return absl::StrCat("one of ", AllForms());
}

}  // namespace

absl::StatusOr<v1::SamplerChain> ParseChain(absl::string_view text) {
  v1::SamplerChain chain;
  if (absl::StripAsciiWhitespace(text).empty()) return chain;
  size_t begin = 0;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    const Accepted accepted = ParseStage(item, chain.add_stages());
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
  for (const Spelling& spelling : kSpellings) {
    absl::StrAppendFormat(&out, "  %-30s %s\n", spelling.form, spelling.meaning);
  }
  return out;
}

}  // namespace tessera
