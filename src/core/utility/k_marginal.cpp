#include "utility/k_marginal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "base/quantile_bins.hpp"
#include "base/random.hpp"
#include "risk/refinement.hpp"
#include "utility/distribution.hpp"

namespace anonkit {
namespace {

/// Codes of both relations, the original rows first.
struct Codes {
  std::vector<std::int32_t> codes;
  std::int32_t distinct = 0;
};

Codes codes_of_bins(const std::vector<double>& numbers, const std::vector<double>& ends,
                    Ticker& ticker) {
  Codes made;
  for (const double number : numbers) {
    ticker.step(5);
    made.codes.push_back(quantile_bin(number, ends));
  }
  made.distinct = static_cast<std::int32_t>(ends.size()) + 1;
  return made;
}

Codes codes_of_values(const std::vector<double>& numbers, Ticker& ticker) {
  std::vector<double> distinct(numbers);
  sort_numbers(distinct, ticker);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Codes made;
  for (const double number : numbers) {
    ticker.step(5);
    made.codes.push_back(static_cast<std::int32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin()));
  }
  made.distinct = static_cast<std::int32_t>(distinct.size());
  return made;
}

Codes codes_of(const Cells& original, const Cells& masked, std::size_t j, Ticker& ticker) {
  const CellColumn& before = original.columns[j];
  const CellColumn& after = masked.columns[j];
  if (!before.numeric()) {
    Codes made;
    made.codes.assign(before.codes, before.codes + original.rows);
    made.codes.insert(made.codes.end(), after.codes, after.codes + masked.rows);
    made.distinct = std::max(before.categories, after.categories);
    return made;
  }
  std::vector<double> numbers;
  for (std::int32_t i = 0; i < original.rows; ++i) numbers.push_back(before.middle(i));
  for (std::int32_t i = 0; i < masked.rows; ++i) numbers.push_back(after.middle(i));
  const std::vector<double> ends = ends_of_bins(sorted_middles(before, original.rows, ticker));
  return ends.empty() ? codes_of_values(numbers, ticker) : codes_of_bins(numbers, ends, ticker);
}

/// C(n, size), or any number above kMostMarginals if it is larger than that.
std::int64_t number_of_sets(std::size_t n, std::size_t size) {
  std::int64_t sets = 1;
  for (std::size_t i = 0; i < size; ++i)
    sets = sets * static_cast<std::int64_t>(n - i) / static_cast<std::int64_t>(i + 1);
  return sets;
}

/// Passes each set of columns, ascending, that follows `chosen`.
void for_each_set(std::size_t n, std::size_t size, std::vector<std::size_t>& chosen,
                  const std::function<void()>& visit) {
  if (chosen.size() == size) {
    visit();
    return;
  }
  for (std::size_t j = chosen.empty() ? 0 : chosen.back() + 1; j < n; ++j) {
    chosen.push_back(j);
    for_each_set(n, size, chosen, visit);
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

/// Compares marginals of both relations.
class Marginals {
 public:
  Marginals(const Cells& original, const Cells& masked, Ticker& ticker)
      : original_(original),
        masked_(masked),
        ticker_(ticker),
        refinement_(at(original.rows) + at(masked.rows)) {
    for (std::size_t j = 0; j < original.columns.size(); ++j)
      columns_.push_back(codes_of(original, masked, j, ticker));
  }

  // TV = 1/2 sum over cells of |p - q|, with the shares p and q of the records in the cell.
  double variation(const std::vector<std::size_t>& set) {
    const std::size_t all = at(original_.rows) + at(masked_.rows);
    Grouping cells = {std::vector<std::int32_t>(all, 0), 1};
    for (const std::size_t j : set)
      cells = refinement_.refine(cells, {columns_[j].codes.data(), columns_[j].distinct}, ticker_);
    shares_.assign(at(cells.classes), {0, 0});
    add_weights(original_, cells.class_of.data(), 0);
    add_weights(masked_, cells.class_of.data() + original_.rows, 1);
    const double before = total_weight(original_.columns[0], original_.rows);
    const double after = total_weight(masked_.columns[0], masked_.rows);
    double sum = 0;
    for (const Shares& share : shares_) sum += std::fabs(share[0] / before - share[1] / after);
    return sum / 2;
  }

 private:
  using Shares = std::array<double, 2>;

  void add_weights(const Cells& cells, const std::int32_t* cell_of, std::size_t relation) {
    for (std::int32_t i = 0; i < cells.rows; ++i) {
      ticker_.step(2);
      shares_[at(cell_of[i])][relation] += cells.columns[0].weight(i);
    }
  }

  const Cells& original_;
  const Cells& masked_;
  Ticker& ticker_;
  Refinement refinement_;
  std::vector<Codes> columns_;
  std::vector<Shares> shares_;
};

}  // namespace

KMarginal k_marginal(const Cells& original, const Cells& masked, std::size_t size,
                     std::uint64_t seed, Ticker& ticker) {
  const std::size_t n = original.columns.size();
  size = std::min(size, n);
  KMarginal found;
  found.all = number_of_sets(n, size);
  found.sets = std::min(found.all, kMostMarginals);
  Marginals marginals(original, masked, ticker);
  double sum = 0;
  if (found.sets == found.all) {
    std::vector<std::size_t> set;
    for_each_set(n, size, set, [&] { sum += marginals.variation(set); });
  } else {
    Random random(seed);
    for (std::int64_t i = 0; i < found.sets; ++i)
      sum += marginals.variation(drawn_set(n, size, random));
  }
  // SDNist: (2 - mean sum of |p - q|) * 500.
  found.score = 1000 * (1 - sum / static_cast<double>(found.sets));
  return found;
}

}  // namespace anonkit
