#include "method/growing/units_mdav.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/growing/growing.hpp"

namespace anonkit {
namespace {

/// The units of the records left, and classes of k of them.
class UnitClasses {
 public:
  UnitClasses(const Space& space, const RecordUnits& units, std::int32_t k, Ticker& ticker)
      : left(space, ticker), space_(space), units_(units), k_(k), ticker_(ticker) {
    for (const std::int32_t unit : units.units) {
      if (at(unit) >= records_of_.size()) records_of_.resize(at(unit) + 1, 0);
      units_left_ += records_of_[at(unit)]++ == 0 ? 1 : 0;
    }
    in_class_.assign(records_of_.size(), kNone);
    if (units_left_ < k)
      throw Error(ErrorKind::invalid_parameter, "k is larger than the number of units");
  }

  std::int32_t units_left() const { return units_left_; }

  /// Takes the nearest records that each add a unit, until there are k. Requires k units left.
  void take_around(Record seed) {
    std::int32_t found = 0;
    for (Record wanted = std::max(k_, usual_);; wanted *= 2) {
      left.index().nearest(space_.row(seed), std::min(wanted, left.index().size()), near_);
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
    take(members_);
  }

  void take_rest() {
    members_.clear();
    for (const Record i : left.index().records()) members_.push_back({0, i});
    take(members_);
  }

  void take(const std::vector<Neighbour>& members) {
    for (const Neighbour& member : members)
      for_each_unit(member.record, [&](std::int32_t unit) {
        units_left_ -= --records_of_[at(unit)] == 0 ? 1 : 0;
      });
    left.take(members);
  }

  /// True if one of the record's units has no other record left.
  bool takes_last_of_a_unit(Record i) const {
    bool last = false;
    for_each_unit(i, [&](std::int32_t unit) { last = last || records_of_[at(unit)] == 1; });
    return last;
  }

  /// The classes, after the records left have joined the nearest ones.
  Partition finish() const {
    Partition partition = left.formed();
    join_nearest(space_, left.index().records(), kUnlimited, partition, ticker_);
    return partition;
  }

  UnassignedRecords left;

 private:
  template <class Visit>
  void for_each_unit(Record i, const Visit& visit) const {
    for (std::int32_t place = units_.begin[at(i)]; place < units_.begin[at(i) + 1]; ++place)
      visit(units_.units[at(place)]);
  }

  /// The number of the record's units that the class lacks.
  std::int32_t mark(Record i) {
    std::int32_t brought = 0;
    for_each_unit(i, [&](std::int32_t unit) {
      brought += in_class_[at(unit)] != visit_ ? 1 : 0;
      in_class_[at(unit)] = visit_;
    });
    return brought;
  }

  const Space& space_;
  const RecordUnits& units_;
  std::int32_t k_;
  Ticker& ticker_;
  std::int32_t units_left_ = 0;
  std::vector<std::int32_t> records_of_;  ///< records left, by unit
  std::vector<std::int32_t> in_class_;    ///< by unit: the last visit that saw it
  std::int32_t visit_ = 0;
  Record usual_ = 0;  ///< neighbours of the last class, and a few more
  std::vector<Neighbour> near_, members_;
};

class MdavOfUnits {
 public:
  MdavOfUnits(UnitClasses& classes, std::int32_t k) : classes_(classes), k_(k) {}

  Record seed() {
    const Record s = pair_.second();
    // The class of r may have taken s if few records were left.
    if (s != kNone && classes_.units_left() >= k_) return s;
    if (classes_.units_left() / 3 >= k_) return pair_.first(classes_.left);
    if (classes_.units_left() < k_) return kNone;
    is_last_ = classes_.left.size() < 2 * k_;
    return classes_.left.farthest_from_centroid();
  }

  void grow(Record seed) {
    if (is_last_)
      classes_.take_rest();
    else
      classes_.take_around(seed);
  }

 private:
  UnitClasses& classes_;
  std::int32_t k_;
  FarthestPair pair_;
  bool is_last_ = false;
};

class VmdavOfUnits {
 public:
  VmdavOfUnits(const Space& space, UnitClasses& classes, std::int32_t k, double gamma)
      : space_(space), classes_(classes), k_(k), gamma_(gamma) {
    classes.left.keep_centroid();
  }

  Record seed() {
    return classes_.units_left() >= k_ ? classes_.left.farthest_from_centroid() : kNone;
  }

  void grow(Record seed) {
    classes_.take_around(seed);
    extend_class(
        space_, classes_.left, gamma_, [this](Record i) { return is_barred(i); },
        [this](const Neighbour& next) { classes_.take({next}); });
  }

 private:
  bool is_barred(Record candidate) const {
    return classes_.left.class_size() + space_.weight(candidate) > 2 * k_ - 1 ||
           (classes_.units_left() == k_ && classes_.takes_last_of_a_unit(candidate));
  }

  const Space& space_;
  UnitClasses& classes_;
  std::int32_t k_;
  double gamma_;
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
  MdavOfUnits rule(classes, k);
  grow_classes(classes.left, rule, ticker);
  return classes.finish();
}

Partition vmdav_of_units(const Space& space, const RecordUnits& units, std::int32_t k, double gamma,
                         Ticker& ticker) {
  ticker.begin("vmdav", space.size());
  UnitClasses classes(space, units, k, ticker);
  VmdavOfUnits rule(space, classes, k, gamma);
  grow_classes(classes.left, rule, ticker);
  return classes.finish();
}

}  // namespace anonkit
