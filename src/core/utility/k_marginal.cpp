#include "utility/k_marginal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "base/quantile_bins.hpp"
#include "base/random.hpp"
#include "base/threads.hpp"
#include "risk/cell_codes.hpp"
#include "risk/refinement.hpp"
#include "utility/distribution.hpp"

namespace anonkit {
namespace {

/// Nulls have a bin of their own.
CellCodes codes_of_bins(const std::vector<double>& numbers, const std::vector<double>& ends,
                        Ticker& ticker) {
  const auto null = static_cast<std::int32_t>(ends.size()) + 1;
  CellCodes made;
  for (const double number : numbers) {
    ticker.step(5);
    made.codes.push_back(number == kNullLow ? null : quantile_bin(number, ends));
  }
  made.distinct = null + 1;
  return made;
}

CellCodes codes_of_values(const std::vector<double>& numbers, Ticker& ticker) {
  std::vector<double> distinct(numbers);
  sort_numbers(distinct, ticker);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CellCodes made;
  for (const double number : numbers) {
    ticker.step(5);
    made.codes.push_back(static_cast<std::int32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin()));
  }
  made.distinct = static_cast<std::int32_t>(distinct.size());
  return made;
}

CellCodes codes_of(const Cells& original, const Cells& masked, std::size_t j, Ticker& ticker) {
  const CellColumn& before = original.columns[j];
  const CellColumn& after = masked.columns[j];
  if (!before.numeric()) return codes_of_categories({&original, &masked}, j);
  std::vector<double> numbers;
  const auto add_numbers = [&](const CellColumn& column, std::int32_t rows) {
    for (std::int32_t i = 0; i < rows; ++i)
      numbers.push_back(column.is_null(i) ? kNullLow : column.middle(i));
  };
  add_numbers(before, original.rows);
  add_numbers(after, masked.rows);
  const std::vector<double> ends =
      ends_of_bins(sorted_column(before, original.rows, ticker).values);
  return ends.empty() ? codes_of_values(numbers, ticker) : codes_of_bins(numbers, ends, ticker);
}

/// C(n, size), or any number above kMostMarginals if it is larger than that.
std::int64_t number_of_sets(std::size_t n, std::size_t size) {
  std::int64_t sets = 1;
  for (std::size_t i = 0; i < size; ++i)
    sets = sets * static_cast<std::int64_t>(n - i) / static_cast<std::int64_t>(i + 1);
  return sets;
}

/// Appends the sets of columns, ascending, that begin with those chosen.
void list_sets(std::size_t n, std::size_t size, std::vector<std::size_t>& chosen,
               std::vector<std::vector<std::size_t>>& sets) {
  if (chosen.size() == size) {
    sets.push_back(chosen);
    return;
  }
  for (std::size_t j = chosen.empty() ? 0 : chosen.back() + 1; j < n; ++j) {
    chosen.push_back(j);
    list_sets(n, size, chosen, sets);
    chosen.pop_back();
  }
}

/// A random set of columns.
std::vector<std::size_t> drawn_set(std::size_t n, std::size_t size, Random& random) {
  std::vector<std::size_t> columns(n);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  for (std::size_t i = 0; i < size; ++i)
    std::swap(columns[i], columns[i + random.below(static_cast<std::uint32_t>(n - i))]);
  columns.resize(size);
  return columns;
}

/// Compares marginals of both relations. Threads may share them.
class Marginals {
 public:
  Marginals(const Cells& original, const Cells& masked, int threads, Ticker& ticker)
      : original_(original), masked_(masked), columns_(original.columns.size()) {
    run_unreported_tasks(columns_.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
      columns_[j] = codes_of(original, masked, j, own);
    });
  }

  // TV = 1/2 sum over cells of |p - q|, with the shares p and q of the records in the cell.
  double variation(const std::vector<std::size_t>& set, Ticker& ticker) const {
    const std::vector<Weights> weights = weights_of_cells(set, ticker);
    const double before = total_weight(original_.columns[0], original_.rows);
    const double after = total_weight(masked_.columns[0], masked_.rows);
    double sum = 0;
    for (const Weights& cell : weights) sum += std::fabs(cell[0] / before - cell[1] / after);
    return sum / 2;
  }

 private:
  using Weights = std::array<double, 2>;  ///< of the original records of a cell, and of the masked

  std::size_t rows() const { return at(original_.rows) + at(masked_.rows); }

  // Few columns of few values have few cells, whose numbers follow from the codes. The cells of
  // more are numbered as they occur.
  std::vector<Weights> weights_of_cells(const std::vector<std::size_t>& set, Ticker& ticker) const {
    std::size_t cells = 1;
    for (const std::size_t j : set) {
      cells *= at(columns_[j].distinct);
      if (cells > rows()) return weights_of_occurring(set, ticker);
    }
    std::vector<Weights> weights(cells, Weights{0, 0});
    const auto cell_of = [&](std::size_t row) {
      std::size_t cell = 0;
      for (const std::size_t j : set)
        cell = cell * at(columns_[j].distinct) + at(columns_[j].codes[row]);
      return cell;
    };
    add_weights(cell_of, weights, ticker);
    return weights;
  }

  std::vector<Weights> weights_of_occurring(const std::vector<std::size_t>& set,
                                            Ticker& ticker) const {
    Refinement refinement;
    Grouping cells = {std::vector<std::int32_t>(rows(), 0), 1};
    for (const std::size_t j : set)
      cells = refinement.refine(cells, {columns_[j].codes.data(), columns_[j].distinct}, ticker);
    std::vector<Weights> weights(at(cells.classes), Weights{0, 0});
    add_weights([&](std::size_t row) { return at(cells.class_of[row]); }, weights, ticker);
    return weights;
  }

  template <class CellOf>
  void add_weights(const CellOf& cell_of, std::vector<Weights>& weights, Ticker& ticker) const {
    std::size_t row = 0;
    for (const std::size_t relation : {0U, 1U}) {
      const Cells& cells = relation == 0 ? original_ : masked_;
      for (std::int32_t i = 0; i < cells.rows; ++i) {
        ticker.step(4);
        weights[cell_of(row++)][relation] += cells.columns[0].weight(i);
      }
    }
  }

  const Cells& original_;
  const Cells& masked_;
  std::vector<CellCodes> columns_;
};

KMarginal compare_sets(const Marginals& marginals, std::size_t n, std::size_t size,
                       std::uint64_t seed, int threads, Ticker& ticker) {
  KMarginal found;
  found.all = number_of_sets(n, size);
  found.sets = std::min(found.all, kMostMarginals);
  std::vector<std::vector<std::size_t>> sets;
  if (found.sets == found.all) {
    std::vector<std::size_t> chosen;
    list_sets(n, size, chosen, sets);
  } else {
    Random random(seed);
    for (std::int64_t i = 0; i < found.sets; ++i) sets.push_back(drawn_set(n, size, random));
  }
  std::vector<double> variations(sets.size());
  run_unreported_tasks(sets.size(), threads, ticker, [&](std::size_t i, Ticker& own) {
    variations[i] = marginals.variation(sets[i], own);
  });
  const double sum = std::accumulate(variations.begin(), variations.end(), 0.0);
  // SDNist: (2 - mean sum of |p - q|) * 500. A sum of rounded shares may exceed 1.
  found.score = std::max(0.0, 1000 * (1 - sum / static_cast<double>(found.sets)));
  return found;
}

}  // namespace

std::vector<KMarginal> k_marginal(const Cells& original, const Cells& masked,
                                  const std::vector<std::size_t>& sizes, std::uint64_t seed,
                                  int threads, Ticker& ticker) {
  const std::size_t n = original.columns.size();
  const Marginals marginals(original, masked, threads, ticker);
  std::vector<KMarginal> found;
  for (const std::size_t size : sizes)
    found.push_back(compare_sets(marginals, n, std::min(size, n), seed, threads, ticker));
  return found;
}

}  // namespace anonkit
