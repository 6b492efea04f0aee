// The laws that rows asked for, in integers.
#include "service/encode.h"

namespace tessera {

void EncodeLaws(const Job& job, absl::Span<const RowResult> results,
                v1::SampleTokensResponse* response) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (!job.rows[i].want_law || results[i].outcome != Outcome::kOk) continue;
    v1::ReturnedLaws* laws = response->mutable_laws();
    if (laws->offsets().empty()) laws->add_offsets(0);
    laws->add_rows(job.row_indices[i]);
    for (const WeightedId& entry : results[i].law_ids) {
      laws->add_ids(entry.id);
      laws->add_weights(entry.weight);
    }
    laws->add_offsets(static_cast<uint32_t>(laws->ids_size()));
  }
}

}  // namespace tessera
