#include "sensitive/person_emd.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"

namespace anonkit {
namespace {

__extension__ using Wide = __int128;

/// Bounds of the weight of a table, and of what is summed of products with it.
constexpr std::int64_t kMostWeight = std::int64_t{1} << 62;
constexpr Wide kMostProduct = Wide{1} << 126;

/// The weight of a person: the least common multiple of the persons' numbers of records, or as much
/// as lets all persons together weigh at most `most`. The facts are sorted.
std::int64_t person_weight(const PersonFacts& facts, std::int64_t most) {
  Wide multiple = 1;
  std::int64_t persons = 0;
  for (std::size_t first = 0; first < facts.size(); ++persons) {
    std::size_t last = first;
    while (last < facts.size() && facts[last].unit == facts[first].unit) ++last;
    const auto records = static_cast<std::int64_t>(last - first);
    if (multiple <= most && multiple % records != 0)
      multiple *= records / std::gcd(static_cast<std::int64_t>(multiple), records);
    first = last;
  }
  const std::int64_t fits = std::max<std::int64_t>(most / std::max<std::int64_t>(persons, 1), 1);
  return static_cast<std::int64_t>(std::min<Wide>(multiple, fits));
}

/// Those of the table that classes are compared with.
std::vector<std::int64_t> table_weights(const SensitiveAttribute& attribute,
                                        const std::vector<std::int32_t>& units) {
  if (!attribute.table_counts.empty()) return attribute.table_counts;
  std::int32_t values = attribute.values;
  PersonFacts facts;
  for (std::size_t i = 0; i < units.size(); ++i) {
    facts.push_back({units[i], attribute.ranks[i]});
    values = std::max(values, attribute.ranks[i] + 1);
  }
  return person_weights(std::move(facts), values);
}

}  // namespace

// A person with r records gives each of them 1/r of a weight. With the least common multiple of all
// r as the weight of a person, every part is an integer.
PersonEmd::PersonEmd(const SensitiveAttribute& attribute, const std::vector<std::int32_t>& units)
    : distance_(attribute.distance), t_(attribute.t), taxonomy_(attribute.taxonomy) {
  if (!(t_ >= 0 && t_ <= 1))
    throw Error(ErrorKind::invalid_parameter, "t is out of range", "t must be between 0 and 1.");
  const std::vector<std::int64_t> of_value = table_weights(attribute, units);
  const auto values = static_cast<std::int32_t>(of_value.size());
  Weights weights;
  upto_.push_back(0);
  for (std::int32_t r = 0; r < values; ++r) {
    weights.push_back({r, of_value[at(r)]});
    upto_.push_back(upto_.back() + of_value[at(r)]);
  }
  n_ = upto_.back();
  if (distance_ == GroundDistance::ordered) {
    scale_ = std::max(values - 1, 1);
    for (const std::int64_t upto : upto_)
      area_.push_back((area_.empty() ? 0 : area_.back()) + upto);
  } else if (distance_ == GroundDistance::hierarchical) {
    const auto& height = taxonomy_.height;
    scale_ = 2 * std::max(*std::max_element(height.begin(), height.end()), 1);
    below_.assign(height.size(), 0);
    members_.assign(height.size(), 0);
    add_to_tree(weights, &below_);
    for (std::size_t v = 0; v < below_.size(); ++v)
      all_edges_ += static_cast<Wide>(length(static_cast<std::int32_t>(v))) * below_[v];
  }
  // A distance sums products of a weight of the class and one of the table, twice over the values
  // at most, or over the paths of a tree.
  const Wide terms = 2 * (static_cast<Wide>(values) + 1) * (scale_ + 1);
  most_ = static_cast<std::int64_t>(std::min<Wide>(kMostWeight, kMostProduct / n_ / terms));
}

// The distribution of the table: every person of it weighs the same, whatever the number of
// records.
std::vector<std::int64_t> person_weights(PersonFacts facts, std::int32_t values) {
  std::sort(facts.begin(), facts.end());
  std::vector<std::int64_t> of_value(at(values), 0);
  PersonEmd::Weights weights;
  PersonEmd::share(facts, kMostWeight, &weights);
  for (const auto& one : weights) of_value[at(one.rank)] = one.weight;
  return of_value;
}

/// Sets the weight of each value; returns the total weight. The j-th of a person's r records weighs
/// floor((j+1) w / r) - floor(j w / r): parts that sum to w exactly, and are equal if r divides w.
std::int64_t PersonEmd::share(const PersonFacts& facts, std::int64_t most, Weights* weights) {
  weights->clear();
  const Wide weight = person_weight(facts, most);
  std::int64_t persons = 0;
  for (auto first = facts.begin(); first != facts.end(); ++persons) {
    const auto last = std::find_if(
        first, facts.end(), [&](const PersonFact& fact) { return fact.unit != first->unit; });
    for (auto i = first; i != last; ++i) {
      const std::int64_t j = i - first;
      const std::int64_t records = last - first;
      weights->push_back(
          {i->rank, static_cast<std::int64_t>((j + 1) * weight / records - j * weight / records)});
    }
    first = last;
  }
  std::sort(weights->begin(), weights->end(),
            [](const Weight& a, const Weight& b) { return a.rank < b.rank; });
  auto end = weights->begin();
  for (auto i = weights->begin(); i != weights->end(); ++i) {
    if (end != weights->begin() && (end - 1)->rank == i->rank)
      (end - 1)->weight += i->weight;
    else
      *end++ = *i;
  }
  weights->erase(end, weights->end());
  return persons * static_cast<std::int64_t>(weight);
}

// The decision of Emd::within(), with weights in the place of numbers of records.
bool PersonEmd::within(const PersonFacts& facts) const {
  const std::int64_t size = share(facts, most_, &scratch_);
  Wide cost = 0;
  switch (distance_) {
    case GroundDistance::ordered:
      cost = ordered(scratch_, size);
      break;
    case GroundDistance::nominal:
      cost = nominal(scratch_, size);
      break;
    case GroundDistance::hierarchical:
      cost = hierarchical(scratch_, size);
      break;
  }
  Wide all = static_cast<Wide>(n_) * size * scale_;
  const double rough = static_cast<double>(cost) / static_cast<double>(all);
  if (std::fabs(rough - t_) > 1e-14) return rough <= t_;
  Wide divisor = all;
  for (Wide rest = cost; rest != 0;) {
    const Wide next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  const Wide numerator = cost / divisor, denominator = all / divisor;
  return static_cast<double>(numerator) / static_cast<double>(denominator) <= t_;
}

// The sum over i < m of |n P_i - s Q_i|, with P_i and Q_i the weights of the i lowest values.
PersonEmd::Wide PersonEmd::ordered(const Weights& weights, std::int64_t size) const {
  const auto last = static_cast<std::int32_t>(upto_.size()) - 2;
  Wide sum = 0;
  std::int32_t from = 1;
  std::int64_t seen = 0;
  for (const Weight& one : weights) {
    sum += gap(seen, size, from, one.rank);
    from = one.rank + 1;
    seen += one.weight;
  }
  return sum + gap(seen, size, from, last);
}

// The terms i = from .. to, where P_i is constant and Q_i ascends through n P / s.
PersonEmd::Wide PersonEmd::gap(std::int64_t seen, std::int64_t size, std::int32_t from,
                               std::int32_t to) const {
  if (from > to) return 0;
  const Wide level = static_cast<Wide>(n_) * seen;
  const auto first = upto_.begin() + from, last = upto_.begin() + to + 1;
  const auto beyond = std::partition_point(
      first, last, [&](std::int64_t upto) { return static_cast<Wide>(size) * upto <= level; });
  const auto cut = static_cast<std::int32_t>(beyond - upto_.begin()) - 1;
  const Wide above = area_[at(cut)] - area_[at(from - 1)], below = area_[at(to)] - area_[at(cut)];
  return level * ((cut - from + 1) - (to - cut)) + static_cast<Wide>(size) * (below - above);
}

// The sum of the positive terms, which all belong to values of the class.
PersonEmd::Wide PersonEmd::nominal(const Weights& weights, std::int64_t size) const {
  Wide sum = 0;
  for (const Weight& one : weights) {
    const std::int64_t in_table = upto_[at(one.rank) + 1] - upto_[at(one.rank)];
    sum +=
        std::max<Wide>(0, static_cast<Wide>(n_) * one.weight - static_cast<Wide>(size) * in_table);
  }
  return sum;
}

// The length of the edge above a node: the difference in height. Two values whose lowest common
// ancestor has height h are 2h apart along the edges, hence twice the height as the scale.
std::int64_t PersonEmd::length(std::int32_t node) const {
  const std::int32_t above = taxonomy_.parent[at(node)];
  return above < 0 ? 0 : taxonomy_.height[at(above)] - taxonomy_.height[at(node)];
}

// Every value counts at all nodes above it.
void PersonEmd::add_to_tree(const Weights& weights, std::vector<std::int64_t>* below) const {
  for (const Weight& one : weights)
    for (std::int32_t v = one.rank; v >= 0; v = taxonomy_.parent[at(v)])
      (*below)[at(v)] += one.weight;
}

// Twice the distance is the sum over the edges of length times the difference in weight below.
// Edges without members of the class contribute the table's weight. The paths from the class's
// values to the root correct this sum.
PersonEmd::Wide PersonEmd::hierarchical(const Weights& weights, std::int64_t size) const {
  add_to_tree(weights, &members_);
  Wide sum = static_cast<Wide>(size) * all_edges_;
  for (const Weight& one : weights)
    for (std::int32_t v = one.rank; v >= 0; v = taxonomy_.parent[at(v)]) {
      std::int64_t& members = members_[at(v)];
      if (members == 0) continue;
      const Wide ours = static_cast<Wide>(n_) * members;
      const Wide theirs = static_cast<Wide>(size) * below_[at(v)];
      sum +=
          static_cast<Wide>(length(v)) * ((ours > theirs ? ours - theirs : theirs - ours) - theirs);
      members = 0;
    }
  return sum;
}

}  // namespace anonkit
