// Draft laws that a request lists.
#ifndef TESSERA_SERVICE_SPARSE_LAWS_H_
#define TESSERA_SERVICE_SPARSE_LAWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/backend.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// One law for each of `laws` expanded positions, ids ascending; ids of probability 0 are left out.
// Laws beyond them, of drafts behind the end of the list, are not looked at. InvalidArgument:
// "sparse.ids[7] is 9; ...".
absl::StatusOr<std::vector<std::vector<WeightedId>>> DecodeSparseLaws(
    const v1::SparseDrafts& sparse, size_t laws, int64_t vocab_size);

}  // namespace tessera

#endif  // TESSERA_SERVICE_SPARSE_LAWS_H_
