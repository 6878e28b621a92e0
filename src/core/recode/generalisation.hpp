#pragma once

// Generalisation as geometry. The values of a class in an attribute become an interval of
// coordinates, and its information loss a share of the attribute's domain.
//
// Coordinates by attribute, over all the table's records:
//   range      0 for the domain's smallest value, 1 for its largest (0 where they are equal)
//   hierarchy  the value's position in an order that keeps the groups of every level contiguous, so
//              that the extreme positions of a class determine its common ancestor
//   set        the code
// Memory: n*d doubles and the hierarchies' positions.
//
//   const auto space = generalisation_space(table, rows, columns, Recode::range, ticker);
//   const double a = space.row(0)[0], b = space.row(1)[0];
//   space.domain(0).penalty(std::min(a, b), std::max(a, b));  // NCP of records 0 and 1 as a class

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "space/space.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The form of a class's published value in one attribute.
enum class Generalise : std::uint8_t {
  range,      ///< numbers and ordered categories: smallest to largest
  hierarchy,  ///< the lowest common ancestor in the attribute's hierarchy
  set,        ///< nominal categories: all that occur
};

/// One attribute of a GeneralisationSpace.
struct Domain {
  Generalise by = Generalise::range;
  double weight = 1;
  std::int32_t values = 0;               ///< set: categories
  const Hierarchy* hierarchy = nullptr;  ///< hierarchy only
  std::vector<std::int32_t> leaf;        ///< hierarchy only: the value at each position
  std::vector<std::int32_t> position;    ///< hierarchy only: the position of each value
  /// Hierarchy only, by position: the groups that contain it, from level 0 up.
  struct Ancestor {
    std::int32_t last;  ///< position in the group
    double penalty;
  };
  std::vector<Ancestor> ancestors;

  /// The normalised certainty penalty (Xu et al. 2006, section 3) of the values from one coordinate
  /// to another, without the weight: the share of the domain's extent, or of a hierarchy's values.
  /// A set counts all codes in between. O(height).
  double penalty(double low, double high) const;
  /// The penalty of a set of `distinct` categories: 0 for one, 1 for all, as for a range of ranks.
  double penalty_of_set(std::size_t distinct) const {
    return values > 1 ? static_cast<double>(distinct - 1) / (values - 1) : 0;
  }
};

/// The records in generalisation coordinates, in canonical order, one row per record.
class GeneralisationSpace {
 public:
  GeneralisationSpace(std::vector<double> coordinates, std::vector<Domain> domains);

  /// The space of the listed rows, with the given weights; see Space.
  GeneralisationSpace of_rows(const std::vector<Record>& rows, std::vector<Record> weights) const;

  Record size() const { return size_; }
  /// By row: the number of records that it represents; empty if each is one record.
  const std::vector<Record>& weights() const { return weights_; }
  int dimension() const { return static_cast<int>(domains_.size()); }
  const Domain& domain(int j) const { return domains_[static_cast<std::size_t>(j)]; }
  const double* row(Record i) const {
    return coordinates_.data() + static_cast<std::size_t>(i) * domains_.size();
  }

 private:
  std::vector<double> coordinates_;
  std::vector<Domain> domains_;
  std::vector<Record> weights_;
  Record size_;
};

/// The domain of a hierarchy, with its values in a contiguous order.
Domain domain_of(const Hierarchy& hierarchy, double weight);

/// The smallest and the largest value of a column: over all the table's non-null numbers, or over
/// an ordered or nominal column's codes.
struct Extent {
  double low;
  double high;
};
/// O(rows) for numbers, else O(1).
Extent extent_of(const Table& table, std::size_t column, Ticker& ticker);

/// The extent that penalties are shares of: that of the larger table, if the column has one.
/// O(rows).
Extent domain_extent(const Table& table, std::size_t column, Ticker& ticker);

/// Places the rows in generalisation coordinates: by the columns' hierarchies, if they have one,
/// unless `recode` demands ranges.
GeneralisationSpace generalisation_space(const Table& table, const std::vector<Record>& rows,
                                         const std::vector<std::size_t>& columns, Recode recode,
                                         Ticker& ticker);

/// The rows with Euclidean distances, for searches of near records: positions in the domain as
/// numbers, sets as nominal codes.
Space euclidean(const GeneralisationSpace& space, Ticker& ticker);

}  // namespace anonkit
