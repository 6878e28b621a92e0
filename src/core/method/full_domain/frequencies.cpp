#include "method/full_domain/frequencies.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// Lists 0 .. n-1 by class: those of class c are order[first[c] .. first[c+1]).
void list_by_class(const std::vector<std::int32_t>& class_of, std::size_t classes,
                   std::vector<std::int32_t>* first, std::vector<std::int32_t>* order) {
  first->assign(classes + 1, 0);
  for (const std::int32_t c : class_of) ++(*first)[at(c) + 1];
  std::partial_sum(first->begin(), first->end(), first->begin());
  order->resize(class_of.size());
  for (std::size_t i = class_of.size(); i-- > 0;)
    (*order)[at(--(*first)[at(class_of[i]) + 1])] = static_cast<std::int32_t>(i);
  // The loop above has moved the end of each class to its beginning.
  first->erase(first->begin());
  first->push_back(static_cast<std::int32_t>(class_of.size()));
}

/// Sums of counts by rank, emptied in the order of the ranks. All counts are 0 at the start.
class Tally {
 public:
  static constexpr std::size_t kFew = 64;  // up to this many ranks are scanned, not listed

  Tally(std::vector<std::int32_t>* counts, std::vector<std::int32_t>* ranks)
      : counts_(*counts), ranks_(*ranks) {
    ranks_.clear();
  }

  void add(std::int32_t rank, std::int32_t count) {
    if (at(rank) >= counts_.size()) counts_.resize(std::max(at(rank) + 1, 2 * counts_.size()), 0);
    if (at(rank) >= kFew && counts_[at(rank)] == 0) ranks_.push_back(rank);
    counts_[at(rank)] += count;
  }

  void flush(std::vector<Emd::Run>* runs) {
    const auto few = static_cast<std::int32_t>(std::min(counts_.size(), kFew));
    for (std::int32_t r = 0; r < few; ++r) put(r, runs);
    if (ranks_.empty()) return;
    std::sort(ranks_.begin(), ranks_.end());
    for (const std::int32_t r : ranks_) put(r, runs);
    ranks_.clear();
  }

 private:
  void put(std::int32_t rank, std::vector<Emd::Run>* runs) {
    std::int32_t& count = counts_[at(rank)];
    if (count == 0) return;
    runs->push_back({rank, count});
    count = 0;
  }

  std::vector<std::int32_t>& counts_;
  std::vector<std::int32_t>& ranks_;
};

ClassRuns count_values(const std::vector<std::int32_t>& ranks,
                       const std::vector<std::int32_t>& first,
                       const std::vector<std::int32_t>& order, Ticker& ticker) {
  ClassRuns result;
  std::vector<std::int32_t> counts, touched;
  Tally tally(&counts, &touched);
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    ticker.step(8 * (first[c + 1] - first[c]));
    for (std::int32_t i = first[c]; i < first[c + 1]; ++i) tally.add(ranks[at(order[at(i)])], 1);
    tally.flush(&result.runs);
    result.begin.push_back(static_cast<std::int32_t>(result.runs.size()));
  }
  return result;
}

}  // namespace

void Regrouper::add_up(const Frequencies& from, const Classes* listed, Frequencies* to) {
  ticker_.step(16 * static_cast<std::int64_t>(class_of_.size()));
  to->keys = index_.take();
  to->sizes.assign(to->keys.size(), 0);
  for (std::size_t i = 0; i < class_of_.size(); ++i)
    to->sizes[at(class_of_[i])] += from.sizes[listed != nullptr ? at((*listed)[i]) : i];
  if (!from.crowds.empty()) to->crowds.assign(to->keys.size(), 0);
  for (std::size_t i = 0; i < class_of_.size() && !from.crowds.empty(); ++i)
    to->crowds[at(class_of_[i])] += from.crowds[listed != nullptr ? at((*listed)[i]) : i];
  to->sensitive.resize(from.sensitive.size());
  const bool units = from.units.begin.size() > 1;
  if (from.sensitive.empty() && !units) return;
  list_by_class(class_of_, to->classes(), &first_, &order_);
  if (listed != nullptr)
    for (std::int32_t& c : order_) c = (*listed)[at(c)];
  for (std::size_t a = 0; a < from.sensitive.size(); ++a)
    add_runs(from.sensitive[a], &to->sensitive[a]);
  if (units) add_runs(from.units, &to->units);
  to->pairs.resize(from.pairs.size());
  for (std::size_t a = 0; a < from.pairs.size(); ++a) add_runs(from.pairs[a], &to->pairs[a]);
}

void Regrouper::add_runs(const ClassRuns& from, ClassRuns* to) {
  to->begin.assign(1, 0);
  to->runs.clear();
  Tally tally(&counts_, &ranks_);
  for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
    ticker_.step(20);
    if (first_[c + 1] - first_[c] == 1) {
      const Emd::Runs alone = from.of(at(order_[at(first_[c])]));
      to->runs.insert(to->runs.end(), alone.begin(), alone.end());
    } else {
      for (std::int32_t i = first_[c]; i < first_[c + 1]; ++i) {
        const Emd::Runs runs = from.of(at(order_[at(i)]));
        ticker_.step(50 + 8 * static_cast<std::int64_t>(runs.end() - runs.begin()));
        for (const Emd::Run& run : runs) tally.add(run.rank, run.count);
      }
      tally.flush(&to->runs);
    }
    to->begin.push_back(static_cast<std::int32_t>(to->runs.size()));
  }
}

GroupedRecords::GroupedRecords(const FullDomainProblem& problem, Ticker& ticker)
    : layout(problem.hierarchies) {
  const auto n = at(problem.records);
  KeyIndex index;
  index.begin(n + at(problem.population));
  const auto number = [&](const std::vector<const std::int32_t*>& values, Record records) {
    std::vector<CellKey> keys(at(records), 0);
    for (std::size_t j = 0; j < values.size(); ++j) {
      ticker.step(2 * records);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] |= layout.cell(j, values[j][i]);
    }
    std::vector<std::int32_t> numbers;
    numbers.reserve(keys.size());
    for (const CellKey key : keys) {
      ticker.step(16);
      numbers.push_back(index.number(key));
    }
    return numbers;
  };
  class_of = number(problem.leaves, problem.records);
  const std::vector<std::int32_t> of_population =
      number(problem.population_leaves, problem.population);
  leaves.keys = index.take();
  leaves.sizes.assign(leaves.keys.size(), 0);
  for (const std::int32_t c : class_of) ++leaves.sizes[at(c)];
  if (problem.population > 0) leaves.crowds.assign(leaves.keys.size(), 0);
  for (const std::int32_t c : of_population) ++leaves.crowds[at(c)];
  if (problem.sensitive.empty() && problem.units.empty()) return;
  std::vector<std::int32_t> first, order;
  list_by_class(class_of, leaves.classes(), &first, &order);
  for (const SensitiveAttribute& attribute : problem.sensitive)
    leaves.sensitive.push_back(count_values(attribute.ranks, first, order, ticker));
  if (problem.units.empty()) return;
  leaves.units = count_values(problem.units, first, order, ticker);
  if (least_values(problem.promises) <= 1) return;
  for (const SensitiveAttribute& attribute : problem.sensitive) {
    const std::vector<HeldValue> held = held_values(attribute, problem.units);
    std::vector<std::int32_t> pair_of;
    for (std::size_t i = 0; i < n; ++i) {
      ticker.step(32);
      pair_of.push_back(static_cast<std::int32_t>(
          std::lower_bound(held.begin(), held.end(),
                           HeldValue{attribute.ranks[i], problem.units[i]}) -
          held.begin()));
    }
    leaves.pairs.push_back(count_values(pair_of, first, order, ticker));
  }
}

std::vector<HeldValue> held_values(const SensitiveAttribute& attribute,
                                   const std::vector<std::int32_t>& units) {
  std::vector<HeldValue> held;
  for (std::size_t i = 0; i < units.size(); ++i) held.push_back({attribute.ranks[i], units[i]});
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end(),
                         [](const HeldValue& a, const HeldValue& b) { return !(a < b); }),
             held.end());
  return held;
}

std::vector<std::int32_t> ancestors(const Hierarchy& hierarchy, std::int32_t from,
                                    std::int32_t to) {
  std::vector<std::int32_t> result(at(hierarchy.groups(from)));
  std::iota(result.begin(), result.end(), 0);
  for (std::int32_t level = from; level < to; ++level)
    for (std::int32_t& group : result) group = hierarchy.parent(level, group);
  return result;
}

void roll_up(const CellLayout& layout, const Hierarchy& hierarchy, std::size_t attribute,
             std::int32_t from_level, std::int32_t to_level, const Frequencies& from,
             Regrouper* regrouper, Frequencies* to) {
  const std::vector<std::int32_t> above = ancestors(hierarchy, from_level, to_level);
  regrouper->regroup(
      from,
      [&](std::size_t c) {
        const CellKey key = from.keys[c];
        return layout.with(key, attribute, above[at(layout.group(key, attribute))]);
      },
      to);
}

}  // namespace anonkit
