#pragma once

// Random small tables for aggregate functions, and a release laid out as it is published.

#include <random>

#include "model/aggregate_knowledge.hpp"
#include "reference_aggregate.hpp"

namespace anonkit {

inline std::vector<double> flat(const reference::Rows& rows) {
  std::vector<double> values;
  for (const reference::Row& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

inline AggregateRelease release_of(const reference::Rows& rows, const AggregateOptions& options,
                                   const std::vector<int>& sensitive = {}) {
  const std::vector<double> values = flat(rows);
  SilentTicker ticker;
  return anonymize_aggregate({static_cast<Record>(rows.size()), static_cast<int>(rows[0].size()),
                              values.data(), sensitive.empty() ? nullptr : sensitive.data()},
                             options, ticker);
}

/// What is published of every record.
inline reference::Published published(const reference::Rows& rows,
                                      const AggregateRelease& release) {
  reference::Published cells{rows, rows};
  const std::size_t m = rows[0].size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto c = static_cast<std::size_t>(release.partition.class_of[i]);
    for (std::size_t j = 0; j < m; ++j) {
      if ((release.generalised[c] >> j & 1) == 0) continue;
      cells.low[i][j] = release.low[c * m + j];
      cells.high[i][j] = release.high[c * m + j];
    }
  }
  return cells;
}

inline AggregateLevel judged(const reference::Published& cells, const reference::Rows& originals,
                             const std::vector<AggregateFunction>& functions, double d,
                             AggregateGuarantee guarantee, const std::vector<int>& sensitive = {}) {
  const std::vector<double> low = flat(cells.low), high = flat(cells.high), own = flat(originals);
  SilentTicker ticker;
  PublishedRanges ranges;
  ranges.records = static_cast<std::int32_t>(cells.low.size());
  ranges.attributes = static_cast<int>(cells.low[0].size());
  ranges.low = low.data();
  ranges.high = high.data();
  ranges.original = originals.empty() ? nullptr : own.data();
  ranges.sensitive = sensitive.empty() ? nullptr : sensitive.data();
  return aggregate_level(ranges, functions, d, guarantee, ticker);
}

class RandomTables {
 public:
  explicit RandomTables(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// Whole numbers, often equal, of either sign; every third column is mostly 0, as incomes are.
  reference::Rows whole(int n, int m) {
    const int range = between(0, 3) == 0 ? 2 : between(3, 60), negative = between(0, 2);
    reference::Rows rows;
    for (int i = 0; i < n; ++i) {
      reference::Row row;
      for (int j = 0; j < m; ++j) {
        const bool sparse = j % 3 == 2 && between(0, 3) != 0;
        row.push_back(sparse ? 0 : between(negative == 0 ? -range : 0, range));
      }
      rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  std::vector<int> sensitive(int n, int values) {
    std::vector<int> codes;
    for (int i = 0; i < n; ++i) codes.push_back(std::min(between(0, values - 1), between(0, 9)));
    return codes;
  }

  AggregateFunction function(int m) {
    const char* names[] = {"sum", "avg", "min", "max", "weighted_sum"};
    std::vector<double> weights;
    for (int j = 0; j < m; ++j) weights.push_back(between(-2, 3));
    return aggregate_function(names[between(0, 4)], m, weights);
  }

  AggregateOptions options(int m, int k) {
    AggregateOptions options;
    options.k = k;
    for (int f = between(1, 4) == 1 ? between(2, 3) : 1; f > 0; --f)
      options.functions.push_back(function(m));
    const double doubts[] = {0, 0, 0.0625, 0.25, 0.5};  // exact in doubles: ties stay ties
    options.d = doubts[between(0, 4)];
    options.guarantee = static_cast<AggregateGuarantee>(between(0, 1));
    options.algorithm = static_cast<AggregateAlgorithm>(between(0, 1));
    options.domain = static_cast<NcpDomain>(between(0, 1));
    return options;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace anonkit
