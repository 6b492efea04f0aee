#include "tests/support/row_spec.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <variant>

namespace tessera::testing {
namespace {

std::vector<std::vector<float>> LogitsOf(const std::vector<RowSpec>& rows) {
  std::vector<std::vector<float>> logits;
  logits.reserve(rows.size());
  for (const RowSpec& row : rows) logits.push_back(row.logits);
  return logits;
}

struct PrintStage {
  std::ostream& out;

  void operator()(const LogitBias&) const { out << "logit_bias"; }
  void operator()(const RepetitionPenalty& s) const { Penalty("repetition", s.penalty, s.scope); }
  void operator()(const FrequencyPenalty& s) const { Penalty("frequency", s.penalty, s.scope); }
  void operator()(const PresencePenalty& s) const { Penalty("presence", s.penalty, s.scope); }
  void operator()(const Temperature& s) const { out << "temperature=" << s.t; }
  void operator()(const Greedy&) const { out << "greedy"; }
  void operator()(const TopK& s) const { out << "top_k=" << s.k; }
  void operator()(const TopP& s) const { out << (s.joint ? "joint top_p=" : "top_p=") << s.p; }
  void operator()(const MinP& s) const { out << "min_p=" << s.m; }

  void Penalty(const char* name, double value, PenaltyScope scope) const {
    constexpr const char* kScopes[] = {"all", "output", "prompt"};
    out << name << '(' << kScopes[static_cast<int>(scope)] << ")=" << value;
  }
};

template <class T, class Print>
void PrintShort(std::ostream& out, const char* name, const std::vector<T>& list, Print print) {
  constexpr size_t kShown = 24;
  if (list.empty()) return;
  out << ' ' << name << '[' << list.size() << "]={";
  for (size_t i = 0; i < std::min(list.size(), kShown); ++i) {
    if (i != 0) out << ',';
    print(list[i]);
  }
  out << (list.size() > kShown ? ",...}" : "}");
}

}  // namespace

RowInput RowSpec::Input(const Plan* plan, int64_t logits_row) const {
  RowInput input;
  input.plan = plan;
  input.logits_row = logits_row;
  input.seed = seed;
  input.position = position;
  input.stream = stream;
  input.samples = samples;
  input.grammar = grammar;
  input.has_allowed = has_allowed;
  input.allowed = allowed;
  input.banned = banned;
  input.bias = bias;
  input.counts = counts;
  input.logprob_modes = logprob_modes;
  input.entropy_modes = entropy_modes;
  input.top_logprobs = top_logprobs;
  input.score_ids = score_ids;
  input.want_support_size = want_support_size;
  return input;
}

std::string Describe(const Chain& chain) {
  std::ostringstream out;
  out.precision(17);
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    if (i != 0) out << ", ";
    std::visit(PrintStage{out}, chain.stages[i]);
  }
  return out.str();
}

std::string Describe(const RowSpec& row) {
  std::ostringstream out;
  out.precision(9);
  const auto plain = [&](const auto& value) { out << value; };
  out << "chain (" << Describe(row.chain) << ") seed=" << row.seed << " position=" << row.position
      << " stream=" << row.stream << " samples=" << row.samples << " top=" << row.top_logprobs
      << " modes=" << int{row.logprob_modes} << " entropy=" << int{row.entropy_modes};
  PrintShort(out, "logits", row.logits, plain);
  PrintShort(out, "grammar", row.grammar, plain);
  if (row.has_allowed) out << " has_allowed";
  PrintShort(out, "allowed", row.allowed, plain);
  PrintShort(out, "banned", row.banned, plain);
  PrintShort(out, "bias", row.bias, [&](const Bias& b) { out << b.id << ':' << b.value; });
  PrintShort(out, "counts", row.counts, [&](const IdCount& c) {
    out << c.id << ':' << c.prompt_count << '+' << c.output_count;
  });
  PrintShort(out, "score", row.score_ids, plain);
  return out.str();
}

SpecBatch::SpecBatch(std::vector<RowSpec> rows, DType dtype, int64_t vocab_size,
                     Placement placement)
    : rows_(std::move(rows)), matrix_(LogitsOf(rows_), dtype, placement) {
  for (const RowSpec& row : rows_) {
    absl::StatusOr<Plan> plan = CompileChain(row.chain);
    if (!plan.ok()) {
      std::fprintf(stderr, "the test's chain (%s) does not compile: %s\n",
                   Describe(row.chain).c_str(), plan.status().ToString().c_str());
      std::abort();
    }
    plans_.push_back(*plan);
    inputs_.push_back(row.Input(&plans_.back(), static_cast<int64_t>(inputs_.size())));
  }
  batch_ = {matrix_.view(), vocab_size, inputs_};
}

}  // namespace tessera::testing
