#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// What an attribute's codes mean: names without order, an order, or numbers.
enum class AttributeScale : std::uint8_t { nominal, ordinal, numeric };

/// A sensitive attribute of a finished relation: one code a record, 0 .. m-1, in the attribute's
/// own order if it has one. Null, where it occurs, is a value like any other: the last code.
struct PublishedAttribute {
  std::vector<std::int32_t> code_of;  ///< one per record
  AttributeScale scale = AttributeScale::nominal;
  /// Numeric attributes only: the number of each code, finite and ascending. It has one entry less
  /// than there are codes if the last code is null, which is no number.
  std::vector<double> numbers;
  /// With a value generalisation hierarchy, of each of its levels above the codes the group of
  /// every code; the last level is a single group. Else empty.
  std::vector<std::vector<std::int32_t>> levels = {};
  /// Of extended p-sensitivity: of each of these levels which groups are protected. Else empty.
  std::vector<std::vector<bool>> is_protected = {};
};

/// The number of records of each class. Classes are numbered 0 .. max(class_of) and none is empty.
/// Throws invalid_data if there is no record. O(n).
std::vector<std::int32_t> class_sizes(const std::vector<std::int32_t>& class_of, Ticker& ticker);

/// How often each value of a sensitive attribute occurs in each class and in the whole relation:
/// all that the privacy models look at. The models judge releases, so nothing here or in them is
/// shared with the algorithms that make the classes.
///
/// Values are the codes that occur, numbered 0 .. values()-1 in the order of the codes: the models
/// speak of the distinct values of the data set, not of those that a type would allow.
///
/// With units, several records belong to one person, and members are persons, not records. A person
/// counts once for each value that they have in a class. In a distribution each person weighs
/// kUnitWeight, which their records share: of r records the first j in the order of the values
/// weigh floor(j*kUnitWeight/r) together. That is exact for up to 16 records a person. A class is
/// weighed by the records in it, the relation by all of them.
///
/// Space: 16 bytes for each distinct value of each class, 8 bytes for each value; while it is
/// built, 4 bytes a record more. With units 12 bytes a record more, and 8 while it is built. Time
/// O(n + codes), with units O(n log n). Throws invalid_data if there is no record or a number is
/// not finite.
class ClassHistogram {
 public:
  /// Divisible by 1 to 16.
  static constexpr std::int64_t kUnitWeight = 720720;

  struct Entry {
    std::int32_t value;
    std::int32_t count;   ///< members that have the value
    std::int64_t weight;  ///< their share of the class; without units the count
  };

  /// The distinct values of one class, ascending, each with its members of the class.
  struct Entries {
    const Entry* first;
    const Entry* last;
    const Entry* begin() const { return first; }
    const Entry* end() const { return last; }
    std::int32_t size() const { return static_cast<std::int32_t>(last - first); }
  };

  /// `unit_of`: of every record whose it is, numbered from 0; empty if each is somebody else's.
  ClassHistogram(const std::vector<std::int32_t>& class_of, const PublishedAttribute& attribute,
                 Ticker& ticker, const std::vector<std::int32_t>& unit_of = {});

  /// For models that look at class sizes alone: as if all records had one and the same value.
  ClassHistogram(const std::vector<std::int32_t>& class_of, Ticker& ticker,
                 const std::vector<std::int32_t>& unit_of = {});

  /// The histogram if class c were a part of class superset_of[c]. Needs units.
  ClassHistogram united(const std::vector<std::int32_t>& superset_of, Ticker& ticker) const;

  bool has_units() const { return !unit_of_.empty(); }
  /// With units, of every record its class and whose it is.
  const std::vector<std::int32_t>& class_of() const { return class_of_; }
  const std::vector<std::int32_t>& unit_of() const { return unit_of_; }

  /// The members of the relation and of a class: records, with units persons.
  std::int32_t size() const { return size_; }
  std::int32_t class_size(std::int32_t c) const { return sizes_[static_cast<std::size_t>(c)]; }
  std::int32_t classes() const { return static_cast<std::int32_t>(sizes_.size()); }
  /// A member's weight; 1 without units.
  std::int64_t member_weight() const { return has_units() ? kUnitWeight : 1; }
  std::int64_t weight() const { return size_ * member_weight(); }
  std::int64_t class_weight(std::int32_t c) const { return class_size(c) * member_weight(); }

  Entries entries(std::int32_t c) const {
    const auto at = static_cast<std::size_t>(c);
    return {entries_.data() + begin_[at], entries_.data() + begin_[at + 1]};
  }
  /// With units, the one person of the class who has the entry's value, or -1 if several have.
  std::int32_t only_unit(const Entry* entry) const {
    return only_unit_.empty() ? -1 : only_unit_[static_cast<std::size_t>(entry - entries_.data())];
  }

  std::int32_t values() const { return static_cast<std::int32_t>(below_.size()) - 1; }
  /// The weight in the relation of the values before v; v = values() gives that of all.
  std::int64_t below(std::int32_t v) const { return below_[static_cast<std::size_t>(v)]; }
  /// The weight in the relation of value v; without units the records that have it.
  std::int64_t count(std::int32_t v) const { return below(v + 1) - below(v); }

  AttributeScale scale() const { return scale_; }
  /// The numbers of the values 0 .. size-1 of a numeric attribute; without null's.
  const std::vector<double>& numbers() const { return numbers_; }
  /// The groups of the values, level by level, of an attribute with a hierarchy.
  const std::vector<std::vector<std::int32_t>>& levels() const { return levels_; }
  /// Of each level which groups are protected; empty if none is of any.
  const std::vector<std::vector<bool>>& is_protected() const { return is_protected_; }

 private:
  void count_values(const PublishedAttribute& attribute, std::vector<std::int32_t>& value_of_code,
                    Ticker& ticker);
  void count_by_class(const std::vector<std::int32_t>& classes_by_value, Ticker& ticker);
  void count_units(Ticker& ticker);

  std::vector<std::int32_t> sizes_;
  std::vector<std::int32_t> begin_;  ///< classes + 1
  std::vector<Entry> entries_;
  std::vector<std::int64_t> below_;  ///< values + 1
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> levels_;
  std::vector<std::vector<bool>> is_protected_;
  AttributeScale scale_;
  std::int32_t size_ = 0;
  // With units only: the records, and by entry who alone has the value.
  std::vector<std::int32_t> class_of_, unit_of_, value_of_;
  std::vector<std::int32_t> only_unit_;
};

}  // namespace anonkit
