#include "tests/simt/ptx/ptx_statement.h"

#include <algorithm>

#include "tests/simt/emulator.h"

namespace simt::ptx {

void Refuse(int line, const std::string& why, const std::string& text) {
  throw Error("ptx line " + std::to_string(line) + ": " + why + ": " + text);
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> SplitOperands(std::string_view text) {
  std::vector<std::string> parts;
  if (Trimmed(text).empty()) return parts;
  std::string current;
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' || c == '(';
    depth -= c == '}' || c == ']' || c == ')';
    if (c == ',' && depth == 0) {
      parts.emplace_back(Trimmed(current));
      current.clear();
    } else {
      current += c;
    }
  }
  parts.emplace_back(Trimmed(current));
  return parts;
}

InstructionText::InstructionText(const Statement& statement)
    : line_(statement.line), text_(statement.text) {
  std::string_view rest = text_;
  if (rest[0] == '@') {
    const size_t space = std::min(rest.find_first_of(" \t"), rest.size());
    guard_negated_ = rest.size() > 1 && rest[1] == '!';
    guard_ = rest.substr(guard_negated_ ? 2 : 1, space - (guard_negated_ ? 2 : 1));
    rest = Trimmed(rest.substr(space));
  }
  const size_t space = std::min(rest.find_first_of(" \t"), rest.size());
  operands_ = SplitOperands(rest.substr(space));
  std::string_view name = rest.substr(0, space);
  size_t period = std::min(name.find('.'), name.size());
  opcode_ = name.substr(0, period);
  while (period < name.size()) {
    const size_t next = std::min(name.find('.', period + 1), name.size());
    modifiers_.emplace_back(name.substr(period + 1, next - period - 1));
    period = next;
  }
  taken_.assign(modifiers_.size(), false);
}

const std::string& InstructionText::operand(size_t i) const {
  if (i >= operands_.size()) Refuse("too few operands");
  return operands_[i];
}

bool InstructionText::Take(std::string_view modifier) {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    if (!taken_[i] && modifiers_[i] == modifier) {
      taken_[i] = true;
      return true;
    }
  }
  return false;
}

std::string InstructionText::TakeOneOf(std::initializer_list<std::string_view> choices) {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    if (!taken_[i] && std::find(choices.begin(), choices.end(), modifiers_[i]) != choices.end()) {
      taken_[i] = true;
      return modifiers_[i];
    }
  }
  return "";
}

void InstructionText::TakeAll(std::string_view prefix) {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    if (modifiers_[i].starts_with(prefix)) taken_[i] = true;
  }
}

Type InstructionText::TakeType() {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    const Type type = taken_[i] ? Type::kNone : TypeNamed(modifiers_[i]);
    if (type != Type::kNone) {
      taken_[i] = true;
      return type;
    }
  }
  Refuse("no type that is known");
}

bool InstructionText::HasType() const {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    if (!taken_[i] && TypeNamed(modifiers_[i]) != Type::kNone) return true;
  }
  return false;
}

void InstructionText::RequireOperands(size_t least, size_t most) const {
  if (operands_.size() < least || operands_.size() > most) Refuse("wrong number of operands");
}

void InstructionText::CheckExact() const {
  for (const std::string& name : modifiers_) {
    if (name == "approx" || name == "ftz" || name == "full" || name == "noftz") {
      Refuse("." + name + " has no exact meaning on a CPU");
    }
  }
}

void InstructionText::CheckAllTaken() const {
  for (size_t i = 0; i < modifiers_.size(); ++i) {
    if (!taken_[i]) Refuse("modifier ." + modifiers_[i] + " is not understood");
  }
}

}  // namespace simt::ptx
