// Prints a server's capabilities.
#include "client/cli/info_report.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "client/cli/json_writer.h"
#include "client/cli/names.h"
#include "client/cli/preset_report.h"

namespace tessera::cli {
namespace {

using Names = std::vector<std::string>;

struct NamedList {
  absl::string_view key;
  Names names;
};

std::vector<NamedList> Lists(const v1::GetCapabilitiesResponse& c) {
  Names modes, types, sources, presets;
  for (const int mode : c.logprob_modes()) {
    modes.push_back(ModeName(static_cast<v1::LogprobMode>(mode)));
  }
  for (const int type : c.logits_element_types()) {
    types.push_back(TypeName(static_cast<v1::ElementType>(type)));
  }
  for (const int source : c.tensor_sources()) {
    sources.push_back(SourceName(static_cast<v1::TensorSource>(source)));
  }
  for (const v1::PresetReport& preset : c.presets()) presets.push_back(preset.name());
  return {{"rpcs", Names(c.rpcs().begin(), c.rpcs().end())},
          {"stages", Names(c.stages().begin(), c.stages().end())},
          {"logprob_modes", std::move(modes)},
          {"logits_element_types", std::move(types)},
          {"tensor_sources", std::move(sources)},
          {"preset_names", std::move(presets)}};
}

struct NamedLimit {
  absl::string_view key;
  uint64_t value;
};

std::vector<NamedLimit> AllLimits(const v1::Limits& limits) {
  return {{"max_unary_bytes", limits.max_unary_bytes()},
          {"max_rows", limits.max_rows()},
          {"max_chains", limits.max_chains()},
          {"max_vocab_size", limits.max_vocab_size()},
          {"max_logits_slices", limits.max_logits_slices()},
          {"max_stages", limits.max_stages()},
          {"max_samples", limits.max_samples()},
          {"max_top_logprobs", limits.max_top_logprobs()},
          {"max_score_ids", limits.max_score_ids()},
          {"max_row_ids", limits.max_row_ids()},
          {"max_history", limits.max_history()},
          {"max_chunk_bytes", limits.max_chunk_bytes()},
          {"max_arena_bytes", limits.max_arena_bytes()},
          {"max_sequence_ids", limits.max_sequence_ids()},
          {"max_law_ids", limits.max_law_ids()},
          {"max_draft_nodes", limits.max_draft_nodes()}};
}

void AppendLine(absl::string_view key, absl::string_view value, std::string* out) {
  absl::StrAppendFormat(out, "%-22s%s\n", key, value);
}

}  // namespace

std::string InfoText(const v1::GetCapabilitiesResponse& capabilities) {
  const v1::BackendReport& backend = capabilities.backend();
  std::string out;
  AppendLine("server version", capabilities.server_version(), &out);
  AppendLine("numerics version", absl::StrCat(capabilities.numerics_version()), &out);
  AppendLine("backend", absl::StrCat(backend.name(), " (", backend.reason(), ")"), &out);
  AppendLine("SIMD target", backend.simd_target().empty() ? "none" : backend.simd_target(), &out);
  AppendLine("threads", absl::StrCat(backend.threads()), &out);
  for (const NamedList& list : Lists(capabilities)) {
    AppendLine(list.key, absl::StrJoin(list.names, " "), &out);
  }
  for (const NamedLimit& limit : AllLimits(capabilities.limits())) {
    AppendLine(limit.key, absl::StrCat(limit.value), &out);
  }
  return out;
}

std::string InfoJson(const v1::GetCapabilitiesResponse& capabilities) {
  const v1::BackendReport& backend = capabilities.backend();
  JsonWriter json;
  json.BeginObject().Key("server_version").String(capabilities.server_version());
  json.Key("numerics_version").Integer(capabilities.numerics_version());
  json.Key("backend").BeginObject().Key("name").String(backend.name());
  json.Key("reason").String(backend.reason());
  json.Key("simd_target").String(backend.simd_target());
  json.Key("threads").Integer(backend.threads()).EndObject();
  for (const NamedList& list : Lists(capabilities)) {
    json.Key(list.key).BeginArray();
    for (const std::string& name : list.names) json.String(name);
    json.EndArray();
  }
  json.Key("limits").BeginObject();
  for (const NamedLimit& limit : AllLimits(capabilities.limits())) {
    json.Key(limit.key).Integer(limit.value);
  }
  json.EndObject();
  WritePresets(capabilities, &json);
  json.EndObject();
  return absl::StrCat(json.Take(), "\n");
}

}  // namespace tessera::cli
