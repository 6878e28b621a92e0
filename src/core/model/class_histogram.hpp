#pragma once

// The histogram on which every privacy model is judged: the count of each sensitive value in each
// class and in the relation.
//
// Phases: construction counts the values of the relation, then those of each class, in canonical
// order of values; models then only read. Invariant: the judges share no code with the algorithms
// that form the classes. Memory: 16 bytes per distinct value of each class, 8 bytes per value, and
// 4 bytes per record during construction. Units add 12 bytes per record, 8 per class, and 8 per
// record during construction.
//
//   const ClassHistogram histogram(class_of, attribute, ticker);  // one class number per record
//   for (const ClassHistogram::Entry& entry : histogram.entries(0))
//     sum += entry.count;  // the members of class 0 with the value entry.value

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// The measurement scale of an attribute's codes.
enum class AttributeScale : std::uint8_t { nominal, ordinal, numeric };

/// A sensitive attribute of a finished relation: one code per record, 0 .. m-1, in the attribute's
/// own order if it has one. Null, if it occurs, is an ordinary value: the last code.
struct PublishedAttribute {
  std::vector<std::int32_t> code_of;  ///< one per record
  AttributeScale scale = AttributeScale::nominal;
  /// Numeric attributes only: the number of each code, finite and ascending. If the last code is
  /// null, it has no number.
  std::vector<double> numbers;
  /// With a value generalisation hierarchy, for each level above the codes: the group of every
  /// code. The last level is a single group. Otherwise empty.
  std::vector<std::vector<std::int32_t>> levels = {};
  /// For extended p-sensitivity, by level and group: true if the group is protected. Otherwise
  /// empty.
  std::vector<std::vector<bool>> is_protected = {};
};

/// The number of records of each class. Classes are numbered 0 .. max(class_of), and none is empty.
/// Throws invalid_data without a record. O(n).
std::vector<std::int32_t> class_sizes(const std::vector<std::int32_t>& class_of, Ticker& ticker);

/// The counts of a sensitive attribute's values by class and in the relation.
///
/// Values are the codes that occur, numbered 0 .. values()-1 in the order of the codes. The models
/// refer to the distinct values of the data set, not to the domain of a type.
///
/// With units, several records belong to one person, and members are persons instead of records. A
/// person counts once for each of their values in a class. In a distribution all persons weigh the
/// same, divided among the person's records: the records of the class in a class, all in the
/// relation. Weights are integers: in each class, and in the relation, a person weighs the least
/// common multiple of the persons' numbers of records. So every share is exact. Only if that
/// multiple exceeds what 128-bit products of weights can hold, a person weighs as much as fits, and
/// the first j of r records in the order of the values weigh floor(j*weight/r) together.
///
/// Time O(n + codes), with units O(n log n). Throws invalid_data without a record or for a number
/// that is not finite.
class ClassHistogram {
 public:
  struct Entry {
    std::int32_t value;
    std::int32_t count;   ///< members that have the value
    std::int64_t weight;  ///< their share of the class; equals count without units
  };

  /// The distinct values of one class, ascending, each with the class's members that have it.
  struct Entries {
    const Entry* first;
    const Entry* last;
    const Entry* begin() const { return first; }
    const Entry* end() const { return last; }
    std::int32_t size() const { return static_cast<std::int32_t>(last - first); }
  };

  /// `unit_of`: by record its person, numbered from 0; empty if each record is a person of its own.
  ClassHistogram(const std::vector<std::int32_t>& class_of, const PublishedAttribute& attribute,
                 Ticker& ticker, const std::vector<std::int32_t>& unit_of = {});

  /// For models of class sizes alone: all records share one value.
  ClassHistogram(const std::vector<std::int32_t>& class_of, Ticker& ticker,
                 const std::vector<std::int32_t>& unit_of = {});

  /// The histogram of the relation in which class c is a part of class superset_of[c]. Requires
  /// units.
  ClassHistogram united(const std::vector<std::int32_t>& superset_of, Ticker& ticker) const;

  /// The histogram of the relation in which value v is group_of[v], a name. Requires units.
  ClassHistogram grouped(const std::vector<std::int32_t>& group_of, Ticker& ticker) const;

  bool has_units() const { return !unit_of_.empty(); }
  /// With units, by record: its class, its person and its value.
  const std::vector<std::int32_t>& class_of() const { return class_of_; }
  const std::vector<std::int32_t>& unit_of() const { return unit_of_; }
  const std::vector<std::int32_t>& value_of() const { return value_of_; }

  /// The number of members of the relation or of a class: records, or persons with units.
  std::int32_t size() const { return size_; }
  std::int32_t class_size(std::int32_t c) const { return sizes_[static_cast<std::size_t>(c)]; }
  std::int32_t classes() const { return static_cast<std::int32_t>(sizes_.size()); }
  /// A member's weight in the relation; 1 without units.
  std::int64_t member_weight() const { return member_weight_; }
  /// A member's weight in the class.
  std::int64_t member_weight(std::int32_t c) const {
    return has_units() ? member_weights_[static_cast<std::size_t>(c)] : 1;
  }
  std::int64_t weight() const { return size_ * member_weight(); }
  std::int64_t class_weight(std::int32_t c) const { return class_size(c) * member_weight(c); }

  Entries entries(std::int32_t c) const {
    const auto at = static_cast<std::size_t>(c);
    return {entries_.data() + begin_[at], entries_.data() + begin_[at + 1]};
  }
  /// The fewest members of a class without one of its values.
  std::int32_t fewest_without_a_value(std::int32_t c) const {
    std::int32_t most = 0;
    for (const Entry& entry : entries(c)) most = std::max(most, entry.count);
    return class_size(c) - most;
  }
  /// With units, the only person of the class with the entry's value, or -1 if there are several.
  std::int32_t only_unit(const Entry* entry) const {
    return only_unit_.empty() ? -1 : only_unit_[static_cast<std::size_t>(entry - entries_.data())];
  }

  std::int32_t values() const { return static_cast<std::int32_t>(below_.size()) - 1; }
  /// The weight in the relation of the values before v; all weight for v = values().
  std::int64_t below(std::int32_t v) const { return below_[static_cast<std::size_t>(v)]; }
  /// The weight in the relation of value v; without units its number of records.
  std::int64_t count(std::int32_t v) const { return below(v + 1) - below(v); }

  AttributeScale scale() const { return scale_; }
  /// The numbers of the values 0 .. size-1 of a numeric attribute, without null.
  const std::vector<double>& numbers() const { return numbers_; }
  /// The groups of the values, by level, of an attribute with a hierarchy.
  const std::vector<std::vector<std::int32_t>>& levels() const { return levels_; }
  /// By level and group: true if the group is protected; empty if no group is.
  const std::vector<std::vector<bool>>& is_protected() const { return is_protected_; }

 private:
  void count_values(const PublishedAttribute& attribute, std::vector<std::int32_t>& value_of_code,
                    Ticker& ticker);
  void count_only_value();
  void count_by_class(const std::vector<std::int32_t>& classes_by_value, Ticker& ticker);
  void count_units(Ticker& ticker);
  void count_units_of_class(std::vector<std::int32_t>::const_iterator first,
                            std::vector<std::int32_t>::const_iterator last, std::size_t c,
                            Ticker& ticker);

  std::vector<std::int32_t> sizes_;
  std::vector<std::int32_t> begin_;  ///< classes + 1
  std::vector<Entry> entries_;
  std::vector<std::int64_t> below_;  ///< values + 1
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> levels_;
  std::vector<std::vector<bool>> is_protected_;
  AttributeScale scale_;
  std::int32_t size_;
  // With units only: the records, and by entry the only person with the value.
  std::vector<std::int32_t> class_of_, unit_of_, value_of_;
  std::vector<std::int32_t> only_unit_;
  std::vector<std::int64_t> member_weights_;  ///< by class
  std::int64_t member_weight_ = 1;
};

}  // namespace anonkit
