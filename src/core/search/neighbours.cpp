#include "search/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "space/centroid.hpp"
#include "space/index/metric_kernels.hpp"
#include "space/index/spatial_index.hpp"
#include "space/points.hpp"

namespace anonkit {
namespace {

// The number of records to compare per neighbour: a class has more adjacent classes in more
// dimensions.
constexpr int kCompared = 4, kMostCompared = 10;
constexpr int kFewestClasses = 5;
constexpr Record kLargestClass = 64;
// A class is wide if its mean squared distance is above that of all classes by this factor.
constexpr double kWide = 2;
// From this mean number of records per place on, lists are of places.
constexpr std::size_t kShared = 2;

/// Keeps the m nearest of the records offered.
class Nearest {
 public:
  explicit Nearest(int m) : m_(static_cast<std::size_t>(m)) {}

  void clear() {
    found_.clear();
    reach_ = std::numeric_limits<double>::infinity();
  }
  /// Records beyond this distance are not among them.
  double reach() const { return reach_; }
  // Insertion into a sorted list, which beats a heap for the ten or so neighbours of a search.
  void offer(const Neighbour& candidate) {
    if (found_.size() < m_)
      found_.push_back(candidate);
    else if (!nearer(candidate, found_.back()))
      return;
    std::size_t to = found_.size() - 1;
    for (; to > 0 && nearer(candidate, found_[to - 1]); --to) found_[to] = found_[to - 1];
    found_[to] = candidate;
    if (found_.size() == m_) reach_ = found_.back().distance;
  }
  const std::vector<Neighbour>& found() const { return found_; }

 private:
  std::size_t m_;
  double reach_ = std::numeric_limits<double>::infinity();
  std::vector<Neighbour> found_;
};

/// Contiguous records for comparison with one record after another.
class Candidates {
 public:
  explicit Candidates(const Space& space) : space_(space) {}

  void clear() { records_.clear(); }
  void add(const RecordSpan& group) { records_.insert(records_.end(), group.begin(), group.end()); }

  /// Must be called after the last addition.
  void settle() {
    const std::size_t size = records_.size();
    coordinates_.resize(size * static_cast<std::size_t>(space_.dimension()));
    distances_.resize(size);
    for (std::size_t c = 0; c < size; ++c) {
      const double* row = space_.row(records_[c]);
      for (std::size_t at = c; at < coordinates_.size(); at += size) coordinates_[at] = *row++;
    }
  }

  std::size_t size() const { return records_.size(); }

  /// Offers all records except i itself.
  void offer_to(Nearest& nearest, Record i) {
    const int size = static_cast<int>(records_.size());
    with_kernels(space_, [&](const auto& kernels) {
      kernels.distances(space_.row(i), coordinates_.data(), size, size, distances_.data());
    });
    // Most records are too far away; this loop only rejects them.
    const double* const distances = distances_.data();
    double reach = nearest.reach();
    for (int c = 0; c < size; ++c) {
      if (!(distances[c] <= reach)) continue;
      const Record record = records_[at(c)];
      if (record == i) continue;
      nearest.offer({distances[c], record});
      reach = nearest.reach();
    }
  }

 private:
  const Space& space_;
  std::vector<Record> records_;
  std::vector<double> coordinates_;  ///< attribute by attribute
  std::vector<double> distances_;
};

// The centroid need not be near any record, but the index holds records: the nearest one stands for
// it.
// By class: the record nearest to the centroid, and the mean squared distance to the centroid.
std::vector<Neighbour> most_central(const Space& space, const Members& members, Ticker& ticker) {
  Centroid centroid(space);
  std::vector<double> point(static_cast<std::size_t>(space.dimension()));
  std::vector<Neighbour> central;
  for (const RecordSpan of_class : members) {
    ticker.step(std::int64_t{of_class.size()} * 20 * space.dimension());
    for (const Record i : of_class) centroid.add(i);
    centroid.point(point.data());
    Nearest nearest(1);
    double sum = 0;
    for (const Record i : of_class) {
      const double distance = space.squared_distance(space.row(i), point.data());
      nearest.offer({distance, i});
      sum += distance;
      centroid.remove(i);
    }
    central.push_back({sum / of_class.size(), nearest.found().front().record});
  }
  return central;
}

/// Neighbours where records share places. Records of one place would be each other's only
/// neighbours, so the lists are of places. Each of the nearest places is represented by one of its
/// records, a different one for each list. One record of the own place comes first.
class SharedPlaces {
 public:
  SharedPlaces(const Space& space, const Points& places, Ticker& ticker, int threads)
      : places_(places),
        of_places_(neighbours(space_of(space, places), kMostPlaces, ticker, threads)),
        begin_(places.first.size() + 1, 0),
        records_(places.of_record.size()) {
    for (const Record place : places.of_record) ++begin_[at(place) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    turn_.resize(records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
      std::size_t& to = next[at(places.of_record[i])];
      turn_[i] = to - begin_[at(places.of_record[i])];
      records_[to++] = static_cast<Record>(i);
    }
  }

  // Fills a list in rounds: one more record of the own place while it has others, and then one of
  // each near place. The records of a place start their lists at different records of the near
  // places, so that together they cover these.
  Neighbours lists(int m) const {
    Neighbours result;
    result.each = std::min<int>(m, static_cast<int>(records_.size()) - 1);
    result.records.reserve(records_.size() * at(result.each));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record own = places_.of_record[i];
      const std::size_t shared = begin_[at(own) + 1] - begin_[at(own)];
      std::size_t round = 1;
      int left = result.each;
      while (left > 0) {
        if (round < shared) {
          result.records.push_back(shown_by(own, turn_[i] + round));
          --left;
        }
        for (int near = 0; near < of_places_.each && left > 0; ++near, --left)
          result.records.push_back(shown_by(of_places_.of(own)[near], turn_[i] + round));
        ++round;
      }
    }
    return result;
  }

 private:
  static constexpr int kMostPlaces = 10;

  Record shown_by(Record place, std::size_t turn) const {
    const std::size_t shared = begin_[at(place) + 1] - begin_[at(place)];
    return records_[begin_[at(place)] + turn % shared];
  }

  const Points& places_;
  Neighbours of_places_;
  std::vector<std::size_t> begin_;  ///< by place, of records_
  std::vector<Record> records_;     ///< grouped by place
  std::vector<std::size_t> turn_;   ///< by record: its number in its place
};

/// The members of classes that extend farther than most. The classes around such a class are not
/// those around its members, and the loss of these is what a search can save most of.
std::vector<Record> members_of_wide(const std::vector<Neighbour>& of_classes,
                                    const Members& members) {
  double sum = 0;
  for (const Neighbour& one : of_classes) sum += one.distance;
  const double limit = kWide * sum / static_cast<double>(of_classes.size());
  std::vector<Record> wide;
  for (std::size_t c = 0; c < of_classes.size(); ++c)
    if (of_classes[c].distance > limit)
      wide.insert(wide.end(), members.of(c).begin(), members.of(c).end());
  return wide;
}

/// Replaces the lists of some records by exact ones.
void search_exactly(const Space& space, const std::vector<Record>& records, Neighbours& lists,
                    Ticker& ticker, int threads) {
  if (records.empty()) return;
  const SpatialIndex index(space, ticker);
  ticker.begin("finding neighbours", static_cast<std::int64_t>(records.size()));
  const auto search = [&](std::size_t begin, std::size_t end, Ticker& own) {
    std::vector<Neighbour> nearest;
    for (std::size_t r = begin; r < end; ++r) {
      const Record i = records[r];
      // One more, since the record itself is among them unless many others share its place.
      index.nearest(space.row(i), lists.each + 1, nearest, own);
      Record* out = lists.records.data() + at(i) * at(lists.each);
      const Record* const last = out + lists.each;
      for (const Neighbour& found : nearest)
        if (found.record != i && out != last) *out++ = found.record;
    }
  };
  run_reported_chunks(records.size(), threads, ticker, search);
}

}  // namespace

Neighbours neighbours(const Space& space, int m, Ticker& ticker, int threads) {
  const Points places = points_of(space, {}, ticker);
  if (places.fewer()) return SharedPlaces(space, places, ticker, threads).lists(m);
  const Record n = space.size();
  Neighbours result;
  result.each = std::min<int>(m, n - 1);
  result.records.resize(at(n) * at(result.each));
  std::vector<Record> all(at(n));
  std::iota(all.begin(), all.end(), 0);
  search_exactly(space, all, result, ticker, threads);
  return result;
}

// A class of a good partition is compact, so the records near one of its members are in the classes
// whose centres are near its own. One search for a class replaces one for each of its records.
Neighbours neighbours_by_class(const Space& space, const Partition& partition, int m,
                               Ticker& ticker, int threads) {
  const Points places = points_of(space, {}, ticker);
  if (at(space.size()) >= kShared * places.first.size())
    return SharedPlaces(space, places, ticker, threads).lists(m);
  const Members members = members_of(partition);
  const Record n = space.size();
  Record least = n, most = 0;
  for (const RecordSpan of_class : members) {
    least = std::min(least, of_class.size());
    most = std::max(most, of_class.size());
  }
  const int compared = std::min(kCompared + space.dimension(), kMostCompared);
  const Record classes = std::max(kFewestClasses, compared * m / std::max(least, 1)) + 1;
  if (most > kLargestClass || std::min(classes, partition.classes) * least <= m)
    return neighbours(space, m, ticker, threads);
  const std::vector<Neighbour> of_classes = most_central(space, members, ticker);
  std::vector<Record> central;
  for (const Neighbour& one : of_classes) central.push_back(one.record);
  std::sort(central.begin(), central.end());
  const SpatialIndex index(space, central, ticker);
  Neighbours result;
  result.each = m;
  result.records.resize(at(n) * at(m));
  ticker.begin("finding neighbours", partition.classes);
  const auto compare = [&](std::size_t begin, std::size_t end, Ticker& own) {
    std::vector<Neighbour> about;
    Candidates candidates(space);
    Nearest nearest(m);
    for (std::size_t c = begin; c < end; ++c) {
      index.nearest(space.row(central[c]), classes, about, own);
      candidates.clear();
      for (const Neighbour& other : about)
        candidates.add(members.of(at(partition.class_of[at(other.record)])));
      candidates.settle();
      const RecordSpan of_class = members.of(at(partition.class_of[at(central[c])]));
      for (const Record i : of_class) {
        nearest.clear();
        candidates.offer_to(nearest, i);
        Record* out = result.records.data() + at(i) * at(m);
        for (const Neighbour& found : nearest.found()) *out++ = found.record;
      }
      own.step(std::int64_t{of_class.size()} * static_cast<std::int64_t>(candidates.size()) *
               (space.dimension() + 2));
    }
  };
  run_reported_chunks(central.size(), threads, ticker, compare);
  search_exactly(space, members_of_wide(of_classes, members), result, ticker, threads);
  return result;
}

}  // namespace anonkit
