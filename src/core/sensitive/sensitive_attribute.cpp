#include "sensitive/sensitive_attribute.hpp"

#include <numeric>
#include <utility>

#include "base/at.hpp"

namespace anonkit {

Taxonomy taxonomy_of(const Hierarchy& hierarchy) {
  Taxonomy taxonomy;
  taxonomy.parent.assign(at(hierarchy.values()), -1);
  taxonomy.height.assign(at(hierarchy.values()), 0);
  std::vector<std::int32_t> below(at(hierarchy.values()));  // by group of a level: its node
  std::iota(below.begin(), below.end(), 0);
  for (std::int32_t level = 1; level <= hierarchy.height(); ++level) {
    std::vector<std::int32_t> nodes(at(hierarchy.groups(level)), -1);
    for (std::int32_t child = 0; child < hierarchy.groups(level - 1); ++child) {
      const std::int32_t group = hierarchy.parent(level - 1, child);
      // Below the top, a group equal to one of the level below shares its node.
      if (level < hierarchy.height() &&
          hierarchy.leaves(level, group) == hierarchy.leaves(level - 1, child)) {
        nodes[at(group)] = below[at(child)];
        continue;
      }
      if (nodes[at(group)] < 0) {
        nodes[at(group)] = static_cast<std::int32_t>(taxonomy.parent.size());
        taxonomy.parent.push_back(-1);
        taxonomy.height.push_back(level);
      }
      taxonomy.parent[at(below[at(child)])] = nodes[at(group)];
    }
    below = std::move(nodes);
  }
  return taxonomy;
}

std::vector<std::int64_t> value_counts(const SensitiveColumn& column, Record rows) {
  std::vector<std::int64_t> counts(at(column.distinct), 0);
  for (Record row = 0; row < rows; ++row) ++counts[at(column.ranks[row])];
  return counts;
}

std::vector<std::int64_t> counts_of_table(const SensitiveAttribute& attribute) {
  if (!attribute.table_counts.empty()) return attribute.table_counts;
  std::vector<std::int64_t> counts(at(attribute.values), 0);
  for (const std::int32_t rank : attribute.ranks) {
    if (at(rank) >= counts.size()) counts.resize(at(rank) + 1, 0);
    ++counts[at(rank)];
  }
  return counts;
}

std::vector<SensitiveAttribute> sensitive_attributes(const Table& table,
                                                     const std::vector<Record>& rows,
                                                     const Promises& promises) {
  std::vector<SensitiveAttribute> attributes;
  if (!promises.any()) return attributes;
  for (std::size_t a = 0; a < table.sensitive.size(); ++a) {
    const SensitiveColumn& column = table.sensitive[a];
    SensitiveAttribute one;
    one.values = column.distinct;
    for (const Record row : rows) one.ranks.push_back(column.ranks[row]);
    one.distance = column.kind == Kind::nominal ? GroundDistance::nominal : GroundDistance::ordered;
    if (column.hierarchy != nullptr) {
      one.distance = GroundDistance::hierarchical;
      one.taxonomy = taxonomy_of(*column.hierarchy);
    }
    if (promises.t_close()) one.t = promises.t_of(a);
    if (column.numbers != nullptr)
      one.numbers.assign(column.numbers,
                         column.numbers + column.distinct - (column.nulls > 0 ? 1 : 0));
    if (column.lifted != nullptr) one.lifted.assign(column.lifted, column.lifted + column.distinct);
    attributes.push_back(std::move(one));
  }
  return attributes;
}

std::vector<std::int32_t> counted_codes(const SensitiveAttribute& attribute) {
  std::vector<std::int32_t> codes = attribute.ranks;
  if (!attribute.lifted.empty())
    for (std::int32_t& code : codes) code = attribute.lifted[at(code)];
  return codes;
}

std::vector<std::int32_t> ascending(const std::vector<std::int32_t>& ranks) {
  std::vector<std::size_t> counts;
  for (const std::int32_t rank : ranks) {
    if (at(rank) >= counts.size()) counts.resize(at(rank) + 1, 0);
    ++counts[at(rank)];
  }
  std::vector<std::int32_t> sorted;
  sorted.reserve(ranks.size());
  for (std::size_t rank = 0; rank < counts.size(); ++rank)
    sorted.insert(sorted.end(), counts[rank], static_cast<std::int32_t>(rank));
  return sorted;
}

}  // namespace anonkit
