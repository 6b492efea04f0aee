#include "service/draft_sequence.h"

#include <cmath>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/verification/verification_presets.h"

namespace tessera {
namespace {

template <typename... Words>
absl::Status Refuse(const Words&... words) {
  return absl::InvalidArgumentError(absl::StrCat(words...));
}

absl::Status CheckMethod(const v1::DraftSequence& sequence, const ExpandedSequence& shape) {
  const auto method = shape.method;
  if (method == v1::VERIFICATION_METHOD_UNSPECIFIED || !v1::VerificationMethod_IsValid(method)) {
    return Refuse("method is ", static_cast<int>(method),
                  "; it must be TOKEN, BLOCK, TREE, TRAVERSAL, TYPICAL or TARGET_ONLY");
  }
  const bool chain_only =
      method == v1::VERIFICATION_METHOD_TOKEN || method == v1::VERIFICATION_METHOD_BLOCK;
  for (size_t i = 0; chain_only && i < shape.parents.size(); ++i) {
    if (shape.parents[i] == static_cast<int32_t>(i) - 1) continue;
    return Refuse("parents[", i, "] is ", shape.parents[i], ", but method ",
                  v1::VerificationMethod_Name(method), " takes chains alone: it must be ",
                  static_cast<int64_t>(i) - 1, ". Use TREE or TRAVERSAL");
  }
  const bool trees =
      method == v1::VERIFICATION_METHOD_TREE || method == v1::VERIFICATION_METHOD_TRAVERSAL;
  if (sequence.without_replacement() && !trees) {
    return Refuse("without_replacement is set, but only TREE and TRAVERSAL read it");
  }
  return absl::OkStatus();
}

// The preset of a sequence says what its method's fields would.
absl::Status ReadPreset(const v1::DraftSequence& sequence, ExpandedSequence* shape) {
  const VerificationPreset* const preset = FindVerificationPreset(sequence.preset());
  if (preset == nullptr) {
    return Refuse("preset is '", absl::CHexEscape(sequence.preset().substr(0, 64)),
                  "'; it must be one of ",
                  absl::StrJoin(VerificationPresets(), ", ",
                                [](std::string* out, const VerificationPreset& known) {
                                  absl::StrAppend(out, known.name);
                                }));
  }
  if (sequence.method() != v1::VERIFICATION_METHOD_UNSPECIFIED) {
    return Refuse("method and preset are both set; the preset says the method");
  }
  if (sequence.typical_epsilon() != 0 || sequence.typical_alpha() != 0) {
    return Refuse("typical_epsilon or typical_alpha is set beside preset, which says both");
  }
  shape->method = ToProto(preset->method);
  shape->typical_epsilon = preset->typical_epsilon;
  shape->typical_alpha = preset->typical_alpha;
  return absl::OkStatus();
}

absl::Status CheckTypical(const v1::DraftSequence& sequence) {
  const double epsilon = sequence.typical_epsilon();
  const double alpha = sequence.typical_alpha();
  if (!sequence.preset().empty()) return absl::OkStatus();
  if (sequence.method() != v1::VERIFICATION_METHOD_TYPICAL) {
    if (epsilon != 0) return Refuse("typical_epsilon is set, but only TYPICAL reads it");
    if (alpha != 0) return Refuse("typical_alpha is set, but only TYPICAL reads it");
    return absl::OkStatus();
  }
  if (!(epsilon >= 0 && epsilon <= 1)) {
    return Refuse("typical_epsilon is ", epsilon, "; it must be in [0, 1]");
  }
  if (!(alpha >= 0) || std::isinf(alpha)) {
    return Refuse("typical_alpha is ", alpha, "; it must be finite and at least 0");
  }
  return absl::OkStatus();
}

// What VerifyDrafts decides itself, or does not report.
absl::Status CheckUnset(const v1::SampleRow& row) {
  const char* set = nullptr;
  if (row.has_logits_row()) set = "logits_row";
  if (row.has_grammar_row()) set = "grammar_row";
  if (row.has_samples()) set = "samples";
  if (!row.score_ids().empty()) set = "score_ids";
  if (row.return_support_size()) set = "return_support_size";
  if (row.has_state()) set = "state";
  if (row.has_return_law()) set = "return_law";
  if (set == nullptr) return absl::OkStatus();
  return Refuse("target.", set, " is set; in a verification it must not be");
}

}  // namespace

v1::VerificationMethod ToProto(VerificationMethod method) {
  switch (method) {
    case VerificationMethod::kToken:
      return v1::VERIFICATION_METHOD_TOKEN;
    case VerificationMethod::kBlock:
      return v1::VERIFICATION_METHOD_BLOCK;
    case VerificationMethod::kTree:
      return v1::VERIFICATION_METHOD_TREE;
    case VerificationMethod::kTraversal:
      return v1::VERIFICATION_METHOD_TRAVERSAL;
    case VerificationMethod::kTargetOnly:
      return v1::VERIFICATION_METHOD_TARGET_ONLY;
    case VerificationMethod::kTypical:
      break;
  }
  return v1::VERIFICATION_METHOD_TYPICAL;
}

absl::Status ReadMethod(const v1::DraftSequence& sequence, ExpandedSequence* shape) {
  if (!sequence.preset().empty()) return ReadPreset(sequence, shape);
  shape->method = sequence.method();
  shape->typical_epsilon = sequence.typical_epsilon();
  shape->typical_alpha = sequence.typical_alpha();
  return absl::OkStatus();
}

absl::Status ReadTree(const v1::DraftSequence& sequence, int64_t vocab_size,
                      ExpandedSequence* shape) {
  const int nodes = sequence.draft_ids_size();
  if (nodes > static_cast<int>(kMaxDraftNodes)) {
    return Refuse("draft_ids holds ", nodes, " ids; it may hold at most ", kMaxDraftNodes);
  }
  if (!sequence.parents().empty() && sequence.parents_size() != nodes) {
    return Refuse("parents holds ", sequence.parents_size(), " entries; it must hold ", nodes,
                  ", one for each of draft_ids, or none");
  }
  for (int i = 0; i < sequence.parents_size(); ++i) {
    const int32_t parent = sequence.parents(i);
    if (parent >= -1 && parent < i) continue;
    return Refuse("parents[", i, "] is ", parent, "; it must be -1 or an earlier node, below ", i);
  }
  std::vector<bool> has_children(nodes + 1, false);
  for (int i = 0; i < nodes; ++i) {
    const int32_t id = sequence.draft_ids(i);
    if (id < 0 || id >= vocab_size) break;  // ends the list
    const int32_t parent = sequence.parents().empty() ? i - 1 : sequence.parents(i);
    shape->ids.push_back(id);
    shape->parents.push_back(parent);
    has_children[parent + 1] = true;
  }
  for (size_t position = 0; position <= shape->ids.size(); ++position) {
    if (has_children[position]) shape->expanded.push_back(static_cast<uint32_t>(position));
  }
  return absl::OkStatus();
}

absl::Status CheckFields(const v1::DraftSequence& sequence, const ExpandedSequence& shape) {
  absl::Status status = CheckMethod(sequence, shape);
  if (status.ok()) status = CheckTypical(sequence);
  if (status.ok()) status = CheckUnset(sequence.target());
  if (!status.ok()) return status;
  const int positions = sequence.draft_ids_size() + 1;
  if (!sequence.grammar_rows().empty() && sequence.grammar_rows_size() != positions) {
    return Refuse("grammar_rows holds ", sequence.grammar_rows_size(), " rows; it must hold ",
                  positions, ", one for the root and one for each of draft_ids, or none");
  }
  if (sequence.draft_ids_size() > 0 &&
      sequence.draft_law_case() == v1::DraftSequence::DRAFT_LAW_NOT_SET) {
    return Refuse("draft_law is absent; say one_hot, draft_logits or sparse");
  }
  return absl::OkStatus();
}

}  // namespace tessera
