#include "method/tcloseness/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace anonkit {
namespace {

using Ranks = std::vector<std::int32_t>;

/// Splits sets of values; a set's cost is its share of the records times its spread.
class Bucketizer {
 public:
  explicit Bucketizer(const SensitiveAttribute& attribute) : attribute_(attribute) {
    counts_.resize(static_cast<std::size_t>(attribute.values), 0);
    for (const std::int32_t r : attribute.ranks) {
      if (static_cast<std::size_t>(r) >= counts_.size())
        counts_.resize(static_cast<std::size_t>(r) + 1, 0);
      ++counts_[static_cast<std::size_t>(r)];
    }
  }

  Buckets run(double slack) {
    Ranks all;
    for (std::size_t r = 0; r < counts_.size(); ++r)
      if (counts_[r] > 0) all.push_back(static_cast<std::int32_t>(r));
    sets_.push_back(make(std::move(all)));
    for (double sum = sets_.front().cost; sum > slack;) {
      const auto best = std::max_element(
          sets_.begin(), sets_.end(), [](const Set& a, const Set& b) { return a.gain < b.gain; });
      if (best->parts.empty()) break;
      const std::vector<Ranks> parts = std::move(best->parts);
      sets_.erase(best);
      for (const Ranks& part : parts) sets_.push_back(make(part));
      sum = 0;
      for (const Set& set : sets_) sum += set.cost;
    }
    std::sort(sets_.begin(), sets_.end(),
              [](const Set& a, const Set& b) { return a.values.front() < b.values.front(); });
    return buckets();
  }

 private:
  struct Set {
    Ranks values;
    double cost = 0;
    double gain = -1;  ///< of the split; negative without one
    std::vector<Ranks> parts;
  };

  Set make(Ranks values) const {
    Set set;
    set.cost = cost(values);
    set.parts = parts(values);
    set.values = std::move(values);
    if (set.parts.empty()) return set;
    double after = 0;
    for (const Ranks& part : set.parts) after += cost(part);
    set.gain = std::max(set.cost - after, 0.0);
    return set;
  }

  std::int64_t count(std::int32_t r) const { return counts_[static_cast<std::size_t>(r)]; }

  std::int64_t records(const Ranks& values) const {
    std::int64_t sum = 0;
    for (const std::int32_t r : values) sum += count(r);
    return sum;
  }

  // The EMD to one value is linear in the distribution, so its maximum has all weight on one value.
  double cost(const Ranks& values) const {
    const auto n = static_cast<double>(attribute_.ranks.size());
    double worst = 0;
    switch (attribute_.distance) {
      case GroundDistance::ordered: {
        std::int64_t up = 0, down = 0;
        for (const std::int32_t r : values) {
          up += count(r) * (r - values.front());
          down += count(r) * (values.back() - r);
        }
        const std::size_t steps = std::max<std::size_t>(counts_.size() - 1, 1);
        worst = static_cast<double>(std::max(up, down)) / static_cast<double>(steps);
        break;
      }
      case GroundDistance::nominal: {
        std::int64_t least = count(values.front());
        for (const std::int32_t r : values) least = std::min(least, count(r));
        worst = static_cast<double>(records(values) - least);
        break;
      }
      case GroundDistance::hierarchical:
        worst = hierarchical_cost(values);
        break;
    }
    return worst / n;
  }

  double hierarchical_cost(const Ranks& values) const {
    const auto& [parent, height] = attribute_.taxonomy;
    const auto node = [](std::int32_t v) { return static_cast<std::size_t>(v); };
    std::vector<std::int64_t> below(parent.size(), 0);
    for (const std::int32_t r : values)
      for (std::int32_t v = r; v >= 0; v = parent[node(v)]) below[node(v)] += count(r);
    std::int64_t worst = 0;
    for (const std::int32_t r : values) {
      std::int64_t sum = 0;
      for (std::int32_t v = r; parent[node(v)] >= 0; v = parent[node(v)]) {
        const std::int32_t above = parent[node(v)];
        sum += height[node(above)] * (below[node(above)] - below[node(v)]);
      }
      worst = std::max(worst, sum);
    }
    return static_cast<double>(worst) / *std::max_element(height.begin(), height.end());
  }

  std::vector<Ranks> parts(const Ranks& values) const {
    std::vector<Ranks> parts;
    if (values.size() < 2) return parts;
    if (attribute_.distance == GroundDistance::ordered) {
      const auto cut = values.begin() + best_cut(values);
      parts = {Ranks(values.begin(), cut), Ranks(cut, values.end())};
    } else if (attribute_.distance == GroundDistance::nominal) {
      for (const std::int32_t r : values) parts.push_back({r});
    } else {
      split_by_children(values, &parts);
    }
    return parts;
  }

  // The cut of least sum over both sides of the greater cost.
  std::ptrdiff_t best_cut(const Ranks& values) const {
    const auto place = [&](std::size_t i) { return std::int64_t{values[i]} - values.front(); };
    const std::int64_t last = place(values.size() - 1);
    std::int64_t after = 0, moment_after = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      after += count(values[i]);
      moment_after += place(i) * count(values[i]);
    }
    std::int64_t before = 0, moment_before = 0, least = -1;
    std::ptrdiff_t cut = 1;
    for (std::size_t i = 1; i < values.size(); ++i) {
      const std::int64_t moved = count(values[i - 1]);
      before += moved;
      after -= moved;
      moment_before += place(i - 1) * moved;
      moment_after -= place(i - 1) * moved;
      const std::int64_t low = std::max(moment_before, place(i - 1) * before - moment_before);
      const std::int64_t high =
          std::max(moment_after - place(i) * after, last * after - moment_after);
      if (least >= 0 && low + high >= least) continue;
      least = low + high;
      cut = static_cast<std::ptrdiff_t>(i);
    }
    return cut;
  }

  // Splits by the children of the lowest common ancestor.
  void split_by_children(const Ranks& values, std::vector<Ranks>* parts) const {
    const auto& parent = attribute_.taxonomy.parent;
    std::vector<std::size_t> below(parent.size(), 0);
    for (const std::int32_t r : values)
      for (std::int32_t v = r; v >= 0; v = parent[static_cast<std::size_t>(v)])
        ++below[static_cast<std::size_t>(v)];
    std::vector<std::ptrdiff_t> part(parent.size(), -1);
    for (const std::int32_t r : values) {
      std::int32_t child = r;
      while (below[static_cast<std::size_t>(parent[static_cast<std::size_t>(child)])] <
             values.size())
        child = parent[static_cast<std::size_t>(child)];
      std::ptrdiff_t& of = part[static_cast<std::size_t>(child)];
      if (of < 0) {
        of = static_cast<std::ptrdiff_t>(parts->size());
        parts->emplace_back();
      }
      (*parts)[static_cast<std::size_t>(of)].push_back(r);
    }
  }

  Buckets buckets() const {
    Buckets buckets;
    buckets.of_rank.resize(counts_.size());
    const double steps = std::max<double>(static_cast<double>(counts_.size()) - 1, 1);
    for (auto at = sets_.begin(); at != sets_.end(); ++at) {
      const Set& set = *at;
      const std::int32_t next =
          at + 1 == sets_.end() ? set.values.back() + 1 : (at + 1)->values.front();
      for (const std::int32_t r : set.values)
        buckets.of_rank[static_cast<std::size_t>(r)] =
            static_cast<std::int32_t>(buckets.records.size());
      buckets.records.push_back(records(set.values));
      const double share = static_cast<double>(buckets.records.back()) /
                           static_cast<double>(attribute_.ranks.size());
      buckets.spread.push_back(set.cost / share);
      buckets.width.push_back(
          attribute_.distance == GroundDistance::ordered ? (next - set.values.front()) / steps : 0);
    }
    return buckets;
  }

  const SensitiveAttribute& attribute_;
  std::vector<std::int64_t> counts_;  ///< by rank
  std::vector<Set> sets_;
};

}  // namespace

// First the class's records spread within their buckets like the table's. Then they move between
// the buckets.
double Buckets::bound(const std::vector<std::int64_t>& counts, std::int64_t size,
                      bool ordered) const {
  const auto n =
      static_cast<double>(std::accumulate(records.begin(), records.end(), std::int64_t{0}));
  double within = 0, between = 0, running = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    const double share = static_cast<double>(counts[b]) / static_cast<double>(size);
    const double difference = share - static_cast<double>(records[b]) / n;
    within += share * spread[b];
    const double before = std::fabs(running);
    running += difference;
    between +=
        ordered ? width[b] * std::max(before, std::fabs(running)) : std::fabs(difference) / 2;
  }
  return within + between;
}

Buckets bucketize(const SensitiveAttribute& attribute, double slack) {
  return Bucketizer(attribute).run(slack);
}

}  // namespace anonkit
