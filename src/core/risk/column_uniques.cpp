#include "risk/column_uniques.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

using Rows = std::vector<std::int32_t>;

/// The classes of two rows or more, one after another, and the number of all other classes.
struct SharedClasses {
  Rows rows;
  std::vector<std::size_t> ends;  ///< of each class, in `rows`
  std::int64_t uniques = 0;
};

SharedClasses one_class(std::int64_t rows) {
  SharedClasses all;
  if (rows < 2) {
    all.uniques = rows;
    return all;
  }
  all.rows.resize(at(rows));
  std::iota(all.rows.begin(), all.rows.end(), 0);
  all.ends = {at(rows)};
  return all;
}

/// Refines classes by one column after another.
class Refiner {
 public:
  explicit Refiner(Ticker& ticker) : ticker_(ticker) {}

  SharedClasses refine(const SharedClasses& from, const CodedColumn& column) {
    SharedClasses to;
    to.uniques = from.uniques;
    to.rows.reserve(from.rows.size());
    std::size_t first = 0;
    for (const std::size_t end : from.ends) {
      sort(from.rows.data() + first, end - first, column);
      add_runs(column, to);
      first = end;
    }
    return to;
  }

 private:
  /// Sorts the rows of a class by their codes, into `sorted_`.
  void sort(const std::int32_t* rows, std::size_t count, const CodedColumn& column) {
    sorted_.assign(rows, rows + count);
    ticker_.step(4 * static_cast<std::int64_t>(count));
    const std::int32_t code = column.codes[rows[0]];
    if (std::all_of(rows, rows + count,
                    [&](std::int32_t row) { return column.codes[row] == code; }))
      return;
    if (at(column.distinct) > count) {
      std::sort(sorted_.begin(), sorted_.end(), [&](std::int32_t a, std::int32_t b) {
        ticker_.step(8);
        return column.codes[a] < column.codes[b];
      });
      return;
    }
    next_.assign(at(column.distinct) + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++next_[at(column.codes[rows[i]]) + 1];
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    for (std::size_t i = 0; i < count; ++i) {
      ticker_.step(8);
      sorted_[next_[at(column.codes[rows[i]])]++] = rows[i];
    }
  }

  void add_runs(const CodedColumn& column, SharedClasses& to) {
    for (std::size_t first = 0, next = 0; first < sorted_.size(); first = next) {
      while (next < sorted_.size() && column.codes[sorted_[next]] == column.codes[sorted_[first]])
        ++next;
      ticker_.step(2 * static_cast<std::int64_t>(next - first));
      if (next - first == 1) {
        ++to.uniques;
        continue;
      }
      to.rows.insert(to.rows.end(), sorted_.begin() + static_cast<std::ptrdiff_t>(first),
                     sorted_.begin() + static_cast<std::ptrdiff_t>(next));
      to.ends.push_back(to.rows.size());
    }
  }

  Ticker& ticker_;
  Rows sorted_;
  std::vector<std::size_t> next_;
};

/// The recursion over halves of the set.
class Halving {
 public:
  Halving(const std::vector<CodedColumn>& set, Ticker& ticker)
      : set_(set), refiner_(ticker), without_(set.size()) {}

  /// Counts for the columns first .. last-1, at least one. `outside`: the classes by all others.
  void count(std::size_t first, std::size_t last, const SharedClasses& outside) {
    if (last - first == 1) {
      without_[first] = outside.uniques;
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    count(first, middle, refined(outside, middle, last));
    count(middle, last, refined(outside, first, middle));
  }

  SharedClasses refined(const SharedClasses& from, std::size_t first, std::size_t last) {
    if (first == last) return from;
    SharedClasses classes = refiner_.refine(from, set_[first]);
    for (std::size_t j = first + 1; j < last && !classes.rows.empty(); ++j)
      classes = refiner_.refine(classes, set_[j]);
    return classes;
  }

  std::int64_t uniques_with(const SharedClasses& classes, const CodedColumn& column) {
    return refiner_.refine(classes, column).uniques;
  }

  std::vector<std::int64_t> take() { return std::move(without_); }

 private:
  const std::vector<CodedColumn>& set_;
  Refiner refiner_;
  std::vector<std::int64_t> without_;
};

}  // namespace

ColumnUniques column_uniques(const std::vector<CodedColumn>& set,
                             const std::vector<CodedColumn>& further, std::int64_t rows,
                             Ticker& ticker) {
  Halving halving(set, ticker);
  const SharedClasses all = one_class(rows);
  if (!set.empty()) halving.count(0, set.size(), all);
  const SharedClasses classes = halving.refined(all, 0, set.size());
  ColumnUniques found;
  found.of_set = classes.uniques;
  for (const CodedColumn& column : further)
    found.with.push_back(halving.uniques_with(classes, column));
  found.without = halving.take();
  return found;
}

std::int64_t column_uniques_bytes(std::size_t columns, std::int64_t rows) {
  // The classes of each halving, those before and after a refinement, one sorted class, its counts.
  std::int64_t kept = 4;
  for (std::size_t half = columns; half > 1; half -= half / 2) ++kept;
  return kept * rows * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(std::size_t) / 2);
}

}  // namespace anonkit
