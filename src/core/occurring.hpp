#pragma once

#include <vector>

#include "sensitive/sensitive_attribute.hpp"
#include "table/table.hpp"

namespace anonkit {

/// The table with the values of some rows alone, which readers compare distributions with: the
/// ordered distance depends on the number of values that occur. Where distances follow a hierarchy,
/// values that do not occur change none. Other rows must have no class.
class Occurring {
 public:
  Occurring(const Table& table, const std::vector<Record>& rows);
  Occurring(const Occurring&) = delete;
  Occurring& operator=(const Occurring&) = delete;

  const Table& table() const { return table_; }
  const TableCounts& counts() const { return counts_; }

 private:
  void narrow(std::size_t a, const std::vector<Record>& rows);
  std::vector<std::int64_t> counts_of(const SensitiveColumn& column,
                                      const std::vector<Record>& rows) const;

  Table table_;
  std::vector<std::vector<std::int32_t>> ranks_;
  std::vector<std::vector<double>> numbers_;
  TableCounts counts_;
};

}  // namespace anonkit
