// docs/presets.md is what the presets say of themselves. TESSERA_WRITE_DOCUMENTS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/presets/preset.h"

namespace tessera::testing {
namespace {

using Type = PresetParameter::Type;

constexpr char kPath[] = TESSERA_SOURCE_DIR "/docs/presets.md";

constexpr char kHead[] = R"(# Presets: each engine's sampler, as it is expanded

Written from the presets' own descriptions; a test compares. The rules side by side, and what a preset
refuses, are in [semantics.md](semantics.md#presets). Parameters have the engine's names and defaults.
*Law* means the kept set and its probabilities, *tokens* also the token for the engine's own seed and
place in its stream.
)";

std::string Shown(const PresetValue& value) {
  if (const double* number = std::get_if<double>(&value)) return absl::StrCat(*number);
  const std::string& text = std::get<std::string>(value);
  return text.empty() ? "none" : absl::StrCat("`", text, "`");
}

const char* Word(Fidelity fidelity) { return fidelity == Fidelity::kTokens ? "tokens" : "law"; }

const char* Word(LogprobMode mode) {
  constexpr const char* kWords[] = {"RAW", "RAW_MASKED", "TEMPERED", "PROCESSED"};
  return kWords[static_cast<int>(mode)];
}

const char* Word(RankRule rule) {
  constexpr const char* kWords[] = {"none reported", "1 + tokens strictly likelier",
                                    "tokens at least as likely (ties count against it)"};
  return kWords[static_cast<int>(rule)];
}

std::string Row(absl::string_view first, absl::string_view second) {
  return absl::StrCat("| ", first, " | ", second, " |\n");
}

std::string Rules(const PresetDescription& d) {
  return absl::StrCat(
      "\n## ", d.name, "\n\nFollows ", d.follows, ".\n\n", Row("", ""), Row("---", "---"),
      Row("fidelity", Word(d.fidelity)), Row("order", d.order), Row("ties at the k-th", d.ties),
      Row("end of the nucleus", d.boundary), Row("its base", d.base), Row("penalties", d.penalties),
      Row("greedy when", d.greedy_when), Row("off", d.disabled), Row("draw", d.draw),
      Row("log-probabilities", Word(d.logprobs)), Row("rank", Word(d.rank)));
}

std::string Offered(const PresetDescription& d) {
  std::string text = "\n| parameter | default | accepted | meaning |\n| --- | --- | --- | --- |\n";
  for (const PresetParameter& p : d.parameters) {
    if (p.type == Type::kRow || p.type == Type::kFixed) continue;
    absl::StrAppend(&text, "| `", p.name, "`",
                    p.alias.empty() ? "" : absl::StrCat(", `", p.alias, "`"), " | ",
                    Shown(p.initial), " | ", p.accepted, " | ", p.meaning, " |\n");
  }
  return text;
}

std::string Refused(const PresetDescription& d) {
  std::string fixed;
  std::string of_row;
  for (const PresetParameter& p : d.parameters) {
    if (p.type == Type::kFixed) {
      absl::StrAppend(&fixed, "* `", p.name, "` must be ", p.accepted, ": ", p.meaning, "\n");
    } else if (p.type == Type::kRow) {
      absl::StrAppend(&of_row, "* `", p.name, "`: ", p.meaning, "\n");
    }
  }
  return absl::StrCat(fixed.empty() ? "" : "\nNot offered:\n\n", fixed,
                      of_row.empty() ? "" : "\nThe row's:\n\n", of_row);
}

std::string Document() {
  std::string text = kHead;
  for (const std::string& name : PresetNames()) {
    const PresetDescription& d = **DescribePreset(name);
    absl::StrAppend(&text, Rules(d), Offered(d), Refused(d));
  }
  return text;
}

TEST(PresetsDocument, IsWhatThePresetsSay) {
  if (std::getenv("TESSERA_WRITE_DOCUMENTS") != nullptr) {
    std::ofstream(kPath) << Document();
    std::printf("wrote %s\n", kPath);
  }
  std::ifstream file(kPath);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), Document()) << "TESSERA_WRITE_DOCUMENTS=1 writes it anew";
}

}  // namespace
}  // namespace tessera::testing
