// Exact non-negative fractions of any size: what enumerated laws are compared as. Nothing is fast.
#ifndef TESSERA_TESTS_VERIFICATION_FRACTION_H_
#define TESSERA_TESTS_VERIFICATION_FRACTION_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace tessera::testing {

// A natural number, base 2^32, lowest digit first, no leading zeros.
class Natural {
 public:
  Natural() = default;
  Natural(uint64_t value);  // NOLINT: a number

  // The number with these 64-bit words, lowest first.
  static Natural OfWords(const std::vector<uint64_t>& words);

  std::vector<uint64_t> Words() const;  // lowest first

  bool IsZero() const { return digits_.empty(); }
  int Bits() const;
  double Leading(int bits) const;  // the upper `bits` <= 53 bits as an integer

  friend bool operator==(const Natural& a, const Natural& b) { return a.digits_ == b.digits_; }
  friend bool operator<(const Natural& a, const Natural& b);
  friend Natural operator+(const Natural& a, const Natural& b);
  friend Natural operator-(const Natural& a, const Natural& b);  // REQUIRES: b <= a
  friend Natural operator*(const Natural& a, const Natural& b);

  Natural ShiftedUp(int bits) const;

  // floor(this / divisor); *this becomes the rest. REQUIRES: divisor > 0.
  Natural DivideBy(const Natural& divisor);

 private:
  bool Bit(int i) const { return digits_[i / 32] >> (i % 32) & 1; }
  void Subtract(const Natural& other);
  void Halve();
  void Trim();

  std::vector<uint32_t> digits_;
};

class Fraction {
 public:
  Fraction(uint64_t num = 0) : Fraction(Natural(num), Natural(1)) {}  // NOLINT: a number
  Fraction(const Natural& num, const Natural& den);                   // REQUIRES: den > 0

  double Approximately() const;

  // Itself if its denominator has at most `bits` bits, else a multiple of 2^-bits.
  Fraction RoundedDown(int bits) const;

  friend bool operator==(const Fraction& a, const Fraction& b) {
    return a.num_ == b.num_ && a.den_ == b.den_;
  }
  friend bool operator<(const Fraction& a, const Fraction& b);
  friend bool operator<=(const Fraction& a, const Fraction& b) { return !(b < a); }
  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator-(const Fraction& a, const Fraction& b);  // REQUIRES: b <= a
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  friend Fraction operator/(const Fraction& a, const Fraction& b);  // REQUIRES: b > 0
  Fraction& operator+=(const Fraction& other) { return *this = *this + other; }

  friend std::ostream& operator<<(std::ostream& out, const Fraction& a) {
    return out << a.Approximately();
  }

 private:
  Natural num_;
  Natural den_;
};

// "3/10", or "2".
Fraction ParseFraction(const std::string& text);

// |a - b|.
Fraction Distance(const Fraction& a, const Fraction& b);

// 2^-bits.
Fraction PowerOfHalf(int bits);

}  // namespace tessera::testing

#endif  // TESSERA_TESTS_VERIFICATION_FRACTION_H_
