#pragma once

// Generalised clusters and their information loss (Definitions 8 and 9 of the paper on
// EnhancedPKClustering).
//
// Phases: construction encodes the quasi-identifiers; cover() and widened() build a cluster's
// cells; Pricer evaluates the loss of one more record. Invariant: losses are integers in steps of
// 2^-24 of a column, so sums are exact and clusters do not depend on their order. Memory: one code
// per record and column.
//
//   CoverCell cell = attribute.cover(codes[0]);
//   cell = attribute.widened(cell, codes[1]);
//   const CellLoss loss = attribute.loss(cell);  // kWholeColumn if it covers everything

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The loss of a generalised cell, in steps of 2^-24 of a column's entire loss.
using CellLoss = std::int64_t;
constexpr CellLoss kWholeColumn = CellLoss{1} << 24;

/// The generalised value of a cluster in one quasi-identifier (Definition 8). It is the ends of an
/// interval, or the level and the group of the lowest common ancestor.
struct CoverCell {
  std::int32_t first;
  std::int32_t second;
};
inline bool operator==(const CoverCell& a, const CoverCell& b) {
  return a.first == b.first && a.second == b.second;
}

/// One quasi-identifier with coded values. Numbers, and ordered categories without a hierarchy, are
/// generalised to the smallest interval; their codes run from 0, the smallest value, to 2^24, the
/// largest. All other values are generalised to the lowest common ancestor, in the column's
/// hierarchy or in a flat one. Their codes are positions among the distinct values.
class GeneralisedAttribute {
 public:
  /// Appends the code of each record to `codes`. O(rows log rows).
  GeneralisedAttribute(const Table& table, const std::vector<Record>& rows, std::size_t column,
                       std::vector<std::int32_t>& codes, Ticker& ticker);

  /// The number of codes of a tree.
  std::int32_t values() const { return static_cast<std::int32_t>(leaf_.size()); }

  CoverCell cover(std::int32_t code) const {
    return interval_ ? CoverCell{code, code} : CoverCell{0, leaf_[at(code)]};
  }
  /// The smallest cover of a cell and one more value. O(1); in trees O(height).
  CoverCell widened(CoverCell cell, std::int32_t code) const;
  /// Definition 9: the interval's share of the column's range, or the height of the subtree over
  /// that of the hierarchy.
  CellLoss loss(CoverCell cell) const {
    return interval_ ? cell.second - cell.first : loss_of_level_[at(cell.first)];
  }

 private:
  bool interval_;
  Hierarchy hierarchy_;             ///< trees only
  std::vector<std::int32_t> leaf_;  ///< by code
  std::vector<CellLoss> loss_of_level_;
};

/// The quasi-identifiers of the records, intervals first. Columns with a null among these records
/// are left out, since their cells are suppressed.
class Generalisation {
 public:
  /// Record i is rows[i] of the table. O(rows * columns * log rows).
  Generalisation(const Table& table, const std::vector<Record>& rows, Ticker& ticker);

  Record size() const { return size_; }
  std::size_t dimension() const { return attributes_.size(); }
  /// The number of intervals.
  std::size_t intervals() const { return intervals_; }
  const GeneralisedAttribute& attribute(std::size_t j) const { return attributes_[j]; }
  /// The codes of a record, one per attribute.
  const std::int32_t* codes(Record i) const {
    return codes_.data() + static_cast<std::size_t>(i) * attributes_.size();
  }

 private:
  Record size_;
  std::size_t intervals_ = 0;
  std::vector<GeneralisedAttribute> attributes_;
  std::vector<std::int32_t> codes_;  ///< row-major
};

/// The loss per record of a cluster with one more record. Tables hold the losses of trees of few
/// values; a new cover rebuilds them.
class Pricer {
 public:
  explicit Pricer(const Generalisation& generalisation);

  /// Sets the cluster's cover; an empty cover belongs to an empty cluster.
  void look_at(const std::vector<CoverCell>& cover);

  CellLoss price(const std::int32_t* codes) const {
    if (cover_.empty()) return 0;
    CellLoss sum = 0;
    for (std::size_t j = 0; j < generalisation_.intervals(); ++j)
      sum += std::max(cover_[j].second, codes[j]) - std::min(cover_[j].first, codes[j]);
    for (const Tabled& t : tabled_) sum += t.loss[static_cast<std::size_t>(codes[t.attribute])];
    for (const std::size_t j : direct_) {
      const GeneralisedAttribute& attribute = generalisation_.attribute(j);
      sum += attribute.loss(attribute.widened(cover_[j], codes[j]));
    }
    return sum;
  }

 private:
  struct Tabled {
    std::size_t attribute;
    std::vector<CellLoss> loss;  ///< by code
  };

  const Generalisation& generalisation_;
  std::vector<CoverCell> cover_;
  std::vector<Tabled> tabled_;
  std::vector<std::size_t> direct_;
};

}  // namespace anonkit
