// The JSON on one line, byte for byte.
#include "client/cli/json_writer.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter json;
  json.BeginObject().Key("a").BeginArray().Integer(1).Integer(-2).EndArray();
  json.Key("b").BeginObject().EndObject();
  json.Key("c").BeginArray().BeginObject().Key("d").Bool(true).EndObject().EndArray();
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({"a":[1,-2],"b":{},"c":[{"d":true}]})");
}

TEST(JsonWriter, FloatsReadBackToTheSameBits) {
  JsonWriter json;
  json.BeginArray().Float(0.1f).Float(-1.5f).Double(0.1).Float(std::nanf(""));
  json.Float(-std::numeric_limits<float>::infinity()).EndArray();
  EXPECT_EQ(json.Take(), R"([0.1,-1.5,0.1,"NaN","-Infinity"])");
}

TEST(JsonWriter, EscapesTextAndKeepsAll64Bits) {
  JsonWriter json;
  json.BeginArray().String("say \"hi\"\\\n\x01").Unsigned64(~uint64_t{0}).EndArray();
  EXPECT_EQ(json.Take(), R"(["say \"hi\"\\\n\u0001","18446744073709551615"])");
}

}  // namespace
}  // namespace tessera::cli
