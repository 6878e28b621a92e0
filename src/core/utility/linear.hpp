#pragma once

#include <vector>

#include "base/eigen.hpp"
#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Means and covariances of the numeric columns, in two passes, without categories.
struct Moments {
  std::vector<std::size_t> columns;  ///< positions of the numeric columns
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;  ///< of the sample: over n - 1

  double correlation(Eigen::Index i, Eigen::Index j) const;
};
/// The moments of the numeric columns, with ranges at their middles. O(n d^2).
Moments moments_of(const Cells& cells, Ticker& ticker);

/// The principal axes of the columns, each divided by one deviation before and after masking.
struct PrincipalAxes {
  std::vector<double> original;  ///< eigenvalues, the largest first
  std::vector<double> masked;
  std::vector<double> angle;  ///< between axes of equal rank, in degrees, 0 to 90
};
/// Compares the axes of both relations, largest eigenvalue first. O(d^3).
PrincipalAxes principal_axes(const Moments& original, const Moments& masked);

/// A linear regression of one numeric column on the others: the intercept, then a coefficient for
/// each of the others. Linearly dependent columns have a coefficient of 0.
Eigen::VectorXd regression(const Moments& moments, Eigen::Index target);

/// Propensity score mean squared error (M.-J. Woo, J. P. Reiter, A. Oganian, A. F. Karr: Global
/// measures of data utility for microdata masked for disclosure limitation. Journal of Privacy and
/// Confidentiality 1(1), 2009). It measures how well a logistic regression on all columns, with
/// squares and interactions, separates masked records from original ones. 0 if it cannot; at most c
/// (1-c), with c the masked records' share.
double propensity_mse(const Cells& original, const Cells& masked, Ticker& ticker);

}  // namespace anonkit
