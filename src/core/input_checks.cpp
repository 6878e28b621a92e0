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

void check_sensitive(const Table& table, const Options& options) {
  ValueOrder order = ValueOrder::none;
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(options.promises)) order = std::max(order, promise->order);
  if (order == ValueOrder::none) return;
  for (const SensitiveColumn& column : table.sensitive)
    if (column.nulls > 0 && column.kind != Kind::nominal &&
        (column.hierarchy == nullptr || order == ValueOrder::always))
      throw Error(ErrorKind::invalid_data,
                  "sensitive column \"" + column.name + "\" contains nulls",
                  "Number of nulls: " + std::to_string(column.nulls) + ".",
                  "Leave the records out, or give them a value, in a view.");
}

void check_stratified(const Method& method, const Options& options) {
  const auto refuse = [](const std::string& what, const char* detail) {
    throw Error(ErrorKind::invalid_parameter, what + " cannot be combined with null strata", detail,
                "Anonymize a view without the records whose quasi-identifiers are null.");
  };
  if (options.promises.n > 0)
    refuse("(n,t)-closeness",
           "The records that classes are close to are neighbours in all columns.");
  if (options.unit_rows_together)
    refuse("unit_rows 'together'", "The rows of a person may be in several strata.");
  if (method.of_aggregates)
    refuse("a method that recodes records itself", "It recodes all records together.");
}

void check_size(const Table& table, const Options& options) {
  if (table.rows == 0) throw Error(ErrorKind::invalid_data, "there are no rows to anonymize");
  if (options.k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  check_at_most_rows("a", "k", options.k, table);
  check_at_most_rows("an", "n", options.promises.n, table);
  check_units(table, options);
}

}  // namespace anonkit
