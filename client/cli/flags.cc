// Declares, parses and prints the flags of a subcommand.
#include "client/cli/flags.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"

namespace tessera::cli {
namespace {

constexpr int kHelpColumn = 26;  // where help starts
constexpr int kHelpWidth = 96;   // where it wraps

absl::Status Refuse(absl::string_view value, absl::string_view accepted) {
  return absl::InvalidArgumentError(absl::StrCat("is '", value, "'; it must be ", accepted));
}

absl::Status ParseSwitch(absl::string_view text, bool* target) {
  if (text == "true" || text == "false") {
    *target = text == "true";
    return absl::OkStatus();
  }
  return Refuse(text, "true or false");
}

// Wraps `text` into the help column; the cursor stands at `column`.
void AppendWrapped(absl::string_view text, size_t column, std::string* out) {
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (column > kHelpColumn && column + 1 + word.size() > kHelpWidth) {
      absl::StrAppend(out, "\n", std::string(kHelpColumn, ' '));
      column = kHelpColumn;
    } else if (column > kHelpColumn) {
      out->push_back(' ');
      ++column;
    }
    absl::StrAppend(out, word);
    column += word.size();
  }
  out->push_back('\n');
}

}  // namespace

int EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

void Flags::Section(absl::string_view title) { section_ = std::string(title); }

void Flags::Add(Flag flag) {
  flag.section = section_;
  flags_.push_back(std::move(flag));
}

void Flags::Switch(absl::string_view name, bool* target, absl::string_view help) {
  Add({std::string(name), "", std::string(help),
       *target ? absl::StrCat("on; --no-", name, " turns it off") : "", "",
       [target](absl::string_view text) { return ParseSwitch(text, target); }});
}

void Flags::Text(absl::string_view name, absl::string_view value_name, std::string* target,
                 absl::string_view help) {
  Add({std::string(name), std::string(value_name), std::string(help), *target, "",
       [target](absl::string_view text) {
         if (text.empty()) return Refuse(text, "not empty");
         *target = std::string(text);
         return absl::OkStatus();
       }});
}

void Flags::Choice(absl::string_view name, std::vector<std::string> choices, std::string* target,
                   absl::string_view help) {
  std::string value_name = absl::StrJoin(choices, "|");
  Add({std::string(name), value_name, std::string(help), *target, "",
       [choices = std::move(choices), target](absl::string_view text) {
         if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
           return Refuse(text, absl::StrCat("one of ", absl::StrJoin(choices, ", ")));
         }
         *target = std::string(text);
         return absl::OkStatus();
       }});
}

void Flags::Integer(absl::string_view name, int64_t min, int64_t max, int64_t* target,
                    absl::string_view help) {
  Add({std::string(name), "N", std::string(help), absl::StrCat(*target), "",
       [=](absl::string_view text) {
         int64_t value;
         if (!absl::SimpleAtoi(text, &value) || value < min || value > max) {
           return Refuse(text, absl::StrCat("an integer in [", min, ", ", max, "]"));
         }
         *target = value;
         return absl::OkStatus();
       }});
}

void Flags::OptionalUnsigned(absl::string_view name, uint64_t min, uint64_t max,
                             std::optional<uint64_t>* target, absl::string_view help) {
  Add({std::string(name), "N", std::string(help), "", "", [=](absl::string_view text) {
         uint64_t value;
         if (!absl::SimpleAtoi(text, &value) || value < min || value > max) {
           return Refuse(text, absl::StrCat("an integer in [", min, ", ", max, "]"));
         }
         *target = value;
         return absl::OkStatus();
       }});
}

void Flags::Seconds(absl::string_view name, double max_seconds, double* target,
                    absl::string_view help) {
  const std::string shown = absl::FormatDuration(absl::Seconds(*target));
  Add({std::string(name), "TIME", std::string(help), shown, "", [=](absl::string_view text) {
         absl::Duration value;
         const bool parsed = absl::ParseDuration(text, &value);
         const double seconds = parsed ? absl::ToDoubleSeconds(value) : 0;
         if (!parsed || !(seconds > 0) || seconds > max_seconds) {
           return Refuse(text, absl::StrCat("a time with its unit such as 250ms, 10s or 2m, above "
                                            "0 and at most ",
                                            absl::FormatDuration(absl::Seconds(max_seconds))));
         }
         *target = seconds;
         return absl::OkStatus();
       }});
}

void Flags::Parsed(absl::string_view name, absl::string_view value_name, absl::string_view help,
                   std::function<absl::Status(absl::string_view)> parse) {
  Add({std::string(name), std::string(value_name), std::string(help), "", "", std::move(parse)});
}

const Flags::Flag* Flags::Find(absl::string_view name) const {
  for (const Flag& flag : flags_) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

absl::Status Flags::Unknown(absl::string_view name) const {
  const Flag* nearest = nullptr;
  int distance = 4;  // further away than this is no typing mistake
  for (const Flag& flag : flags_) {
    const int d = EditDistance(name, flag.name);
    if (d < distance) {
      distance = d;
      nearest = &flag;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no flag --", name,
                   nearest == nullptr ? "; --help lists all"
                                      : absl::StrCat("; did you mean --", nearest->name, "?")));
}

absl::Status Flags::Parse(absl::Span<const std::string> arguments) const {
  std::set<std::string> given;
  help_wanted_ = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view text = arguments[i];
    if (text == "--help" || text == "-h") {
      help_wanted_ = true;
      return absl::OkStatus();
    }
    if (!absl::ConsumePrefix(&text, "--")) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "' is not a flag; flags start with --"));
    }
    const size_t equals = text.find('=');
    absl::string_view name = text.substr(0, equals);
    const Flag* flag = Find(name);
    std::optional<absl::string_view> value;
    if (equals != absl::string_view::npos) value = text.substr(equals + 1);
    if (flag == nullptr && !value && absl::StartsWith(name, "no-")) {
      flag = Find(name.substr(3));
      if (flag != nullptr && !flag->value_name.empty()) flag = nullptr;
      if (flag != nullptr) value = "false";
    }
    if (flag == nullptr) return Unknown(name);
    if (!given.insert(flag->name).second) {
      return absl::InvalidArgumentError(absl::StrCat("--", flag->name, " was given twice"));
    }
    if (!value && flag->value_name.empty()) value = "true";
    if (!value && i + 1 < arguments.size()) value = arguments[++i];
    if (!value) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag->name, " needs a value: --", flag->name, " ", flag->value_name));
    }
    if (absl::Status status = flag->parse(*value); !status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--", flag->name, " ", status.message()));
    }
  }
  return absl::OkStatus();
}

std::string Flags::Help() const {
  std::string out;
  std::string section;
  for (const Flag& flag : flags_) {
    if (flag.section != section) {
      absl::StrAppend(&out, "\n", flag.section, ":\n");
      section = flag.section;
    }
    std::string left = absl::StrCat("  --", flag.name);
    if (!flag.value_name.empty()) absl::StrAppend(&left, " ", flag.value_name);
    if (left.size() + 2 > kHelpColumn) {
      absl::StrAppend(&left, "\n", std::string(kHelpColumn, ' '));
    } else {
      left.resize(kHelpColumn, ' ');
    }
    absl::StrAppend(&out, left);
    std::string help = flag.help;
    if (!flag.shown_default.empty()) absl::StrAppend(&help, " (default ", flag.shown_default, ")");
    AppendWrapped(help, kHelpColumn, &out);
  }
  return out;
}

}  // namespace tessera::cli
