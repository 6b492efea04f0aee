// Every run of a program that makes finitely many random choices, with its exact probability.
#ifndef TESSERA_TESTS_VERIFICATION_CHOICES_H_
#define TESSERA_TESTS_VERIFICATION_CHOICES_H_

#include <cstddef>
#include <vector>

#include "tests/verification/fraction.h"

namespace tessera::testing {

//     Choices choices;
//     do {
//       run the program, which calls choices.Choose(...)
//       it had probability choices.probability()
//     } while (choices.Next());
//
// Depth first: each run repeats the choices of the one before it up to the last that has an
// alternative left. The program may depend on nothing else.
class Choices {
 public:
  // Which of several outcomes happens; outcomes of probability 0 never do. The probabilities sum
  // to 1.
  size_t Choose(const std::vector<Fraction>& probabilities);

  // Likewise by integer weights.
  size_t ChooseByWeight(const std::vector<Natural>& weights);

  // Of the run so far. Where its denominator has more than kExactBits bits it is too small by at
  // most 2^-kExactBits for each choice.
  static constexpr int kExactBits = 640;
  Fraction probability() const { return made_ == 0 ? Fraction(1) : path_[made_ - 1].probability; }

  bool Next();

 private:
  struct Choice {
    std::vector<Fraction> probabilities;
    size_t chosen = 0;
    Fraction before;       // of the run up to here
    Fraction probability;  // and with the choice
  };

  static bool SkipImpossible(Choice* choice);

  std::vector<Choice> path_;
  size_t made_ = 0;
};

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_CHOICES_H_
