#include "tests/fuzz/wild_chain.h"

#include <limits>

namespace tessera {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void FillMessage(FuzzedDataProvider& fuzzed, int32_t vocab, Message* message);

void FillField(FuzzedDataProvider& fuzzed, int32_t vocab, const FieldDescriptor& field,
               Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(message, &field, WildNumber(fuzzed));
    case FieldDescriptor::CPPTYPE_INT32:
      if (field.is_repeated()) {  // token ids
        for (int i = fuzzed.ConsumeIntegralInRange(0, 3); i > 0; --i) {
          reflection.AddInt32(message, &field, Near<int32_t>(fuzzed, -1, vocab));
        }
        return;
      }
      return reflection.SetInt32(message, &field, Near<int32_t>(fuzzed, -1, 20));
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.SetUInt32(message, &field, Near<uint32_t>(fuzzed, 0, 4));
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection.SetUInt64(message, &field, fuzzed.ConsumeIntegral<uint64_t>());
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(message, &field, fuzzed.ConsumeIntegralInRange(0, 3) == 0);
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(message, &field,
                                     Near<int>(fuzzed, 0, field.enum_type()->value_count() - 1));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      for (int i = fuzzed.ConsumeIntegralInRange(0, 3); i > 0; --i) {
        FillMessage(fuzzed, vocab, reflection.AddMessage(message, &field));
      }
      return;
    default:
      return;
  }
}

void FillMessage(FuzzedDataProvider& fuzzed, int32_t vocab, Message* message) {
  const google::protobuf::Descriptor& descriptor = *message->GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    if (fuzzed.ConsumeIntegralInRange(0, 31) == 0) continue;  // forgotten
    FillField(fuzzed, vocab, *descriptor.field(i), message);
  }
}

void FillStage(FuzzedDataProvider& fuzzed, int32_t vocab, v1::SamplerStage* stage) {
  const auto* kinds = v1::SamplerStage::descriptor()->FindOneofByName("stage");
  const int kind = Near<uint8_t>(fuzzed, 0, static_cast<uint8_t>(kinds->field_count() - 1));
  if (kind >= kinds->field_count()) return;  // no stage set
  FillMessage(fuzzed, vocab, stage->GetReflection()->MutableMessage(stage, kinds->field(kind)));
}

void FillPreset(FuzzedDataProvider& fuzzed, v1::EnginePreset* preset) {
  constexpr const char* kNames[] = {"tessera", "vllm-torch", "hf-transformers", "llamacpp", "trtmc",
                                    "tgi",     "exllamav3",  "openai",          ""};
  constexpr const char* kParameters[] = {"temperature", "top_k",     "top_p",
                                         "min_p",       "mirostat",  "seed",
                                         "typical_p",   "do_sample", "xtc_threshold"};
  preset->set_name(fuzzed.PickValueInArray(kNames));
  for (int i = fuzzed.ConsumeIntegralInRange(0, 4); i > 0; --i) {
    v1::PresetValue& value = (*preset->mutable_parameters())[fuzzed.PickValueInArray(kParameters)];
    if (fuzzed.ConsumeIntegralInRange(0, 7) == 0) {
      value.set_text(fuzzed.ConsumeBool() ? "true" : "much");
    } else {
      value.set_number(WildNumber(fuzzed));
    }
  }
}

}  // namespace

double WildNumber(FuzzedDataProvider& fuzzed) {
  constexpr double kPicks[] = {0,
                               -0.0,
                               0.25,
                               0.5,
                               0.9,
                               1,
                               1.5,
                               3,
                               -1,
                               1e-40,
                               0x1p-101,
                               1e300,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
  return fuzzed.ConsumeIntegralInRange(0, 7) == 0
             ? fuzzed.PickValueInArray(kPicks)
             : fuzzed.ConsumeFloatingPointInRange<double>(0, 1);
}

void WildChain(FuzzedDataProvider& fuzzed, int32_t vocab, v1::SamplerChain* chain) {
  if (fuzzed.ConsumeIntegralInRange(0, 3) == 0) FillPreset(fuzzed, chain->mutable_preset());
  if (chain->has_preset() && fuzzed.ConsumeIntegralInRange(0, 15) != 0) return;
  for (int n = Near<uint8_t>(fuzzed, 0, 4) % 40; n > 0; --n) {
    FillStage(fuzzed, vocab, chain->add_stages());
  }
}

}  // namespace tessera
