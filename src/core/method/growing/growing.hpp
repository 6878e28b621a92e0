#pragma once

// Microaggregation that grows one class at a time. A rule chooses the seed of each class and its
// members; MDAV, V-MDAV and the others are rules.
//
// Phases: grow_classes() asks the rule for a seed until it has none, and lets it grow the seed's
// class; extend_class() is the extension of V-MDAV, which rules may call; join_nearest() gives the
// records left to the classes. Invariant: a record in a class never leaves it. Memory: that of
// UnassignedRecords.
//
//   struct Rule {
//     Record seed();           // of the next class, or kNone at the end
//     void grow(Record seed);  // takes members out of the records left; none: no class
//   };

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/ticker.hpp"
#include "method/growing/unassigned_records.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

template <class Rule>
void grow_classes(UnassignedRecords& left, Rule& rule, Ticker& ticker) {
  for (Record seed = rule.seed(); seed != kNone; seed = rule.seed()) {
    rule.grow(seed);
    ticker.advance(left.members().size());
    if (left.members().size() > 0) left.end_class();
  }
}

/// The seeds of MDAV: r is the record farthest from the centroid of those left, s the record
/// farthest from r.
class FarthestPair {
 public:
  /// r, and s is chosen.
  Record first(UnassignedRecords& left) {
    const Record r = left.farthest_from_centroid();
    second_ = left.farthest_from(r);
    return r;
  }
  /// s, once; kNone without one.
  Record second() { return std::exchange(second_, kNone); }

 private:
  Record second_ = kNone;
};

/// The extension of V-MDAV: the class that grows takes the nearest record left to any of its
/// members, at distance d_in, as long as d_in < gamma d_out and it is not barred. d_out is that
/// record's distance to the nearest other record left. `take` takes it. Two searches a record.
void extend_class(const Space& space, const UnassignedRecords& left, double gamma,
                  const std::function<bool(Record)>& is_barred,
                  const std::function<void(const Neighbour&)>& take);

/// Any size of a class.
constexpr Record kUnlimited = std::numeric_limits<Record>::max();

/// Each record of `rest` joins the class whose centroid, before any of them joined, is nearest;
/// ties go to the lower class. With a limit, classes that would have more records by weight are
/// passed over while there are others. Numbers the classes by their first records. O(n d) if
/// fewer than k records are left, otherwise a search a record.
void join_nearest(const Space& space, const std::vector<Record>& rest, Record limit,
                  Partition& partition, Ticker& ticker);

}  // namespace anonkit
