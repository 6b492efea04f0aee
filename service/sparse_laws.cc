#include "service/sparse_laws.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/backend.h"

namespace tessera {
namespace {

constexpr uint64_t kLargestWeight = uint64_t{1} << 44;

template <typename... Words>
absl::Status Refuse(const Words&... words) {
  return absl::InvalidArgumentError(absl::StrCat(words...));
}

absl::Status CheckOffsets(const v1::SparseDrafts& sparse, size_t laws) {
  const int n = sparse.offsets_size();
  if (static_cast<size_t>(n) < laws + 1) {
    return Refuse("sparse.offsets holds ", n, " entries; it must hold ", laws + 1,
                  ", one more than positions with drafts");
  }
  for (int i = 0; i < n; ++i) {
    const uint32_t least = i == 0 ? 0 : sparse.offsets(i - 1);
    const uint32_t most = i == 0 ? 0 : static_cast<uint32_t>(sparse.ids_size());
    if (sparse.offsets(i) >= least && sparse.offsets(i) <= most) continue;
    return Refuse("sparse.offsets[", i, "] is ", sparse.offsets(i), "; it must be in [", least,
                  ", ", most, "]");
  }
  if (sparse.offsets(n - 1) != static_cast<uint32_t>(sparse.ids_size())) {
    return Refuse("sparse.offsets ends with ", sparse.offsets(n - 1), "; it must end with ",
                  sparse.ids_size(), ", the number of ids");
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const v1::SparseDrafts& sparse) {
  if (!sparse.weights().empty() && !sparse.probabilities().empty()) {
    return Refuse("sparse.weights and sparse.probabilities are both given; give one of them");
  }
  const bool weighed = !sparse.weights().empty();
  const int given = weighed ? sparse.weights_size() : sparse.probabilities_size();
  if (given == sparse.ids_size()) return absl::OkStatus();
  return Refuse("sparse.", weighed ? "weights" : "probabilities", " holds ", given,
                " entries; it must hold ", sparse.ids_size(), ", one for each of sparse.ids");
}

absl::StatusOr<uint64_t> WeightAt(const v1::SparseDrafts& sparse, int i) {
  if (!sparse.weights().empty()) {
    if (sparse.weights(i) <= kLargestWeight) return sparse.weights(i);
    return Refuse("sparse.weights[", i, "] is ", sparse.weights(i), "; it must be at most ",
                  kLargestWeight, " (2^44)");
  }
  const double q = sparse.probabilities(i);
  if (!(q >= 0 && q <= 1)) {
    return Refuse("sparse.probabilities[", i, "] is ", q, "; it must be in [0, 1]");
  }
  return static_cast<uint64_t>(std::nearbyint(q * 0x1p44));
}

// The law of entries [begin, end).
absl::StatusOr<std::vector<WeightedId>> DecodeLaw(const v1::SparseDrafts& sparse, int begin,
                                                  int end, int64_t vocab_size) {
  if (end - begin > static_cast<int>(kMaxLawIds)) {
    return Refuse("sparse.offsets names ", end - begin, " ids for one position; it may at most ",
                  kMaxLawIds);
  }
  std::vector<WeightedId> law;
  law.reserve(end - begin);
  for (int i = begin; i < end; ++i) {
    const int32_t id = sparse.ids(i);
    if (id < 0 || id >= vocab_size) {
      return Refuse("sparse.ids[", i, "] is ", id, "; it must be in [0, ", vocab_size, ")");
    }
    const absl::StatusOr<uint64_t> weight = WeightAt(sparse, i);
    if (!weight.ok()) return weight.status();
    law.push_back({id, *weight});
  }
  std::sort(law.begin(), law.end(),
            [](const WeightedId& a, const WeightedId& b) { return a.id < b.id; });
  const auto twice =
      std::adjacent_find(law.begin(), law.end(),
                         [](const WeightedId& a, const WeightedId& b) { return a.id == b.id; });
  if (twice != law.end()) {
    return Refuse("sparse.ids names id ", twice->id, " twice for one position (entries ", begin,
                  " to ", end - 1, "); ids of a position must be distinct");
  }
  law.erase(std::remove_if(law.begin(), law.end(),
                           [](const WeightedId& entry) { return entry.weight == 0; }),
            law.end());
  if (law.empty()) {
    return Refuse("sparse entries ", begin, " to ", end - 1,
                  " of one position are all 0, or none; a draft law needs one of weight");
  }
  return law;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<WeightedId>>> DecodeSparseLaws(
    const v1::SparseDrafts& sparse, size_t laws, int64_t vocab_size) {
  absl::Status status = CheckOffsets(sparse, laws);
  if (status.ok()) status = CheckNumbers(sparse);
  if (!status.ok()) return status;
  std::vector<std::vector<WeightedId>> decoded;
  for (int i = 0; i < static_cast<int>(laws); ++i) {
    absl::StatusOr<std::vector<WeightedId>> law =
        DecodeLaw(sparse, static_cast<int>(sparse.offsets(i)),
                  static_cast<int>(sparse.offsets(i + 1)), vocab_size);
    if (!law.ok()) return law.status();
    decoded.push_back(*std::move(law));
  }
  return decoded;
}

}  // namespace tessera
