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

// Rows that have none get zeros.
std::vector<std::vector<float>> GuidanceOf(const std::vector<RowSpec>& rows) {
  std::vector<std::vector<float>> guidance;
  for (const RowSpec& row : rows) {
    guidance.push_back(row.guidance.empty() ? std::vector<float>(row.logits.size()) : row.guidance);
  }
  return guidance;
}

const char* NameOf(Boundary boundary) {
  constexpr const char* kNames[] = {"reach", "exceed", "within"};
  return kNames[static_cast<int>(boundary)];
}

struct PrintStage {
  std::ostream& out;

  void operator()(const LogitBias&) const { out << "logit_bias"; }
  void operator()(const RepetitionPenalty& s) const { Penalty("repetition", s.penalty, s.scope); }
  void operator()(const FrequencyPenalty& s) const { Penalty("frequency", s.penalty, s.scope); }
  void operator()(const PresencePenalty& s) const { Penalty("presence", s.penalty, s.scope); }
  void operator()(const Temperature& s) const { out << "temperature=" << s.t; }
  void operator()(const Greedy&) const { out << "greedy"; }
  void operator()(const TopK& s) const {
    out << "top_k=" << s.k << (s.ties == Ties::kWhole ? " with ties" : "");
  }
  void operator()(const TopP& s) const {
    out << (s.joint ? "joint " : "") << (s.partial ? "partial " : "") << "top_p("
        << NameOf(s.boundary) << (s.ties == Ties::kWhole ? ", with ties" : "") << ")=" << s.p;
  }
  void operator()(const MinP& s) const { out << "min_p=" << s.m; }
  void operator()(const TopA& s) const { out << "top_a=" << s.a; }
  void operator()(const EpsilonCutoff& s) const { out << "epsilon=" << s.epsilon; }
  void operator()(const EtaCutoff& s) const { out << "eta=" << s.epsilon; }
  void operator()(const TypicalP& s) const {
    out << "typical_p(" << NameOf(s.boundary) << ")=" << s.p;
  }
  void operator()(const TopNSigma& s) const { out << "top_n_sigma=" << s.n; }
  void operator()(const TailFree& s) const { out << "tail_free=" << s.z; }
  void operator()(const Xtc& s) const { out << "xtc=" << s.probability << '/' << s.threshold; }
  void operator()(const DynamicTemperature& s) const {
    out << "dynamic_temperature=" << s.low << '/' << s.high << '/' << s.exponent;
  }
  void operator()(const Smoothing& s) const { out << "smoothing=" << s.factor << '/' << s.curve; }
  void operator()(const MirostatV1& s) const { out << "mirostat_v1=" << s.tau << '/' << s.eta; }
  void operator()(const MirostatV2& s) const { out << "mirostat_v2=" << s.tau << '/' << s.eta; }
  void operator()(const AdaptiveP& s) const { out << "adaptive_p=" << s.target << '/' << s.decay; }
  void operator()(const DrawRule& s) const {
    out << (s.order == DrawOrder::kSorted ? "sorted draw" : "draw in id order");
  }
  void operator()(const Dry& s) const { out << "dry=" << s.multiplier << '/' << s.base; }
  void operator()(const NoRepeatNgram& s) const { out << "no_repeat_ngram=" << s.n; }
  void operator()(const BadWords&) const { out << "bad_words"; }
  void operator()(const SequenceBias&) const { out << "sequence_bias"; }
  void operator()(const Watermark& s) const { out << "watermark=" << s.gamma << '/' << s.delta; }
  void operator()(const Guidance& s) const { out << "guidance=" << s.scale; }

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
  input.words = words;
  input.has_state = has_state;
  std::copy(std::begin(state), std::end(state), input.state);
  input.logprob_modes = logprob_modes;
  input.entropy_modes = entropy_modes;
  input.top_logprobs = top_logprobs;
  input.score_ids = score_ids;
  input.ties_against = ties_against;
  input.want_support_size = want_support_size;
  input.want_law = want_law;
  input.max_law_ids = max_law_ids;
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
  PrintShort(out, "words", row.words, plain);
  if (row.has_state) out << " state={" << row.state[0] << ',' << row.state[1] << '}';
  if (row.has_allowed) out << " has_allowed";
  PrintShort(out, "allowed", row.allowed, plain);
  PrintShort(out, "banned", row.banned, plain);
  PrintShort(out, "bias", row.bias, [&](const Bias& b) { out << b.id << ':' << b.value; });
  PrintShort(out, "counts", row.counts, [&](const IdCount& c) {
    out << c.id << ':' << c.prompt_count << '+' << c.output_count;
  });
  PrintShort(out, "prompt", row.prompt, plain);
  PrintShort(out, "output", row.output, plain);
  PrintShort(out, "guidance", row.guidance, plain);
  PrintShort(out, "score", row.score_ids, plain);
  if (row.want_law) out << " law of at most " << row.max_law_ids << " ids";
  return out.str();
}

SpecBatch::SpecBatch(std::vector<RowSpec> rows, DType dtype, int64_t vocab_size,
                     Placement placement)
    : rows_(std::move(rows)), matrix_(LogitsOf(rows_), dtype, placement) {
  for (RowSpec& row : rows_) {
    absl::StatusOr<Plan> plan = CompileChain(row.chain);
    if (!plan.ok()) {
      std::fprintf(stderr, "the test's chain (%s) does not compile: %s\n",
                   Describe(row.chain).c_str(), plan.status().ToString().c_str());
      std::abort();
    }
    plans_.push_back(*plan);
    const HistoryStages stages(row.chain, vocab_size);
    past_.push_back(stages.EditsOf({row.prompt, row.output}));
    const std::vector<TokenId>& banned = past_.back().banned;
    row.banned.insert(row.banned.end(), banned.begin(), banned.end());
    const auto index = static_cast<int64_t>(inputs_.size());
    inputs_.push_back(row.Input(&plans_.back(), index));
    past_.back().ShowTo(&inputs_.back());
    if (!row.guidance.empty()) inputs_.back().guidance_row = index;
  }
  batch_.logits = matrix_.view();
  batch_.vocab_size = vocab_size;
  batch_.rows = inputs_;
  if (std::all_of(rows_.begin(), rows_.end(), [](auto& row) { return row.guidance.empty(); }))
    return;
  guidance_.emplace(GuidanceOf(rows_), dtype, placement);
  batch_.guidance = guidance_->view();
}

}  // namespace tessera::testing
