#pragma once

// Records with quasi-identifiers of all kinds and sensitive attributes, and small random ones.

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "constraint/confidential.hpp"
#include "data/table.hpp"
#include "without_ticker.hpp"

namespace anonkit {

/// Records with mixed quasi-identifiers and sensitive attributes, and the memory that the table
/// looks at.
struct PkData {
  std::vector<Column> columns;
  std::vector<double> values;
  std::deque<Hierarchy> hierarchies;
  std::deque<std::vector<std::int32_t>> leaves;
  std::vector<Record> rows;                ///< canonical order
  std::vector<Confidential> confidential;  ///< of the records in that order
  std::vector<std::string> sensitive_names;

  Table table() const {
    Table table;
    table.rows = static_cast<Record>(rows.size());
    table.columns = columns;
    table.values = values.data();
    for (const std::string& name : sensitive_names) {
      table.sensitive.emplace_back();
      table.sensitive.back().name = name;
    }
    return table;
  }
};

class RandomPkData {
 public:
  explicit RandomPkData(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// All losses are sums of sixteenths, exact in a double: ranges are 16 or 1, hierarchies 1, 2 or
  /// 4 levels high.
  PkData make(int n) {
    PkData data;
    const int d = between(1, 4);
    std::vector<std::vector<double>> columns;
    for (int j = 0; j < d; ++j) columns.push_back(column(data, n));
    for (int i = 0; i < n; ++i)
      for (const auto& values : columns) data.values.push_back(values[static_cast<std::size_t>(i)]);
    data.rows.resize(static_cast<std::size_t>(n));
    data.rows = canonical_order(data.table());
    for (int a = between(1, 3); a > 0; --a) {
      data.confidential.push_back(sensitive(n));
      data.sensitive_names.push_back("s" + std::to_string(a));
    }
    return data;
  }

  /// The same records in another order.
  PkData shuffled(const PkData& data) {
    PkData other = data;
    const std::size_t n = data.rows.size(), d = data.columns.size();
    std::vector<Record> to(n);
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<Record>(i);
    std::shuffle(to.begin(), to.end(), random_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j)
        other.values[static_cast<std::size_t>(to[i]) * d + j] = data.values[i * d + j];
    for (std::size_t l = 0; l < data.leaves.size(); ++l)
      for (std::size_t i = 0; i < n; ++i)
        other.leaves[l][static_cast<std::size_t>(to[i])] = data.leaves[l][i];
    for (std::size_t i = 0; i < n; ++i) other.rows[i] = to[static_cast<std::size_t>(data.rows[i])];
    std::size_t l = 0;
    for (Column& column : other.columns)
      if (column.leaves != nullptr) column.leaves = other.leaves[l++].data();
    return other;
  }

  Confidential sensitive(int n) {
    Confidential attribute;
    const int most = between(1, std::max(2, n / 2));
    for (int i = 0; i < n; ++i)  // the lower values are more frequent
      attribute.ranks.push_back(std::min(between(0, most - 1), between(0, most - 1)));
    if (between(0, 3) == 0)
      for (int v = 0; v < most; ++v) attribute.strong.push_back(between(0, most - 1));
    return attribute;
  }

 private:
  std::vector<double> column(PkData& data, int n) {
    Column column{"c" + std::to_string(data.columns.size()), {}, {}};
    std::vector<double> values;
    const int kind = between(0, 3), most = between(1, 8);
    for (int i = 0; i < n; ++i) values.push_back(kind == 0 ? between(0, 16) : between(0, most - 1));
    if (kind == 0) {
      values.front() = 0;
      values.back() = n > 1 ? 16 : 0;
    } else if (kind == 1) {
      column.attribute.kind = Kind::ordinal;
      for (double& value : values) value = value > 0 ? 1 : 0;
    } else {
      column.attribute.kind = Kind::nominal;
      column.attribute.categories = most;
    }
    if (kind == 3) {
      data.hierarchies.push_back(hierarchy(most));
      data.leaves.emplace_back(values.begin(), values.end());
      column.hierarchy = &data.hierarchies.back();
      column.leaves = data.leaves.back().data();
    }
    data.columns.push_back(column);
    return values;
  }

  Hierarchy hierarchy(int values) {
    std::vector<std::vector<std::int32_t>> levels;
    std::vector<std::int32_t> group(static_cast<std::size_t>(values));
    for (int v = 0; v < values; ++v) group[static_cast<std::size_t>(v)] = v;
    const int heights[] = {1, 2, 4};
    for (int level = heights[between(0, 2)]; level > 1; --level) {
      // Neighbouring groups of the level below are put together, or not.
      std::int32_t last = -1, before = -1;
      for (std::int32_t& g : group) {
        if (g != before && (last < 0 || between(0, 1) == 0)) ++last;
        before = g;
        g = last;
      }
      levels.push_back(group);
    }
    levels.emplace_back(group.size(), 0);
    return Hierarchy(std::move(levels));
  }

  std::mt19937_64 random_;
};

}  // namespace anonkit
