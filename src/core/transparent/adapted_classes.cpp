#include "transparent/adapted_classes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/at.hpp"
#include "space/centroid.hpp"
#include "transparent/part_size.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A set of up to this many times k records, or this part of the table, is partitioned anew if
// another size suits it better. It must have room for so many classes.
constexpr std::int64_t kSmallSet = 20, kPartOfTable = 32, kRoom = 3;
constexpr int kSteps = 20;  ///< of the power iteration

/// The SSE of rows that come one by one.
class RunningSse {
 public:
  explicit RunningSse(const Space& space)
      : space_(space), sums_(at(space.dimension()), 0), squares_(sums_), counts_(sums_.size()) {}

  /// Coordinates are taken relative to an origin near them, so that squares lose no digits.
  void begin(const double* origin) {
    origin_ = origin;
    records_ = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::fill(squares_.begin(), squares_.end(), 0.0);
    for (Nominal& nominal : counts_) nominal = {};
  }

  double add(Record i) {
    const double* row = space_.row(i);
    const double weight = space_.weight(i);
    records_ += weight;
    double sse = 0;
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      if (space_.attribute(static_cast<int>(j)).kind == Kind::nominal) {
        sse += space_.mismatch(static_cast<int>(j)) * (records_ - counts_[j].add(row[j], weight));
        continue;
      }
      const double x = row[j] - origin_[j];
      sums_[j] += weight * x;
      squares_[j] += weight * x * x;
      sse += squares_[j] - sums_[j] * sums_[j] / records_;
    }
    return sse;
  }

 private:
  /// The records of each category, and of the most frequent one.
  struct Nominal {
    std::vector<double> of_code;
    double most = 0;

    double add(double code, double weight) {
      const auto place = static_cast<std::size_t>(code);
      if (place >= of_code.size()) of_code.resize(place + 1, 0);
      return most = std::max(most, of_code[place] += weight);
    }
  };

  const Space& space_;
  const double* origin_ = nullptr;
  double records_ = 0;
  std::vector<double> sums_, squares_;
  std::vector<Nominal> counts_;
};

/// A set of points, and where it is cut best.
class Cutter {
 public:
  Cutter(const Space& space, Ticker& ticker)
      : space_(space), ticker_(ticker), sse_(space), centroid_(space) {}

  /// Orders the points so that the first part and the rest each weigh `least` records, with the
  /// least SSE. Returns the size of the first part, or 0 if there is no such cut.
  std::size_t cut(std::vector<Record>& points, Record least) {
    least_ = least;
    best_ = kInfinity;
    split_ = 0;
    find_origin(points);
    const int d = space_.dimension();
    for (int j = 0; j < d; ++j) consider(points, [&](Record i) { return space_.row(i)[j]; });
    const std::vector<double> axis = main_axis(points);
    consider(points, [&](Record i) { return along(axis, i); });
    const double* far = space_.row(farthest(points));
    consider(points, [&](Record i) { return space_.squared_distance(space_.row(i), far); });
    if (split_ > 0) points = order_;
    return split_;
  }

 private:
  void find_origin(const std::vector<Record>& points) {
    for (const Record i : points) centroid_.add(i);
    origin_.resize(at(space_.dimension()));
    centroid_.point(origin_.data());
    for (const Record i : points) centroid_.remove(i);
  }

  bool is_number(std::size_t j) const {
    return space_.attribute(static_cast<int>(j)).kind != Kind::nominal;
  }

  double along(const std::vector<double>& axis, Record i) const {
    double sum = 0;
    for (std::size_t j = 0; j < axis.size(); ++j)
      if (is_number(j)) sum += axis[j] * (space_.row(i)[j] - origin_[j]);
    return sum;
  }

  /// By power iteration, from the attribute of most variance; scaled by its largest coordinate, so
  /// that no root is drawn.
  std::vector<double> main_axis(const std::vector<Record>& points) {
    const std::size_t d = origin_.size();
    std::vector<double> axis(d, 1), next(d);
    for (int step = 0; step < kSteps; ++step) {
      std::fill(next.begin(), next.end(), 0.0);
      for (const Record i : points) {
        const double length = along(axis, i) * space_.weight(i);
        for (std::size_t j = 0; j < d; ++j)
          if (is_number(j)) next[j] += length * (space_.row(i)[j] - origin_[j]);
      }
      double largest = 0;
      for (const double x : next) largest = std::max(largest, x < 0 ? -x : x);
      if (!(largest > 0)) break;
      for (std::size_t j = 0; j < d; ++j) axis[j] = next[j] / largest;
      ticker_.step(static_cast<std::int64_t>(4 * points.size() * d));
      if (points.size() > kMany && step + 1 >= kFewSteps) break;
    }
    return axis;
  }

  Record farthest(const std::vector<Record>& points) const {
    Record far = points.front();
    double most = -1;
    for (const Record i : points) {
      const double distance = space_.squared_distance(space_.row(i), origin_.data());
      if (distance > most) std::tie(far, most) = std::make_pair(i, distance);
    }
    return far;
  }

  /// Cuts along one order of the points.
  template <class Key>
  void consider(const std::vector<Record>& points, const Key& key) {
    keyed_.clear();
    for (const Record i : points) keyed_.emplace_back(key(i), i);
    std::sort(keyed_.begin(), keyed_.end());
    const auto d = static_cast<std::int64_t>(origin_.size());
    ticker_.step(static_cast<std::int64_t>(keyed_.size()) * (20 + 8 * d));
    heads_.clear();
    sse_.begin(origin_.data());
    for (const auto& one : keyed_) heads_.push_back(sse_.add(one.second));
    sse_.begin(origin_.data());
    Record tail = 0, all = 0;
    for (const auto& one : keyed_) all += space_.weight(one.second);
    std::size_t split = 0;
    double best = best_;
    for (std::size_t at = keyed_.size() - 1; at > 0; --at) {
      tail += space_.weight(keyed_[at].second);
      const double cost = sse_.add(keyed_[at].second) + heads_[at - 1];
      if (tail < least_ || all - tail < least_ || !(cost < best)) continue;
      best = cost;
      split = at;
    }
    if (split == 0) return;
    best_ = best;
    split_ = split;
    order_.clear();
    for (const auto& one : keyed_) order_.push_back(one.second);
  }

  static constexpr std::size_t kMany = 10000;  ///< points, of which fewer steps are taken
  static constexpr int kFewSteps = 5;

  const Space& space_;
  Ticker& ticker_;
  RunningSse sse_;
  Centroid centroid_;  ///< empty between calls
  std::vector<double> origin_;
  std::vector<std::pair<double, Record>> keyed_;
  std::vector<double> heads_;  ///< the SSE of the points up to each
  Record least_ = 0;
  double best_ = kInfinity;
  std::size_t split_ = 0;
  std::vector<Record> order_;  ///< of the points, for the best cut
};

using Classes = std::vector<std::vector<Record>>;

class Descent {
 public:
  Descent(const Space& space, const PartSize& part_size, Record k, const FormClasses& form,
          Ticker& ticker)
      : space_(space),
        small_(std::max(kSmallSet * k, space.size() / kPartOfTable)),
        part_size_(part_size),
        form_(form),
        ticker_(ticker) {
    closed_.class_of.resize(at(space.size()));
  }

  Partition run() {
    Set all{std::vector<Record>(at(space_.size())), 0};
    std::iota(all.records.begin(), all.records.end(), 0);
    all.k = part_size_.of(RecordSpan(all.records), ticker_);
    open_.push_back(std::move(all));
    while (!open_.empty()) {
      const Set set = std::move(open_.back());
      open_.pop_back();
      if (set.size() / 2 < set.k)
        close(set.records);
      else
        divide(set);
    }
    number_by_first_record(closed_);
    return std::move(closed_);
  }

 private:
  /// Records, ascending, and the least size of their classes.
  struct Set {
    std::vector<Record> records;
    Record k;

    Record size() const { return static_cast<Record>(records.size()); }
  };

  /// Forms the classes of a set, and cuts it between them.
  void divide(const Set& whole) {
    const Classes classes = classes_of(whole);
    ticker_.begin("cutting sets", whole.size());
    const Space space = space_of(classes);
    Cutter cutter(space, ticker_);
    std::vector<std::vector<Record>> open(1, std::vector<Record>(classes.size()));
    std::iota(open.front().begin(), open.front().end(), 0);
    while (!open.empty()) {
      std::vector<Record> some = std::move(open.back());
      open.pop_back();
      Set set{records_of(some, classes), whole.k};
      const std::size_t split = cut(whole, set, some, cutter);
      if (split == 0) {
        leave(whole, std::move(set));
        continue;
      }
      const auto middle = some.begin() + static_cast<std::ptrdiff_t>(split);
      std::vector<Record> head(some.begin(), middle), tail(middle, some.end());
      // Equal keys come in the order of the classes.
      std::sort(head.begin(), head.end());
      std::sort(tail.begin(), tail.end());
      open.push_back(std::move(tail));
      open.push_back(std::move(head));
    }
  }

  /// Gives a set of some classes its k; returns how many of them are to be cut off, or 0.
  std::size_t cut(const Set& whole, Set& set, std::vector<Record>& some, Cutter& cutter) const {
    if (some.size() == 1) return 0;
    set.k = part_size_.of(RecordSpan(set.records), ticker_);
    if (set.size() / 2 < set.k) return 0;
    const bool part = set.size() < whole.size();
    if (part && set.k != whole.k && set.size() <= small_ && set.size() / kRoom >= set.k) return 0;
    const std::size_t balanced = cutter.cut(some, std::max(set.k, set.size() / 3));
    return balanced > 0 ? balanced : cutter.cut(some, set.k);
  }

  /// Ends a set as one class, or leaves it for classes of another size.
  void leave(const Set& whole, Set set) {
    ticker_.advance(set.size());
    const bool anew = set.k > whole.k || (set.k < whole.k && set.size() / kRoom >= set.k);
    if (anew && set.size() / 2 >= set.k)
      open_.push_back(std::move(set));
    else
      close(set.records);
  }

  void close(const std::vector<Record>& records) {
    for (const Record i : records) closed_.class_of[at(i)] = closed_.classes;
    ++closed_.classes;
  }

  Classes classes_of(const Set& set) const {
    const Partition formed = form_(set.records, set.k);
    Classes classes(at(formed.classes));
    for (std::size_t i = 0; i < set.records.size(); ++i)
      classes[at(formed.class_of[i])].push_back(set.records[i]);
    return classes;
  }

  /// By class its record nearest to the centroid, with the weight of the class.
  Space space_of(const Classes& classes) const {
    std::vector<Record> nearest, weights;
    std::vector<double> centre(at(space_.dimension()));
    Centroid centroid(space_);
    for (const std::vector<Record>& records : classes) {
      ticker_.step(std::int64_t{10} * space_.dimension() * static_cast<Record>(records.size()));
      for (const Record i : records) centroid.add(i);
      centroid.point(centre.data());
      for (const Record i : records) centroid.remove(i);
      const auto distance = [&](Record i) {
        return space_.squared_distance(space_.row(i), centre.data());
      };
      nearest.push_back(*std::min_element(records.begin(), records.end(), [&](Record a, Record b) {
        return distance(a) < distance(b);
      }));
      weights.push_back(static_cast<Record>(records.size()));
    }
    return space_.of_rows(nearest, std::move(weights));
  }

  static std::vector<Record> records_of(const std::vector<Record>& some, const Classes& classes) {
    std::vector<Record> records;
    for (const Record c : some)
      records.insert(records.end(), classes[at(c)].begin(), classes[at(c)].end());
    std::sort(records.begin(), records.end());
    return records;
  }

  const Space& space_;
  std::int64_t small_;  ///< records of a set whose classes may be formed anew
  const PartSize& part_size_;
  const FormClasses& form_;
  Ticker& ticker_;
  std::vector<Set> open_;
  Partition closed_;
};

}  // namespace

Partition adapted_classes(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                          const Promises& promises, Record k, double share, const FormClasses& form,
                          Ticker& ticker) {
  ticker.begin("cutting sets", space.size());
  const PartSize part_size(attributes, promises, k, share);
  return Descent(space, part_size, k, form, ticker).run();
}

}  // namespace anonkit
