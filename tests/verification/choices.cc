#include "tests/verification/choices.h"

namespace tessera::testing {

size_t Choices::Choose(const std::vector<Fraction>& probabilities) {
  if (made_ == path_.size()) {
    Choice choice{probabilities, 0, probability(), {}};
    SkipImpossible(&choice);
    path_.push_back(choice);
  }
  return path_[made_++].chosen;
}

size_t Choices::ChooseByWeight(const std::vector<Natural>& weights) {
  if (made_ < path_.size()) return path_[made_++].chosen;
  Natural total;
  for (const Natural& weight : weights) total = total + weight;
  std::vector<Fraction> probabilities;
  for (const Natural& weight : weights) probabilities.emplace_back(weight, total);
  return Choose(probabilities);
}

bool Choices::Next() {
  path_.resize(made_);
  made_ = 0;
  while (!path_.empty()) {
    ++path_.back().chosen;
    if (SkipImpossible(&path_.back())) return true;
    path_.pop_back();
  }
  return false;
}

// To the next outcome that can happen; false if there is none.
bool Choices::SkipImpossible(Choice* choice) {
  while (choice->chosen < choice->probabilities.size()) {
    const Fraction& chance = choice->probabilities[choice->chosen];
    if (!(chance == Fraction(0))) {
      choice->probability = (choice->before * chance).RoundedDown(kExactBits);
      return true;
    }
    ++choice->chosen;
  }
  return false;
}

}  // namespace tessera::testing
