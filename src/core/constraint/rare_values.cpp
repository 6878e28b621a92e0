#include "constraint/rare_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace anonkit {
namespace {

constexpr double kDecimals = 1e12;

/// The ranks of the records that define rarity, ascending.
std::vector<std::int32_t> all_values(const SensitiveAttribute& attribute) {
  if (attribute.table_counts.empty()) return ascending(attribute.ranks);
  std::vector<std::int32_t> values;
  for (std::size_t rank = 0; rank < attribute.table_counts.size(); ++rank)
    values.insert(values.end(), static_cast<std::size_t>(attribute.table_counts[rank]),
                  static_cast<std::int32_t>(rank));
  return values;
}

}  // namespace

RareValues::RareValues(const SensitiveAttribute& attribute, std::int32_t p, double q, double r,
                       VarianceOf variance_of)
    : SortedValues(attribute.ranks),
      nominal_(attribute.numbers.empty() && attribute.distance != GroundDistance::ordered),
      numbers_(attribute.numbers),
      p_(p),
      r_(r) {
  if (p < 0)
    throw Error(ErrorKind::invalid_parameter, "p is out of range", "p must be at least 1.");
  if (!(q >= 0 && q <= 1))
    throw Error(ErrorKind::invalid_parameter, "q is out of range", "q must be between 0 and 1.");
  if (!(r >= 0 && r <= 1))
    throw Error(ErrorKind::invalid_parameter, "r is out of range", "r must be between 0 and 1.");
  Values all = all_values(attribute);
  const auto n = static_cast<double>(all.size());
  // A part of a table need not have every rank.
  for_each_value(all, [&](std::int32_t rank, std::int32_t count) {
    rare_.resize(static_cast<std::size_t>(rank) + 1);
    rare_.back() = count / n < q;
  });
  if (numbers_.empty() && !nominal_)
    for (std::size_t rank = 0; rank < rare_.size(); ++rank)
      numbers_.push_back(static_cast<double>(rank));
  if (variance_of == VarianceOf::rare)
    all.erase(std::remove_if(all.begin(), all.end(), [&](std::int32_t v) { return !rare(v); }),
              all.end());
  reference_ = variance(all);
}

bool RareValues::holds(const Values& values, std::int32_t) const {
  std::int32_t distinct = 0;
  bool bound = false;
  for_each_value(values, [&](std::int32_t rank, std::int32_t) {
    ++distinct;
    bound = bound || rare(rank);
  });
  if (!bound) return true;
  if (distinct < p_) return false;
  if (r_ <= 0 || !(reference_ > 0)) return true;
  return std::round(variance(values) / reference_ * kDecimals) / kDecimals >= r_;
}

double RareValues::variance(const Values& values) const {
  double size = 0, sum = 0;
  if (nominal_) {
    size = static_cast<double>(values.size());
    double alike = 0;
    for_each_value(values, [&](std::int32_t, std::int32_t count) {
      alike += static_cast<double>(count) * count;
    });
    sum = (size * size - alike) / (2 * size);
  } else {
    const auto number = [&](std::int32_t rank) { return numbers_[static_cast<std::size_t>(rank)]; };
    const auto null = static_cast<std::int32_t>(numbers_.size());
    double mean = 0;
    for_each_value(values, [&](std::int32_t rank, std::int32_t count) {
      if (rank == null) return;
      size += count;
      mean += count * number(rank);
    });
    mean /= size;
    for_each_value(values, [&](std::int32_t rank, std::int32_t count) {
      if (rank == null) return;
      const double difference = number(rank) - mean;
      sum += count * (difference * difference);
    });
  }
  return size > 1 ? sum / (size - 1) : 0;
}

}  // namespace anonkit
