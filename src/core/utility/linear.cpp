#include "utility/linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"

namespace anonkit {

// Units are powers of two, so returning to the columns' own units is exact unless it overflows.
double Moments::covariance(Eigen::Index i, Eigen::Index j) const {
  return std::scalbn(in_units(i, j), std::ilogb(unit[i]) + std::ilogb(unit[j]));
}

double Moments::correlation(Eigen::Index i, Eigen::Index j) const {
  const double scale = std::sqrt(in_units(i, i) * in_units(j, j));
  return scale > 0 ? in_units(i, j) / scale : 0;
}

// Two passes, the mean first: the textbook formula of one pass, sum of xy less n times the means,
// cancels digits where deviations are small against the mean (Chan, Golub, LeVeque 1983).
Moments moments_of(const Cells& cells, Ticker& ticker) {
  Moments moments;
  for (std::size_t j = 0; j < cells.columns.size(); ++j)
    if (cells.columns[j].numeric()) moments.columns.push_back(j);
  if (moments.columns.size() > kMostNumbers)
    throw Error(ErrorKind::invalid_parameter, "too many columns of numbers",
                "Utility is compared for " + std::to_string(kMostNumbers) + " at most.");
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
  const double total = total_weight(column(0), cells.rows);
  for (std::int32_t i = 0; i < cells.rows; ++i) {
    read(i);
    moments.mean += column(0).weight(i) * row;
  }
  moments.mean /= total;
  moments.in_units = Eigen::MatrixXd::Zero(d, d);
  for (std::int32_t i = 0; i < cells.rows; ++i) {
    read(i);
    row -= moments.mean;
    moments.in_units.noalias() += column(0).weight(i) * row * row.transpose();
  }
  // As the variance of a Distribution.
  if (cells.rows > 1) moments.in_units /= total - total / cells.rows;
  return moments;
}

namespace {

/// Eigenvalues, ascending, and their vectors by column.
struct Decomposition {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Decomposes the covariances in units of the original ones, divided by the original deviations.
/// NaN if they are not finite there.
Decomposition decompose(const Moments& moments, const Moments& original) {
  const Eigen::VectorXd scale = original.in_units.diagonal().binaryExpr(
      moments.unit.cwiseQuotient(original.unit),
      [](double variance, double ratio) { return variance > 0 ? ratio / std::sqrt(variance) : 0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * moments.in_units * scale.asDiagonal();
  if (!scaled.allFinite()) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {Eigen::VectorXd::Constant(scale.size(), kUnknown),
            Eigen::MatrixXd::Constant(scale.size(), scale.size(), kUnknown)};
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled);
  return {solver.eigenvalues(), solver.eigenvectors()};
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

namespace {

/// The terms of the logistic regression: 1, the standardised numbers, an indicator for each of a
/// category's most frequent values, and terms of the second order. Microaggregation preserves
/// means, so main effects do not see it; squares and interactions do, since it shrinks variances.
class Terms {
 public:
  Terms(const Cells& original, const Cells& masked, Ticker& ticker)
      : moments_(moments_of(original, ticker)) {
    const std::size_t categories = original.columns.size() - moments_.columns.size();
    const std::size_t most =
        std::min(kMostOfCategory, kMostTerms / std::max<std::size_t>(categories, 1));
    for (std::size_t j = 0; j < original.columns.size(); ++j)
      if (!original.columns[j].numeric()) {
        ticker.step(16 * (static_cast<std::int64_t>(original.rows) + masked.rows));
        add_category(original, masked, j, most);
      }
    add_products();
    row_.resize(static_cast<Eigen::Index>(1 + main_effects() + products_.size()));
  }

  Eigen::Index count() const { return row_.size(); }

  const Eigen::VectorXd& of(const Cells& cells, std::int32_t i) {
    row_.setZero();
    row_[0] = 1;
    const auto d = static_cast<Eigen::Index>(moments_.columns.size());
    for (Eigen::Index j = 0; j < d; ++j) {
      const double deviation = std::sqrt(moments_.in_units(j, j));
      const double x = cells.columns[moments_.columns[static_cast<std::size_t>(j)]].middle(i);
      const double off = x / moments_.unit[j] - moments_.mean[j];
      row_[1 + j] = std::clamp(deviation > 0 ? off / deviation : off, -kFarthest, kFarthest);
    }
    for (const Category& category : categories_) {
      const std::int32_t term = category.term_of[at(cells.columns[category.column].codes[i])];
      if (term >= 0) row_[1 + d + term] = 1;
    }
    auto next = static_cast<Eigen::Index>(1 + main_effects());
    for (const auto& [a, b] : products_) row_[next++] = row_[a] * row_[b];
    return row_;
  }

 private:
  /// A masked number this many deviations away is as easily told from original ones as any farther.
  /// Its square is still far below the precision of sums.
  static constexpr double kFarthest = 1e4;
  static constexpr std::size_t kMostOfCategory = 50;
  /// The decomposition of a matrix of these terms takes a tenth of a second at most.
  static constexpr std::size_t kMostTerms = 500;

  struct Category {
    std::size_t column;
    std::vector<std::int32_t> term_of;  ///< -1: no term
  };

  std::size_t main_effects() const { return moments_.columns.size() + column_of_.size(); }

  /// The first of these: squares of numbers, products of two numbers, of a number and an indicator,
  /// of indicators of two columns.
  void add_products() {
    constexpr std::size_t kMost = 50;
    const auto d = static_cast<Eigen::Index>(moments_.columns.size());
    const auto all = static_cast<Eigen::Index>(main_effects());
    const auto add = [&](Eigen::Index a, Eigen::Index b) {
      if (products_.size() < kMost) products_.emplace_back(1 + a, 1 + b);
    };
    for (Eigen::Index j = 0; j < d; ++j) add(j, j);
    for (Eigen::Index a = 0; a < d; ++a)
      for (Eigen::Index b = a + 1; b < all; ++b) add(a, b);
    for (Eigen::Index a = d; a < all; ++a)
      for (Eigen::Index b = a + 1; b < all; ++b)
        if (column_of_[at(a - d)] != column_of_[at(b - d)]) add(a, b);
  }

  /// The most frequent value has no term: it is the intercept's.
  void add_category(const Cells& original, const Cells& masked, std::size_t j, std::size_t most) {
    const auto categories =
        at(std::max(original.columns[j].categories, masked.columns[j].categories));
    std::vector<std::pair<std::int64_t, std::int32_t>> counts(categories);
    for (std::size_t v = 0; v < categories; ++v) counts[v] = {0, static_cast<std::int32_t>(v)};
    for (const Cells* cells : {&original, &masked})
      for (std::int32_t i = 0; i < cells->rows; ++i) --counts[at(cells->columns[j].codes[i])].first;
    std::sort(counts.begin(), counts.end());
    Category category = {j, std::vector<std::int32_t>(categories, -1)};
    for (std::size_t v = 1; v < std::min(categories, most) && counts[v].first < 0; ++v) {
      category.term_of[at(counts[v].second)] = static_cast<std::int32_t>(column_of_.size());
      column_of_.push_back(j);
    }
    categories_.push_back(std::move(category));
  }

  Moments moments_;
  std::vector<Category> categories_;
  std::vector<std::size_t> column_of_;                           ///< by indicator
  std::vector<std::pair<Eigen::Index, Eigen::Index>> products_;  ///< of terms
  Eigen::VectorXd row_;
};

// The probability of label 1 under a score. Overflow of the exponential gives 0, its limit.
double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

/// log(1 + exp(x)).
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}

/// Records are read in blocks: products of matrices use the processor's cache, sums of single
/// records do not.
constexpr Eigen::Index kBlockOfRecords = 128;

/// Calls `each(terms, label)` for blocks of every `stride`-th record, a column each; original ones
/// have label 0.
template <class Each>
void for_blocks(const Cells& original, const Cells& masked, std::int32_t stride, Terms& terms,
                Ticker& ticker, Each each) {
  Eigen::MatrixXd block(terms.count(), kBlockOfRecords);
  const auto read = [&](const Cells& cells, double label) {
    Eigen::Index filled = 0;
    for (std::int32_t i = 0; i < cells.rows; i += stride) {
      ticker.step(2 * terms.count() + 32);
      block.col(filled++) = terms.of(cells, i);
      if (filled < kBlockOfRecords && i < cells.rows - stride) continue;
      each(block.leftCols(filled), label);
      filled = 0;
    }
  };
  read(original, 0);
  read(masked, 1);
}

/// The weights of a logistic regression of the label on the terms, sought from `weights`, or from 0
/// if that is more likely: Newton's method on the log-likelihood sum of y x.w - log(1 + exp(x.w)),
/// less ridge/2 |w|^2. The gradient is the sum of (y - p) x, the Hessian that of p (1-p) x x'. The
/// likelihood is concave, so a step that lowers it was too long. A step gains about half its
/// product with the gradient (Boyd, Vandenberghe: Convex Optimization, 2004, 9.5). The search ends
/// before that is below what rounding moves the likelihood by; the weights of terms that hardly
/// matter, such as those of rare categories, may still move then.
Eigen::VectorXd fitted(const Cells& original, const Cells& masked, std::int32_t stride,
                       Terms& terms, Eigen::VectorXd weights, Ticker& ticker) {
  constexpr int kRounds = 50;
  constexpr double kLeastGain = 1e-10;  // of a record
  const Eigen::Index d = terms.count();
  const double all = (static_cast<double>(original.rows) + masked.rows) / stride;
  // A small multiple of the identity keeps the step finite if the model separates the records
  // perfectly.
  const double ridge = 1e-9 * all;
  Eigen::VectorXd step = std::exchange(weights, Eigen::VectorXd::Zero(d));
  double best = -1.001 * std::log(2) * all;
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd tried = weights + step;
    Eigen::MatrixXd hessian = Eigen::MatrixXd::Identity(d, d) * ridge;
    Eigen::VectorXd gradient = -ridge * tried;
    double likelihood = -ridge / 2 * tried.squaredNorm();
    for_blocks(original, masked, stride, terms, ticker, [&](const auto& x, double label) {
      ticker.step(x.cols() * d * d / 4);
      const Eigen::ArrayXd score = x.transpose() * tried;
      const Eigen::ArrayXd p = score.unaryExpr(&logistic);
      likelihood -= (label > 0 ? Eigen::ArrayXd(-score) : score).unaryExpr(&softplus).sum();
      gradient += x * (label - p).matrix();
      const Eigen::MatrixXd spread = x * (p * (1 - p)).sqrt().matrix().asDiagonal();
      hessian.template selfadjointView<Eigen::Lower>().rankUpdate(spread);
    });
    // A step too far, by an outlier's square, is halved.
    if (likelihood < best) {
      step /= 2;
      continue;
    }
    weights = tried;
    best = likelihood;
    step = Eigen::MatrixXd(hessian.selfadjointView<Eigen::Lower>()).ldlt().solve(gradient);
    if (step.dot(gradient) / 2 < kLeastGain * all) return weights + step;
  }
  return weights;
}

}  // namespace

// The weights of a sample are near, so few rounds over all records are left. The result is the mean
// of (p - c)^2 over all records, with c the share of masked ones.
double propensity_mse(const Cells& original, const Cells& masked, Ticker& ticker) {
  constexpr std::int32_t kLeastSampled = 10000, kLargestStride = 16;
  Terms terms(original, masked, ticker);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(terms.count());
  const std::int32_t stride =
      std::min(std::min(original.rows, masked.rows) / kLeastSampled, kLargestStride);
  if (stride > 1) weights = fitted(original, masked, stride, terms, weights, ticker);
  weights = fitted(original, masked, 1, terms, weights, ticker);
  const double all = static_cast<double>(original.rows) + masked.rows;
  const double share = masked.rows / all;
  double squares = 0;
  for_blocks(original, masked, 1, terms, ticker, [&](const auto& x, double) {
    const Eigen::ArrayXd score = x.transpose() * weights;
    squares += (score.unaryExpr(&logistic) - share).square().sum();
  });
  return squares / all;
}

}  // namespace anonkit
