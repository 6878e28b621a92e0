#pragma once

// Aggregate knowledge straight from the paper (O. Gkountouna, K. Lepenioti, M. Terrovitis: Privacy
// against aggregate knowledge attacks), slow and plain, on vectors of vectors. The least loss
// results from enumeration.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "method/aggregate/aggregate.hpp"

namespace anonkit::reference {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

struct Interval {
  double low, high;
};

inline double f(const AggregateFunction& function, const Row& row) {
  switch (function.aggregate) {
    case Aggregate::min:
      return *std::min_element(row.begin(), row.end());
    case Aggregate::max:
      return *std::max_element(row.begin(), row.end());
    case Aggregate::weighted_sum:
      return std::inner_product(row.begin(), row.end(), function.weights.begin(), 0.0);
    default:
      // The sum replaces the average of integers, which is an equivalent function without rounding.
      return std::accumulate(row.begin(), row.end(), 0.0);
  }
}

inline Interval f(const AggregateFunction& function, const Row& low, const Row& high) {
  Row first = low, last = high;
  if (function.aggregate == Aggregate::weighted_sum)
    for (std::size_t j = 0; j < low.size(); ++j)
      if (function.weights[j] < 0) std::swap(first[j], last[j]);
  return {f(function, first), f(function, last)};
}

/// A class as published, with the attributes of `set` generalised.
struct Published {
  Rows low, high;
};
inline Published publish(const Rows& members, AttributeSet set) {
  Published published{members, members};
  for (std::size_t j = 0; j < members[0].size(); ++j) {
    if ((set >> j & 1) == 0) continue;
    for (const Row& row : members)
      for (std::size_t u = 0; u < members.size(); ++u) {
        published.low[u][j] = std::min(published.low[u][j], row[j]);
        published.high[u][j] = std::max(published.high[u][j], row[j]);
      }
  }
  return published;
}

/// True if `interval` may belong to a record whose f is known as `value` within d.
inline bool is_candidate(Interval interval, double value, double d) {
  return interval.low <= value + d * std::abs(value) &&
         interval.high >= value - d * std::abs(value);
}

inline bool is_alike(double x, double y, double d) {
  return std::abs(x - y) <= d * std::min(std::abs(x), std::abs(y));
}

/// True if the class satisfies the guarantee by its own records.
inline bool holds(const Rows& members, const std::vector<int>& sensitive, AttributeSet set,
                  const AggregateOptions& options) {
  const Published published = publish(members, set);
  for (const Row& target : members) {
    int found = 0;
    std::set<int> values;
    for (std::size_t u = 0; u < members.size(); ++u) {
      bool counts = true;
      for (const AggregateFunction& function : options.functions) {
        const Interval interval = f(function, published.low[u], published.high[u]);
        const std::size_t t = static_cast<std::size_t>(&target - members.data());
        const Interval own = f(function, published.low[t], published.high[t]);
        counts &= options.guarantee == AggregateGuarantee::candidates
                      ? is_candidate(interval, f(function, target), options.d)
                      : is_alike(interval.low, own.low, options.d) &&
                            is_alike(interval.high, own.high, options.d);
      }
      if (!counts && options.guarantee == AggregateGuarantee::identical) return false;
      if (!counts) continue;
      ++found;
      values.insert(sensitive.empty() ? 0 : sensitive[u]);
    }
    if (found < options.k || static_cast<int>(values.size()) < options.p) return false;
  }
  return true;
}

struct Class {
  std::vector<Record> records;
  AttributeSet generalised = 0;
};

/// The table, its order by f, and the loss of a class.
class Table {
 public:
  Table(Rows rows, std::vector<int> sensitive, AggregateOptions options)
      : rows_(std::move(rows)), sensitive_(std::move(sensitive)), options_(std::move(options)) {
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](Record a, Record b) {
      for (const AggregateFunction& function : options_.functions) {
        const double x = f(function, row(a)), y = f(function, row(b));
        if (x != y) return x < y;
      }
      return false;
    });
    low_ = high_ = rows_[0];
    for (const Row& row : rows_)
      for (std::size_t j = 0; j < row.size(); ++j) {
        low_[j] = std::min(low_[j], row[j]);
        high_[j] = std::max(high_[j], row[j]);
      }
  }

  double ncp(const std::vector<Record>& records, AttributeSet set) const {
    const Published published = publish(members(records), set);
    double sum = 0;
    for (std::size_t j = 0; j < low_.size(); ++j)
      if (high_[j] > low_[j])
        sum += static_cast<double>(records.size()) * (published.high[0][j] - published.low[0][j]) /
               (high_[j] - low_[j]) * ((set >> j & 1) != 0 ? 1 : 0);
    return sum / static_cast<double>(rows_.size() * low_.size());
  }

  /// Algorithm 1.
  std::vector<Class> greedy() const {
    std::vector<Class> classes;
    Class open;
    for (const Record i : order_) {
      open.records.push_back(i);
      if (static_cast<int>(open.records.size()) < options_.k || distinct(open.records) < options_.p)
        continue;
      classes.push_back(open);
      open = {};
    }
    for (const Record i : open.records) classes.back().records.push_back(i);
    for (Class& c : classes) {
      AttributeSet kept = (AttributeSet{1} << low_.size()) - 1;
      while (kept != 0 && !keeps(c.records, c.generalised)) {
        const std::size_t j = most_similar_without(c.records, kept);
        kept &= ~(AttributeSet{1} << j);
        c.generalised |= AttributeSet{1} << j;
      }
    }
    return classes;
  }

  /// The least NCP over all boundaries of k to 2k-1 and all attribute sets. p must be 1.
  double least_ncp(std::size_t from = 0) const {
    if (from == order_.size()) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (int size = options_.k; size < 2 * options_.k; ++size) {
      const std::size_t to = from + static_cast<std::size_t>(size);
      if (to > order_.size()) break;
      const std::vector<Record> records(order_.begin() + static_cast<std::ptrdiff_t>(from),
                                        order_.begin() + static_cast<std::ptrdiff_t>(to));
      double of_class = std::numeric_limits<double>::infinity();
      for (AttributeSet set = 0; set < AttributeSet{1} << low_.size(); ++set)
        if (ncp(records, set) < of_class && keeps(records, set)) of_class = ncp(records, set);
      least = std::min(least, of_class + least_ncp(to));
    }
    return least;
  }

  bool keeps(const std::vector<Record>& records, AttributeSet set) const {
    std::vector<int> sensitive;
    for (const Record i : records)
      if (!sensitive_.empty()) sensitive.push_back(sensitive_[static_cast<std::size_t>(i)]);
    return holds(members(records), sensitive, set, options_);
  }

 private:
  const Row& row(Record i) const { return rows_[static_cast<std::size_t>(i)]; }

  Rows members(const std::vector<Record>& records) const {
    Rows members;
    for (const Record i : records) members.push_back(row(i));
    return members;
  }

  int distinct(const std::vector<Record>& records) const {
    std::set<int> values;
    for (const Record i : records)
      values.insert(sensitive_.empty() ? 0 : sensitive_[static_cast<std::size_t>(i)]);
    return static_cast<int>(values.size());
  }

  /// Line 13: the average absolute difference of f over all pairs, with one attribute left out.
  std::size_t most_similar_without(const std::vector<Record>& records, AttributeSet kept) const {
    std::size_t best = low_.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t left_out = 0; left_out < low_.size(); ++left_out) {
      if ((kept >> left_out & 1) == 0) continue;
      const AttributeSet rest = kept & ~(AttributeSet{1} << left_out);
      double unlikeness = 0;
      for (const Record a : records)
        for (const Record b : records)
          if (rest != 0) unlikeness += std::abs(f_of(row(a), rest) - f_of(row(b), rest));
      if (unlikeness >= least) continue;
      least = unlikeness;
      best = left_out;
    }
    return best;
  }

  /// The first function over some of the attributes.
  double f_of(const Row& row, AttributeSet set) const {
    AggregateFunction function = options_.functions[0];
    Row some;
    std::vector<double> weights;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if ((set >> j & 1) == 0) continue;
      some.push_back(row[j]);
      if (!function.weights.empty()) weights.push_back(function.weights[j]);
    }
    function.weights = weights;
    return f(function, some);
  }

  Rows rows_;
  std::vector<int> sensitive_;
  AggregateOptions options_;
  std::vector<Record> order_;
  Row low_, high_;
};

}  // namespace anonkit::reference
