#pragma once

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "space/space.hpp"
#include "table/table.hpp"

namespace anonkit {

/// What stands for the values of a class in one attribute.
enum class Generalise : std::uint8_t {
  range,      ///< numbers and ordered categories: from the smallest to the largest
  hierarchy,  ///< the lowest common ancestor in the attribute's hierarchy
  set,        ///< nominal categories: those that occur
};

/// One attribute of a GeneralisationSpace.
struct Domain {
  Generalise by = Generalise::range;
  double weight = 1;
  std::int32_t values = 0;               ///< set: categories
  const Hierarchy* hierarchy = nullptr;  ///< hierarchy only
  std::vector<std::int32_t> leaf;        ///< hierarchy only: the value at each position
  std::vector<std::int32_t> position;    ///< hierarchy only: the position of each value
  /// Hierarchy only: of each position the groups that it is in, from level 0 up.
  struct Ancestor {
    std::int32_t last;  ///< position in the group
    double penalty;
  };
  std::vector<Ancestor> ancestors;

  /// The normalised certainty penalty (Xu et al. 2006, section 3) of the values from one coordinate
  /// to another, not weighted: the share of the domain's extent, or of a hierarchy's values; of a
  /// set that has all the codes between.
  double penalty(double low, double high) const;
  /// Of so many different categories: 0 for one, 1 for all, as ranges of so many ranks.
  double penalty_of_set(std::size_t distinct) const {
    return values > 1 ? static_cast<double>(distinct - 1) / (values - 1) : 0;
  }
};

/// The records as generalisation sees them, in canonical order, one row a record. Coordinates are
/// places within an attribute's domain over all the table's records:
///   range      0 for the domain's smallest value, 1 for its largest (0 where they are equal)
///   hierarchy  the value's position where those of each group of each level follow one another,
///              so that the common ancestor of a class is that of its extreme positions
///   set        the code
class GeneralisationSpace {
 public:
  GeneralisationSpace(std::vector<double> coordinates, std::vector<Domain> domains);

  /// The rows listed, each standing for so many records; see Space.
  GeneralisationSpace of_rows(const std::vector<Record>& rows, std::vector<Record> weights) const;

  Record size() const { return size_; }
  /// By row the records that it stands for; empty if each is one record.
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
  Record size_ = 0;
};

/// A domain by a hierarchy, its values put in order.
Domain domain_of(const Hierarchy& hierarchy, double weight);

/// The smallest and the largest of a column's values: of all the table's numbers, null left out, or
/// of an ordered or nominal column's codes.
struct Extent {
  double low;
  double high;
};
Extent extent_of(const Table& table, std::size_t column, Ticker& ticker);

/// How the columns are generalised under a way of recoding: by their hierarchies, if they have one,
/// unless ranges are asked for.
GeneralisationSpace generalisation_space(const Table& table, const std::vector<Record>& rows,
                                         const std::vector<std::size_t>& columns, Recode recode,
                                         Ticker& ticker);

/// The same records with Euclidean distances for whoever looks for near records: places within the
/// domain as numbers, sets as nominal codes.
Space euclidean(const GeneralisationSpace& space, Ticker& ticker);

}  // namespace anonkit
