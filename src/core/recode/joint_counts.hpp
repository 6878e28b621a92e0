#pragma once

// How far the joint frequencies of a release are from those of its records, for pairs of columns.
//
// Phases: bins of each column's cells; the counts of every pair of bins, of the release less those
// of the records; changes of one cell of a class at a time. Invariant: the counts are those of the
// present cells, and the sum of their amounts is n times twice the total variation distance.
// Memory: 4 bytes a pair of bins, of 102 bins a column at most and 40 partners each.
//
//   JointCounts counts({bins_of_age.count(), bins_of_sex.count()});
//   counts.add(row, -1);                  // a record: the bins of its columns
//   counts.add(row, 5);                   // a class of five
//   counts.cost_of_change(row, 1, 3, 5);  // of giving its second column bin 3

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// A record's cell, as its column's type has it.
inline double rounded_value(const Table& table, Record i, std::size_t j) {
  const Column& column = table.columns[j];
  const double value = table.value(i, j);
  const bool as_it_is = column.attribute.kind != Kind::numeric || is_null(value);
  return as_it_is ? value : round_to(column.rounding, value);
}

/// The bins of a column: of up to 20 numbers each its own, of more those between their quantiles;
/// of categories each its own, but for the rarest of more than a hundred, which share one.
class CellBins {
 public:
  /// The bins of the listed records. O(n log n).
  CellBins(const Table& table, const std::vector<Record>& records, std::size_t j, Ticker& ticker);

  /// Numbers that no record has share a bin if there are few, and so do nulls.
  std::int32_t of(double cell) const;
  std::int32_t count() const { return null_ + 1; }

 private:
  std::vector<std::int32_t> of_code_;  ///< categories
  std::vector<double> ends_;           ///< many numbers
  std::vector<double> values_;         ///< few numbers
  std::int32_t null_ = 0;
};

class JointCounts {
 public:
  /// `bins`: how many each column has. Of more than 41 columns, each has 40 partners.
  explicit JointCounts(const std::vector<std::int32_t>& bins);

  /// Adds so many records that have these bins. O(pairs).
  void add(const std::int32_t* row, std::int32_t records);
  /// The rise of the sum of the counts' amounts if so many records got another bin in column j.
  /// O(partners).
  std::int64_t cost_of_change(const std::int32_t* row, std::size_t j, std::int32_t to,
                              std::int32_t records) const;
  /// Gives them that bin: in the counts, and in the row.
  void change(std::int32_t* row, std::size_t j, std::int32_t to, std::int32_t records);
  /// The columns that column j is counted with.
  std::size_t partners(std::size_t j) const { return partners_[j].size(); }
  /// The sum of the counts' amounts.
  std::int64_t amount() const;

 private:
  /// The counts of two columns, as one of them sees them.
  struct Partner {
    std::size_t column, begin, own_stride, other_stride;
    std::size_t at(std::int32_t own, std::int32_t other) const {
      return begin + static_cast<std::size_t>(own) * own_stride +
             static_cast<std::size_t>(other) * other_stride;
    }
  };

  void move(std::int32_t* row, std::size_t j, std::int32_t records);

  std::vector<std::vector<Partner>> partners_;
  std::vector<std::int32_t> counts_;
};

}  // namespace anonkit
