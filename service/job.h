// One request, checked: what a backend runs, and the memory that it points into.
#ifndef TESSERA_SERVICE_JOB_H_
#define TESSERA_SERVICE_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/history_edits.h"
#include "service/decode_chain.h"

namespace tessera {

// Lists of one row that could not be pointed at inside the request.
struct RowLists {
  std::vector<Bias> bias;
  std::vector<IdCount> counts;
  std::vector<TokenId> banned;
  HistoryEdits edits;
  std::vector<uint64_t> words;   // of a generator other than Philox
  uint64_t generator_state = 0;  // of xorshift64; 0: begins with the row's seed
};

// A row that was refused. Nothing is computed for it.
struct RefusedRow {
  uint32_t row;  // index in the request
  std::string message;
};

// Everything in `rows` has been checked as RowInput demands. Points into itself and into the
// request, which must outlive it; so it moves but does not copy.
struct Job {
  Job() = default;
  Job(Job&&) = default;
  Job& operator=(Job&&) = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  LogitsView logits;
  LogitsView guidance;  // no rows where the request has none
  int64_t vocab_size = 0;
  std::vector<RowInput> rows;         // those to run
  std::vector<uint32_t> row_indices;  // [rows]: index in the request, ascending
  std::vector<uint32_t> unseeded;     // indices into `rows`: they draw and have no seed yet
  std::vector<RefusedRow> refused;    // ascending

  // Owned memory that the above points into.
  std::vector<DecodedChain> chains;
  std::vector<RowLists> lists;        // [rows of the request]
  std::vector<uint32_t> logits_copy;  // where the inline bytes were misaligned
  std::vector<uint32_t> guidance_copy;
  std::vector<uint32_t> grammar_copy;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_JOB_H_
