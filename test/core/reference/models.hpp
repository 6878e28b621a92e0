#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "model/class_histogram.hpp"

namespace anonkit::reference {

/// The privacy models of one class, written straight from their definitions, on the codes of the
/// class's members and of all records. No histogram, no prefix sums, O(m) or worse.
using Codes = std::vector<std::int32_t>;

inline std::map<std::int32_t, int> tally(const Codes& codes) {
  std::map<std::int32_t, int> counts;
  for (const std::int32_t code : codes) ++counts[code];
  return counts;
}

inline std::vector<Codes> codes_by_class(const Codes& class_of, const Codes& code_of) {
  std::vector<Codes> members;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    const auto c = static_cast<std::size_t>(class_of[i]);
    if (c >= members.size()) members.resize(c + 1);
    members[c].push_back(code_of[i]);
  }
  return members;
}

inline double distinct(const Codes& members) {
  return static_cast<double>(std::set<std::int32_t>(members.begin(), members.end()).size());
}

inline double share(const Codes& members, std::int32_t value) {
  return static_cast<double>(std::count(members.begin(), members.end(), value)) /
         static_cast<double>(members.size());
}

inline double entropy_l(const Codes& members) {
  double entropy = 0;
  for (const auto& [value, count] : tally(members)) {
    const double p = share(members, value);
    entropy -= p * std::log(p);
  }
  return std::exp(entropy);
}

inline double recursive_c(const Codes& members, int l) {
  std::vector<int> r;
  for (const auto& [value, count] : tally(members)) r.push_back(count);
  std::sort(r.rbegin(), r.rend());
  if (r.size() < static_cast<std::size_t>(l)) return std::numeric_limits<double>::infinity();
  double tail = 0;
  for (std::size_t i = static_cast<std::size_t>(l) - 1; i < r.size(); ++i) tail += r[i];
  return r[0] / tail;
}

inline double largest_share(const Codes& members) {
  double largest = 0;
  for (const std::int32_t value : members) largest = std::max(largest, share(members, value));
  return largest;
}

/// Codes at or beyond numbers.size() are null.
inline double range(const Codes& members, const std::vector<double>& numbers) {
  double widest = 0;
  for (const std::int32_t a : members) {
    for (const std::int32_t b : members) {
      const auto low = static_cast<std::size_t>(a);
      const auto high = static_cast<std::size_t>(b);
      if (low >= numbers.size() || high >= numbers.size()) continue;
      widest = std::max(widest, numbers[high] - numbers[low]);
    }
  }
  return widest;
}

/// Half the mean squared difference of two records; numbers by code, nulls left out, or without
/// them 1 between unequal codes.
inline double variance(const Codes& members, const std::vector<double>* numbers) {
  double sum = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = static_cast<std::size_t>(members[i]);
      const auto b = static_cast<std::size_t>(members[j]);
      if (numbers != nullptr && (a >= numbers->size() || b >= numbers->size())) continue;
      const double difference = numbers != nullptr ? (*numbers)[a] - (*numbers)[b] : a != b;
      sum += difference * difference;
      pairs += 1;
    }
  }
  return pairs > 0 ? sum / (2 * pairs) : 0;
}

/// The members whose value has a share below q among all records.
inline Codes rare(const Codes& members, const Codes& all, double q) {
  Codes found;
  for (const std::int32_t value : members) {
    if (share(all, value) < q) found.push_back(value);
  }
  return found;
}

inline double ordered_emd(const Codes& members, const Codes& all) {
  const std::map<std::int32_t, int> values = tally(all);
  if (values.size() == 1) return 0;
  double sum = 0;
  double difference = 0;
  for (const auto& [value, count] : values) {
    difference += share(members, value) - share(all, value);
    sum += std::abs(difference);
  }
  return sum / static_cast<double>(values.size() - 1);
}

inline double nominal_emd(const Codes& members, const Codes& all) {
  double sum = 0;
  for (const auto& [value, count] : tally(all)) {
    sum += std::abs(share(members, value) - share(all, value));
  }
  return sum / 2;
}

/// The least cost of moving the class's distribution to that of the relation, by enumeration of all
/// assignments. Every member is split into |all| grains and every record of the relation into
/// |members| grains, and each order of the grains is tried. For at most 8 grains.
inline double transport(const Codes& members, const Codes& all, bool ordered) {
  const std::map<std::int32_t, int> values = tally(all);
  if (values.size() == 1) return 0;
  const auto rank = [&](std::int32_t v) {
    return static_cast<double>(std::distance(values.begin(), values.find(v)));
  };
  Codes from;
  Codes to;
  for (const std::int32_t v : members) from.insert(from.end(), all.size(), v);
  for (const std::int32_t v : all) to.insert(to.end(), members.size(), v);
  std::sort(to.begin(), to.end());
  double least = std::numeric_limits<double>::infinity();
  do {
    double cost = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double steps = std::abs(rank(from[i]) - rank(to[i]));
      cost += ordered ? steps / static_cast<double>(values.size() - 1) : (steps > 0 ? 1 : 0);
    }
    least = std::min(least, cost);
  } while (std::next_permutation(to.begin(), to.end()));
  return least / static_cast<double>(to.size());
}

}  // namespace anonkit::reference
