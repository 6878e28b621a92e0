#pragma once

// The Incognito that EnhancedPKClustering is compared with: full-domain generalisation of Adult
// (adult_data.hpp) that is p-sensitive and k-anonymous, nothing suppressed. Ages have ranges that
// fan out, all other quasi-identifiers are published or suppressed.

#include <algorithm>
#include <deque>
#include <vector>

#include "pk_data.hpp"
#include "recode/lattice/incognito.hpp"

namespace anonkit {

class AdultIncognito {
 public:
  explicit AdultIncognito(const PkData& data) {
    const std::size_t n = data.rows.size(), d = data.columns.size();
    for (std::size_t j = 0; j < d; ++j) {
      std::vector<std::int32_t> values;
      for (const Record row : data.rows)
        values.push_back(
            static_cast<std::int32_t>(data.values[static_cast<std::size_t>(row) * d + j]));
      std::vector<std::int32_t> distinct = values;
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (std::int32_t& value : values)
        value = static_cast<std::int32_t>(
            std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin());
      leaves_.push_back(std::move(values));
      hierarchies_.push_back(
          data.columns[j].attribute.kind == Kind::numeric
              ? ranges(distinct)
              : Hierarchy::suppression(static_cast<std::int32_t>(distinct.size())));
    }
    for (const Hierarchy& hierarchy : hierarchies_) problem_.hierarchies.push_back(&hierarchy);
    for (const auto& column : leaves_) problem_.leaves.push_back(column.data());
    problem_.records = static_cast<Record>(n);
    problem_.sensitive = data.confidential;
    problem_.max_suppression = 0;
  }

  /// The node of the least cost by the metric.
  NodeFigures best(std::int32_t k, std::int32_t p, RecodingMetric metric, Ticker& ticker) const {
    FullDomainProblem problem = problem_;
    problem.k = k;
    problem.promises.p = p;
    problem.metric = metric;
    return incognito(problem, ticker).figures;
  }

 private:
  /// Ranges of 5, 10, 20 and 40, then all.
  static Hierarchy ranges(const std::vector<std::int32_t>& distinct) {
    std::vector<std::vector<std::int32_t>> levels;
    for (const std::int32_t width : {5, 10, 20, 40}) {
      levels.emplace_back();
      std::int32_t last = -1, before = -1;
      for (const std::int32_t value : distinct) {
        if (value / width != before) ++last;
        before = value / width;
        levels.back().push_back(last);
      }
    }
    levels.emplace_back(distinct.size(), 0);
    return Hierarchy(std::move(levels));
  }

  std::deque<Hierarchy> hierarchies_;
  std::deque<std::vector<std::int32_t>> leaves_;
  FullDomainProblem problem_;
};

}  // namespace anonkit
