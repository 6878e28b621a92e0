#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"
#include "table/attribute.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// The space in which records are compared: n records by d attributes, one row a record, in
/// canonical order. Squared distances are sums over the attributes from first to last.
///
/// Numeric coordinates lie on a grid (2^-51 of the column's largest magnitude), so that any sum of
/// up to 2^60 of them is exact in 128-bit integers: a centroid does not depend on the order in
/// which records were added to or taken from it. Ordinal coordinates are rank *
/// sqrt(weight)/categories; nominal coordinates are the codes themselves and are compared only for
/// equality.
///
/// A row may stand for several records at once, which is its weight (see points.hpp). Whatever adds
/// rows up, counts them or compares a class with k goes by weight.
class Space {
 public:
  /// `values`: n*d standardised numbers or codes, row-major. Applies the weights and the grid.
  /// The ticker may be null where nobody would interrupt.
  Space(std::vector<double> values, std::vector<Attribute> attributes, Ticker* ticker = nullptr);

  /// From now on each row stands for so many records.
  void weigh(std::vector<Record> weights);
  /// The rows listed, each standing for so many records.
  Space of_rows(const std::vector<Record>& rows, std::vector<Record> weights) const;

  /// The number of rows.
  Record size() const { return size_; }
  /// The number of records that all rows together stand for.
  Record records() const { return records_; }
  bool weighted() const { return !weights_.empty(); }
  /// The number of records that a row stands for: 1 unless the space is weighted.
  Record weight(Record i) const {
    return weights_.empty() ? 1 : weights_[static_cast<std::size_t>(i)];
  }
  int dimension() const { return static_cast<int>(attributes_.size()); }
  const Attribute& attribute(int j) const { return attributes_[static_cast<std::size_t>(j)]; }
  /// True if no attribute is nominal, so that squared distances are Euclidean.
  bool euclidean() const { return euclidean_; }
  /// True if every attribute is numeric.
  bool numeric() const { return numeric_; }

  const double* row(Record i) const {
    return coordinates_.data() + static_cast<std::size_t>(i) * attributes_.size();
  }
  /// The nominal attribute's squared distance between unequal values (its weight); 0 if not
  /// nominal.
  double mismatch(int j) const { return mismatch_[static_cast<std::size_t>(j)]; }
  /// The step of the grid on which the numeric attribute's coordinates lie, a power of two.
  double grid(int j) const { return grid_[static_cast<std::size_t>(j)]; }
  /// One over grid(j), exact.
  double steps_per_unit(int j) const { return steps_per_unit_[static_cast<std::size_t>(j)]; }
  /// The distance in coordinates between neighbouring ranks of an ordinal attribute.
  double rank_step(int j) const { return grid_[static_cast<std::size_t>(j)]; }

  /// The rank that an ordinal attribute's coordinate stands for; 0 where a weight of 0 has made all
  /// ranks one.
  std::int32_t rank(double coordinate, int j) const {
    return rank_step(j) > 0 ? static_cast<std::int32_t>(std::lround(coordinate / rank_step(j))) : 0;
  }

  /// Squared distance between two points of the space, such as rows and centroids. O(d).
  double squared_distance(const double* x, const double* y) const {
    double sum = 0;
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      if (attributes_[j].kind == Kind::nominal) {
        sum += x[j] == y[j] ? 0 : mismatch_[j];
      } else {
        const double difference = x[j] - y[j];
        sum += difference * difference;
      }
    }
    return sum;
  }

 private:
  void place_numeric(std::size_t j, Ticker* ticker);
  void place_ordinal(std::size_t j);

  std::vector<Attribute> attributes_;
  std::vector<double> coordinates_;
  std::vector<double> mismatch_;
  std::vector<double> grid_;
  std::vector<double> steps_per_unit_;
  std::vector<Record> weights_;  ///< by row; empty if each is one record
  Record size_ = 0;
  Record records_ = 0;
  bool euclidean_ = true;
  bool numeric_ = true;
};

/// The space of the records listed in `rows` (in this order) over the columns listed in `columns`,
/// none of which is null for any of them.
Space space_of(const Table& table, const std::vector<Record>& rows,
               const std::vector<std::size_t>& columns, const std::vector<Scale>& scales,
               Ticker& ticker);

}  // namespace anonkit
