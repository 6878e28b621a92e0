#pragma once

// The loss of a table that is anonymized in parts, of which one is in memory at a time.
//
//   LossOfParts loss(units);                                  // one unit a column
//   loss.add(part, members, masked, threads, ticker);         // for each part
//   loss.total(Standardize::zscore).percent();                // as centroid_loss of all rows

#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "metric/centroid_loss.hpp"

namespace anonkit {

/// Squared errors and variances of columns of numbers without nulls, and of categories whose codes
/// are the same in all parts. Variances of parts are combined as in T. F. Chan, G. H. Golub, R. J.
/// LeVeque: Updating formulae and a pairwise algorithm for computing sample variances (COMPSTAT
/// 1982). Memory: some numbers a column, and one a category.
class LossOfParts {
 public:
  /// Numbers are divided by their column's unit, so that squares do not overflow; a unit of 0 is 1.
  explicit LossOfParts(const std::vector<double>& units);

  /// Adds the rows of a part, all of which have a class. Sums run class by class, columns in
  /// threads. O(rows x columns).
  void add(const Table& part, const Members& members, const Masked& centroids, int threads,
           Ticker& ticker);

  /// The loss of all rows, on the scales that all rows have.
  CentroidLoss total(Standardize standardize) const;

 private:
  /// A column of some rows.
  struct Moments {
    double weight = 0;  ///< the attribute's
    double rows = 0;
    double mean = 0;
    double squares = 0;  ///< squared differences from the mean
    double errors = 0;   ///< squared differences from the published values
    double smallest = 0;
    double largest = 0;
  };
  /// Categories of some rows. Errors are those of Space: 1 for another one, or squares of ranks.
  struct Counts {
    Attribute attribute;
    std::vector<std::int64_t> records;  ///< by code
    double errors = 0;
  };
  Moments moments_of(const Table& part, const Members& members, const Masked& centroids,
                     std::size_t j, Ticker& ticker) const;
  static void combine(Moments& all, const Moments& part);
  static void count(const Table& part, const Members& members, const Masked& centroids,
                    std::size_t j, Counts& counts, Ticker& ticker);
  static double squares(const Counts& counts);

  std::vector<double> units_;
  std::vector<Moments> columns_;    ///< of numbers
  std::vector<Counts> categories_;  ///< of categories; no records in columns of numbers
};

}  // namespace anonkit
