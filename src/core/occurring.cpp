#include "occurring.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {

Occurring::Occurring(const Table& table, const std::vector<Record>& rows) : table_(table) {
  const std::size_t columns = table.sensitive.size();
  ranks_.resize(columns);
  numbers_.resize(columns);
  for (std::size_t a = 0; a < columns; ++a) {
    // Protected values are listed by rank, and have a hierarchy.
    if (table.sensitive[a].hierarchy == nullptr && table.sensitive[a].lifted == nullptr)
      narrow(a, rows);
    counts_.push_back(counts_of(table_.sensitive[a], rows));
  }
}

void Occurring::narrow(std::size_t a, const std::vector<Record>& rows) {
  SensitiveColumn& column = table_.sensitive[a];
  std::vector<std::int32_t> rank(at(column.distinct), kNone);
  for (const Record row : rows) rank[at(column.ranks[row])] = 0;
  const std::int32_t null = column.nulls > 0 ? column.distinct - 1 : column.distinct;
  std::int32_t distinct = 0;
  for (std::int32_t v = 0; v < column.distinct; ++v) {
    if (rank[at(v)] == kNone) continue;
    rank[at(v)] = distinct++;
    if (column.numbers != nullptr && v < null) numbers_[a].push_back(column.numbers[v]);
  }
  column.nulls = std::count_if(rows.begin(), rows.end(),
                               [&](Record row) { return column.ranks[row] == null; });
  for (Record row = 0; row < table_.rows; ++row)
    ranks_[a].push_back(std::max(0, rank[at(column.ranks[row])]));
  column.ranks = ranks_[a].data();
  if (column.numbers != nullptr) column.numbers = numbers_[a].data();
  column.distinct = distinct;
}

/// The weight of each value, where all persons weigh the same.
std::vector<std::int64_t> Occurring::counts_of(const SensitiveColumn& column,
                                               const std::vector<Record>& rows) const {
  std::vector<std::int64_t> of_value(at(column.distinct), 0);
  PersonFacts facts;
  for (const Record row : rows) {
    ++of_value[at(column.ranks[row])];
    if (table_.units != nullptr) facts.push_back({table_.units[row], column.ranks[row]});
  }
  if (table_.units == nullptr) return of_value;
  return person_weights(std::move(facts), column.distinct);
}

}  // namespace anonkit
