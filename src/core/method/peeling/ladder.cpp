#include "method/peeling/ladder.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/random.hpp"

namespace anonkit {
namespace {

/// Groups of values as intervals of codes: group g has the codes ends[g] .. ends[g+1]-1.
using Ends = std::vector<std::size_t>;

/// A level whose groups are numbered by value.
LadderLevel level_of(std::size_t attribute, std::size_t level,
                     const std::vector<std::int32_t>& groups, std::vector<double> penalties) {
  LadderLevel made;
  const std::uint64_t place = static_cast<std::uint64_t>(attribute << 16 | level) << 32;
  for (const std::int32_t group : groups)
    made.keys.push_back(mix(place + static_cast<std::uint32_t>(group)));
  made.penalties = std::move(penalties);
  return made;
}

std::vector<std::int32_t> codes_of(const GeneralisationSpace& space, int j) {
  std::vector<std::int32_t> codes;
  for (Record i = 0; i < space.size(); ++i)
    codes.push_back(static_cast<std::int32_t>(space.row(i)[j]));
  return codes;
}

Ladder ladder_of_tree(const GeneralisationSpace& space, int j) {
  const Domain& domain = space.domain(j);
  Ladder ladder{codes_of(space, j), {}};
  const std::size_t levels = at(domain.hierarchy->height()) + 1;
  for (std::size_t l = 0; l < levels; ++l) {
    std::vector<std::int32_t> groups;
    std::vector<double> penalties;
    for (std::size_t v = 0; v < domain.leaf.size(); ++v) {
      const Domain::Ancestor& ancestor = domain.ancestors[v * levels + l];
      groups.push_back(ancestor.last);
      penalties.push_back(domain.weight * ancestor.penalty);
    }
    ladder.levels.push_back(level_of(at(j), l, groups, std::move(penalties)));
  }
  return ladder;
}

Ladder ladder_of_set(const GeneralisationSpace& space, int j) {
  const Domain& domain = space.domain(j);
  const std::size_t values = at(domain.values);
  std::vector<std::int32_t> single(values);
  std::iota(single.begin(), single.end(), 0);
  Ladder ladder{codes_of(space, j), {}};
  ladder.levels.push_back(level_of(at(j), 0, single, std::vector<double>(values, 0)));
  ladder.levels.push_back(level_of(at(j), 1, std::vector<std::int32_t>(values, 0),
                                   std::vector<double>(values, domain.weight)));
  return ladder;
}

/// Halves each group at its median if both halves have k records. `before` counts the records with
/// lower codes.
Ends halve(const Ends& ends, const std::vector<Record>& before, Record k) {
  Ends finer = {0};
  for (std::size_t g = 0; g + 1 < ends.size(); ++g) {
    const Record first = before[ends[g]], last = before[ends[g + 1]];
    const auto from = before.begin() + static_cast<std::ptrdiff_t>(ends[g]) + 1;
    const auto to = before.begin() + static_cast<std::ptrdiff_t>(ends[g + 1]);
    const auto middle = std::lower_bound(from, to, first + (last - first) / 2);
    if (middle != to && *middle - first >= k && last - *middle >= k)
      finer.push_back(static_cast<std::size_t>(middle - before.begin()));
    finer.push_back(ends[g + 1]);
  }
  return finer;
}

/// From one group of all values to single values.
std::vector<Ends> nested_groups(const std::vector<Record>& before, Record k) {
  const std::size_t values = before.size() - 1;
  std::vector<Ends> levels = {{0, values}};
  for (;;) {
    Ends finer = halve(levels.back(), before, k);
    if (finer.size() == levels.back().size()) break;
    levels.push_back(std::move(finer));
  }
  Ends single(values + 1);
  std::iota(single.begin(), single.end(), std::size_t{0});
  if (levels.back().size() < single.size()) levels.push_back(std::move(single));
  return levels;
}

Ladder ladder_of_range(const GeneralisationSpace& space, int j, Record k) {
  std::vector<double> values;
  for (Record i = 0; i < space.size(); ++i) values.push_back(space.row(i)[j]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Ladder ladder;
  std::vector<Record> before(values.size() + 1, 0);
  for (Record i = 0; i < space.size(); ++i) {
    const auto found = std::lower_bound(values.begin(), values.end(), space.row(i)[j]);
    ladder.codes.push_back(static_cast<std::int32_t>(found - values.begin()));
    ++before[at(ladder.codes.back()) + 1];
  }
  std::partial_sum(before.begin(), before.end(), before.begin());
  const std::vector<Ends> levels = nested_groups(before, k);
  for (auto ends = levels.rbegin(); ends != levels.rend(); ++ends) {
    std::vector<std::int32_t> groups;
    std::vector<double> penalties;
    for (std::size_t g = 0; g + 1 < ends->size(); ++g) {
      const std::size_t first = (*ends)[g], last = (*ends)[g + 1];
      groups.insert(groups.end(), last - first, static_cast<std::int32_t>(g));
      penalties.insert(penalties.end(), last - first,
                       space.domain(j).weight * (values[last - 1] - values[first]));
    }
    ladder.levels.push_back(level_of(at(j), ladder.levels.size(), groups, std::move(penalties)));
  }
  return ladder;
}

bool are_more(const std::vector<Ladder>& ladders, std::size_t most) {
  std::size_t nodes = 1;
  for (const Ladder& ladder : ladders) {
    nodes *= ladder.levels.size();
    if (nodes > most) return true;
  }
  return false;
}

void shorten(std::vector<LadderLevel>& levels) {
  std::size_t least = 1;
  const auto gap = [&](std::size_t l) { return levels[l + 1].loss - levels[l - 1].loss; };
  for (std::size_t l = 2; l + 1 < levels.size(); ++l)
    if (gap(l) < gap(least)) least = l;
  levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(least));
}

}  // namespace

void Ladder::measure(const std::vector<Record>& records, Ticker& ticker) {
  for (LadderLevel& level : levels) {
    ticker.step(4 * static_cast<std::int64_t>(records.size()));
    double sum = 0;
    for (const Record i : records) sum += level.penalties[at(codes[at(i)])];
    level.loss = sum / static_cast<double>(records.size());
  }
}

std::vector<Ladder> ladders_of(const GeneralisationSpace& space, Record k, std::size_t most,
                               Ticker& ticker) {
  std::vector<Record> all(at(space.size()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<Ladder> ladders;
  for (int j = 0; j < space.dimension(); ++j) {
    ticker.step(std::int64_t{200} * space.size());
    const Generalise by = space.domain(j).by;
    ladders.push_back(by == Generalise::hierarchy ? ladder_of_tree(space, j)
                      : by == Generalise::set     ? ladder_of_set(space, j)
                                                  : ladder_of_range(space, j, k));
    ladders.back().measure(all, ticker);
  }
  while (are_more(ladders, most)) {
    const auto longest = std::max_element(
        ladders.begin(), ladders.end(),
        [](const Ladder& a, const Ladder& b) { return a.levels.size() < b.levels.size(); });
    if (longest->levels.size() < 3) return {};
    shorten(longest->levels);
  }
  return ladders;
}

}  // namespace anonkit
