// What VerifyDrafts made of a batch, for tests over backends.
#ifndef TESSERA_TESTS_VERIFICATION_VERIFIED_H_
#define TESSERA_TESTS_VERIFICATION_VERIFIED_H_

#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/verification/verify_drafts.h"

namespace tessera::testing {

// Everything that a result says, to the last bit.
std::string TextOf(const SequenceResult& result);

// VerifyDrafts, which must succeed.
std::vector<SequenceResult> Verified(const VerificationBatch& batch, Backend& backend);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_VERIFIED_H_
