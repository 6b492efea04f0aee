#include "client/stage_fields.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// The word of an enum's value: "TIES_WHOLE" is whole. Empty for the unspecified one.
std::string WordOf(const EnumValueDescriptor& value) {
  if (value.number() == 0) return "";
  absl::string_view prefix = value.type()->FindValueByNumber(0)->name();
  absl::ConsumeSuffix(&prefix, "UNSPECIFIED");
  absl::string_view word = value.name();
  absl::ConsumePrefix(&word, prefix);
  return absl::AsciiStrToLower(word);
}

bool IsWord(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL ||
         field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM;
}

// Sets the switch or enum that `word` speaks of; false where there is none, or it was set before.
bool ReadWord(absl::string_view word, Message* message) {
  const Descriptor& descriptor = *message->GetDescriptor();
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor* field = descriptor.field(i);
    if (!IsWord(*field)) continue;
    const bool fresh = !reflection.HasField(*message, field);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
      if (field->name() != word) continue;
      reflection.SetBool(message, field, true);
      return fresh;
    }
    for (int v = 0; v < field->enum_type()->value_count(); ++v) {
      const EnumValueDescriptor* value = field->enum_type()->value(v);
      if (value->number() == 0 || WordOf(*value) != word) continue;
      reflection.SetEnum(message, field, value);
      return fresh;
    }
  }
  return false;
}

template <typename Sequence>
bool ReadIds(absl::string_view text, Sequence* sequence) {
  for (const absl::string_view id : absl::StrSplit(text, '-')) {
    int32_t number = 0;
    if (!absl::SimpleAtoi(id, &number)) return false;
    sequence->add_ids(number);
  }
  return true;
}

bool ReadSequence(absl::string_view text, Message* message) {
  if (auto* plain = dynamic_cast<v1::TokenSequence*>(message)) return ReadIds(text, plain);
  auto* biased = dynamic_cast<v1::BiasedSequence*>(message);
  const size_t at = text.find('@');
  double bias = 0;
  if (biased == nullptr || at == absl::string_view::npos ||
      !absl::SimpleAtod(text.substr(at + 1), &bias)) {
    return false;
  }
  biased->set_bias(bias);
  return ReadIds(text.substr(0, at), biased);
}

template <typename Number>
bool ReadInteger(absl::string_view text, Number* number) {
  return absl::SimpleAtoi(text, number);
}

// A number or a list.
bool ReadValue(absl::string_view text, const FieldDescriptor& field, Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  double real = 0;
  int32_t whole = 0;
  uint32_t natural = 0;
  uint64_t large = 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      if (!absl::SimpleAtod(text, &real)) return false;
      reflection.SetDouble(message, &field, real);
      return true;
    case FieldDescriptor::CPPTYPE_INT32:
      if (!ReadInteger(text, &whole)) return false;
      reflection.SetInt32(message, &field, whole);
      return true;
    case FieldDescriptor::CPPTYPE_UINT32:
      if (!ReadInteger(text, &natural)) return false;
      reflection.SetUInt32(message, &field, natural);
      return true;
    case FieldDescriptor::CPPTYPE_UINT64:
      if (!ReadInteger(text, &large)) return false;
      reflection.SetUInt64(message, &field, large);
      return true;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      for (const absl::string_view sequence : absl::StrSplit(text, '/')) {
        if (!ReadSequence(sequence, reflection.AddMessage(message, &field))) return false;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<std::string> WordsOf(const Descriptor& message) {
  std::vector<std::string> words;
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) words.push_back(field.name());
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM) continue;
    for (int v = 0; v < field.enum_type()->value_count(); ++v) {
      std::string word = WordOf(*field.enum_type()->value(v));
      if (!word.empty()) words.push_back(std::move(word));
    }
  }
  return words;
}

bool ReadFields(const std::vector<absl::string_view>& fields, int required, Message* message) {
  const Descriptor& descriptor = *message->GetDescriptor();
  size_t next = 0;
  int read = 0;
  for (int i = 0; i < descriptor.field_count() && next < fields.size(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (IsWord(field)) continue;
    if (!ReadValue(fields[next], field, message)) break;  // perhaps a word
    ++next;
    ++read;
  }
  if (read < required) return false;
  for (; next < fields.size(); ++next) {
    if (!ReadWord(fields[next], message)) return false;
  }
  return true;
}

}  // namespace tessera
