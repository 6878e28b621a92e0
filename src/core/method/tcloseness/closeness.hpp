#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// t-closeness by several sensitive attributes at once, each with its own distance and t: what
/// the algorithms of Soria-Comas et al. 2015 ask of a class.
///
/// The level of a class is the greatest of EMD/t over the attributes. With one attribute it orders
/// classes as the EMD does; a class is t-close if no attribute's EMD is above its t.
class Closeness {
 public:
  /// The sorted values of a class and their costs, by attribute; see Emd.
  struct Values {
    std::int64_t size = 0;
    std::vector<Emd::Sorted> of;
    std::vector<Emd::Wide> cost;
  };

  /// Throws invalid_parameter if there is no attribute, if they differ in length, or unless
  /// 0 < t <= 1 for each.
  Closeness(const std::vector<SensitiveAttribute>& attributes, Ticker& ticker);

  std::size_t attributes() const { return emds_.size(); }
  const Emd& emd(std::size_t a) const { return emds_[a]; }

  /// O(s log s) for s members.
  void collect(const RecordSpan& members, Values* values) const;
  /// The values of both classes together. O(s).
  void merge(const Values& other, Values* into) const;

  double level(const Values& values) const { return level(values.cost, values.size); }
  bool close(const Values& values) const { return close(values.cost, values.size); }
  bool close(const std::vector<Emd::Wide>& cost, std::int64_t size) const;
  double level(const std::vector<Emd::Wide>& cost, std::int64_t size) const;

  /// True if every class of the partition is t-close. O(n log s).
  bool close(const Partition& partition, Ticker& ticker) const;

  /// The costs after `in` has replaced the record `out`. O(log s) and what lies between.
  void exchanged(const Values& values, Record out, Record in, std::vector<Emd::Wide>* cost) const;
  void exchange(Record out, Record in, Values* values) const;

  /// True if `in` could lower the level by replacing one of the values in the attribute that
  /// decides the level: never false if it can lower it. O(s).
  bool may_improve(const Values& values, Record in) const;

 private:
  std::vector<Emd> emds_;
  mutable std::vector<Emd::Wide> costs_;
};

}  // namespace anonkit
