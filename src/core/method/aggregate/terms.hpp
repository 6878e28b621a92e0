#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "method/aggregate/aggregate.hpp"

namespace anonkit {

/// The operation by which a function combines the terms of its attributes. Each is associative and
/// monotone. So f over a masked record is the interval [kept + low, kept + high]. It combines the
/// terms of the kept attributes with the lowest and the highest of the generalised ones.
enum class Combine : std::uint8_t { add, least, greatest };

/// x and y combined by the operation.
double combined(Combine how, double x, double y);
/// The neutral element: combined with any x it gives x.
double neutral(Combine how);

/// Numbers scaled to integers, so that doubles hold their sums exactly in any order: an interval
/// that ends at f(t) must contain it. Decimal fractions become multiples of their last digit, other
/// numbers multiples of a power of two.
class ScaledIntegers {
 public:
  /// Scales for sums of up to `terms` of the numbers. O(count).
  ScaledIntegers(const double* numbers, std::size_t count, int terms, Ticker& ticker);

  double scaled(double number) const { return std::nearbyint(number * factor_); }
  double greatest() const { return greatest_; }  ///< magnitude, as an integer

 private:
  double factor_ = 1;
  double greatest_;
};

/// A function over scaled numbers. The average is computed as the sum, since a constant factor does
/// not change the order of records.
class Terms {
 public:
  Terms(const AggregateFunction& function, const ScaledIntegers& numbers, Ticker& ticker);

  Combine how() const { return how_; }
  double term(std::size_t j, double scaled) const {
    if (weights_.empty()) return scaled;
    const double product = weights_[j] * scaled;
    return exact_ ? product : std::nearbyint(product);
  }
  double value(const double* row, std::size_t attributes) const;

 private:
  void weigh(const std::vector<double>& weights, const ScaledIntegers& numbers, Ticker& ticker);

  Combine how_;
  std::vector<double> weights_;
  bool exact_ = true;
};

}  // namespace anonkit
