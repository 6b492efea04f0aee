// Draws explanations as SVG.
#include "client/cli/explain_picture.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/html_text.h"
#include "client/cli/token_names.h"

namespace tessera::cli {
namespace {

// In the picture's own units.
constexpr double kWidth = 640;
constexpr double kLabel = 150;  // where bars start
constexpr double kBar = 340;    // length of the longest
constexpr double kRow = 26;
constexpr double kThick = 16;
constexpr double kGap = 14;        // a line for tokens that are not shown
constexpr size_t kNameWidth = 14;  // characters

// The title stands in the picture for those who hear it.
std::string Opened(double height, absl::string_view title) {
  return absl::StrFormat(
      "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\"><title>%s</title>", kWidth, height,
      Escaped(title), Escaped(title));
}

std::string Rect(absl::string_view kind, double x, double y, double width, double height) {
  return absl::StrFormat(
      "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"2\"/>", kind, x,
      y, width, height);
}

std::string Text(absl::string_view kind, double x, double y, absl::string_view text) {
  return absl::StrFormat("<text class=\"%s\" x=\"%.2f\" y=\"%.2f\">%s</text>", kind, x, y,
                         Escaped(text));
}

std::string Line(absl::string_view kind, double x1, double y1, double x2, double y2) {
  return absl::StrFormat("<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>",
                         kind, x1, y1, x2, y2);
}

std::string Label(int32_t id, const std::string& name, bool watched) {
  std::string shown = name.empty() ? "" : absl::StrCat(" ", Fitted(name, kNameWidth));
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  return absl::StrCat(watched ? "* " : "", id, shown);
}

// A bar that exists shows.
double Length(double probability, double largest) {
  if (probability <= 0 || largest <= 0) return 0;
  return std::max(1.5, probability / largest * kBar);
}

double LargestOf(const std::vector<TokenLine>& lines) {
  double largest = 0;
  for (const TokenLine& line : lines) largest = std::max({largest, line.before, line.after});
  return largest;
}

// One token's row, its top at y.
std::string TokenRow(const TokenLine& line, double y, double largest, bool moves) {
  const double middle = y + kRow / 2 + 4;
  std::string out = Text(line.kept ? "label" : "label gone", kLabel - 10, middle,
                         Label(line.id, line.name, line.watched));
  const double before = Length(line.before, largest);
  std::string value = ShownProbability(line.before);
  if (!line.kept) {
    out += Rect("cut", kLabel, y + (kRow - kThick) / 2, before, kThick);
    value += line.before > 0 ? " \u2192 cut" : "";
  } else {
    out += Rect("kept", kLabel, y + (kRow - kThick) / 2, Length(line.after, largest), kThick);
    if (moves) {
      out += Rect("ghost", kLabel, y + (kRow - kThick) / 2, before, kThick);
      value += absl::StrCat(" \u2192 ", ShownProbability(line.after));
    }
  }
  return out + Text(line.kept ? "value" : "value gone",
                    kLabel + Length(std::max(line.before, line.after), largest) + 8, middle, value);
}

}  // namespace

std::string BarPicture(const std::vector<TokenLine>& lines, const v1::StageExplanation* stage,
                       absl::string_view title) {
  const double largest = LargestOf(lines);
  std::string body;
  double y = 4;
  for (const TokenLine& line : lines) {
    if (line.gap_before) {
      body += Text("label gone", kLabel - 10, y + 10, "\u22ee");
      y += kGap;
    }
    if (line.boundary_before) {
      body += Line("boundary", 4, y, kWidth - 4, y);
      body += Text("cut-note", kWidth - 4, y - 4, "boundary");
    }
    body += TokenRow(line, y, largest, stage != nullptr);
    y += kRow;
  }
  if (stage != nullptr && stage->least_probability() > 0 && largest > 0 &&
      stage->least_probability() <= largest) {
    const double x = kLabel + stage->least_probability() / largest * kBar;
    body += Line("threshold", x, 0, x, y + 2);
    body += Text("threshold-note", x + 4, y + 12,
                 absl::StrCat("needs ", ShownProbability(stage->least_probability())));
    y += 14;
  }
  return absl::StrCat(Opened(y + 6, title), body, "</svg>");
}

std::string StripPicture(const std::vector<TokenLine>& lines, const v1::StageExplanation& stage) {
  constexpr double kLeft = 4, kLong = kWidth - 8, kTop = 20, kHigh = 24;
  std::string body = Rect("rest", kLeft, kTop, kLong, kHigh);
  double sum = 0;
  for (const TokenLine& line : lines) {
    if (line.gap_before) break;  // the place of what follows is not known
    const double width = line.before * kLong;
    const double x = kLeft + sum * kLong;
    body += Rect(line.kept ? "kept" : "cut", x, kTop, std::max(0.0, width - 1), kHigh);
    if (width > 26) {
      body += Text(line.kept ? "inside" : "inside gone", x + width / 2, kTop + 16,
                   absl::StrCat(line.id));
    }
    sum += line.before;
  }
  const double target = stage.target_share();
  if (target > 0 && target < 1) {
    const double x = kLeft + target * kLong;
    body += Line("threshold", x, kTop - 6, x, kTop + kHigh + 6);
    body += Text(target > 0.5 ? "threshold-note before" : "threshold-note", x, kTop - 8,
                 absl::StrCat("p = ", ShownProbability(target)));
  }
  const std::string title = absl::StrFormat(
      "The mass that the stage found, from the likeliest token on; it kept %s of it",
      ShownProbability(stage.kept_share()));
  return absl::StrCat(Opened(kTop + kHigh + 10, title), body, "</svg>");
}

std::string PairPicture(const std::vector<PairLine>& lines, absl::string_view title) {
  constexpr double kThin = 9, kHigh = 30;
  double largest = 0;
  for (const PairLine& line : lines) largest = std::max({largest, line.a, line.b});
  std::string body;
  double y = 4;
  for (const PairLine& line : lines) {
    if (line.differs()) body += Rect("mark", 0, y, kWidth, kHigh - 2);
    body += Text(line.in_a || line.in_b ? "label" : "label gone", kLabel - 10, y + 19,
                 Label(line.id, line.name, line.watched));
    body += Rect("bar-a", kLabel, y + 4, Length(line.a, largest), kThin);
    body += Rect("bar-b", kLabel, y + 4 + kThin + 1, Length(line.b, largest), kThin);
    std::string value = absl::StrCat("A ", line.in_a ? ShownProbability(line.a) : "cut",
                                     " \u00b7 B ", line.in_b ? ShownProbability(line.b) : "cut");
    if (!line.in_a && !line.in_b) value = "cut by both";
    if (line.differs()) absl::StrAppend(&value, " \u00b7 ", line.in_a ? "A alone" : "B alone");
    body += Text(line.differs() ? "value strong" : "value",
                 kLabel + Length(std::max(line.a, line.b), largest) + 8, y + 19, value);
    y += kHigh;
  }
  return absl::StrCat(Opened(y + 4, title), body, "</svg>");
}

}  // namespace tessera::cli
