// Reads the fields of a stage from text into its message, whichever stage it is.
#ifndef TESSERA_CLIENT_STAGE_FIELDS_H_
#define TESSERA_CLIENT_STAGE_FIELDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace tessera {

// Fills `message` from `fields`: first its numbers and its lists of sequences, each in the order of
// the proto, of which `required` must be there; then words in any order, the names of its switches
// and of its enums' values. False where something cannot be read or is left over.
//
// Ids of a sequence are joined by '-', sequences by '/', and a sequence with a bias ends in
// '@BIAS': "5-7/12", "5-7@-2.5/12@1".
bool ReadFields(const std::vector<absl::string_view>& fields, int required,
                google::protobuf::Message* message);

// The words that ReadFields takes for such a message: "split", "joint", ...
std::vector<std::string> WordsOf(const google::protobuf::Descriptor& message);

}  // namespace tessera

#endif  // TESSERA_CLIENT_STAGE_FIELDS_H_
