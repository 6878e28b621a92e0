#pragma once

// The cuts of Mondrian (mondrian.hpp): a part of the records, its candidate cuts and their cost.
//
// Phases: cuts() measures a part by every attribute and proposes cuts; apply() reorders the rows
// and lists the parts. Invariant: the rows of a part are contiguous, so a part is a range of rows.
// Memory O(n d) for one copy of the coordinates.
//
//   CutChooser chooser(rows, space, k, MondrianCut::strict, ticker);
//   const Cut cut = chooser.cuts(part).front();  // the cheapest one; cuts() may be empty
//   chooser.apply(cut, part, parts);             // appends the ranges of the parts

#include <cstdint>
#include <utility>
#include <vector>

#include "method/mondrian/mondrian.hpp"
#include "partition/record_range.hpp"

namespace anonkit {

/// The records' coordinates in a mutable order, one contiguous row per record.
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

/// One way to cut a part into two or more.
struct Cut {
  int attribute;
  /// The first part: records with coordinates from..to, and among those at `to` only the ones up to
  /// `last`. The second part: all others.
  double from;
  double to;
  Record last;
  /// True for one part per child of the common ancestor, instead of two parts.
  bool children = false;
  double cost = 0;  ///< the penalty of the parts, summed over records
};

/// Proposes cuts of a part, and makes them.
class CutChooser {
 public:
  CutChooser(Rows& rows, const GeneralisationSpace& space, Record k, MondrianCut how,
             Ticker& ticker);

  /// The cuts that leave k records in each part, cheapest first. Valid until the next call.
  const std::vector<Cut>& cuts(const RecordRange& part);
  /// Reorders the rows and appends the parts to `parts`.
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
  /// The child of the part's common ancestor that contains a coordinate.
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
  std::vector<std::pair<double, Record>> sorted_;  ///< coordinates and records, or row numbers
  std::vector<double> heads_;
};

}  // namespace anonkit
