#include "model/t_closeness.hpp"

#include <algorithm>
#include <limits>

#include "base/ratio.hpp"
#include "model/hierarchical_t_closeness.hpp"

namespace anonkit {
namespace {

/// The ordered EMD of classes. Let P_i and Q_i be the numbers of records of the class and of the
/// relation up to value i. The sum of the definition, times s*n, is the sum over i of |n*P_i -
/// s*Q_i|. Between two adjacent values of the class P_i is constant while Q_i grows. The terms of
/// such a run are first positive and then negative, and prefix sums of Q_i give the sum of either
/// part. Number is an unsigned type that holds s*n times the number of values, which bounds every
/// sum.
template <class Number>
class OrderedEmd {
 public:
  OrderedEmd(const ClassHistogram& histogram, Ticker& ticker)
      : histogram_(histogram), ticker_(ticker) {
    sum_of_q_.reserve(static_cast<std::size_t>(histogram.values()) + 1);
    sum_of_q_.push_back(0);
    for (std::int32_t i = 0; i < histogram.values(); ++i) {
      ticker.step(1);
      sum_of_q_.push_back(sum_of_q_.back() + Number(q(i)));
    }
  }

  double of_class(std::int32_t c) const {
    const std::int32_t m = histogram_.values();
    if (m == 1) return 0;
    const std::int64_t s = histogram_.class_weight(c);
    Number sum = 0;
    std::int64_t p = 0;
    std::int32_t run = 0;  // the first value of the run in which P_i = p
    for (const ClassHistogram::Entry& entry : histogram_.entries(c)) {
      ticker_.step(64);
      sum += sum_of_run(run, entry.value, p, s);
      run = entry.value;
      p += entry.weight;
    }
    sum += sum_of_run(run, m, p, s);
    return ratio(sum, Wide(s) * Wide(histogram_.weight()) * Wide(m - 1));
  }

 private:
  /// Q_i: the number of records of the relation up to and with value i.
  std::int64_t q(std::int32_t i) const { return histogram_.below(i + 1); }

  /// The sum of |n*p - s*Q_i| over the values first <= i < last.
  Number sum_of_run(std::int32_t first, std::int32_t last, std::int64_t p, std::int64_t s) const {
    const Number n_p = Number(histogram_.weight()) * Number(p);
    const std::int32_t turn = first_above(first, last, n_p, s);
    const Number before = Number(turn - first) * n_p - Number(s) * sum_of_q(first, turn);
    const Number after = Number(s) * sum_of_q(turn, last) - Number(last - turn) * n_p;
    return before + after;
  }

  /// The first value i of first..last-1 with s*Q_i > n_p, or last.
  std::int32_t first_above(std::int32_t first, std::int32_t last, Number n_p,
                           std::int64_t s) const {
    while (first < last) {
      const std::int32_t middle = first + (last - first) / 2;
      if (Number(s) * Number(q(middle)) > n_p) {
        last = middle;
      } else {
        first = middle + 1;
      }
    }
    return first;
  }

  /// The sum of Q_i over the values first <= i < last.
  Number sum_of_q(std::int32_t first, std::int32_t last) const {
    return sum_of_q_[static_cast<std::size_t>(last)] - sum_of_q_[static_cast<std::size_t>(first)];
  }

  const ClassHistogram& histogram_;
  Ticker& ticker_;
  std::vector<Number> sum_of_q_;  ///< Q_0 + ... + Q_(i-1)
};

/// True if 64 bits hold the sums of every class: that is faster than 128.
bool fits_64_bits(const ClassHistogram& histogram) {
  std::int64_t largest = 0;
  for (std::int32_t c = 0; c < histogram.classes(); ++c)
    largest = std::max(largest, histogram.class_weight(c));
  const auto most = Wide{std::numeric_limits<std::uint64_t>::max()};
  return Wide(largest) * Wide(histogram.weight()) <= most / Wide(histogram.values());
}

template <class Number>
Level ordered_level(const ClassHistogram& histogram, Ticker& ticker) {
  const OrderedEmd<Number> emd(histogram, ticker);
  return greatest_level(histogram, ticker, [&](std::int32_t c) { return emd.of_class(c); });
}

}  // namespace

Level t_closeness(const ClassHistogram& histogram, Ticker& ticker) {
  if (!histogram.levels().empty())
    return hierarchical_t_closeness(histogram, value_tree(histogram.levels()), ticker);
  return histogram.scale() == AttributeScale::nominal ? nominal_t_closeness(histogram, ticker)
                                                      : ordered_t_closeness(histogram, ticker);
}

Level ordered_t_closeness(const ClassHistogram& histogram, Ticker& ticker) {
  return fits_64_bits(histogram) ? ordered_level<std::uint64_t>(histogram, ticker)
                                 : ordered_level<Wide>(histogram, ticker);
}

Level nominal_t_closeness(const ClassHistogram& histogram, Ticker& ticker) {
  const std::int64_t n = histogram.weight();
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    const std::int64_t s = histogram.class_weight(c);
    std::int64_t elsewhere = n;  // records of the relation with values outside the class
    Wide sum = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) {
      const std::int64_t count = histogram.count(entry.value);
      const Wide ours = Wide(n) * Wide(entry.weight), theirs = Wide(s) * Wide(count);
      sum += std::max(ours, theirs) - std::min(ours, theirs);
      elsewhere -= count;
    }
    return ratio(sum + Wide(s) * Wide(elsewhere), 2 * Wide(s) * Wide(n));
  });
}

}  // namespace anonkit
