#pragma once

#include <cmath>
#include <cstdint>

namespace anonkit {

/// A sum of fractions 1/n in units of 2^-64. Sums of doubles depend on the order of the terms in
/// the last digits; this one does not, so neither do figures on that of the rows. Up to 2^63 terms.
class FractionSum {
 public:
  /// Adds 1/n, n above 0.
  void add(std::int64_t n) { units_ += kOne / static_cast<Wide>(n); }
  FractionSum& operator+=(const FractionSum& other) {
    units_ += other.units_;
    return *this;
  }
  double value() const { return std::ldexp(static_cast<double>(units_), -64); }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kOne = Wide{1} << 64;

  Wide units_ = 0;
};

}  // namespace anonkit
