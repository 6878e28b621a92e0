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
/// Space: 8 bytes for each distinct value of each class, 4 bytes for each value; while it is built,
/// 4 bytes a record more. Time O(n + codes). Throws invalid_data if there is no record or a number
/// is not finite.
class ClassHistogram {
 public:
  struct Entry {
    std::int32_t value;
    std::int32_t count;
  };

  /// The distinct values of one class, ascending, each with its number of records in the class.
  struct Entries {
    const Entry* first;
    const Entry* last;
    const Entry* begin() const { return first; }
    const Entry* end() const { return last; }
    std::int32_t size() const { return static_cast<std::int32_t>(last - first); }
  };

  ClassHistogram(const std::vector<std::int32_t>& class_of, const PublishedAttribute& attribute,
                 Ticker& ticker);

  /// For models that look at class sizes alone: as if all records had one and the same value.
  ClassHistogram(const std::vector<std::int32_t>& class_of, Ticker& ticker);

  std::int32_t records() const { return below_.back(); }
  std::int32_t classes() const { return static_cast<std::int32_t>(sizes_.size()); }
  std::int32_t class_size(std::int32_t c) const { return sizes_[static_cast<std::size_t>(c)]; }
  Entries entries(std::int32_t c) const {
    const auto at = static_cast<std::size_t>(c);
    return {entries_.data() + begin_[at], entries_.data() + begin_[at + 1]};
  }

  std::int32_t values() const { return static_cast<std::int32_t>(below_.size()) - 1; }
  /// The number of records of the relation whose value comes before v; v = values() gives them all.
  std::int32_t below(std::int32_t v) const { return below_[static_cast<std::size_t>(v)]; }
  /// The number of records of the relation that have value v; at least one.
  std::int32_t count(std::int32_t v) const { return below(v + 1) - below(v); }

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

  std::vector<std::int32_t> sizes_;
  std::vector<std::int32_t> begin_;  ///< classes + 1
  std::vector<Entry> entries_;
  std::vector<std::int32_t> below_;  ///< values + 1
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> levels_;
  std::vector<std::vector<bool>> is_protected_;
  AttributeScale scale_;
};

}  // namespace anonkit
