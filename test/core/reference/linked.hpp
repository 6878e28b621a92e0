#pragma once

// Promises of linked releases by their definitions: each fact is searched in every record, row by
// row. Exponential; for records of a few rows.

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "base/at.hpp"
#include "model/linked_records.hpp"

namespace anonkit::reference {

/// A row of a person: rows of one person are numbered from 0, the root's first.
struct LinkedRow {
  std::int32_t table;
  std::int32_t label;
  std::int32_t parent;                    ///< -1 for the root
  std::vector<std::int32_t> values = {};  ///< one per sensitive column of the table
};
using LinkedPerson = std::vector<LinkedRow>;

/// A row of a fact: its label may be unknown, and so may its parent.
struct KnownRow {
  std::int32_t table;
  std::int32_t label;   ///< -1 if only its existence is known
  std::int32_t parent;  ///< the number in the fact; -1 for the root and for unknown links
};
using Fact = std::vector<KnownRow>;

/// The fact that consists of some rows of a person, the root and, if links are known, ancestors.
inline Fact fact_of(const LinkedPerson& person, const std::vector<std::int32_t>& rows, bool links) {
  std::set<std::int32_t> known(rows.begin(), rows.end());
  known.insert(0);
  if (links)
    for (const std::int32_t row : rows)
      for (std::int32_t up = row; up >= 0; up = person[at(up)].parent) known.insert(up);
  Fact fact;
  std::vector<std::int32_t> number(person.size(), -1);
  for (const std::int32_t row : known) {
    number[at(row)] = static_cast<std::int32_t>(fact.size());
    const bool labelled = row == 0 || std::find(rows.begin(), rows.end(), row) != rows.end();
    const std::int32_t parent = row == 0 || !links ? -1 : number[at(person[at(row)].parent)];
    fact.push_back({person[at(row)].table, labelled ? person[at(row)].label : -1, parent});
  }
  return fact;
}

/// True if the rows of a fact from `next` on can be found in the record, where image has those of
/// the rows before.
inline bool is_found(const Fact& fact, const LinkedPerson& person,
                     std::vector<std::int32_t>& image) {
  const std::size_t next = image.size();
  if (next == fact.size()) return true;
  for (std::size_t row = 0; row < person.size(); ++row) {
    const LinkedRow& candidate = person[row];
    const KnownRow& wanted = fact[next];
    const auto number = static_cast<std::int32_t>(row);
    if ((next == 0) != (row == 0) || candidate.table != wanted.table) continue;
    if (wanted.label >= 0 && candidate.label != wanted.label) continue;
    if (wanted.parent >= 0 && candidate.parent != image[at(wanted.parent)]) continue;
    if (std::find(image.begin(), image.end(), number) != image.end()) continue;
    image.push_back(number);
    if (is_found(fact, person, image)) return true;
    image.pop_back();
  }
  return false;
}

inline bool supports(const LinkedPerson& person, const Fact& fact) {
  std::vector<std::int32_t> image;
  return is_found(fact, person, image);
}

/// All sets of at most `most` rows of a person beside the root.
inline std::vector<std::vector<std::int32_t>> sets_of_rows(const LinkedPerson& person, int most) {
  std::vector<std::vector<std::int32_t>> sets = {{}};
  for (std::size_t row = 1; row < person.size(); ++row)
    for (std::size_t i = sets.size(); i-- > 0;)
      if (sets[i].size() < static_cast<std::size_t>(most)) {
        sets.push_back(sets[i]);
        sets.back().push_back(static_cast<std::int32_t>(row));
      }
  return sets;
}

/// The levels of the definitions.
struct LinkedTruth {
  std::vector<std::int32_t> least;  ///< by person
  double share = 0;                 ///< of the sensitive column asked about
  std::int32_t diversity = 0;
};

/// The values of a sensitive column that a person has; negative ones are not protected.
inline std::set<std::int32_t> values_of(const LinkedPerson& person, std::int32_t table,
                                        std::size_t column) {
  std::set<std::int32_t> values;
  for (const LinkedRow& row : person)
    if (row.table == table && row.values[column] >= 0) values.insert(row.values[column]);
  return values;
}

/// Adds what a set of supporters tells about a sensitive column.
inline void add_values(const std::vector<const LinkedPerson*>& supporters, std::int32_t table,
                       std::size_t column, bool only_protected, LinkedTruth& truth) {
  std::set<std::int32_t> all;
  for (const LinkedPerson* person : supporters)
    for (const std::int32_t value : values_of(*person, table, column)) all.insert(value);
  if (all.empty()) return;
  auto diversity = only_protected ? std::numeric_limits<std::int32_t>::max()
                                  : static_cast<std::int32_t>(all.size());
  for (const std::int32_t value : all) {
    const auto with = std::count_if(supporters.begin(), supporters.end(), [&](const auto* person) {
      return values_of(*person, table, column).count(value) > 0;
    });
    const auto without =
        static_cast<std::int32_t>(supporters.size()) - static_cast<std::int32_t>(with);
    diversity = std::min(diversity, without + 1);
    truth.share =
        std::max(truth.share, static_cast<double>(with) / static_cast<double>(supporters.size()));
  }
  truth.diversity = truth.diversity == 0 ? diversity : std::min(truth.diversity, diversity);
}

/// The levels of facts about up to m rows of anybody, with or without their links.
inline LinkedTruth linked_truth(const std::vector<LinkedPerson>& persons, int m, bool links,
                                std::int32_t table, std::size_t column,
                                bool only_protected = false) {
  LinkedTruth truth;
  for (const LinkedPerson& target : persons) {
    truth.least.push_back(std::numeric_limits<std::int32_t>::max());
    for (const auto& rows : sets_of_rows(target, m)) {
      const Fact fact = fact_of(target, rows, links);
      std::vector<const LinkedPerson*> supporters;
      for (const LinkedPerson& person : persons)
        if (supports(person, fact)) supporters.push_back(&person);
      truth.least.back() =
          std::min(truth.least.back(), static_cast<std::int32_t>(supporters.size()));
      add_values(supporters, table, column, only_protected, truth);
    }
  }
  return truth;
}

/// True if two records are equal but for the order of their rows: each supports the fact that
/// consists of all rows of the other.
inline bool are_equal(const LinkedPerson& a, const LinkedPerson& b) {
  if (a.size() != b.size()) return false;
  std::vector<std::int32_t> rows;
  for (std::size_t i = 1; i < a.size(); ++i) rows.push_back(static_cast<std::int32_t>(i));
  return supports(b, fact_of(a, rows, true));
}

}  // namespace anonkit::reference
