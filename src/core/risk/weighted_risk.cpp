#include "risk/weighted_risk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"

namespace anonkit {
namespace {

/// sum over j of q^j B(f, j+1): positive terms, each q (j+1) / (f+j+1) of the one before.
double series(double f, double q) {
  double term = 1 / f;
  double sum = 0;
  for (double j = 0; term > sum * std::numeric_limits<double>::epsilon() / 4; ++j) {
    sum += term;
    term *= q * (j + 1) / (f + j + 1);
  }
  return sum;
}

}  // namespace

// P(F = h) = C(h-1, f-1) p^f q^(h-f) for h >= f, so E(1/F) is the integral of E(e^(-tF)) over t >=
// 0: that of (p e^-t / (1 - q e^-t))^f. With u for the base, E(1/F) = p I(f), where
//
//   I(f) = integral over 0 <= u <= 1 of u^(f-1) / (p + q u) = sum over j of q^j B(f, j+1).
//
// The second form follows from p + q u = 1 - q (1-u). It needs 60 terms at most for q <= 1/2, and
// as few for f >= 30, as B decreases like 1 / C(f+j, j). Else q u^f = u^(f-1) (p + q u) - p u^(f-1)
// gives q I(f+1) = 1/f - p I(f) from I(1) = -log(p) / q. Its errors shrink by p/q < 1 a step.
double individual_risk(std::int64_t records, double population) {
  const auto f = static_cast<double>(records);
  const double p = f / population;
  const double q = (population - f) / population;
  if (!(q > 0)) return 1 / f;
  constexpr std::int64_t kFew = 30;
  if (q <= 0.5 || records >= kFew) return p * series(f, q);
  double integral = -std::log(p) / q;
  for (std::int64_t i = 1; i < records; ++i)
    integral = (1 / static_cast<double>(i) - p * integral) / q;
  return p * integral;
}

namespace {

void require_one_weight_each(const std::vector<std::int32_t>& unit_of,
                             const std::vector<double>& weights) {
  std::vector<double> known;
  for (std::size_t row = 0; row < unit_of.size(); ++row) {
    const std::size_t unit = at(unit_of[row]);
    if (unit >= known.size()) known.resize(unit + 1, 0);
    if (known[unit] == 0) known[unit] = weights[row];
    if (known[unit] != weights[row])
      throw Error(ErrorKind::invalid_data, "a person has several sampling weights",
                  "All rows of a person stand for the same number of persons.");
  }
}

/// By class the sum of its weights, in their order: doubles have sums that depend on the order of
/// the terms, and figures do not depend on that of the rows.
std::vector<double> sums_by_class(std::vector<std::pair<std::int32_t, double>>& weights,
                                  std::int32_t classes, Ticker& ticker) {
  std::sort(weights.begin(), weights.end(), [&](const auto& a, const auto& b) {
    ticker.step(4);
    return a < b;
  });
  std::vector<double> sums(at(classes), 0);
  for (const auto& [c, weight] : weights) sums[at(c)] += weight;
  return sums;
}

}  // namespace

std::vector<double> class_weights(const std::vector<std::int32_t>& class_of,
                                  const std::vector<std::int32_t>& unit_of,
                                  const std::vector<double>& weights, std::int32_t classes,
                                  Ticker& ticker) {
  std::vector<std::pair<std::int32_t, double>> counted;
  counted.reserve(class_of.size());
  ticker.step(4 * static_cast<std::int64_t>(class_of.size()));
  if (unit_of.empty()) {
    for (std::size_t row = 0; row < class_of.size(); ++row)
      counted.emplace_back(class_of[row], weights[row]);
    return sums_by_class(counted, classes, ticker);
  }
  require_one_weight_each(unit_of, weights);
  std::vector<std::int32_t> order(class_of.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::int32_t row) {
    return std::make_pair(class_of[at(row)], unit_of[at(row)]);
  };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(8);
    return key(a) < key(b);
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || key(order[i - 1]) != key(order[i]))
      counted.emplace_back(class_of[at(order[i])], weights[at(order[i])]);
  return sums_by_class(counted, classes, ticker);
}

// A class of one record has F = 1 with probability p: the record is unique in the population.
WeightedRisk weighted_risk(const std::vector<std::int64_t>& sizes, const std::vector<double>& sums,
                           double threshold, Ticker& ticker) {
  std::vector<double> journalist;
  std::vector<double> individual;
  WeightedRisk found;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    ticker.step(200);
    journalist.push_back(1 / sums[c]);
    individual.push_back(individual_risk(sizes[c], sums[c]));
    found.population += sums[c];
    found.matches += static_cast<double>(sizes[c]) * individual[c];
    if (sizes[c] == 1) found.uniques += 1 / sums[c];
  }
  found.journalist = summary_of_risks(sizes, journalist, threshold);
  found.individual = summary_of_risks(sizes, individual, threshold);
  return found;
}

}  // namespace anonkit
