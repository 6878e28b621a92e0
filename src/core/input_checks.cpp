#include "input_checks.hpp"

#include <algorithm>
#include <string>

#include "base/at.hpp"
#include "base/error.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

void check_at_most_rows(const std::string& article, const std::string& name, std::int32_t value,
                        const Table& table) {
  if (value <= table.rows) return;
  throw Error(ErrorKind::invalid_parameter, name + " is larger than the number of rows",
              name + " is " + std::to_string(value) + ", but there are only " +
                  std::to_string(table.rows) + " rows.",
              "Choose " + article + " " + name + " of at most the number of rows.");
}

/// Units can be counted only where all records are present, and there must be enough units.
void check_units(const Table& table, const Options& options) {
  if (table.units == nullptr) return;
  std::vector<bool> seen;
  std::int32_t units = 0;
  for (Record row = 0; row < table.rows; ++row) {
    const std::size_t unit = at(table.units[row]);
    if (unit >= seen.size()) seen.resize(unit + 1 + unit / 2);
    if (!seen[unit]) ++units;
    seen[unit] = true;
  }
  const auto check = [&](const char* name, std::int32_t value) {
    if (value <= units) return;
    throw Error(ErrorKind::invalid_parameter,
                std::string(name) + " is larger than the number of units",
                std::string(name) + " is " + std::to_string(value) + ", but there are only " +
                    std::to_string(units) + " units.",
                "Every class is of that many different units.");
  };
  check("k", options.k);
  for (const Promise* promise : kPromiseTable)
    if (promise->measured_by == MeasuredBy::distinct_values)
      for (const Parameter& parameter : promise->parameters)
        if (parameter.integer != nullptr) check(parameter.key, options.promises.*parameter.integer);
}

}  // namespace

void check_sensitive(const Table& table, const std::vector<Stratum>& strata,
                     const Options& options) {
  ValueOrder order = ValueOrder::none;
  bool of_distributions = false;
  for (const Promise* promise : kPromiseTable) {
    if (!promise->is_made(options.promises)) continue;
    order = std::max(order, promise->order);
    of_distributions = of_distributions || promise->relative || promise->order > ValueOrder::none;
  }
  for (const SensitiveColumn& column : table.sensitive)
    if (order > ValueOrder::none && column.nulls > 0 && column.kind != Kind::nominal &&
        (column.hierarchy == nullptr || order == ValueOrder::always))
      throw Error(ErrorKind::invalid_data,
                  "sensitive column \"" + column.name + "\" contains nulls",
                  "Number of nulls: " + std::to_string(column.nulls) + ".",
                  "Leave the records out, or give them a value, in a view.");
  if (of_distributions && strata.size() > 1)
    throw Error(
        ErrorKind::invalid_parameter,
        "a model of the distribution of a sensitive column cannot be combined with null strata", "",
        "Anonymize a view without the records whose quasi-identifiers are null.");
}

void check_size(const Table& table, const Options& options) {
  if (table.rows == 0) throw Error(ErrorKind::invalid_data, "there are no rows to anonymize");
  if (options.k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  check_at_most_rows("a", "k", options.k, table);
  check_at_most_rows("an", "n", options.promises.n, table);
  check_units(table, options);
}

}  // namespace anonkit
