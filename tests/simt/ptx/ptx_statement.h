// PTX text cut into statements, and an instruction's text into its parts.
#ifndef TESSERA_TESTS_SIMT_PTX_PTX_STATEMENT_H_
#define TESSERA_TESTS_SIMT_PTX_PTX_STATEMENT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simt/ptx/ptx_types.h"

namespace simt::ptx {

// Throws the emulator's error: "ptx line 12: WHY: TEXT".
[[noreturn]] void Refuse(int line, const std::string& why, const std::string& text);

std::string_view Trimmed(std::string_view text);
// Cut at commas outside of brackets, each part trimmed.
std::vector<std::string> SplitOperands(std::string_view text);

struct Statement {
  enum class Kind {
    kEnd,        // of the text
    kOpen,       // {
    kClose,      // }
    kLabel,      // text is its name
    kDirective,  // text starts with a period
    kInstruction
  };
  Kind kind = Kind::kEnd;
  int line = 0;  // where it starts, from 1
  std::string text;
};

class StatementReader {
 public:
  explicit StatementReader(std::string_view text);
  Statement Next();
  bool AtOpenBrace();

 private:
  void SkipSpace();
  Statement ReadLine();
  void SkipBlock();
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string text_;  // without comments
  size_t at_ = 0;
  int line_ = 1;
};

// An instruction's parts. A decoder takes every modifier that it knows; one that nobody took is
// refused, so that nothing is executed that was not understood.
class InstructionText {
 public:
  explicit InstructionText(const Statement& statement);

  int line() const { return line_; }
  const std::string& text() const { return text_; }
  const std::string& guard() const { return guard_; }  // without @ and !; empty if none
  bool guard_negated() const { return guard_negated_; }
  const std::string& opcode() const { return opcode_; }  // up to the first period
  size_t operand_count() const { return operands_.size(); }
  const std::string& operand(size_t i) const;

  // Whether a modifier is there; marks it as understood.
  bool Take(std::string_view modifier);
  // The first modifier not yet taken among `choices`; empty if none.
  std::string TakeOneOf(std::initializer_list<std::string_view> choices);
  // Takes every modifier that starts with `prefix`.
  void TakeAll(std::string_view prefix);
  // The next modifier that is a type; refuses if there is none.
  Type TakeType();
  bool HasType() const;
  void RequireOperands(size_t least, size_t most) const;
  // Refuses what promises an approximate result.
  void CheckExact() const;
  // Refuses if a modifier was not taken.
  void CheckAllTaken() const;
  [[noreturn]] void Refuse(const std::string& why) const { ptx::Refuse(line_, why, text_); }

 private:
  int line_;
  std::string text_;
  std::string guard_;
  bool guard_negated_ = false;
  std::string opcode_;
  std::vector<std::string> modifiers_;
  std::vector<bool> taken_;
  std::vector<std::string> operands_;
};

}  // namespace simt::ptx

#endif  // TESSERA_TESTS_SIMT_PTX_PTX_STATEMENT_H_
