#include "kept_strata.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/at.hpp"
#include "promise/distinct_values.hpp"
#include "promise/promised.hpp"
#include "promise/risk_limits.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {
namespace {

bool is_relative(const Promise& promise) {
  return promise.relative;
}

}  // namespace

TableCounts reference_counts(const Table& table, const Options& options) {
  TableCounts counts;
  if (find_made(options.promises, is_relative) == nullptr) return counts;
  for (const SensitiveColumn& column : table.sensitive) {
    if (table.units == nullptr) {
      counts.push_back(value_counts(column, table.rows));
      continue;
    }
    PersonFacts facts;
    for (Record row = 0; row < table.rows; ++row)
      facts.push_back({table.units[row], column.ranks[row]});
    counts.push_back(person_weights(std::move(facts), column.distinct));
  }
  return counts;
}

StratumRule stratum_rule(const Table& table, const std::vector<Record>& order,
                         const Options& options, const TableCounts* table_counts, Ticker& ticker) {
  StratumRule rule;
  std::vector<SensitiveAttribute> attributes = sensitive_attributes(table, order, options.promises);
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    rule.codes.push_back(attributes[a].ranks);
    if (table_counts != nullptr) attributes[a].table_counts = (*table_counts)[a];
  }
  std::vector<std::int32_t> units;
  if (table.units != nullptr) {
    for (const Record row : order) units.push_back(table.units[row]);
    rule.codes.push_back(units);
  }
  const auto constraints = std::make_shared<Constraints>(
      promised_constraints(attributes, options.promises, {units, options.k}));
  const RiskLimits limits(options.promises);
  if (constraints->empty() && !limits.any()) return {};
  // A release whose parts are within the limits of risk is.
  const std::int32_t k = std::max(options.k, limits.any() ? limits.least_members() : 1);
  const auto persons = std::make_shared<Constraints>();
  if (!units.empty())
    persons->push_back(
        std::make_unique<DistinctValues>(std::vector<std::vector<std::int32_t>>{units}, k));
  const auto are_enough = [persons, k](const std::vector<Record>& records) {
    const RecordSpan members(records);
    return members.size() >= k && all_allow(*persons, members);
  };
  rule.allows = [constraints, are_enough](const std::vector<Record>& records) {
    return are_enough(records) && all_allow(*constraints, RecordSpan(records));
  };
  std::vector<Record> all(order.size());
  std::iota(all.begin(), all.end(), 0);
  ticker.step(std::int64_t{100} * table.rows);
  if (rule.allows(all)) return rule;
  // Smaller classes of persons may keep what all records as one class do not. They need k persons.
  if (units.empty() || !all_allow(*persons, RecordSpan(all))) return {};
  rule.allows = are_enough;
  return rule;
}

}  // namespace anonkit
