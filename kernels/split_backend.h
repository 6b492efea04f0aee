// A backend made of two: one runs rows, the other what is left of rejected drafts.
#ifndef TESSERA_KERNELS_SPLIT_BACKEND_H_
#define TESSERA_KERNELS_SPLIT_BACKEND_H_

#include <memory>

#include "kernels/backend.h"

namespace tessera {

// Runs rows on `rows`, whose name and health it has, and residuals on `residuals`. Results are the
// same wherever each runs. For a device that has no residuals of its own: few drafts of a batch are
// rejected, and their logits are in the host's memory anyway.
std::unique_ptr<Backend> SplitBackend(std::unique_ptr<Backend> rows,
                                      std::unique_ptr<Backend> residuals);

}  // namespace tessera

#endif  // TESSERA_KERNELS_SPLIT_BACKEND_H_
