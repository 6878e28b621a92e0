// anon_utility: statistics of a relation before and after masking.

#include <cmath>
#include <cstring>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "risk/cells.hpp"
#include "utility/distribution.hpp"
#include "utility/k_marginal.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/ordered_pair.hpp"
#include "utility/propensity.hpp"
#include "utility/range_queries.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/pair_reader.hpp"
#include "pg/risk/utility.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

/// The comparison of one column.
struct ColumnUtility {
  Distribution original;
  Distribution masked;
  double nulls[2] = {0, 0};  ///< share of the records, before and after
  double kolmogorov_smirnov = 0;
  double hellinger = 0;
};

struct Utility {
  MaskingLoss loss;
  std::vector<ColumnUtility> columns;
  Moments original;
  Moments masked;
  PrincipalAxes axes;
  Eigen::VectorXd original_coefficients;  ///< empty without a target
  Eigen::VectorXd masked_coefficients;
  double propensity_mse = 0;
  double query_error = 0;
  std::vector<KMarginal> marginals;  ///< of pairs, then of triples
};

double share_of_nulls(const CellColumn& column, std::int32_t rows) {
  return null_weight(column, rows) / total_weight(column, rows);
}

ColumnUtility column_utility(const CellsPair& pair, std::size_t j, Ticker& ticker) {
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  ColumnUtility utility;
  utility.hellinger = hellinger(original, pair.original.rows, masked, pair.masked.rows, ticker);
  if (!original.numeric()) return utility;
  const SortedColumn before = sorted_column(original, pair.original.rows, ticker);
  const SortedColumn after = sorted_column(masked, pair.masked.rows, ticker);
  utility.original = distribution_of(before);
  utility.masked = distribution_of(after);
  utility.nulls[0] = share_of_nulls(original, pair.original.rows);
  utility.nulls[1] = share_of_nulls(masked, pair.masked.rows);
  utility.kolmogorov_smirnov = kolmogorov_smirnov(before, after);
  return utility;
}

Eigen::Index place_among_numbers(const Moments& moments, int column) {
  Eigen::Index place = 0;
  while (moments.columns[static_cast<std::size_t>(place)] != static_cast<std::size_t>(column))
    ++place;
  return place;
}

Utility compare(const PairData& data, const UtilityQuestion& question) {
  BackendTicker ticker;
  ticker.begin("comparing", 0);
  CellsPair read = pair_of(data, question.qi, question.key);
  read.original.weigh(data.weights[0].values);
  read.masked.weigh(data.weights[1].values);
  const int threads = thread_count();
  OrderedPair ordered(read, threads, ticker);
  Utility utility;
  // The losses and the propensity score concern records, and no population.
  const CellsPair& records = ordered.records();
  utility.loss =
      masking_loss(records, threads, ticker, static_cast<std::size_t>(question.class_columns));
  utility.propensity_mse = propensity_mse(records.original, records.masked, threads, ticker);
  const CellsPair& pair = ordered.weighted();
  utility.columns.resize(pair.original.columns.size());
  run_unreported_tasks(utility.columns.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    utility.columns[j] = column_utility(pair, j, own);
  });
  utility.original = moments_of(pair.original, ticker);
  utility.masked = moments_of(pair.masked, ticker);
  if (!utility.original.columns.empty())
    utility.axes = principal_axes(utility.original, utility.masked);
  if (question.target >= 0) {
    const Eigen::Index target = place_among_numbers(utility.original, question.target);
    utility.original_coefficients = regression(utility.original, target);
    utility.masked_coefficients = regression(utility.masked, target);
  }
  utility.marginals =
      k_marginal(pair.original, pair.masked, {2, 3}, question.seed, threads, ticker);
  utility.query_error = mean_query_error(pair.original, pair.masked, question.queries,
                                         question.seed, threads, ticker);
  return utility;
}

/// Two rows: before and after masking.
void add_both(Figures& figures, const char* measure, const char* attribute, double original,
              double masked, const char* explanation) {
  figures.add(psprintf("%s_original", measure), attribute, original,
              psprintf("%s before masking.", explanation));
  figures.add(psprintf("%s_masked", measure), attribute, masked,
              psprintf("%s after masking; ranges count as their middle.", explanation));
}

void write_loss(const MaskingLoss& loss, Figures& figures) {
  figures.add(
      "loss", nullptr, loss.squared,
      "100 SSE / SST of the standardised numbers, suppressed records as the mean of all; known "
      "with a key only.");
  figures.add(
      "ncp", nullptr, loss.ncp,
      "Mean width of the masked numbers over that of their column, 1 if suppressed; null if "
      "means are published.");
  figures.add("dm", nullptr, loss.discernibility,
              "Sum of the squared class sizes; a suppressed record adds the number of records.");
  figures.add("mean_class", nullptr, loss.mean_class, "Masked records over classes.");
}

void write_nulls(const char* column, const ColumnUtility& utility, Figures& figures) {
  if (utility.nulls[0] == 0 && utility.nulls[1] == 0) return;
  figures.add("nulls_original", column, utility.nulls[0],
              "Share of nulls before masking; statistics of numbers do without them.");
  figures.add("nulls_masked", column, utility.nulls[1],
              "Share of nulls after masking; statistics of numbers do without them.");
}

void write_column(const char* column, bool numeric, double ncp, const ColumnUtility& utility,
                  Figures& figures) {
  figures.add("hellinger", column, utility.hellinger,
              "Hellinger distance of the distributions, from 0 to 1.");
  if (!numeric) return;
  figures.add(
      "ncp", column, ncp,
      "Mean width of the masked numbers over that of their column, 1 if suppressed; null if "
      "means are published.");
  write_nulls(column, utility, figures);
  figures.add("kolmogorov_smirnov", column, utility.kolmogorov_smirnov,
              "Largest difference of the distribution functions.");
  add_both(figures, "mean", column, utility.original.mean, utility.masked.mean, "Mean");
  add_both(figures, "variance", column, utility.original.variance(), utility.masked.variance(),
           "Sample variance");
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    add_both(figures, psprintf("quantile_%02d", static_cast<int>(std::lround(100 * kQuantiles[i]))),
             column, utility.original.quantiles[i], utility.masked.quantiles[i], "Quantile");
}

const char* number_name(const PairData& data, const Moments& moments, Eigen::Index i) {
  return data.columns[moments.columns[static_cast<std::size_t>(i)]].name;
}

void write_moments(const PairData& data, const Utility& utility, Figures& figures) {
  const Eigen::Index d = utility.original.mean.size();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = i + 1; j < d; ++j) {
      const char* both = psprintf("%s, %s", number_name(data, utility.original, i),
                                  number_name(data, utility.original, j));
      add_both(figures, "covariance", both, utility.original.covariance(i, j),
               utility.masked.covariance(i, j), "Sample covariance");
      add_both(figures, "correlation", both, utility.original.correlation(i, j),
               utility.masked.correlation(i, j), "Correlation");
    }
  for (std::size_t i = 0; i < utility.axes.angle.size(); ++i) {
    const char* axis = psprintf("axis %d", static_cast<int>(i) + 1);
    add_both(figures, "eigenvalue", axis, utility.axes.original[i], utility.axes.masked[i],
             "Variance along this principal axis, in units of the original deviations,");
    figures.add("axis_angle", axis, utility.axes.angle[i],
                "Degrees between this principal axis before and after masking.");
  }
}

void write_regression(const PairData& data, const Utility& utility, const char* target,
                      Figures& figures) {
  const Eigen::Index d = utility.original_coefficients.size();
  Eigen::Index place = 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    const char* term = "intercept";
    if (i > 0) {
      if (std::strcmp(number_name(data, utility.original, place), target) == 0) ++place;
      term = number_name(data, utility.original, place++);
    }
    add_both(figures, "coefficient", term, utility.original_coefficients[i],
             utility.masked_coefficients[i], "Coefficient of the linear regression of the target");
  }
}

/// The index of the target, which must be a column of numbers.
int target_place(const PairData& data, int qi, const char* target) {
  if (target == nullptr) return -1;
  for (int j = 0; j < qi; ++j)
    if (data.columns[j].numeric && std::strcmp(data.columns[j].name, target) == 0) return j;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("target \"%s\" is not among the columns of numbers that are compared", target)));
  pg_unreachable();
}

/// Mean over pairs of numbers of |r - r'|, where r is 0 if one of the columns does not vary; null
/// with fewer than two columns.
double correlation_change(const Moments& original, const Moments& masked) {
  const Eigen::Index d = original.mean.size();
  double sum = 0;
  int pairs = 0;
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = i + 1; j < d; ++j) {
      const double change = std::fabs(original.correlation(i, j) - masked.correlation(i, j));
      if (std::isnan(change)) continue;
      sum += change;
      ++pairs;
    }
  return pairs > 0 ? sum / pairs : NAN;
}

void write_marginals(const Utility& utility, Figures& figures) {
  const char* const names[] = {"k_marginal", "k_marginal_triples"};
  const char* const sets[] = {"pairs", "triples"};
  for (std::size_t i = 0; i < utility.marginals.size(); ++i) {
    const KMarginal& found = utility.marginals[i];
    figures.add(
        names[i], nullptr, found.score,
        psprintf("1000 (1 - mean total variation distance of the joint distributions of %s%s "
                 "of columns; numbers of more than 20 values in 20 bins).",
                 found.sets < found.all
                     ? psprintf(INT64_FORMAT " drawn ", static_cast<int64>(found.sets))
                     : "",
                 sets[i]));
  }
  figures.add("correlation_change", nullptr, correlation_change(utility.original, utility.masked),
              "Mean absolute change of the correlations of numbers.");
}

}  // namespace

Figures utility_figures(const PairData& data, const UtilityQuestion& question) {
  Utility& found = own_in_context(std::make_unique<Utility>(compare(data, question)));
  Figures figures = {};
  write_loss(found.loss, figures);
  for (int j = 0; j < question.qi; ++j)
    write_column(data.columns[j].name, data.columns[j].numeric, found.loss.ncp_of[at(j)],
                 found.columns[at(j)], figures);
  write_moments(data, found, figures);
  if (question.target >= 0)
    write_regression(data, found, data.columns[question.target].name, figures);
  figures.add("propensity_mse", nullptr, found.propensity_mse,
              "Propensity-score mean squared error: 0 if a logistic regression with squares and "
              "interactions cannot tell masked records from original ones.");
  write_marginals(found, figures);
  figures.add("query_error", nullptr, found.query_error,
              "Mean relative error of random range counts.");
  return figures;
}

namespace {

std::uint64_t seed_argument(FunctionCallInfo fcinfo) {
  const int place = argument_place(fcinfo, "seed");
  return PG_ARGISNULL(place) ? 0 : static_cast<std::uint64_t>(PG_GETARG_INT64(place));
}

Datum utility(FunctionCallInfo fcinfo) {
  const Oid original = required_relation(fcinfo, "original");
  const Oid masked = required_relation(fcinfo, "masked");
  const FigureRows rows(fcinfo);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, "qi", 1);
  const Names key = names_argument(fcinfo, "key", 0);
  const char* target = text_argument(fcinfo, "target");
  const PairData data = read_pair(original, masked, joined(qi, key), qi.count, {}, false,
                                  text_argument(fcinfo, "sampling_weight"));
  const UtilityQuestion question = {qi.count,
                                    qi.count,
                                    key.count,
                                    target_place(data, qi.count, target),
                                    count_argument(fcinfo, "queries", 0, 1000000),
                                    seed_argument(fcinfo)};
  rows.put(utility_figures(data, question));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_utility) {
  return anonkit::pg::utility(fcinfo);
}
