#include "kernels/presets/values.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tessera {
namespace {

using Type = PresetParameter::Type;

std::string Shown(const PresetValue& value) {
  if (const double* number = std::get_if<double>(&value)) return absl::StrCat(*number);
  return Quoted(std::get<std::string>(value));
}

bool InRange(const PresetParameter& parameter, double value) {
  if (parameter.extra.has_value() && value == *parameter.extra) return true;
  return (parameter.low_open ? value > parameter.low : value >= parameter.low) &&
         (parameter.high_open ? value < parameter.high : value <= parameter.high);
}

// 0 and 1, "true" and "false" as 0 and 1; everything else as it is.
PresetValue AsSwitch(const PresetValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) {
    if (*text == "true" || *text == "True") return 1.0;
    if (*text == "false" || *text == "False") return 0.0;
  }
  return value;
}

bool Accepts(const PresetParameter& parameter, const PresetValue& value) {
  const double* number = std::get_if<double>(&value);
  switch (parameter.type) {
    case Type::kNumber:
      return number != nullptr && InRange(parameter, *number);
    case Type::kInteger:
      return number != nullptr && InRange(parameter, *number) &&
             static_cast<double>(static_cast<int64_t>(*number)) == *number;
    case Type::kSwitch:
      return number != nullptr && (*number == 0 || *number == 1);
    case Type::kText:
      return number == nullptr;
    case Type::kFixed:
      return value == parameter.initial || AsSwitch(value) == parameter.initial;
    case Type::kRow:
      return false;
  }
  return false;
}

std::string Names(const PresetDescription& description) {
  return absl::StrJoin(description.parameters, ", ",
                       [](std::string* out, const PresetParameter& p) { out->append(p.name); });
}

}  // namespace

PresetValues::PresetValues(const PresetDescription& description) : description_(&description) {
  for (const PresetParameter& parameter : description.parameters) {
    entries_.push_back({.parameter = &parameter, .value = parameter.initial});
  }
}

absl::StatusOr<PresetValues> PresetValues::Read(const PresetDescription& description,
                                                const PresetParameters& parameters) {
  PresetValues values(description);
  for (const auto& [name, value] : parameters) {
    if (absl::Status status = values.Set(name, value); !status.ok()) return status;
  }
  return values;
}

absl::Status PresetValues::Set(absl::string_view name, const PresetValue& value) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [name](const Entry& e) {
    return e.parameter->name == name || (!name.empty() && e.parameter->alias == name);
  });
  const std::string field = absl::StrCat(description_->name, ".", name);
  if (entry == entries_.end()) {
    return absl::InvalidArgumentError(absl::StrCat(field, " is not a parameter of this preset; ",
                                                   "it has ", Names(*description_)));
  }
  const PresetParameter& parameter = *entry->parameter;
  if (entry->given) {
    return absl::InvalidArgumentError(
        absl::StrCat(field, " is given twice, as ", parameter.name, " and ", parameter.alias));
  }
  entry->given = true;
  entry->value = parameter.type == Type::kSwitch ? AsSwitch(value) : value;
  if (Accepts(parameter, entry->value)) return absl::OkStatus();
  const bool says_why = parameter.type == Type::kFixed || parameter.type == Type::kRow;
  return absl::InvalidArgumentError(absl::StrCat(field, " is ", Shown(value), "; it must be ",
                                                 parameter.accepted, says_why ? ": " : "",
                                                 says_why ? parameter.meaning : ""));
}

const PresetValues::Entry& PresetValues::At(absl::string_view name) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [name](const Entry& e) { return e.parameter->name == name; });
  assert(entry != entries_.end());
  return *entry;
}

bool PresetValues::Given(absl::string_view name) const { return At(name).given; }

double PresetValues::Number(absl::string_view name) const {
  return std::get<double>(At(name).value);
}

int32_t PresetValues::Integer(absl::string_view name) const {
  return static_cast<int32_t>(Number(name));
}

bool PresetValues::Switch(absl::string_view name) const { return Number(name) != 0; }

std::string PresetValues::Text(absl::string_view name) const {
  return std::get<std::string>(At(name).value);
}

absl::Status PresetValues::Refuse(absl::string_view name, absl::string_view why) const {
  const Entry& entry = At(name);
  return absl::InvalidArgumentError(
      absl::StrCat(description_->name, ".", name, " is ", Shown(entry.value),
                   entry.given ? "; " : " (the engine's default); ", why));
}

std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 80;
  return absl::StrCat("\"", text.substr(0, kShown), text.size() > kShown ? "...\"" : "\"");
}

absl::StatusOr<std::vector<TokenSequence>> ReadSequences(absl::string_view text) {
  std::vector<TokenSequence> sequences;
  if (text.empty() || text == "none") return sequences;
  for (const absl::string_view part : absl::StrSplit(text, ';')) {
    TokenSequence& sequence = sequences.emplace_back();
    for (const absl::string_view word : absl::StrSplit(part, ',')) {
      TokenId id;
      if (!absl::SimpleAtoi(word, &id) || id < 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            Quoted(word), " is no token id; ids are separated by commas, sequences by semicolons"));
      }
      sequence.push_back(id);
    }
  }
  return sequences;
}

}  // namespace tessera
