#include "utility/linear.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/unknown.hpp"

namespace anonkit {
namespace {

/// The records without a null among these columns.
std::vector<std::int32_t> complete_records(const Cells& cells,
                                           const std::vector<std::size_t>& columns) {
  std::vector<std::int32_t> records;
  for (std::int32_t i = 0; i < cells.rows; ++i)
    if (std::none_of(columns.begin(), columns.end(),
                     [&](std::size_t j) { return cells.columns[j].is_null(i); }))
      records.push_back(i);
  return records;
}

/// True if the records share one number. The mean of equal numbers is rounded: they would vary.
bool is_constant(const CellColumn& column, const std::vector<std::int32_t>& records) {
  return !records.empty() && std::all_of(records.begin(), records.end(), [&](std::int32_t i) {
    return column.middle(i) == column.middle(records.front());
  });
}

}  // namespace

std::vector<std::size_t> number_columns(const Cells& cells) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < cells.columns.size(); ++j)
    if (cells.columns[j].numeric()) columns.push_back(j);
  if (columns.size() > kMostNumbers)
    throw Error(ErrorKind::invalid_parameter, "too many columns of numbers",
                "Utility is compared for " + std::to_string(kMostNumbers) + " at most.");
  return columns;
}

// Units are powers of two, so returning to the columns' own units is exact unless it overflows.
double Moments::covariance(Eigen::Index i, Eigen::Index j) const {
  return std::scalbn(in_units(i, j), std::ilogb(unit[i]) + std::ilogb(unit[j]));
}

double Moments::correlation(Eigen::Index i, Eigen::Index j) const {
  const double scale = std::sqrt(in_units(i, i) * in_units(j, j));
  // Rounding may exceed 1 by a digit.
  return scale > 0 ? std::clamp(in_units(i, j) / scale, -1.0, 1.0) : scale;
}

// Two passes, the mean first: the textbook formula of one pass, sum of xy less n times the means,
// cancels digits where deviations are small against the mean (Chan, Golub, LeVeque 1983).
Moments moments_of(const Cells& cells, Ticker& ticker) {
  Moments moments;
  moments.columns = number_columns(cells);
  const auto d = static_cast<Eigen::Index>(moments.columns.size());
  const auto column = [&](Eigen::Index j) -> const CellColumn& {
    return cells.columns[moments.columns[static_cast<std::size_t>(j)]];
  };
  moments.unit.resize(d);
  for (Eigen::Index j = 0; j < d; ++j) moments.unit[j] = unit_of(column(j), cells.rows);
  Eigen::VectorXd row(d);
  const auto read = [&](std::int32_t i) {
    ticker.step(d * d);
    for (Eigen::Index j = 0; j < d; ++j) row[j] = column(j).middle(i) / moments.unit[j];
  };
  moments.mean = Eigen::VectorXd::Zero(d);
  if (d == 0) return moments;
  const std::vector<std::int32_t> records = complete_records(cells, moments.columns);
  double total = 0;
  for (const std::int32_t i : records) {
    read(i);
    moments.mean += column(0).weight(i) * row;
    total += column(0).weight(i);
  }
  moments.mean /= total;
  for (Eigen::Index j = 0; j < d; ++j)
    if (is_constant(column(j), records))
      moments.mean[j] = column(j).middle(records.front()) / moments.unit[j];
  moments.in_units = Eigen::MatrixXd::Constant(d, d, records.empty() ? kUnknown : 0);
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(d);
  for (const std::int32_t i : records) {
    read(i);
    row -= moments.mean;
    moments.in_units.noalias() += column(0).weight(i) * row * row.transpose();
    rest += column(0).weight(i) * row;
  }
  // As the variance of a Distribution.
  if (!records.empty()) moments.in_units.noalias() -= rest * (rest / total).transpose();
  if (records.size() > 1) moments.in_units /= total - total / static_cast<double>(records.size());
  return moments;
}

namespace {

/// Eigenvalues, ascending, and their vectors by column.
struct Decomposition {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Decomposes the covariances in units of the original ones, divided by the original deviations.
/// NaN if they are not finite there, and where no original record has all numbers.
Decomposition decompose(const Moments& moments, const Moments& original) {
  const Eigen::VectorXd scale = original.in_units.diagonal().binaryExpr(
      moments.unit.cwiseQuotient(original.unit),
      [](double variance, double ratio) { return variance > 0 ? ratio / std::sqrt(variance) : 0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * moments.in_units * scale.asDiagonal();
  if (!scaled.allFinite() || !original.mean.allFinite()) {
    return {Eigen::VectorXd::Constant(scale.size(), kUnknown),
            Eigen::MatrixXd::Constant(scale.size(), scale.size(), kUnknown)};
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  // Without a negative one: rounding makes some of those that are 0.
  return {solver.eigenvalues().unaryExpr([](double x) { return x < 0 ? 0 : x; }),
          solver.eigenvectors()};
}

}  // namespace

// Axes are compared by rank. The angle between two of them is acos |u.v|, since the sign of an
// eigenvector is arbitrary.
PrincipalAxes principal_axes(const Moments& original, const Moments& masked) {
  const Decomposition before = decompose(original, original);
  const Decomposition after = decompose(masked, original);
  PrincipalAxes axes;
  constexpr double kDegrees = 57.295779513082320876798;
  for (Eigen::Index i = before.values.size(); i-- > 0;) {
    axes.original.push_back(before.values[i]);
    axes.masked.push_back(after.values[i]);
    const double cosine = std::fabs(before.vectors.col(i).dot(after.vectors.col(i)));
    axes.angle.push_back(std::acos(std::min(cosine, 1.0)) * kDegrees);
  }
  return axes;
}

// The normal equations S b = s, with S the correlations of the predictors and s their covariances
// with the target. QR with column pivoting finds the rank and gives dependent columns a 0.
Eigen::VectorXd regression(const Moments& moments, Eigen::Index target) {
  // In units of the columns; the last loop returns to the columns themselves.
  const Eigen::Index d = moments.mean.size();
  if (!moments.in_units.allFinite()) return Eigen::VectorXd::Constant(d, kUnknown);
  // Without predictors there is nothing to decompose, and the result is the mean.
  if (d == 1) return moments.mean * moments.unit[0];
  Eigen::MatrixXd predictors(d - 1, d - 1);
  Eigen::VectorXd with_target(d - 1);
  const auto place = [&](Eigen::Index i) { return i < target ? i : i + 1; };
  // Scaled to correlations, so that the rank does not depend on units.
  const auto deviation = [&](Eigen::Index i) {
    const double variance = moments.in_units(i, i);
    return variance > 0 ? std::sqrt(variance) : 1;
  };
  for (Eigen::Index i = 0; i < d - 1; ++i) {
    with_target[i] = moments.in_units(place(i), target) / deviation(place(i));
    for (Eigen::Index j = 0; j < d - 1; ++j)
      predictors(i, j) =
          moments.in_units(place(i), place(j)) / deviation(place(i)) / deviation(place(j));
  }
  Eigen::VectorXd coefficients(d);
  coefficients[0] = moments.mean[target];
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(predictors);
  const Eigen::VectorXd slopes = qr.solve(with_target);
  const int exponent = std::ilogb(moments.unit[target]);
  for (Eigen::Index i = 0; i < d - 1; ++i) {
    const double slope = slopes[i] / deviation(place(i));
    coefficients[0] -= slope * moments.mean[place(i)];
    coefficients[i + 1] = std::scalbn(slope, exponent - std::ilogb(moments.unit[place(i)]));
  }
  coefficients[0] *= moments.unit[target];
  return coefficients;
}

}  // namespace anonkit
