#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"
#include "sensitive/emd.hpp"

namespace anonkit {

/// t-closeness for several sensitive attributes at once, each with its own distance and t: the
/// condition on classes in the algorithms of Soria-Comas et al. 2015.
///
/// The level of a class is the greatest EMD/t over the attributes. With one attribute it orders
/// classes like the EMD. A class is t-close if no attribute's EMD exceeds its t.
class Closeness {
 public:
  /// The sorted values of a class and their costs, by attribute; see Emd.
  struct Values {
    std::int64_t size = 0;
    std::vector<Emd::Sorted> of;
    std::vector<Emd::Wide> cost;
  };

  /// Throws invalid_parameter without an attribute, if they differ in length, or unless 0 < t <= 1
  /// for each.
  Closeness(const std::vector<SensitiveAttribute>& attributes, Ticker& ticker);

  std::size_t attributes() const { return emds_.size(); }
  const Emd& emd(std::size_t a) const { return emds_[a]; }

  /// Fills `values` for s members. O(s log s).
  void collect(const RecordSpan& members, Values* values) const;
  /// Adds the values of another class. O(s).
  void merge(const Values& other, Values* into) const;

  double level(const Values& values) const { return level(values.cost, values.size); }
  bool close(const Values& values) const { return close(values.cost, values.size); }
  bool close(const std::vector<Emd::Wide>& cost, std::int64_t size) const;
  double level(const std::vector<Emd::Wide>& cost, std::int64_t size) const;

  /// True if every class of the partition is t-close. O(n log s).
  bool close(const Partition& partition, Ticker& ticker) const;

  /// The costs after `in` replaces the record `out`. O(log s) and the values between the two.
  void exchanged(const Values& values, Record out, Record in, std::vector<Emd::Wide>* cost) const;
  void exchange(Record out, Record in, Values* values) const;

  /// False only if replacing any value by `in` cannot lower the level, judged by the attribute that
  /// decides the level. O(s).
  bool may_improve(const Values& values, Record in) const;

 private:
  std::vector<Emd> emds_;
  mutable std::vector<Emd::Wide> costs_;
};

}  // namespace anonkit
