// The matrices of a request: logits, guidance logits, the grammar's bitmasks.
#ifndef TESSERA_SERVICE_DECODE_MATRICES_H_
#define TESSERA_SERVICE_DECODE_MATRICES_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "service/decode_tensor.h"
#include "service/job.h"
#include "tessera/v1/sampling.pb.h"

namespace tessera {

// Fills logits, vocab_size and guidance of `job`, which then points into `request`.
//
// InvalidArgument: sizes against bytes, element types, vocab_size. Unimplemented: logits in several
// slices, tensors that are not inline.
absl::Status DecodeMatrices(const v1::SampleTokensRequest& request, Job* job);

// The grammar, of 32-bit words, at least one for every 32 ids of job->vocab_size; no rows where the
// request has none. InvalidArgument as above.
absl::StatusOr<TensorView> DecodeGrammar(const v1::SampleTokensRequest& request, Job* job);

}  // namespace tessera

#endif  // TESSERA_SERVICE_DECODE_MATRICES_H_
