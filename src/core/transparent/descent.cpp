#include "transparent/descent.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/at.hpp"
#include "space/centroid.hpp"
#include "space/points.hpp"
#include "transparent/part_size.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Sets of up to so many times k, or of that part of the table, are left to the method. Larger ones
// are cut to no less than a third of that.
constexpr std::int64_t kSmallSet = 20, kPartOfTable = 32;
// Neighbours resemble each other more than a random part of their set, so a part may fail with that
// fraction of the share only.
constexpr double kMargin = 4;
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
  Cutter(const Space& space, Ticker& ticker) : space_(space), ticker_(ticker), sse_(space) {}

  /// Orders the points so that the first part and the rest each weigh `least` records, with the
  /// least SSE; returns the size of the first part, or 0 if there is no such cut.
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
    Centroid centroid(space_);
    for (const Record i : points) centroid.add(i);
    origin_.resize(at(space_.dimension()));
    centroid.point(origin_.data());
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
  std::vector<double> origin_;
  std::vector<std::pair<double, Record>> keyed_;
  std::vector<double> heads_;  ///< the SSE of the points up to each
  Record least_ = 0;
  double best_ = kInfinity;
  std::size_t split_ = 0;
  std::vector<Record> order_;  ///< of the points, for the best cut
};

class Descent {
 public:
  Descent(const Space& space, const Points& points, const PartSize& part_size, Record k,
          Ticker& ticker)
      : k_(k),
        part_of_table_(static_cast<std::int64_t>(points.of_record.size()) / kPartOfTable),
        part_size_(part_size),
        members_(points.first.size()),
        cutter_(space, ticker),
        ticker_(ticker) {
    for (std::size_t i = 0; i < points.of_record.size(); ++i)
      members_[at(points.of_record[i])].push_back(static_cast<Record>(i));
  }

  std::vector<AdaptedSet> run() {
    std::vector<Record> all(members_.size());
    std::iota(all.begin(), all.end(), 0);
    open_.push_back(std::move(all));
    while (!open_.empty()) {
      std::vector<Record> points = std::move(open_.back());
      open_.pop_back();
      divide(std::move(points));
    }
    return std::move(closed_);
  }

 private:
  void divide(std::vector<Record> points) {
    AdaptedSet set{records_of(points), 0};
    const auto size = static_cast<Record>(set.records.size());
    set.k = part_size_.of(RecordSpan(set.records), ticker_);
    const bool small = size / kSmallSet <= k_ || size <= part_of_table_;
    if (size / 2 < set.k || (small && size / 3 >= set.k)) return close(std::move(set));
    const std::int64_t most = std::max(kSmallSet * k_, part_of_table_);
    const Record least =
        std::max(set.k, static_cast<Record>(std::min<std::int64_t>(size, most) / 3));
    const std::size_t split = cutter_.cut(points, least);
    if (split == 0) return close(std::move(set));
    const auto middle = points.begin() + static_cast<std::ptrdiff_t>(split);
    std::vector<Record> head(points.begin(), middle), tail(middle, points.end());
    // Equal keys come in the order of the points.
    std::sort(head.begin(), head.end());
    std::sort(tail.begin(), tail.end());
    open_.push_back(std::move(tail));
    open_.push_back(std::move(head));
  }

  void close(AdaptedSet set) {
    ticker_.advance(static_cast<std::int64_t>(set.records.size()));
    closed_.push_back(std::move(set));
  }

  std::vector<Record> records_of(const std::vector<Record>& points) const {
    std::vector<Record> records;
    for (const Record point : points)
      records.insert(records.end(), members_[at(point)].begin(), members_[at(point)].end());
    std::sort(records.begin(), records.end());
    return records;
  }

  Record k_;
  std::int64_t part_of_table_;  ///< the records of a part that is left to the method
  const PartSize& part_size_;
  std::vector<std::vector<Record>> members_;  ///< the records of each point
  Cutter cutter_;
  Ticker& ticker_;
  std::vector<std::vector<Record>> open_;
  std::vector<AdaptedSet> closed_;
};

}  // namespace

std::vector<AdaptedSet> adapted_sets(const Space& space,
                                     const std::vector<SensitiveAttribute>& attributes,
                                     const Promises& promises, Record k, double share,
                                     Ticker& ticker) {
  ticker.begin("cutting sets", space.size());
  const PartSize part_size(attributes, promises, k, share / kMargin);
  const Points points = points_of(space, {}, ticker);
  return Descent(space_of(space, points), points, part_size, k, ticker).run();
}

}  // namespace anonkit
