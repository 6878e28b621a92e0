#include "input_checks.hpp"

#include <algorithm>
#include <string>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/tolerance.hpp"
#include "promise/promise.hpp"
#include "promise/risk_limits.hpp"

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

/// By unit, its records.
std::vector<Record> records_by_unit(const Table& table) {
  std::vector<Record> records;
  for (Record row = 0; row < table.rows; ++row) {
    const std::size_t unit = at(table.units[row]);
    if (unit >= records.size()) records.resize(unit + 1 + unit / 2, 0);
    ++records[unit];
  }
  return records;
}

Record members_in(const Table& table, const std::vector<Record>& by_unit) {
  if (table.units == nullptr) return table.rows;
  return static_cast<Record>(
      std::count_if(by_unit.begin(), by_unit.end(), [](Record records) { return records > 0; }));
}

/// Units can be counted only where all records are present, and there must be enough units.
void check_units(const Table& table, const Options& options) {
  if (table.units == nullptr) return;
  const Record units = members_in(table, records_by_unit(table));
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

// The records of a person are at most the share of each class, so of all classes together. With b
// records suppressed, which are best those of the person, r - b of n - b remain.
void check_possible(const Table& table, const Options& options) {
  const Promises& promises = options.promises;
  const RiskLimits limits(promises);
  const bool persons = promises.dominance > 0 && table.units != nullptr;
  if (table.rows == 0 || (!limits.any() && !persons)) return;
  const std::vector<Record> by_unit =
      table.units != nullptr ? records_by_unit(table) : std::vector<Record>();
  require_possible(limits, members_in(table, by_unit));
  if (!persons) return;
  const double budget = options.generalisation.max_suppression;
  const Record most = *std::max_element(by_unit.begin(), by_unit.end());
  // Datafly suppresses k records unless told otherwise.
  const Record left_out = std::min(
      most, budget >= 0 ? static_cast<Record>(budget * table.rows + kTolerance) : options.k);
  if (most - left_out <= promises.dominance * (table.rows - left_out) * (1 + kTolerance)) return;
  throw Error(
      ErrorKind::infeasible, std::string(kDominance.name) + " cannot be had",
      "One person has " + std::to_string(most) + " of " + std::to_string(table.rows) + " records.",
      "Allow a larger share, or publish fewer records of each person.");
}

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
