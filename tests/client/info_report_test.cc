// Capabilities, for people and machines.
#include "client/cli/info_report.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

v1::GetCapabilitiesResponse Capabilities() {
  v1::GetCapabilitiesResponse c;
  c.set_server_version("0.1.0");
  c.set_numerics_version(1);
  c.add_rpcs("SampleTokens");
  c.add_rpcs("GetCapabilities");
  c.add_stages("top_k");
  c.add_logprob_modes(v1::LOGPROB_MODE_RAW_MASKED);
  c.add_logits_element_types(v1::ELEMENT_TYPE_BFLOAT16);
  c.add_tensor_sources(v1::TENSOR_SOURCE_INLINE);
  c.mutable_backend()->set_name("cpu/AVX2");
  c.mutable_backend()->set_reason("auto: best here");
  c.mutable_backend()->set_threads(2);
  c.mutable_limits()->set_max_unary_bytes(64 << 20);
  return c;
}

TEST(InfoReport, TextNamesEverything) {
  const std::string text = InfoText(Capabilities());
  for (const char* part : {"server version        0.1.0\n", "cpu/AVX2 (auto: best here)",
                           "SampleTokens GetCapabilities\n", "raw_masked", "bf16", "inline",
                           "max_unary_bytes       67108864\n"}) {
    EXPECT_TRUE(absl::StrContains(text, part)) << part << " in\n" << text;
  }
}

TEST(InfoReport, JsonHasStableKeys) {
  const std::string json = InfoJson(Capabilities());
  EXPECT_TRUE(absl::StartsWith(
      json,
      R"({"server_version":"0.1.0","numerics_version":1,"backend":{"name":"cpu/AVX2",)"
      R"("reason":"auto: best here","simd_target":"","threads":2},)"
      R"("rpcs":["SampleTokens","GetCapabilities"],"stages":["top_k"],)"
      R"("logprob_modes":["raw_masked"],"logits_element_types":["bf16"],)"
      R"("tensor_sources":["inline"],"preset_names":[],"limits":{"max_unary_bytes":67108864,)"))
      << json;
}

// A limit added to the proto must be printed.
TEST(InfoReport, EveryLimitOfTheProtoIsPrinted) {
  const auto* limits = v1::Limits::descriptor();
  for (int i = 0; i < limits->field_count(); ++i) {
    EXPECT_TRUE(absl::StrContains(InfoJson(Capabilities()),
                                  absl::StrCat("\"", limits->field(i)->name(), "\":")));
  }
}

}  // namespace
}  // namespace tessera::cli
