// Command-line flags of one subcommand: declared with a target, a range and a line of help, then
// parsed or printed.
//
// Why not absl::flags: its flags are global to the program, so three subcommands could not each
// have a --server or a --rows of their own, and it ends the program itself with its own exit code.
#ifndef TESSERA_CLIENT_CLI_FLAGS_H_
#define TESSERA_CLIENT_CLI_FLAGS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tessera::cli {

// Flags accepts `--name value`, `--name=value`, and for switches `--name` and `--no-name`. A flag
// given twice is an error unless it was declared repeated. There are no positional arguments.
//
// Targets must outlive the object; what they hold when declared is the default and is shown in the
// help.
class Flags {
 public:
  void Section(absl::string_view title);  // heads the flags declared after it

  void Switch(absl::string_view name, bool* target, absl::string_view help);
  void Text(absl::string_view name, absl::string_view value_name, std::string* target,
            absl::string_view help);
  // One of `choices`.
  void Choice(absl::string_view name, std::vector<std::string> choices, std::string* target,
              absl::string_view help);
  // In [min, max].
  void Integer(absl::string_view name, int64_t min, int64_t max, int64_t* target,
               absl::string_view help);
  // In [min, max]; stays empty unless given.
  void OptionalUnsigned(absl::string_view name, uint64_t min, uint64_t max,
                        std::optional<uint64_t>* target, absl::string_view help);
  // A duration in seconds such as 10s, 1.5m or 250ms, in (0, max_seconds].
  void Seconds(absl::string_view name, double max_seconds, double* target, absl::string_view help);
  // Any other type: `parse` stores the value, or says what it would accept.
  void Parsed(absl::string_view name, absl::string_view value_name, absl::string_view help,
              std::function<absl::Status(absl::string_view)> parse);

  // InvalidArgument names the flag, the value and what is accepted; an unknown flag is answered
  // with the nearest known one.
  absl::Status Parse(absl::Span<const std::string> arguments) const;

  // Whether the last Parse met --help.
  bool help_wanted() const { return help_wanted_; }

  // One entry per flag, with its default, in the order of declaration.
  std::string Help() const;

 private:
  struct Flag {
    std::string name;        // without dashes
    std::string value_name;  // empty for a switch
    std::string help;
    std::string shown_default;
    std::string section;
    std::function<absl::Status(absl::string_view)> parse;
  };

  void Add(Flag flag);
  const Flag* Find(absl::string_view name) const;
  absl::Status Unknown(absl::string_view name) const;

  std::vector<Flag> flags_;
  std::string section_;
  mutable bool help_wanted_ = false;
};

// What a Parsed flag does with a value that was parsed: stores it, or passes the refusal on.
template <typename T, typename Out>
absl::Status Store(absl::StatusOr<T> parsed, Out* out) {
  if (!parsed.ok()) return parsed.status();
  *out = *std::move(parsed);
  return absl::OkStatus();
}

// How many single-character edits turn `a` into `b`.
int EditDistance(absl::string_view a, absl::string_view b);

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_FLAGS_H_
