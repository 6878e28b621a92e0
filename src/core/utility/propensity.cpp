#include "utility/propensity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/eigen.hpp"
#include "base/threads.hpp"
#include "risk/null_indicators.hpp"
#include "utility/linear.hpp"

namespace anonkit {
namespace {

/// The terms of the logistic regression: 1, the standardised numbers, an indicator for each of a
/// category's most frequent values, and terms of the second order. Microaggregation preserves
/// means, so main effects do not see it; squares and interactions do, since it shrinks variances.
class Terms {
 public:
  Terms(const Cells& original, const Cells& masked, Ticker& ticker) {
    for (const std::size_t j : number_columns(original))
      numbers_.push_back({j, moments_of({original.rows, {original.columns[j]}}, ticker)});
    const std::size_t categories = original.columns.size() - numbers_.size();
    const std::size_t most =
        std::min(kMostOfCategory, kMostTerms / std::max<std::size_t>(categories, 1));
    for (std::size_t j = 0; j < original.columns.size(); ++j)
      if (!original.columns[j].numeric()) {
        ticker.step(16 * (static_cast<std::int64_t>(original.rows) + masked.rows));
        add_category(original, masked, j, most);
      }
    add_products();
  }

  Eigen::Index count() const {
    return static_cast<Eigen::Index>(1 + main_effects() + products_.size());
  }

  /// True if a value of the record tells its relation. Its terms would have no finite weights.
  bool tells(const Cells& cells, std::int32_t i) const {
    return std::any_of(categories_.begin(), categories_.end(), [&](const Category& category) {
      return category.term_of[at(cells.columns[category.column].codes[i])] == kTells;
    });
  }

  /// Writes the terms of record i into a column.
  void write(const Cells& cells, std::int32_t i, Eigen::Ref<Eigen::VectorXd> row) const {
    row.setZero();
    row[0] = 1;
    Eigen::Index next = 1;
    for (const Number& number : numbers_) {
      const Moments& moments = number.moments;
      const double deviation = std::sqrt(moments.in_units(0, 0));
      const double x = cells.columns[number.column].middle(i);
      const double off = x / moments.unit[0] - moments.mean[0];
      const Eigen::Index term = next++;
      // A null is at the mean, and has an indicator.
      if (std::isnan(off)) continue;
      row[term] = std::clamp(deviation > 0 ? off / deviation : off, -kFarthest, kFarthest);
    }
    for (const Category& category : categories_) {
      const std::int32_t term = category.term_of[at(cells.columns[category.column].codes[i])];
      if (term >= 0) row[next + term] = 1;
    }
    next = static_cast<Eigen::Index>(1 + main_effects());
    for (const auto& [a, b] : products_) row[next++] = row[a] * row[b];
  }

 private:
  /// A masked number this many deviations away is as easily told from original ones as any farther.
  /// Its square is still far below the precision of sums.
  static constexpr double kFarthest = 1e4;
  static constexpr std::size_t kMostOfCategory = 50;
  /// The decomposition of a matrix of these terms takes a tenth of a second at most.
  static constexpr std::size_t kMostTerms = 500;
  static constexpr std::int32_t kNoTerm = -1, kTells = -2;

  /// A column, and its moments over its own numbers: a null in another one has no part in them.
  struct Number {
    std::size_t column;
    Moments moments;
  };

  struct Category {
    std::size_t column;
    std::vector<std::int32_t> term_of;  ///< by value: a term, kNoTerm or kTells
  };

  /// A value of a category, and its records in both relations.
  struct Counted {
    std::int32_t value;
    std::int64_t original, masked;
    std::int64_t records() const { return original + masked; }
    bool tells() const { return original == 0 || masked == 0; }
  };

  std::size_t main_effects() const { return numbers_.size() + column_of_.size(); }

  /// The first of these: squares of numbers, products of two numbers, of a number and an indicator,
  /// of indicators of two columns.
  void add_products() {
    constexpr std::size_t kMost = 50;
    const auto d = static_cast<Eigen::Index>(numbers_.size());
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

  static std::vector<Counted> counts_of(const Cells& original, const Cells& masked, std::size_t j) {
    std::vector<Counted> counts(
        at(std::max(original.columns[j].categories, masked.columns[j].categories)));
    for (std::size_t v = 0; v < counts.size(); ++v)
      counts[v] = {static_cast<std::int32_t>(v), 0, 0};
    for (std::int32_t i = 0; i < original.rows; ++i)
      ++counts[at(original.columns[j].codes[i])].original;
    for (std::int32_t i = 0; i < masked.rows; ++i) ++counts[at(masked.columns[j].codes[i])].masked;
    return counts;
  }

  /// The `most` most frequent values have terms, but for those that tell, and the first of the
  /// others: it is the intercept's.
  void add_category(const Cells& original, const Cells& masked, std::size_t j, std::size_t most) {
    std::vector<Counted> counts = counts_of(original, masked, j);
    Category category = {j, std::vector<std::int32_t>(counts.size(), kNoTerm)};
    std::sort(counts.begin(), counts.end(), [](const Counted& a, const Counted& b) {
      return a.records() != b.records() ? a.records() > b.records() : a.value < b.value;
    });
    counts.resize(std::min(counts.size(), most));
    bool intercept = true;
    for (const Counted& counted : counts) {
      if (counted.records() == 0) break;
      std::int32_t& term = category.term_of[at(counted.value)];
      if (counted.tells()) {
        term = kTells;
      } else if (!std::exchange(intercept, false)) {
        term = static_cast<std::int32_t>(column_of_.size());
        column_of_.push_back(j);
      }
    }
    categories_.push_back(std::move(category));
  }

  std::vector<Number> numbers_;
  std::vector<Category> categories_;
  std::vector<std::size_t> column_of_;                           ///< by indicator
  std::vector<std::pair<Eigen::Index, Eigen::Index>> products_;  ///< of terms
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
constexpr std::int64_t kMostParts = 16;

/// Every `stride`-th record of both relations, in terms; `label` is 0 for original ones.
struct Labelled {
  const Cells& original;
  const Cells& masked;
  const Terms& terms;
  int threads;
  std::int32_t stride;

  /// Sums are formed by part. The records alone decide how many there are, not the threads.
  std::size_t parts() const {
    const std::int64_t taken = std::max(taken_of(original), taken_of(masked));
    return at(std::clamp(taken / kBlockOfRecords, std::int64_t{1}, kMostParts));
  }
  double records() const { return (static_cast<double>(original.rows) + masked.rows) / stride; }

  /// Calls `each(part, terms, counts, label, ticker)` for blocks of records that no value tells, a
  /// column each. A column stands for `counts` records in a row with equal cells, like those of a
  /// class. Parts may run at the same time.
  template <class Each>
  void for_blocks(Ticker& ticker, const Each& each) const {
    run_unreported_tasks(parts(), threads, ticker, [&](std::size_t part, Ticker& own) {
      read(original, 0, part, own, each);
      read(masked, 1, part, own, each);
    });
  }

 private:
  std::int64_t taken_of(const Cells& cells) const { return (cells.rows + stride - 1) / stride; }

  template <class Each>
  void read(const Cells& cells, double label, std::size_t part, Ticker& ticker,
            const Each& each) const {
    const std::int64_t taken = taken_of(cells);
    const auto all = static_cast<std::int64_t>(parts()), number = static_cast<std::int64_t>(part);
    const std::int64_t begin = taken * number / all, end = taken * (number + 1) / all;
    Eigen::MatrixXd block(terms.count(), kBlockOfRecords);
    Eigen::ArrayXd counts(kBlockOfRecords);
    Eigen::Index filled = 0;
    const auto pass = [&] {
      if (filled > 0) each(part, block.leftCols(filled), counts.head(filled), label, ticker);
      filled = 0;
    };
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::int32_t>(i * stride);
      ticker.step(32);
      if (terms.tells(cells, row)) continue;
      if (filled > 0 && same_cells(cells, row - stride, row)) {
        ++counts[filled - 1];
        continue;
      }
      if (filled == kBlockOfRecords) pass();
      ticker.step(2 * terms.count());
      terms.write(cells, row, block.col(filled));
      counts[filled++] = 1;
    }
    pass();
  }

  static bool same_cells(const Cells& cells, std::int32_t a, std::int32_t b) {
    return std::all_of(cells.columns.begin(), cells.columns.end(),
                       [&](const CellColumn& column) { return column.compare(a, b) == 0; });
  }
};

/// The log-likelihood of weights, its gradient and the lower half of its Hessian.
struct Slopes {
  double likelihood = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;

  explicit Slopes(Eigen::Index d)
      : gradient(Eigen::VectorXd::Zero(d)), hessian(Eigen::MatrixXd::Zero(d, d)) {}

  /// Adds records with probabilities p of their label 1.
  template <class Block, class Counts>
  void add(const Block& x, const Counts& counts, double label, const Eigen::VectorXd& weights) {
    const Eigen::ArrayXd score = x.transpose() * weights;
    const Eigen::ArrayXd p = score.unaryExpr(&logistic);
    const Eigen::ArrayXd losses = (label > 0 ? Eigen::ArrayXd(-score) : score).unaryExpr(&softplus);
    likelihood -= (counts * losses).sum();
    gradient += x * (counts * (label - p)).matrix();
    const Eigen::ArrayXd spread = counts * p * (1 - p);
    // Most indicators are 0, and so are their products.
    if (2 * (x.array() != 0).count() > x.size())
      hessian.template selfadjointView<Eigen::Lower>().rankUpdate(
          x * spread.sqrt().matrix().asDiagonal());
    else
      for (Eigen::Index i = 0; i < x.cols(); ++i) add_sparse(x.col(i), spread[i]);
  }
  void add(const Slopes& other) {
    likelihood += other.likelihood;
    gradient += other.gradient;
    hessian += other.hessian;
  }

 private:
  /// A term that is not 0.
  struct Active {
    Eigen::Index term;
    double value;
  };

  /// Adds spread x x' by the terms that are not 0.
  template <class Column>
  void add_sparse(const Column& x, double spread) {
    active_.clear();
    for (Eigen::Index a = 0; a < x.size(); ++a)
      if (x[a] != 0) active_.push_back({a, x[a]});
    for (auto a = active_.cbegin(); a != active_.cend(); ++a) {
      double* column = hessian.col(a->term).data();
      const double scaled = spread * a->value;
      for (auto b = a; b != active_.cend(); ++b) column[b->term] += scaled * b->value;
    }
  }

  std::vector<Active> active_;
};

/// Those of the likelihood less ridge/2 |w|^2.
Slopes slopes_at(const Labelled& records, const Eigen::VectorXd& weights, double ridge,
                 Ticker& ticker) {
  const Eigen::Index d = weights.size();
  std::vector<Slopes> parts(records.parts(), Slopes(d));
  records.for_blocks(
      ticker, [&](std::size_t part, const auto& x, const auto& counts, double label, Ticker& own) {
        own.step(x.cols() * d * d / 4);
        parts[part].add(x, counts, label, weights);
      });
  Slopes sum(d);
  sum.likelihood = -ridge / 2 * weights.squaredNorm();
  sum.gradient = -ridge * weights;
  sum.hessian.diagonal().setConstant(ridge);
  for (const Slopes& part : parts) sum.add(part);
  return sum;
}

/// The weights of a logistic regression of the label on the terms, sought from `weights`, or from 0
/// if that is more likely: Newton's method on the log-likelihood sum of y x.w - log(1 + exp(x.w)),
/// less ridge/2 |w|^2. The gradient is the sum of (y - p) x, the Hessian that of p (1-p) x x'. The
/// likelihood is concave, so a step that lowers it was too long. A step gains about half its
/// product with the gradient (Boyd, Vandenberghe: Convex Optimization, 2004, 9.5). The search ends
/// before that is below what rounding moves the likelihood by; the weights of terms that hardly
/// matter, such as those of rare categories, may still move then.
Eigen::VectorXd fitted(const Labelled& records, Eigen::VectorXd weights, double ridge,
                       Ticker& ticker) {
  constexpr int kRounds = 50;
  constexpr double kLeastGain = 1e-10;  // of a record
  Eigen::VectorXd step = std::exchange(weights, Eigen::VectorXd::Zero(weights.size()));
  double best = -1.001 * std::log(2) * records.records();
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd tried = weights + step;
    const Slopes slopes = slopes_at(records, tried, ridge, ticker);
    // A step too far, by an outlier's square, is halved.
    if (slopes.likelihood < best) {
      step /= 2;
      continue;
    }
    weights = tried;
    best = slopes.likelihood;
    const Eigen::MatrixXd hessian = slopes.hessian.selfadjointView<Eigen::Lower>();
    step = hessian.ldlt().solve(slopes.gradient);
    if (step.dot(slopes.gradient) / 2 < kLeastGain * records.records()) return weights + step;
  }
  return weights;
}

/// Records of a part that no value tells, and their sum of (p - c)^2.
struct Fitted {
  double original = 0, masked = 0;
  double squares = 0;
};

}  // namespace

// The result is the mean of (p - c)^2 over all records, with c the share of masked ones. Where a
// value tells the relation, the likelihood grows with the weight of its indicator without end: p is
// the label in the limit, and the record moves no other weight (A. Albert, J. A. Anderson: On the
// existence of maximum likelihood estimates in logistic regression models. Biometrika 71(1), 1984).
// For the others, the weights of a sample are near, so few rounds over all records are left.
double propensity_mse(const Cells& original, const Cells& masked, int threads, Ticker& ticker) {
  constexpr std::int32_t kLeastSampled = 10000, kLargestStride = 16;
  // A small ridge keeps the step finite if the model separates the records perfectly. A larger one
  // keeps the weights of values that are rare in the sample where all records' are.
  constexpr double kRidge = 1e-9, kRidgeOfSample = 1;
  const NullIndicators told(original, masked);
  const Terms terms(told.original(), told.masked(), ticker);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(terms.count());
  const std::int32_t stride =
      std::min(std::min(original.rows, masked.rows) / kLeastSampled, kLargestStride);
  if (stride > 1)
    weights = fitted({told.original(), told.masked(), terms, threads, stride}, weights,
                     kRidgeOfSample, ticker);
  const Labelled all{told.original(), told.masked(), terms, threads, 1};
  weights = fitted(all, weights, kRidge * all.records(), ticker);
  const double share = masked.rows / all.records();
  std::vector<Fitted> parts(all.parts());
  all.for_blocks(
      ticker, [&](std::size_t part, const auto& x, const auto& counts, double label, Ticker&) {
        const Eigen::ArrayXd score = x.transpose() * weights;
        (label > 0 ? parts[part].masked : parts[part].original) += counts.sum();
        parts[part].squares += (counts * (score.unaryExpr(&logistic) - share).square()).sum();
      });
  double told_original = original.rows, told_masked = masked.rows;
  for (const Fitted& part : parts) {
    told_original -= part.original;
    told_masked -= part.masked;
  }
  double squares = told_original * share * share + told_masked * (1 - share) * (1 - share);
  for (const Fitted& part : parts) squares += part.squares;
  return squares / all.records();
}

}  // namespace anonkit
