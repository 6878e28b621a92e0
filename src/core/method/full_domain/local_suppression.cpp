#include "method/full_domain/local_suppression.hpp"

#include <algorithm>
#include <utility>

namespace anonkit {
namespace {

constexpr std::size_t kMostFree = 10;
constexpr std::size_t kMostOfMany = 3;

/// The runs of the listed classes.
ClassRuns select(const ClassRuns& from, const std::vector<std::size_t>& classes) {
  ClassRuns result;
  for (const std::size_t c : classes) {
    const Emd::Runs runs = from.of(c);
    result.runs.insert(result.runs.end(), runs.begin(), runs.end());
    result.begin.push_back(static_cast<std::int32_t>(result.runs.size()));
  }
  return result;
}

/// The listed classes.
Frequencies select(const Frequencies& table, const std::vector<std::size_t>& classes) {
  Frequencies result;
  for (const std::size_t c : classes) {
    result.keys.push_back(table.keys[c]);
    result.sizes.push_back(table.sizes[c]);
  }
  for (const ClassRuns& runs : table.sensitive) result.sensitive.push_back(select(runs, classes));
  for (const ClassRuns& runs : table.pairs) result.pairs.push_back(select(runs, classes));
  if (table.units.begin.size() > 1) result.units = select(table.units, classes);
  return result;
}

}  // namespace

/// The outliers' loss with one attribute, at most 2^10 on average, so that sums cannot overflow.
std::int64_t LocalSuppression::weight(const Levels& levels, const Frequencies& table,
                                      const std::vector<char>& kept, std::size_t attribute) const {
  if (!cost_.of_cells()) return 1;
  RecodingCost::Wide sum = 0;
  std::int64_t records = 1;
  for (std::size_t c = 0; c < table.classes(); ++c) {
    if (kept[c] || layout_.starred(table.keys[c], attribute)) continue;
    const std::int32_t group = layout_.group(table.keys[c], attribute);
    sum += static_cast<RecodingCost::Wide>(table.sizes[c]) *
           cost_.of_suppressing(attribute, levels[attribute], group);
    records += table.sizes[c];
  }
  return static_cast<std::int64_t>(sum / records);
}

/// Sets of attributes below their top level, cheapest first.
std::vector<LocalSuppression::Attributes> LocalSuppression::candidates(
    const Levels& levels, const Frequencies& table, const std::vector<char>& kept) const {
  Attributes free;
  std::vector<std::int64_t> weights;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j] == problem_.hierarchies[j]->height()) continue;
    free.push_back(j);
    weights.push_back(weight(levels, table, kept, j));
  }
  const std::size_t most = free.size() > kMostFree ? kMostOfMany : free.size();
  std::vector<std::pair<std::int64_t, Attributes>> sets = {{0, {}}};
  std::size_t begin = 0;
  for (std::size_t size = 1; size <= most; ++size) {
    const std::size_t end = sets.size();
    for (; begin < end; ++begin) {
      // Extends smaller sets by a later attribute.
      const auto set = sets[begin];
      for (std::size_t f = 0; f < free.size(); ++f) {
        if (!set.second.empty() && free[f] <= set.second.back()) continue;
        sets.push_back(set);
        sets.back().first += weights[f];
        sets.back().second.push_back(free[f]);
      }
    }
  }
  std::sort(sets.begin(), sets.end());
  std::vector<Attributes> result;
  for (auto& set : sets)
    // A record without any cell is a suppressed record.
    if (!set.second.empty() && set.second.size() < free.size())
      result.push_back(std::move(set.second));
  return result;
}

CellKey LocalSuppression::without(CellKey key, const Attributes& attributes) const {
  for (const std::size_t j : attributes) key |= layout_.cell(j, layout_.star(j));
  return key;
}

std::vector<CellKey> LocalSuppression::keys(const Levels& levels, const Frequencies& table,
                                            const std::vector<char>& kept, bool joins) {
  std::vector<CellKey> result = table.keys;
  std::vector<char> settled = kept;
  std::vector<std::size_t> pool;
  const auto fill = [&] {
    pool.clear();
    for (std::size_t c = 0; c < table.classes(); ++c)
      if (joins || !settled[c]) pool.push_back(c);
    return select(table, pool);
  };
  Frequencies outliers = fill(), together;
  for (const Attributes& attributes : candidates(levels, table, kept)) {
    const auto after = [&](std::size_t c) {
      return settled[pool[c]] ? result[pool[c]] : without(result[pool[c]], attributes);
    };
    regrouper_.regroup(outliers, after, &together);
    bool changed = false;
    for (std::size_t c = 0; c < pool.size(); ++c) {
      ticker_.step(32);
      if (settled[pool[c]]) continue;
      if (!constraint_.keeps(together, static_cast<std::size_t>(regrouper_.class_of()[c])))
        continue;
      result[pool[c]] = after(c);
      settled[pool[c]] = 2;
      changed = true;
    }
    if (changed && !joins) outliers = fill();
    if (outliers.classes() == 0) break;
  }
  return result;
}

}  // namespace anonkit
