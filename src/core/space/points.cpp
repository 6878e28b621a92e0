#include "space/points.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr std::int64_t kWorkOfComparison = 8;

class Grouping {
 public:
  Grouping(const Space& space, const Marks& marks, Ticker& ticker)
      : space_(space), marks_(marks), ticker_(ticker) {}

  Points run() {
    sort();
    std::vector<Record> least(order_.size());  // by record: the first equal one
    for (std::size_t begin = 0; begin < order_.size();) {
      std::size_t end = begin + 1;
      while (end < order_.size() && equal(order_[begin], order_[end])) ++end;
      const Record first = *std::min_element(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                             order_.begin() + static_cast<std::ptrdiff_t>(end));
      for (; begin < end; ++begin) least[at(order_[begin])] = first;
    }
    return number(least);
  }

 private:
  void sort() {
    order_.resize(at(space_.size()));
    std::iota(order_.begin(), order_.end(), 0);
    const auto before = [&](Record a, Record b) { return compare_places(a, b) < 0; };
    if (!std::is_sorted(order_.begin(), order_.end(), before))
      std::sort(order_.begin(), order_.end(), before);
    if (marks_.empty()) return;
    for (auto first = order_.begin(); first != order_.end();) {
      const auto last = std::find_if(
          first, order_.end(), [&](Record other) { return compare_places(*first, other) != 0; });
      std::sort(first, last, [&](Record a, Record b) { return compare_marks(a, b) < 0; });
      first = last;
    }
  }

  int compare_places(Record a, Record b) const {
    ticker_.step(kWorkOfComparison);
    const double *x = space_.row(a), *y = space_.row(b);
    for (int j = 0; j < space_.dimension(); ++j)
      if (x[j] != y[j]) return x[j] < y[j] ? -1 : 1;
    return 0;
  }

  int compare_marks(Record a, Record b) const {
    ticker_.step(kWorkOfComparison);
    for (const std::vector<std::int32_t>* mark : marks_)
      if ((*mark)[at(a)] != (*mark)[at(b)]) return (*mark)[at(a)] < (*mark)[at(b)] ? -1 : 1;
    return 0;
  }

  bool equal(Record a, Record b) const {
    return compare_places(a, b) == 0 && compare_marks(a, b) == 0;
  }

  static Points number(const std::vector<Record>& least) {
    Points points;
    points.of_record.resize(least.size());
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (at(least[i]) == i) {
        points.of_record[i] = static_cast<Record>(points.first.size());
        points.first.push_back(least[i]);
        points.weights.push_back(0);
      } else {
        points.of_record[i] = points.of_record[at(least[i])];
      }
      ++points.weights[at(points.of_record[i])];
    }
    return points;
  }

  const Space& space_;
  const Marks& marks_;
  Ticker& ticker_;
  std::vector<Record> order_;
};

/// Each of n records as a point.
Points one_each(Record n) {
  Points points;
  points.of_record.resize(at(n));
  std::iota(points.of_record.begin(), points.of_record.end(), 0);
  points.first = points.of_record;
  points.weights.assign(at(n), 1);
  return points;
}

}  // namespace

Points points_of(const Space& space, const Marks& marks, Ticker& ticker) {
  return Grouping(space, marks, ticker).run();
}

Points points_in_classes(const Space& space, const Partition& partition,
                         const std::optional<Marks>& marks, Ticker& ticker) {
  if (!marks) return one_each(space.size());
  Marks all = *marks;
  all.push_back(&partition.class_of);
  return points_of(space, all, ticker);
}

Members members_of(const Points& points) {
  return members_of(Partition{points.of_record, static_cast<ClassId>(points.first.size())});
}

Space space_of(const Space& records, const Points& points) {
  return records.of_rows(points.first, points.weights);
}

Partition to_records(const Points& points, const Partition& of_points) {
  Partition partition;
  partition.classes = of_points.classes;
  partition.class_of.reserve(points.of_record.size());
  for (const Record point : points.of_record)
    partition.class_of.push_back(of_points.class_of[at(point)]);
  number_by_first_record(partition);
  return partition;
}

Partition to_points(const Points& points, const Partition& of_records) {
  Partition partition;
  partition.classes = of_records.classes;
  partition.class_of.reserve(points.first.size());
  for (const Record first : points.first)
    partition.class_of.push_back(of_records.class_of[at(first)]);
  return partition;
}

}  // namespace anonkit
