// Small well-formed requests for tests to bend.
#ifndef TESSERA_TESTS_SERVICE_REQUESTS_H_
#define TESSERA_TESTS_SERVICE_REQUESTS_H_

#include <string>
#include <vector>

#include "tessera/v1/sampling.pb.h"

namespace tessera {

// A packed fp32 matrix; every row has `columns` elements.
v1::Tensor FloatTensor(const std::vector<std::vector<float>>& rows);

// Packed 32-bit words.
v1::Tensor WordTensor(const std::vector<std::vector<uint32_t>>& rows);

// Three rows of four logits (ids 3, 0, 1 are the largest of rows 0, 1, 2), one greedy chain (index
// 0), one chain of every edit and truncation (index 1), three greedy rows.
v1::SampleTokensRequest SmallRequest();

// One row over four logits (0, 1, 2, 3), whose one chain and which itself are in protobuf's text
// format: OneRowRequest("stages { top_k { k: 2 } }", "seed: 5 position: 0").
v1::SampleTokensRequest OneRowRequest(const std::string& chain, const std::string& row);

}  // namespace tessera

#endif  // TESSERA_TESTS_SERVICE_REQUESTS_H_
