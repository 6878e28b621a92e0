#include "model/n_t_closeness.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/ratio.hpp"

namespace anonkit {
namespace {

/// The EMD between a superset and classes within it. As everywhere, the class's distribution is
/// constant between two of its values, while that of the superset ascends: its prefix sums give the
/// sum over such a run.
class Superset {
 public:
  Superset(ClassHistogram::Entries entries, std::int64_t size, std::int32_t values, bool ordered)
      : entries_(entries), size_(size), values_(values), ordered_(ordered) {
    for (const ClassHistogram::Entry& entry : entries) {
      counts_.push_back((counts_.empty() ? 0 : counts_.back()) + entry.count);
      const std::size_t j = counts_.size() - 1;
      area_.push_back(area_[j] + Wide(counts_[j]) * Wide(value(j + 1) - value(j)));
    }
  }

  double distance(ClassHistogram::Entries part, std::int64_t part_size) const {
    const Wide scale = Wide(part_size) * Wide(size_);
    Wide sum = 0;
    std::int64_t seen = 0;
    std::size_t run = 0;
    for (const ClassHistogram::Entry& entry : part) {
      const std::size_t j = place(entry.value);
      if (ordered_) {
        sum += sum_of_run(run, j, size_ * seen, part_size);
      } else {
        const std::int64_t surplus = size_ * entry.count - part_size * entries_.first[j].count;
        sum += Wide(std::max<std::int64_t>(surplus, 0));
      }
      seen += entry.count;
      run = j;
    }
    if (!ordered_) return ratio(sum, scale);
    sum += sum_of_run(run, counts_.size(), size_ * seen, part_size);
    return values_ > 1 ? ratio(sum, scale * Wide(values_ - 1)) : 0;
  }

 private:
  std::int32_t value(std::size_t j) const {
    return j < static_cast<std::size_t>(entries_.size()) ? entries_.first[j].value : values_;
  }

  std::size_t place(std::int32_t value) const {
    const auto less = [](const ClassHistogram::Entry& entry, std::int32_t v) {
      return entry.value < v;
    };
    return static_cast<std::size_t>(
        std::lower_bound(entries_.begin(), entries_.end(), value, less) - entries_.begin());
  }

  /// The sum of |level - s*Q| over the values from entry `first` up to entry `last`.
  Wide sum_of_run(std::size_t first, std::size_t last, std::int64_t level, std::int64_t s) const {
    const auto from = counts_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = counts_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto turn = static_cast<std::size_t>(
        std::partition_point(from, to, [&](std::int64_t q) { return s * q <= level; }) -
        counts_.begin());
    return Wide(value(turn) - value(first)) * Wide(level) - Wide(s) * (area_[turn] - area_[first]) +
           Wide(s) * (area_[last] - area_[turn]) - Wide(value(last) - value(turn)) * Wide(level);
  }

  ClassHistogram::Entries entries_;
  std::int64_t size_;
  std::int32_t values_;
  bool ordered_;
  std::vector<std::int64_t> counts_;  ///< records up to and with each entry
  std::vector<Wide> area_{0};         ///< sum of those over the values before each entry
};

/// The class of a coarser partition that each class lies in.
std::vector<std::int32_t> enclosing(const std::vector<std::int32_t>& class_of,
                                    const std::vector<std::int32_t>& coarse, std::int32_t classes) {
  std::vector<std::int32_t> in(static_cast<std::size_t>(classes), -1);
  bool good = coarse.size() == class_of.size();
  for (std::size_t i = 0; good && i < class_of.size(); ++i) {
    std::int32_t& known = in[static_cast<std::size_t>(class_of[i])];
    good = known < 0 || known == coarse[i];
    known = coarse[i];
  }
  if (!good)
    throw Error(ErrorKind::invalid_parameter,
                "a natural superset does not consist of whole classes");
  return in;
}

}  // namespace

Level n_t_closeness(const std::vector<std::int32_t>& class_of, const SensitiveAttribute& attribute,
                    const std::vector<std::vector<std::int32_t>>& coarser, std::int32_t n,
                    Ticker& ticker) {
  if (n < 1) throw Error(ErrorKind::invalid_parameter, "n of (n,t)-closeness must be at least 1");
  const ClassHistogram histogram(class_of, attribute, ticker);
  const bool ordered = histogram.scale() != AttributeScale::nominal;
  std::vector<double> least(static_cast<std::size_t>(histogram.classes()), 1);
  const auto compare = [&](const std::vector<std::int32_t>& coarse, std::int32_t least_size) {
    const auto in = enclosing(class_of, coarse, histogram.classes());
    const ClassHistogram supersets(coarse, attribute, ticker);
    std::vector<std::vector<std::int32_t>> within(static_cast<std::size_t>(supersets.classes()));
    for (std::int32_t c = 0; c < histogram.classes(); ++c)
      within[static_cast<std::size_t>(in[static_cast<std::size_t>(c)])].push_back(c);
    for (std::int32_t e = 0; e < supersets.classes(); ++e) {
      if (supersets.class_size(e) < least_size) continue;
      const Superset superset(supersets.entries(e), supersets.class_size(e), histogram.values(),
                              ordered);
      ticker.step(8 * supersets.entries(e).size());
      for (const std::int32_t c : within[static_cast<std::size_t>(e)]) {
        ticker.step(64 * histogram.entries(c).size());
        double& best = least[static_cast<std::size_t>(c)];
        best = std::min(best, superset.distance(histogram.entries(c), histogram.class_size(c)));
      }
    }
  };
  compare(std::vector<std::int32_t>(class_of.size(), 0), 1);
  for (const std::vector<std::int32_t>& coarse : coarser) compare(coarse, n);
  return greatest_level(histogram, ticker,
                        [&](std::int32_t c) { return least[static_cast<std::size_t>(c)]; });
}

}  // namespace anonkit
