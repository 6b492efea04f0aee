#include "tests/support/mode_law.h"

#include <cmath>
#include <sstream>

#include "tests/support/real_law.h"

namespace tessera::testing {

using oracle::ExactLaw;

void ModeLaw::Index(bool ties_against) {
  place.assign(exact.y.size(), -1);
  const size_t support = exact.order.size();
  rank.resize(support);
  const auto tied = [&](size_t i) {
    return exact.y[exact.order[i]] == exact.y[exact.order[i - 1]];
  };
  for (size_t i = 0; i < support; ++i) {
    place[exact.order[i]] = static_cast<int32_t>(i);
    rank[i] = i != 0 && tied(i) ? rank[i - 1] : static_cast<uint32_t>(i + 1);
  }
  if (!ties_against) return;
  for (size_t i = support; i-- > 0;) {
    rank[i] = i + 1 != support && tied(i + 1) ? rank[i + 1] : static_cast<uint32_t>(i + 1);
  }
}

// Where the two oracles differ by more than docs/numerics.md 3 allows; empty if nowhere.
std::string OraclesDiffer(const ExactLaw& law, bool entropy) {
  std::ostringstream out;
  if (law.partial) return "";  // its weight was judged where it was reduced
  const std::vector<long double> real = oracle::RealLogprobs(law.y, law.order, law.temperature);
  for (size_t i = 0; i < law.order.size(); ++i) {
    const long double difference = std::fabs(real[i] - oracle::Logprob(law, i));
    // Smoothed fp16 reaches 10^14 nats, where a long double is itself rounded to 10^-5.
    if (!(difference <= oracle::kLogprobTolerance + std::fabs(real[i]) * 0x1p-60L)) {
      out << "oracles: id " << law.order[i] << " has logprob " << oracle::Logprob(law, i)
          << " in integers, " << real[i] << " in long double\n";
      break;
    }
  }
  if (entropy) {
    const long double integers = oracle::Entropy(law);
    const long double floats = oracle::RealEntropy(real);
    if (!(std::fabs(integers - floats) <= oracle::kEntropyTolerance)) {
      out << "oracles: entropy " << integers << " in integers, " << floats << " in long double\n";
    }
  }
  return out.str();
}

}  // namespace tessera::testing
