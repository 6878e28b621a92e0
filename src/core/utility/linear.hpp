#pragma once

#include <vector>

#include "base/eigen.hpp"
#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Means and covariances of the numeric columns, in two passes, without categories. They are kept
/// in the units of the columns, where squares do not overflow.
struct Moments {
  std::vector<std::size_t> columns;  ///< positions of the numeric columns
  Eigen::VectorXd unit;              ///< see unit_of
  Eigen::VectorXd mean;              ///< in units
  Eigen::MatrixXd in_units;          ///< covariances of the sample, over n - 1

  /// Infinite if it is beyond the range of a double.
  double covariance(Eigen::Index i, Eigen::Index j) const;
  double correlation(Eigen::Index i, Eigen::Index j) const;
};
/// The numeric columns that are compared at most: decompositions of matrices cannot be cancelled.
constexpr std::size_t kMostNumbers = 300;

/// The positions of the numeric columns. Throws invalid_parameter above kMostNumbers.
std::vector<std::size_t> number_columns(const Cells& cells);

/// The moments of the numeric columns over the records without a null in any of them, with ranges
/// at their middles; NaN without such a record. Throws invalid_parameter above kMostNumbers. O(n
/// d^2).
Moments moments_of(const Cells& cells, Ticker& ticker);

/// The principal axes of the columns, each divided by one deviation before and after masking.
struct PrincipalAxes {
  std::vector<double> original;  ///< eigenvalues, the largest first
  std::vector<double> masked;
  std::vector<double> angle;  ///< between axes of equal rank, in degrees, 0 to 90
};
/// Compares the axes of both relations, largest eigenvalue first. NaN if masked numbers are beyond
/// the range of a double in these units. O(d^3).
PrincipalAxes principal_axes(const Moments& original, const Moments& masked);

/// A linear regression of one numeric column on the others: the intercept, then a coefficient for
/// each of the others. Linearly dependent columns have a coefficient of 0.
Eigen::VectorXd regression(const Moments& moments, Eigen::Index target);

}  // namespace anonkit
