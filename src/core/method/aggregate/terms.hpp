#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "method/aggregate/aggregate.hpp"

namespace anonkit {

/// How a function puts together the terms of its attributes. Each is associative and monotone, so
/// that f over a masked record is the interval [kept + low, kept + high]: the terms of the kept
/// attributes with the lowest and the highest of the generalised ones.
enum class Combine : std::uint8_t { add, least, greatest };

double combined(Combine how, double x, double y);
/// What combines with any x to x.
double neutral(Combine how);

/// Numbers made whole, so that sums of them are exact in doubles whatever their order: an interval
/// that ends at f(t) must contain it. Decimal fractions become multiples of their last digit, other
/// numbers multiples of a power of two.
class WholeNumbers {
 public:
  /// For sums of up to `terms` of the numbers. O(count).
  WholeNumbers(const double* numbers, std::size_t count, int terms, Ticker& ticker);

  double whole(double number) const { return std::nearbyint(number * factor_); }
  double greatest() const { return greatest_; }  ///< magnitude, as a whole number

 private:
  double factor_ = 1;
  double greatest_ = 0;
};

/// A function over whole numbers. The average is the sum: a common factor moves no record.
class Terms {
 public:
  Terms(const AggregateFunction& function, const WholeNumbers& numbers, Ticker& ticker);

  Combine how() const { return how_; }
  double term(std::size_t j, double whole) const {
    if (weights_.empty()) return whole;
    const double product = weights_[j] * whole;
    return exact_ ? product : std::nearbyint(product);
  }
  double value(const double* row, std::size_t attributes) const;

 private:
  void weigh(const std::vector<double>& weights, const WholeNumbers& numbers, Ticker& ticker);

  Combine how_;
  std::vector<double> weights_;
  bool exact_ = true;
};

}  // namespace anonkit
