// Checks one row of a request and turns it into what a backend reads.
#ifndef TESSERA_SERVICE_DECODE_ROW_H_
#define TESSERA_SERVICE_DECODE_ROW_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/backend.h"
#include "kernels/history_edits.h"
#include "service/decode_chain.h"
#include "service/decode_tensor.h"
#include "service/id_slots.h"
#include "service/job.h"
#include "service/limits.h"
#include "tessera/v1/row.pb.h"

namespace tessera {

// What a row's numbers are checked against.
struct BatchScope {
  absl::Span<const DecodedChain> chains;
  absl::Span<const HistoryStages> histories;  // [chains]
  int64_t logits_rows = 0;
  int64_t guidance_rows = 0;  // 0: the request has none
  int64_t vocab_size = 0;
  TensorView grammar;  // of 32-bit words; no rows: the request has none
  const Limits* limits = nullptr;
};

// Fills `input` from `row`, pointing into `row`, into the chain's plan and into `lists`. Sets
// *draws where random words are needed; `input->seed` is then the row's seed or, without one, 0.
// `slots` is clear before and after.
//
// InvalidArgument: the row is refused; the message names the field, the value and what is accepted,
// without the "rows[i]." in front: "position is absent; ...", "chains[2].stages[0]. ...".
absl::Status DecodeRow(const v1::SampleRow& row, int64_t index, const BatchScope& scope,
                       IdSlots* slots, RowLists* lists, RowInput* input, bool* draws);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_ROW_H_
