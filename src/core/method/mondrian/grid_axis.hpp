#pragma once

// The public grid of one attribute: boxes that are cut at quarters, or into the children of a
// label.
//
// Invariants: a box says nothing of the values in it, beside the extent of the grid, which readers
// are taken to know. For numbers that is the smallest power of two of the finest width, at least
// two, that reaches all of them, on both sides of 0 if there are negative ones; for categories and
// labels, those that occur. Memory: eight bytes a record, and those of a hierarchy.
//
//   const GridAxis axis = grid_axis(table, rows, column, recode, ticker);
//   axis.children(axis.root(), 0, parts);  // the boxes of the first cut

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "recode/generalisation.hpp"
#include "recode/grid_ruler.hpp"
#include "recode/masked.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The places begin .. end-1 of an axis; with a hierarchy, one group of a level.
struct GridBox {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int32_t level = kNoLevel;
};

class GridAxis {
 public:
  /// The axis of numbers, which have a ruler, or of ordered categories. The column must outlive it.
  GridAxis(std::vector<std::int64_t> places, GridBox root, const Column& column,
           std::optional<GridRuler> ruler);
  /// The axis of labels. `own` keeps the hierarchy alive if the column has none.
  GridAxis(std::vector<std::int64_t> places, Domain domain, bool labelled,
           std::shared_ptr<const Hierarchy> own);

  const GridBox& root() const { return root_; }
  /// The place of a record of the problem.
  std::int64_t place(Record i) const { return places_[static_cast<std::size_t>(i)]; }
  /// The number of cuts of a box: none of one place; for labels one, into their children; for
  /// numbers and ranks in the middle, at the first and at the third quarter, in this order.
  static constexpr int kMostCuts = 3;
  int cuts(const GridBox& box) const;
  /// The boxes of a cut, in the order of their places.
  void children(const GridBox& box, int cut, std::vector<GridBox>& parts) const;
  /// The share of the root that the box is, times the attribute's weight: the order of the cuts.
  double width(const GridBox& box) const;
  /// Publishes the box as a cell of the table's column j.
  void mask(const GridBox& box, Masked& masked, std::size_t cell) const;

 private:
  std::int32_t group(std::int32_t level, std::int64_t place) const;

  std::vector<std::int64_t> places_;
  GridBox root_;
  std::optional<GridRuler> ruler_;  ///< of numbers
  Attribute attribute_;
  Domain domain_;                                  ///< of a hierarchy
  std::vector<std::vector<std::int32_t>> starts_;  ///< by level: the first places of its groups
  bool labelled_ = false;
  std::shared_ptr<const Hierarchy> own_;
};

/// The grid of a column over the table, with the places of the rows. Throws invalid_parameter if
/// the finest width is missing where numbers have no smallest distance, is no multiple of that
/// distance, or leaves more than 2^53 places; or if a column without labels has many categories.
GridAxis grid_axis(const Table& table, const std::vector<Record>& rows, std::size_t column,
                   Recode recode, Ticker& ticker);

}  // namespace anonkit
