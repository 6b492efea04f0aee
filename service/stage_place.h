// Where a stage stands in its chain, for what is said about it.
#ifndef TESSERA_SERVICE_STAGE_PLACE_H_
#define TESSERA_SERVICE_STAGE_PLACE_H_

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "tessera/v1/chain.pb.h"

namespace tessera {

class StagePlace {
 public:
  StagePlace(int index, v1::SamplerStage::StageCase stage) : index_(index), stage_(stage) {}

  // InvalidArgument: "stages[2].top_p.p" and then `what`.
  absl::Status Refuse(absl::string_view field, absl::string_view what) const;

  // A number is required, so that a forgotten one is not read as 0 (chain.proto).
  absl::Status Absent(absl::string_view field) const;

  // The value that `accepted` has for `wire`, or `unspecified` for 0. Enums of proto are open: a
  // newer client may send any other number, which is refused.
  template <typename Wire, typename Value>
  absl::StatusOr<Value> Choose(absl::string_view field, Wire wire, Value unspecified,
                               std::initializer_list<std::pair<Wire, Value>> accepted) const {
    if (static_cast<int>(wire) == 0) return unspecified;
    std::vector<int> numbers;
    for (const auto& [number, value] : accepted) {
      if (number == wire) return value;
      numbers.push_back(number);
    }
    return RefuseChoice(field, wire, numbers, *google::protobuf::GetEnumDescriptor<Wire>());
  }

 private:
  absl::Status RefuseChoice(absl::string_view field, int wire, const std::vector<int>& accepted,
                            const google::protobuf::EnumDescriptor& names) const;

  int index_;
  v1::SamplerStage::StageCase stage_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_STAGE_PLACE_H_
