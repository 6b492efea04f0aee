// StatementReader: where a statement of PTX ends.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "tests/simt/ptx/ptx_statement.h"

namespace simt::ptx {
namespace {

// Comments become blanks; their newlines stay, so that lines keep their numbers.
std::string WithoutComments(std::string_view text) {
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') {
      i = std::min(out.find('"', i + 1), out.size());
    } else if (out.compare(i, 2, "//") == 0) {
      for (; i < out.size() && out[i] != '\n'; ++i) out[i] = ' ';
    } else if (out.compare(i, 2, "/*") == 0) {
      const size_t end = std::min(out.find("*/", i + 2), out.size() - 2) + 2;
      for (; i < end; ++i) {
        if (out[i] != '\n') out[i] = ' ';
      }
    }
  }
  return out;
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Directives without a semicolon. (".loc" is not ".local".)
bool EndsWithItsLine(std::string_view text) {
  for (const std::string_view name :
       {".version ", ".target ", ".address_size ", ".file\t", ".file ", ".loc\t", ".loc "}) {
    if (StartsWith(text, name)) return true;
  }
  return false;
}

// A function's body follows its header without a semicolon.
bool IsFunctionHeader(std::string_view text) {
  return text[0] == '.' && (text.find(".entry") != std::string_view::npos ||
                            text.find(".func") != std::string_view::npos);
}

}  // namespace

StatementReader::StatementReader(std::string_view text) : text_(WithoutComments(text)) {}

void StatementReader::SkipSpace() {
  for (; at_ < text_.size() && IsSpace(text_[at_]); ++at_) line_ += text_[at_] == '\n';
}

bool StatementReader::AtOpenBrace() {
  SkipSpace();
  return Peek() == '{';
}

Statement StatementReader::ReadLine() {
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  Statement statement{Statement::Kind::kDirective, line_,
                      std::string(Trimmed(std::string_view(text_).substr(at_, end - at_)))};
  at_ = end;
  return statement;
}

// Past the braces of a .section, whose content is for debuggers.
void StatementReader::SkipBlock() {
  int depth = 0;
  do {
    depth += text_[at_] == '{';
    depth -= text_[at_] == '}';
    line_ += text_[at_] == '\n';
    ++at_;
  } while (at_ < text_.size() && (depth > 0 || text_[at_ - 1] != '}'));
}

Statement StatementReader::Next() {
  SkipSpace();
  const std::string_view rest = std::string_view(text_).substr(at_);
  if (rest.empty()) return {Statement::Kind::kEnd, line_, ""};
  if (rest[0] == '{' || rest[0] == '}') {
    ++at_;
    return {rest[0] == '{' ? Statement::Kind::kOpen : Statement::Kind::kClose, line_, ""};
  }
  if (EndsWithItsLine(rest)) return ReadLine();
  if (StartsWith(rest, ".section")) {
    SkipBlock();
    return Next();
  }
  const int line = line_;
  std::string text;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == ';') {
      ++at_;
      break;
    }
    if (c == '"') {
      const size_t end = std::min(text_.find('"', at_ + 1), text_.size() - 1);
      text.append(text_, at_, end - at_ + 1);
      at_ = end;
      continue;
    }
    if (c == ':' && text_.compare(at_, 2, "::") == 0) {
      text += "::";
      ++at_;
      continue;
    }
    if (c == ':' && text.find_first_of(" \t\n.{") == std::string::npos) {
      ++at_;
      return {Statement::Kind::kLabel, line, std::string(Trimmed(text))};
    }
    if (c == '{' && IsFunctionHeader(text)) break;
    line_ += c == '\n';
    text += IsSpace(c) ? ' ' : c;
  }
  return {text[0] == '.' ? Statement::Kind::kDirective : Statement::Kind::kInstruction, line,
          std::string(Trimmed(text))};
}

}  // namespace simt::ptx
