#include "risk/inference.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "base/tolerance.hpp"
#include "risk/agreement.hpp"
#include "risk/null_indicators.hpp"
#include "risk/votes.hpp"

namespace anonkit {
namespace {

double guess_base(const CellsPair& pair, const SensitivePair& sensitive) {
  Votes votes(sensitive.values);
  for (std::int32_t i = 0; i < pair.masked.rows; ++i) votes.add(sensitive.masked[i]);
  std::vector<std::int32_t> times(at(sensitive.values), 0);
  for (std::int32_t i = 0; i < pair.original.rows; ++i) ++times[at(sensitive.original[i])];
  double right = 0;
  for (std::int32_t v = 0; v < sensitive.values; ++v)
    if (votes.rivals(v) > 0) right += static_cast<double>(times[at(v)]) / votes.rivals(v);
  return right / pair.original.rows;
}

/// Naive Bayes: log-probabilities of each cell, sensitive value by sensitive value. A category's
/// values that never occur with it share one probability by value, so the memory is O(n), not
/// O(categories values).
class NaiveBayes {
 public:
  NaiveBayes(const Cells& cells, const SensitivePair& sensitive, Ticker& ticker)
      : values_(at(sensitive.values)), prior_(values_, 0) {
    for (std::int32_t i = 0; i < cells.rows; ++i) ++prior_[at(sensitive.masked[i])];
    for (const CellColumn& column : cells.columns) {
      ticker.step(16 * (static_cast<std::int64_t>(cells.rows) + sensitive.values));
      columns_.push_back(column.numeric() ? normal(column, cells.rows, sensitive, ticker)
                                          : frequencies(column, cells.rows, sensitive, ticker));
    }
    for (double& count : prior_) count = std::log(count / cells.rows);
  }

  /// The number of the likeliest values, if v is one of them; else 0. Overwrites `sums`.
  std::int32_t rivals(const Cells& cells, std::int32_t row, std::int32_t v,
                      std::vector<double>& sums, Ticker& ticker) const {
    sums = prior_;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      ticker.step(4 * static_cast<std::int64_t>(values_));
      add(columns_[j], cells.columns[j], row, sums);
    }
    const double best = *std::max_element(sums.begin(), sums.end());
    // Equal products of probabilities have sums of logarithms that differ in the last bits.
    const double least = best - kTolerance * std::max(1.0, std::fabs(best));
    if (sums[at(v)] < least) return 0;
    return static_cast<std::int32_t>(
        std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum >= least; }));
  }

 private:
  /// A sensitive value that occurs with a category.
  struct Seen {
    std::int32_t value;
    double log;
  };

  struct Column {
    std::vector<double> unseen;      ///< by value: of a category that does not occur with it
    std::vector<std::size_t> first;  ///< by category: its first value in `seen`, and the end
    std::vector<Seen> seen;          ///< by category, then value
    double unit = 1;                 ///< of numbers, see unit_of
    std::vector<double> mean;        ///< in units; empty if all are equal
    std::vector<double> deviation;   ///< in units
    std::vector<double> log_deviation;
  };

  Column frequencies(const CellColumn& column, std::int32_t rows, const SensitivePair& sensitive,
                     Ticker& ticker) const {
    Column learnt;
    std::vector<std::pair<std::int32_t, std::int32_t>> cells;
    cells.reserve(at(rows));
    for (std::int32_t i = 0; i < rows; ++i)
      cells.emplace_back(column.codes[i], sensitive.masked[i]);
    std::sort(cells.begin(), cells.end(), [&](const auto& a, const auto& b) {
      ticker.step(2);
      return a < b;
    });
    const auto log_of = [&](double count, std::size_t v) {
      return std::log((count + 1) / (prior_[v] + column.categories));
    };
    for (std::size_t v = 0; v < values_; ++v) learnt.unseen.push_back(log_of(0, v));
    for (auto cell = cells.begin(); cell != cells.end();) {
      ticker.step(32);
      const auto next =
          std::find_if(cell, cells.end(), [&](const auto& other) { return other != *cell; });
      learnt.first.resize(at(cell->first) + 1, learnt.seen.size());
      learnt.seen.push_back(
          {cell->second, log_of(static_cast<double>(next - cell), at(cell->second))});
      cell = next;
    }
    learnt.first.resize(at(column.categories) + 1, learnt.seen.size());
    return learnt;
  }

  /// A number, and the sensitive value of its record.
  using Labelled = std::pair<std::int32_t, double>;

  /// In the order of the values, then of the numbers: sums do not depend on the order of the rows,
  /// and values with equal numbers are equally likely to the last bit.
  static std::vector<Labelled> labelled(const CellColumn& column, std::int32_t rows,
                                        const SensitivePair& sensitive, double unit,
                                        Ticker& ticker) {
    std::vector<Labelled> numbers;
    for (std::int32_t i = 0; i < rows; ++i)
      if (!column.is_null(i)) numbers.emplace_back(sensitive.masked[i], column.middle(i) / unit);
    std::sort(numbers.begin(), numbers.end(), [&](const Labelled& a, const Labelled& b) {
      ticker.step(2);
      return a < b;
    });
    return numbers;
  }

  struct Normal {
    double mean = 0;
    double variance = 0;
  };
  using Place = std::vector<Labelled>::const_iterator;

  /// In units. Middles of ranges without an end differ from others in the last bits alone.
  static constexpr double kVarianceOfRounding = 1e-28;

  static Normal normal_of(Place begin, Place end) {
    Normal normal;
    // The mean of equal numbers is rounded.
    const auto equals_first = [&](const Labelled& other) { return other.second == begin->second; };
    if (std::all_of(begin, end, equals_first)) return {begin == end ? 0 : begin->second, 0};
    const auto count = static_cast<double>(end - begin);
    for (Place at = begin; at != end; ++at) normal.mean += at->second / count;
    for (Place at = begin; at != end; ++at)
      normal.variance += (at->second - normal.mean) * (at->second - normal.mean) / count;
    return normal;
  }

  /// A sensitive value that has nulls only is taken to have the numbers of all: the indicator has
  /// what nulls tell. A column of one number tells nothing, however far the originals are from it.
  Column normal(const CellColumn& column, std::int32_t rows, const SensitivePair& sensitive,
                Ticker& ticker) const {
    Column learnt;
    learnt.unit = unit_of(column, rows);
    const std::vector<Labelled> numbers = labelled(column, rows, sensitive, learnt.unit, ticker);
    const Normal all = normal_of(numbers.begin(), numbers.end());
    if (all.variance <= kVarianceOfRounding) return learnt;
    // The deviation within a sensitive value is at least a thousandth of the column's.
    const double least = std::max(1e-6 * all.variance, 1e-300);
    learnt.mean.assign(values_, all.mean);
    learnt.deviation.assign(values_, std::sqrt(std::max(all.variance, least)));
    for (Place first = numbers.begin(), next; first != numbers.end(); first = next) {
      next = std::find_if(first, numbers.end(),
                          [&](const Labelled& other) { return other.first != first->first; });
      const Normal own = normal_of(first, next);
      learnt.mean[at(first->first)] = own.mean;
      learnt.deviation[at(first->first)] = std::sqrt(std::max(own.variance, least));
    }
    for (const double deviation : learnt.deviation)
      learnt.log_deviation.push_back(std::log(deviation));
    return learnt;
  }

  void add(const Column& learnt, const CellColumn& column, std::int32_t row,
           std::vector<double>& sums) const {
    if (!column.numeric()) {
      add_category(learnt, at(column.codes[row]), sums);
      return;
    }
    // The indicator has what a null tells.
    if (column.is_null(row) || learnt.mean.empty()) return;
    const double x = column.middle(row) / learnt.unit;
    for (std::size_t v = 0; v < values_; ++v) {
      const double z = (x - learnt.mean[v]) / learnt.deviation[v];
      sums[v] -= z * z / 2 + learnt.log_deviation[v];
    }
  }

  /// Each sum gets one addition, so that equal probabilities stay equal in the last bit.
  void add_category(const Column& learnt, std::size_t category, std::vector<double>& sums) const {
    std::size_t v = 0;
    for (std::size_t i = learnt.first[category]; i < learnt.first[category + 1]; ++i) {
      const Seen& seen = learnt.seen[i];
      for (; v < at(seen.value); ++v) sums[v] += learnt.unseen[v];
      sums[v++] += seen.log;
    }
    for (; v < values_; ++v) sums[v] += learnt.unseen[v];
  }

  std::size_t values_;
  std::vector<double> prior_;  ///< counts, then logarithms of shares
  std::vector<Column> columns_;
};

double guess_by_bayes(const NullIndicators& cells, const SensitivePair& sensitive, int threads,
                      Ticker& ticker) {
  const std::int32_t records = cells.original().rows;
  ticker.begin("guessing by Bayes", records);
  const NaiveBayes bayes(cells.masked(), sensitive, ticker);
  const auto guess_chunk = [&](std::size_t begin, std::size_t end, FractionSum& right,
                               Ticker& own) {
    std::vector<double> sums;
    for (std::size_t i = begin; i < end; ++i)
      add_chance(bayes.rivals(cells.original(), static_cast<std::int32_t>(i), sensitive.original[i],
                              sums, own),
                 right);
  };
  return sum_of_chunks(run_reported_chunks, at(records), FractionSum(), threads, ticker,
                       guess_chunk)
             .value() /
         records;
}

}  // namespace

std::vector<GuessedRight> guess(const CellsPair& pair, const PublishedPoints& points,
                                const std::vector<SensitivePair>& sensitive, std::int32_t k,
                                const NearestAttack& by_class, int threads, Ticker& ticker) {
  if (sensitive.empty()) return {};
  const NullIndicators cells(pair.original, pair.masked);
  std::vector<FractionSum> by_nearest = by_class.right;
  // The nearest point of a release is a class, which usually has k records.
  if (!points.hold(k))
    by_nearest = attack_by_nearest(pair, points, sensitive, k, threads, ticker).right;
  std::vector<GuessedRight> found;
  for (std::size_t a = 0; a < sensitive.size(); ++a)
    found.push_back({guess_base(pair, sensitive[a]), by_class.right[a].value() / pair.original.rows,
                     by_nearest[a].value() / pair.original.rows,
                     guess_by_bayes(cells, sensitive[a], threads, ticker)});
  return found;
}

namespace {

/// So many values are guessed by themselves.
constexpr std::size_t kFew = 20;

bool has_ranges(const CellColumn& column, std::int32_t rows) {
  for (std::int32_t i = 0; i < rows; ++i)
    if (column.low[i] < column.high[i]) return true;
  return false;
}

std::vector<double> middles(const CellColumn& column, std::int32_t rows) {
  std::vector<double> numbers;
  for (std::int32_t i = 0; i < rows; ++i)
    numbers.push_back(column.is_null(i) ? kNullLow : column.middle(i));
  return numbers;
}

}  // namespace

Tenths tenths(const double* original, std::int32_t originals, const double* masked,
              std::int32_t maskeds) {
  const auto add_numbers = [](const double* low, std::int32_t rows, std::vector<double>& numbers) {
    std::copy_if(low, low + rows, std::back_inserter(numbers),
                 [](double x) { return x != kNullLow; });
    std::sort(numbers.begin(), numbers.end());
  };
  std::vector<double> all;
  add_numbers(masked, maskeds, all);
  std::vector<double> bounds(all);
  add_numbers(original, originals, bounds);
  const bool has_nulls = bounds.size() < at(originals) + at(maskeds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  if (bounds.size() > kFew) {
    bounds.clear();
    // Without a masked number nothing tells the original ones apart.
    for (std::size_t i = 1; i < 10 && !all.empty(); ++i) bounds.push_back(all[i * all.size() / 10]);
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  } else if (!bounds.empty()) {
    bounds.erase(bounds.begin());
  }
  const auto null = static_cast<std::int32_t>(bounds.size()) + 1;
  const auto code = [&](double x) {
    if (x == kNullLow) return null;
    return static_cast<std::int32_t>(std::upper_bound(bounds.begin(), bounds.end(), x) -
                                     bounds.begin());
  };
  Tenths coded;
  for (std::int32_t i = 0; i < originals; ++i) coded.original.push_back(code(original[i]));
  for (std::int32_t i = 0; i < maskeds; ++i) coded.masked.push_back(code(masked[i]));
  coded.values = has_nulls ? null + 1 : null;
  return coded;
}

Tenths grades(const CellsPair& pair, std::size_t j, Ticker& ticker) {
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  ticker.step(32 * (static_cast<std::int64_t>(pair.original.rows) + pair.masked.rows));
  if (has_ranges(masked, pair.masked.rows)) {
    const std::optional<CellCodes> cells = containment_codes(pair, j);
    if (cells.has_value() && at(cells->distinct) <= kFew + 1) {
      const auto first_masked = cells->codes.begin() + pair.original.rows;
      return {{cells->codes.begin(), first_masked},
              {first_masked, cells->codes.end()},
              cells->distinct};
    }
  }
  return tenths(middles(original, pair.original.rows).data(), pair.original.rows,
                middles(masked, pair.masked.rows).data(), pair.masked.rows);
}

}  // namespace anonkit
