#include "method/units_mdav.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

/// The records without a class, their units, and the classes formed.
class UnitClasses {
 public:
  UnitClasses(const Space& space, const RecordUnits& units, std::int32_t k, Ticker& ticker)
      : space_(space),
        units_(units),
        k_(k),
        ticker_(ticker),
        index_(space, ticker),
        of_left_(space),
        records_left_(space.records()),
        point_(at(space.dimension())) {
    partition_.class_of.assign(at(space.size()), kNone);
    for (const std::int32_t unit : units.units) {
      if (at(unit) >= records_of_.size()) records_of_.resize(at(unit) + 1, 0);
      units_left_ += records_of_[at(unit)]++ == 0 ? 1 : 0;
    }
    in_class_.assign(records_of_.size(), kNone);
    for (Record i = 0; i < space.size(); ++i) of_left_.add(i);
    if (units_left_ < k)
      throw Error(ErrorKind::invalid_parameter, "k is larger than the number of units");
  }

  std::int32_t units_left() const { return units_left_; }
  Record records_left() const { return records_left_; }
  Record class_records() const { return class_records_; }
  SpatialIndex& index() { return index_; }
  const std::vector<Neighbour>& members() const { return members_; }

  Record farthest_from_centroid() {
    of_left_.point(point_.data());
    return index_.farthest_from_centre(point_.data()).record;
  }
  Record farthest_from(Record i) const { return index_.farthest(space_.row(i)).record; }

  /// Takes the nearest records that each add a unit, until there are k. Requires k units left.
  void take_around(Record seed) {
    std::int32_t found = 0;
    for (Record wanted = std::max(k_, usual_);; wanted *= 2) {
      index_.nearest(space_.row(seed), std::min(wanted, index_.size()), near_);
      members_.clear();
      found = 0;
      ++visit_;
      std::size_t seen = 0;
      for (; seen < near_.size() && found < k_; ++seen) {
        const std::int32_t brought = mark(near_[seen].record);
        if (brought > 0) members_.push_back(near_[seen]);
        found += brought;
      }
      ticker_.step(static_cast<std::int64_t>(8 * seen));
      if (found >= k_) {
        usual_ = static_cast<Record>(seen + seen / 4);
        break;
      }
    }
    class_records_ = 0;
    remove(members_);
  }

  /// Takes all records left.
  void take_rest() {
    members_.clear();
    class_records_ = 0;
    for (const Record i : index_.records()) members_.push_back({0, i});
    remove(members_);
  }

  /// Adds a record to the class.
  void extend(const Neighbour& record) {
    members_.push_back(record);
    remove({record});
  }

  void close_class() {
    Centroid centroid(space_);
    for (const Neighbour& member : members_) {
      partition_.class_of[at(member.record)] = partition_.classes;
      centroid.add(member.record);
    }
    centroid.point(point_.data());
    centroids_.insert(centroids_.end(), point_.begin(), point_.end());
    ++partition_.classes;
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
  }

  /// True if one of the record's units has no other record left.
  bool takes_last_of_a_unit(Record i) const {
    return std::any_of(units_.units.begin() + units_.begin[at(i)],
                       units_.units.begin() + units_.begin[at(i) + 1],
                       [&](std::int32_t unit) { return records_of_[at(unit)] == 1; });
  }

  /// The classes, after the records left have joined the nearest ones.
  Partition finish() {
    const std::vector<Record> rest = index_.records();
    if (!rest.empty()) {
      CentroidIndex nearest(space_, partition_.classes, ticker_);
      for (ClassId c = 0; c < partition_.classes; ++c)
        nearest.add(c, centroids_.data() + at(c) * point_.size());
      for (const Record i : rest)
        partition_.class_of[at(i)] = nearest.nearest(space_.row(i), kNone);
      ticker_.advance(static_cast<std::int64_t>(rest.size()));
    }
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  /// The number of the record's units that the class lacks.
  std::int32_t mark(Record i) {
    std::int32_t brought = 0;
    for (std::int32_t at_unit = units_.begin[at(i)]; at_unit < units_.begin[at(i) + 1]; ++at_unit) {
      std::int32_t& last = in_class_[at(units_.units[at(at_unit)])];
      brought += last != visit_ ? 1 : 0;
      last = visit_;
    }
    return brought;
  }

  void remove(const std::vector<Neighbour>& members) {
    for (const Neighbour& member : members) {
      of_left_.remove(member.record);
      records_left_ -= space_.weight(member.record);
      class_records_ += space_.weight(member.record);
      for (std::int32_t at_unit = units_.begin[at(member.record)];
           at_unit < units_.begin[at(member.record) + 1]; ++at_unit)
        units_left_ -= --records_of_[at(units_.units[at(at_unit)])] == 0 ? 1 : 0;
    }
    index_.remove(members);
  }

  const Space& space_;
  const RecordUnits& units_;
  std::int32_t k_;
  Ticker& ticker_;
  SpatialIndex index_;
  Centroid of_left_;
  Record records_left_;       ///< by weight, like the next
  Record class_records_ = 0;  ///< of the current class
  std::vector<double> point_;
  std::int32_t units_left_ = 0;
  std::vector<std::int32_t> records_of_;  ///< records left, by unit
  std::vector<std::int32_t> in_class_;    ///< by unit: the last visit that saw it
  std::int32_t visit_ = 0;
  Record usual_ = 0;  ///< neighbours of the last class, and a few more
  std::vector<Neighbour> near_, members_;
  std::vector<double> centroids_;  ///< of the classes, contiguous
  Partition partition_;
};

}  // namespace

RecordUnits RecordUnits::of_points(const Points& points, const std::vector<std::int32_t>& unit_of) {
  std::vector<std::pair<Record, std::int32_t>> found;
  for (std::size_t i = 0; i < unit_of.size(); ++i)
    found.emplace_back(points.of_record[i], unit_of[i]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  RecordUnits units;
  units.begin.assign(points.first.size() + 1, 0);
  for (const auto& [point, unit] : found) {
    units.units.push_back(unit);
    units.begin[at(point) + 1] = static_cast<std::int32_t>(units.units.size());
  }
  return units;
}

RecordUnits RecordUnits::one_each(const std::vector<std::int32_t>& unit_of) {
  RecordUnits units;
  units.units = unit_of;
  for (std::size_t i = 1; i <= unit_of.size(); ++i)
    units.begin.push_back(static_cast<std::int32_t>(i));
  return units;
}

Partition mdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k,
                        Ticker& ticker) {
  ticker.begin("mdav", space.size());
  UnitClasses classes(space, units, k, ticker);
  const auto form = [&](Record seed) {
    classes.take_around(seed);
    classes.close_class();
  };
  while (classes.units_left() / 3 >= k) {
    const Record r = classes.farthest_from_centroid();
    const Record s = classes.farthest_from(r);
    form(r);
    // The class may have taken s if few records were left.
    if (classes.units_left() >= k) form(s);
  }
  if (classes.units_left() / 2 >= k) form(classes.farthest_from_centroid());
  while (classes.units_left() >= k) {
    if (classes.records_left() < 2 * k) {
      classes.take_rest();
      classes.close_class();
    } else {
      form(classes.farthest_from_centroid());
    }
  }
  return classes.finish();
}

namespace {

/// The extension of V-MDAV's classes.
class Extension {
 public:
  Extension(const Space& space, UnitClasses& classes, std::int32_t k, double gamma)
      : space_(space), classes_(classes), k_(k), gamma_squared_(gamma * gamma) {}

  void extend() {
    nearest_to_.clear();
    for (const Neighbour& member : classes_.members())
      nearest_to_.push_back(nearest_to(member.record));
    while (classes_.records_left() > 0) {
      const Neighbour candidate = *std::min_element(nearest_to_.begin(), nearest_to_.end(), nearer);
      if (classes_.class_records() + space_.weight(candidate.record) > 2 * k_ - 1) return;
      if (classes_.units_left() == k_ && classes_.takes_last_of_a_unit(candidate.record)) return;
      if (!(candidate.distance < gamma_squared_ * distance_to_others(candidate.record))) return;
      classes_.extend(candidate);
      nearest_to_.push_back({0, candidate.record});
      for (std::size_t i = 0; i < nearest_to_.size(); ++i)
        if (nearest_to_[i].record == candidate.record)
          nearest_to_[i] = nearest_to(classes_.members()[i].record);
    }
  }

 private:
  Neighbour nearest_to(Record member) const { return classes_.index().nearest(space_.row(member)); }

  /// The squared distance to the nearest other record without a class.
  double distance_to_others(Record i) {
    classes_.index().nearest(space_.row(i), 2, others_);
    for (const Neighbour& other : others_)
      if (other.record != i) return other.distance;
    return std::numeric_limits<double>::infinity();
  }

  const Space& space_;
  UnitClasses& classes_;
  std::int32_t k_;
  double gamma_squared_;
  std::vector<Neighbour> nearest_to_;  ///< by member: its nearest record without a class
  std::vector<Neighbour> others_;
};

}  // namespace

Partition vmdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k, double gamma,
                         Ticker& ticker) {
  ticker.begin("vmdav", space.size());
  UnitClasses classes(space, units, k, ticker);
  Extension extension(space, classes, k, gamma);
  std::vector<double> centre(at(space.dimension()));
  Centroid all(space);
  for (Record i = 0; i < space.size(); ++i) all.add(i);
  all.point(centre.data());
  do {
    classes.take_around(classes.index().farthest_from_centre(centre.data()).record);
    extension.extend();
    classes.close_class();
  } while (classes.units_left() >= k);
  return classes.finish();
}

}  // namespace anonkit
