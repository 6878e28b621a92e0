#pragma once

// Small random tables as a database would hand them over, with ties, duplicates, mixed kinds,
// nulls.

#include <algorithm>
#include <random>
#include <vector>

#include "data/table.hpp"

namespace anonkit {

/// A table together with the memory that it looks at.
struct OwnedTable {
  std::vector<Column> columns;
  std::vector<double> values;
  std::vector<Fingerprint> fingerprints;

  Table view() const {
    Table table;
    table.rows = static_cast<Record>(values.size() / columns.size());
    table.columns = columns;
    table.values = values.data();
    table.fingerprints = fingerprints.empty() ? nullptr : fingerprints.data();
    return table;
  }
};

inline OwnedTable table_of(std::vector<double> values, std::vector<Attribute> attributes = {{}}) {
  OwnedTable table;
  table.values = std::move(values);
  for (const Attribute& attribute : attributes) {
    table.columns.push_back({"c" + std::to_string(table.columns.size()), attribute, {}});
  }
  return table;
}

class RandomTables {
 public:
  explicit RandomTables(std::uint64_t seed) : random_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// One numeric cell in `null_in` is null (none if 0).
  OwnedTable make(int n, int d, bool mixed, int null_in) {
    std::vector<Attribute> attributes(static_cast<std::size_t>(d));
    for (Attribute& attribute : attributes) {
      if (!mixed) continue;
      attribute.kind = static_cast<Kind>(between(0, 2));
      attribute.categories = attribute.kind == Kind::numeric ? 0 : between(1, 4);
      attribute.weight = between(1, 3) * 0.5;
    }
    const bool ties = between(0, 1) == 0;
    std::vector<double> values;
    for (int i = 0; i < n; ++i)
      for (const Attribute& attribute : attributes)
        values.push_back(attribute.kind != Kind::numeric ? between(0, attribute.categories - 1)
                         : null_in > 0 && between(1, null_in) == 1 ? kNull
                         : ties                                    ? between(-2, 2) * 0.1
                                                                   : between(0, 1 << 20) / 7.0);
    OwnedTable table = table_of(std::move(values), std::move(attributes));
    for (int i = 0; i < n; ++i)
      table.fingerprints.push_back({random_(), static_cast<std::uint64_t>(i)});
    return table;
  }

  /// The same records in another order of rows.
  OwnedTable shuffled(const OwnedTable& table) {
    const std::size_t d = table.columns.size(), n = table.values.size() / d;
    OwnedTable other = table;
    for (std::size_t i = n; i > 1; --i) {
      const auto a = i - 1, b = static_cast<std::size_t>(random_() % i);
      for (std::size_t j = 0; j < d; ++j)
        std::swap(other.values[a * d + j], other.values[b * d + j]);
      if (!other.fingerprints.empty()) std::swap(other.fingerprints[a], other.fingerprints[b]);
    }
    return other;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace anonkit
