// Presets, for people and machines.
#include "client/cli/preset_report.h"

#include <string>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

v1::GetCapabilitiesResponse Capabilities() {
  v1::GetCapabilitiesResponse capabilities;
  v1::PresetReport* preset = capabilities.add_presets();
  preset->set_name("engine");
  preset->set_follows("Engine 1.0");
  preset->set_logprob_mode(v1::LOGPROB_MODE_RAW);
  v1::PresetParameterReport* top_k = preset->add_parameters();
  top_k->set_name("top_k");
  top_k->set_alias("k");
  top_k->mutable_default_value()->set_number(-1);
  top_k->set_accepted("-1 or at least 1");
  top_k->set_meaning("candidates");
  top_k->set_can_be_set(true);
  v1::PresetParameterReport* seed = preset->add_parameters();
  seed->set_name("mode");
  seed->mutable_default_value()->set_text("fast");
  seed->set_meaning("only this one is offered");
  capabilities.add_presets()->set_name("other");
  return capabilities;
}

TEST(PresetReport, Text) {
  EXPECT_EQ(PresetText(Capabilities(), "engine").value(),
            R"(engine: Engine 1.0
The same kept tokens and probabilities.

parameter  default  accepted          meaning
top_k (k)  -1       -1 or at least 1  candidates
mode       fast     cannot be set     only this one is offered
)");
  EXPECT_EQ(PresetText(Capabilities(), "Engine").status().message(),
            "--preset is 'Engine'; it must be one of engine, other");
}

TEST(PresetReport, Json) {
  JsonWriter json;
  json.BeginObject();
  WritePresets(Capabilities(), &json);
  json.EndObject();
  EXPECT_EQ(json.Take(),
            R"({"presets":[{"name":"engine","follows":"Engine 1.0","same_tokens":false,)"
            R"("logprob_mode":"raw","parameters":[{"name":"top_k","default_value":"-1",)"
            R"("accepted":"-1 or at least 1","meaning":"candidates","can_be_set":true,)"
            R"("alias":"k"},{"name":"mode","default_value":"fast","accepted":"",)"
            R"("meaning":"only this one is offered","can_be_set":false}]},)"
            R"({"name":"other","follows":"","same_tokens":false,"logprob_mode":"unspecified",)"
            R"("parameters":[]}]})");
}

}  // namespace
}  // namespace tessera::cli
