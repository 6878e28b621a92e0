#include "method/aggregate/grouping.hpp"

namespace anonkit {
namespace {

/// Line 13: finds the attribute without which f varies least.
class MostAlike {
 public:
  explicit MostAlike(const SortedRecords& records) : records_(records), m_(records.attributes()) {
    for (std::size_t f = 0; f < records.functions(); ++f) {
      double least = records.value(0, f), greatest = least;
      for (Record place = 1; place < records.size(); ++place) {
        least = std::min(least, records.value(place, f));
        greatest = std::max(greatest, records.value(place, f));
      }
      range_.push_back(greatest > least ? greatest - least : 1);
    }
  }

  /// The next attribute of `kept` to generalise, ties to the first.
  std::size_t next(Record first, Record last, AttributeSet kept) {
    const std::size_t size = static_cast<std::size_t>(last - first);
    unlikeness_.assign(m_, 0);
    for (std::size_t f = 0; f < records_.functions(); ++f) {
      leave_each_out(first, last, kept, records_.terms(f));
      const double unit = records_.functions() == 1 ? 1 : range_[f];
      for (std::size_t j = 0; j < m_; ++j)
        if (contains(kept, j))
          unlikeness_[j] += differences(without_.data() + j * size, size) / unit;
    }
    std::size_t best = m_;
    for (std::size_t j = 0; j < m_; ++j)
      if (contains(kept, j) && (best == m_ || unlikeness_[j] < unlikeness_[best])) best = j;
    return best;
  }

 private:
  /// without_[j * size + u]: f of record u over the kept attributes other than j.
  void leave_each_out(Record first, Record last, AttributeSet kept, const Terms& terms) {
    const std::size_t size = static_cast<std::size_t>(last - first);
    without_.resize(m_ * size);
    for (std::size_t u = 0; u < size; ++u) {
      const double* row = records_.row(first + static_cast<Record>(u));
      double before = neutral(terms.how()), after = before;
      for (std::size_t j = 0; j < m_; ++j) {
        without_[j * size + u] = before;
        if (contains(kept, j)) before = combined(terms.how(), before, terms.term(j, row[j]));
      }
      for (std::size_t j = m_; j-- > 0;) {
        without_[j * size + u] = combined(terms.how(), without_[j * size + u], after);
        if (contains(kept, j)) after = combined(terms.how(), after, terms.term(j, row[j]));
      }
    }
  }

  /// The sum of the absolute differences of all pairs, proportional to their average. Sorts.
  static double differences(double* values, std::size_t size) {
    std::sort(values, values + size);
    double sum = 0;
    for (std::size_t i = 1; i < size; ++i)
      sum += (values[i] - values[i - 1]) * static_cast<double>(i * (size - i));
    return sum;
  }

  const SortedRecords& records_;
  std::size_t m_;
  std::vector<double> range_;
  std::vector<double> without_;
  std::vector<double> unlikeness_;
};

}  // namespace

MaskedRuns greedy_generalisation(const SortedRecords& records, const AggregateOptions& options,
                                 const std::vector<Record>& classes, Ticker& ticker) {
  const AttributeSet all = all_attributes(records.attributes());
  MaskedClass masked(records, options);
  MostAlike most_alike(records);
  MaskedRuns runs;
  Record first = 0;
  for (const Record last : classes) {
    masked.turn_to(first, last);
    AttributeSet generalised = 0;
    while (generalised != all && !masked.holds(generalised)) {
      const AttributeSet kept = all & ~generalised;
      generalised |= AttributeSet{1} << most_alike.next(first, last, kept);
      ticker.step(16 * static_cast<std::int64_t>(last - first) *
                  static_cast<std::int64_t>(records.attributes() * records.functions()));
    }
    runs.push_back({last, generalised, class_loss(last - first, masked.ncp(generalised))});
    ticker.advance(last - first);
    first = last;
  }
  return runs;
}

}  // namespace anonkit
