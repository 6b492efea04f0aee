#include "tests/verification/fraction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace tessera::testing {
namespace {

Natural GreatestCommonDivisor(Natural a, Natural b) {
  while (!b.IsZero()) {
    a.DivideBy(b);
    std::swap(a, b);
  }
  return a;
}

}  // namespace

Natural::Natural(uint64_t value)
    : digits_{static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)} {
  Trim();
}

Natural Natural::OfWords(const std::vector<uint64_t>& words) {
  Natural result;
  for (const uint64_t word : words) {
    result.digits_.push_back(static_cast<uint32_t>(word));
    result.digits_.push_back(static_cast<uint32_t>(word >> 32));
  }
  result.Trim();
  return result;
}

std::vector<uint64_t> Natural::Words() const {
  std::vector<uint64_t> words((digits_.size() + 1) / 2);
  for (size_t i = 0; i < digits_.size(); ++i) {
    words[i / 2] |= uint64_t{digits_[i]} << (32 * (i % 2));
  }
  return words;
}

int Natural::Bits() const {
  if (digits_.empty()) return 0;
  return static_cast<int>(32 * digits_.size()) - std::countl_zero(digits_.back());
}

double Natural::Leading(int bits) const {
  double value = 0;
  for (int i = Bits() - 1, left = bits; i >= 0 && left > 0; --i, --left) value = 2 * value + Bit(i);
  return value;
}

bool operator<(const Natural& a, const Natural& b) {
  if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
  return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(),
                                      b.digits_.rend());
}

Natural operator+(const Natural& a, const Natural& b) {
  Natural sum;
  uint64_t carry = 0;
  for (size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) || carry != 0; ++i) {
    if (i < a.digits_.size()) carry += a.digits_[i];
    if (i < b.digits_.size()) carry += b.digits_[i];
    sum.digits_.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  return sum;
}

Natural operator-(const Natural& a, const Natural& b) {
  Natural difference = a;
  difference.Subtract(b);
  return difference;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  product.digits_.resize(a.digits_.size() + b.digits_.size());
  for (size_t i = 0; i < a.digits_.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b.digits_.size(); ++j) {
      carry += uint64_t{a.digits_[i]} * b.digits_[j] + product.digits_[i + j];
      product.digits_[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product.digits_[i + b.digits_.size()] = static_cast<uint32_t>(carry);
  }
  product.Trim();
  return product;
}

Natural Natural::DivideBy(const Natural& divisor) {
  Natural quotient;
  const int shift = Bits() - divisor.Bits();
  if (shift < 0) return quotient;
  quotient.digits_.resize(shift / 32 + 1);
  Natural multiple = divisor.ShiftedUp(shift);
  for (int i = shift; i >= 0; --i) {
    if (!(*this < multiple)) {
      Subtract(multiple);
      quotient.digits_[i / 32] |= uint32_t{1} << (i % 32);
    }
    multiple.Halve();
  }
  quotient.Trim();
  return quotient;
}

// REQUIRES: other <= *this.
void Natural::Subtract(const Natural& other) {
  int64_t carry = 0;
  for (size_t i = 0; i < digits_.size(); ++i) {
    carry += digits_[i];
    if (i < other.digits_.size()) carry -= other.digits_[i];
    digits_[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  Trim();
}

Natural Natural::ShiftedUp(int bits) const {
  Natural shifted;
  shifted.digits_.assign(bits / 32, 0);
  uint64_t carry = 0;
  for (const uint32_t digit : digits_) {
    carry |= uint64_t{digit} << (bits % 32);
    shifted.digits_.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  shifted.digits_.push_back(static_cast<uint32_t>(carry));
  shifted.Trim();
  return shifted;
}

void Natural::Halve() {
  for (size_t i = 0; i < digits_.size(); ++i) {
    const uint32_t above = i + 1 < digits_.size() ? digits_[i + 1] << 31 : 0;
    digits_[i] = digits_[i] >> 1 | above;
  }
  Trim();
}

void Natural::Trim() {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
}

Fraction::Fraction(const Natural& num, const Natural& den) : num_(num), den_(den) {
  if (den_ == Natural(1)) return;
  const Natural common = GreatestCommonDivisor(num, den);
  if (common == Natural(1)) return;
  num_ = num_.DivideBy(common);
  den_ = den_.DivideBy(common);
}

double Fraction::Approximately() const {
  const auto octave = [](const Natural& a) { return std::max(a.Bits() - 53, 0); };
  return std::ldexp(num_.Leading(53) / den_.Leading(53), octave(num_) - octave(den_));
}

Fraction Fraction::RoundedDown(int bits) const {
  if (den_.Bits() <= bits) return *this;
  const Natural unit = Natural(1).ShiftedUp(bits);
  Natural scaled = num_ * unit;
  return {scaled.DivideBy(den_), unit};
}

bool operator<(const Fraction& a, const Fraction& b) { return a.num_ * b.den_ < b.num_ * a.den_; }

Fraction operator+(const Fraction& a, const Fraction& b) {
  return {a.num_ * b.den_ + b.num_ * a.den_, a.den_ * b.den_};
}

Fraction operator-(const Fraction& a, const Fraction& b) {
  return {a.num_ * b.den_ - b.num_ * a.den_, a.den_ * b.den_};
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  return {a.num_ * b.num_, a.den_ * b.den_};
}

Fraction operator/(const Fraction& a, const Fraction& b) {
  return {a.num_ * b.den_, a.den_ * b.num_};
}

Fraction ParseFraction(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {std::stoull(text)};
  return {Natural(std::stoull(text.substr(0, slash))),
          Natural(std::stoull(text.substr(slash + 1)))};
}

Fraction Distance(const Fraction& a, const Fraction& b) { return a < b ? b - a : a - b; }

Fraction PowerOfHalf(int bits) { return {Natural(1), Natural(1).ShiftedUp(bits)}; }

}  // namespace tessera::testing
