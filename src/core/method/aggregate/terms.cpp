#include "method/aggregate/terms.hpp"

#include <algorithm>
#include <limits>

namespace anonkit {
namespace {

constexpr int kMostDigits = 9;
constexpr double kWhole = 0x1p53;  // doubles represent all integers up to here

Combine combine_of(Aggregate aggregate) {
  if (aggregate == Aggregate::min) return Combine::least;
  return aggregate == Aggregate::max ? Combine::greatest : Combine::add;
}

bool has_digits(double number, double power_of_ten) {
  const double scaled = std::nearbyint(number * power_of_ten);
  return scaled / power_of_ten == number;
}

/// A power of two that scales `magnitude` to between a quarter of `limit` and `limit`.
double power_of_two_below(double limit, double magnitude) {
  const int exponent = std::ilogb(limit) - std::ilogb(magnitude) - 1;
  return std::ldexp(1.0, std::min(exponent, 1000));
}

}  // namespace

double combined(Combine how, double x, double y) {
  if (how == Combine::add) return x + y;
  return how == Combine::least ? std::min(x, y) : std::max(x, y);
}

double neutral(Combine how) {
  if (how == Combine::add) return 0;
  const double infinity = std::numeric_limits<double>::infinity();
  return how == Combine::least ? infinity : -infinity;
}

ScaledIntegers::ScaledIntegers(const double* numbers, std::size_t count, int terms,
                               Ticker& ticker) {
  int digits = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ticker.step(8);
    magnitude = std::max(magnitude, std::abs(numbers[i]));
    while (digits <= kMostDigits && !has_digits(numbers[i], factor_)) {
      ++digits;
      factor_ *= 10;
    }
  }
  const double limit = kWhole / terms;
  const bool decimal = digits <= kMostDigits && magnitude * factor_ <= limit;
  if (!decimal) factor_ = power_of_two_below(limit, magnitude);
  greatest_ = scaled(magnitude);
}

Terms::Terms(const AggregateFunction& function, const ScaledIntegers& numbers, Ticker& ticker)
    : how_(combine_of(function.aggregate)) {
  if (function.aggregate == Aggregate::weighted_sum) weigh(function.weights, numbers, ticker);
}

void Terms::weigh(const std::vector<double>& weights, const ScaledIntegers& numbers,
                  Ticker& ticker) {
  const ScaledIntegers scale(weights.data(), weights.size(), 1, ticker);
  double total = 0;
  for (const double weight : weights) {
    weights_.push_back(scale.scaled(weight));
    total += std::abs(weights_.back()) * numbers.greatest();
  }
  exact_ = total <= kWhole;
  if (exact_) return;
  const double smaller = power_of_two_below(kWhole / 2, total);
  for (double& weight : weights_) weight *= smaller;
}

double Terms::value(const double* row, std::size_t attributes) const {
  double sum = neutral(how_);
  for (std::size_t j = 0; j < attributes; ++j) sum = combined(how_, sum, term(j, row[j]));
  return sum;
}

}  // namespace anonkit
