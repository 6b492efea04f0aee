#include "service/stage_place.h"

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

// The value's name, or its number where it has none.
std::string NameOf(int value, const google::protobuf::EnumDescriptor& names) {
  const google::protobuf::EnumValueDescriptor* known = names.FindValueByNumber(value);
  return known == nullptr ? absl::StrCat(value) : known->name();
}

}  // namespace

absl::Status StagePlace::Refuse(absl::string_view field, absl::string_view what) const {
  const auto* stage = v1::SamplerStage::descriptor()->FindFieldByNumber(stage_);
  return absl::InvalidArgumentError(
      absl::StrCat("stages[", index_, "].", stage->name(), ".", field, what));
}

absl::Status StagePlace::Absent(absl::string_view field) const {
  return Refuse(field, " is absent; it is required");
}

absl::Status StagePlace::RefuseChoice(absl::string_view field, int wire,
                                      const std::vector<int>& accepted,
                                      const google::protobuf::EnumDescriptor& names) const {
  std::string what = absl::StrCat(" is ", NameOf(wire, names), "; it must be ");
  for (size_t i = 0; i < accepted.size(); ++i) {
    absl::StrAppend(&what,
                    i == 0                    ? ""
                    : i + 1 < accepted.size() ? ", "
                                              : " or ",
                    NameOf(accepted[i], names));
  }
  return Refuse(field, what);
}

}  // namespace tessera
