// The rows of one sequence's positions: the sequence's parameters, with the drafts before each
// position in its past.
#ifndef TESSERA_SERVICE_POSITION_ROWS_H_
#define TESSERA_SERVICE_POSITION_ROWS_H_

#include <cstdint>

#include "service/decode_chain.h"
#include "service/expand_drafts.h"
#include "tessera/v1/row.pb.h"
#include "tessera/v1/verification.pb.h"

namespace tessera {

// Ids that the rows of one position hold together at most: what a sequence costs, per position.
int64_t IdsPerPosition(const v1::DraftSequence& sequence);

// The target's row at a position. It draws nothing, but the root's says whether a draw would need
// more than is there (a position, a seed).
v1::SampleRow TargetRow(const v1::DraftSequence& sequence, const ExpandedSequence& shape,
                        const DecodedChain* chain, uint32_t position, uint32_t logits_row);

// The draft's, with `chain` for its chain: the same past and masks, as far as that chain reads
// them.
v1::SampleRow DraftRow(const v1::DraftSequence& sequence, const ExpandedSequence& shape,
                       const DecodedChain& chain, uint32_t position, uint32_t logits_row);

}  // namespace tessera

#endif  // TESSERA_SERVICE_POSITION_ROWS_H_
