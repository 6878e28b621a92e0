#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "method/mondrian/mondrian.hpp"
#include "partition/record_range.hpp"

namespace anonkit {

/// The records' coordinates in an order that changes: the rows of a part lie side by side.
class Rows {
 public:
  explicit Rows(const GeneralisationSpace& space);

  Record size() const { return static_cast<Record>(records_.size()); }
  const double* row(Record at) const {
    return coordinates_.data() + static_cast<std::size_t>(at) * dimension_;
  }
  double* row(Record at) { return coordinates_.data() + static_cast<std::size_t>(at) * dimension_; }
  /// The record in each row.
  const Record* records() const { return records_.data(); }
  void swap(Record a, Record b);

 private:
  std::size_t dimension_;
  std::vector<double> coordinates_;
  std::vector<Record> records_;
};

/// One way to cut a part in two, or more.
struct Cut {
  int attribute;
  /// The first part are the records with coordinates from..to, of those at `to` only the ones up to
  /// `last`; the others are the second part.
  double from;
  double to;
  Record last;
  /// Not so, but one part for each child of the common ancestor.
  bool children = false;
  double cost = 0;  ///< the penalty of the parts, summed over their records
};

/// Proposes cuts of a part, and makes them.
class CutChooser {
 public:
  CutChooser(Rows& rows, const GeneralisationSpace& space, Record k, MondrianCut how,
             Ticker& ticker);

  /// The cuts that leave k records in each part, the cheapest first. Valid until the next call.
  const std::vector<Cut>& cuts(const RecordRange& part);
  /// Brings the rows in order and lists the parts.
  void apply(const Cut& cut, const RecordRange& part, std::vector<RecordRange>& parts);

 private:
  /// The smallest and the largest coordinate by attribute.
  struct Box {
    std::vector<double> low, high;
    Record records;
  };
  void clear(Box& box) const;
  static void take(Box& box, const double* row);
  double penalty(const Box& box) const;

  void propose(const RecordRange& part, int j);
  void propose_median(const RecordRange& part, int j);
  void propose_half(const RecordRange& part, int j);
  void propose_cheapest(const RecordRange& part, int j);
  void propose_child(const RecordRange& part, int j);
  void sort_by(const RecordRange& part, int j);
  double price(const Cut& cut, const RecordRange& part);
  double price_children(const Cut& cut, const RecordRange& part);
  bool in_first(const Cut& cut, Record at) const;
  /// The child of the part's common ancestor that a coordinate is under.
  std::int32_t child(int j, double coordinate) const;

  Rows& rows_;
  const GeneralisationSpace& space_;
  Record k_;
  MondrianCut how_;
  Ticker& ticker_;
  Box box_;  ///< of the part
  std::vector<Box> sides_;
  std::vector<Cut> cuts_;
  std::vector<double> values_;
  std::vector<std::pair<double, Record>> sorted_;  ///< coordinates and records, or places of rows
  std::vector<double> heads_;
};

}  // namespace anonkit
