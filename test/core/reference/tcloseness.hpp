#pragma once

// t-closeness through microaggregation straight from the paper's pseudo-code. Every search is a
// scan, every EMD a sum over all values of the table. It supports any number of ordered, nominal or
// hierarchical attributes; a class's level is the greatest EMD/t.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/centroid.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The EMD from its definition, as a fraction: an integer over members * n * (m-1), and so on.
class ReferenceEmd {
 public:
  explicit ReferenceEmd(const SensitiveAttribute& attribute) : attribute_(attribute) {
    m_ = attribute.values;
    for (const std::int32_t r : attribute.ranks) m_ = std::max(m_, r + 1);
  }

  double distance(const std::vector<Record>& members) const {
    const auto n = static_cast<std::int64_t>(attribute_.ranks.size());
    const auto s = static_cast<std::int64_t>(members.size());
    std::vector<std::int64_t> difference(static_cast<std::size_t>(m_), 0);  // s*n*(p_i - q_i)
    for (const std::int32_t r : attribute_.ranks) difference[static_cast<std::size_t>(r)] -= s;
    for (const Record i : members)
      difference[static_cast<std::size_t>(attribute_.ranks[static_cast<std::size_t>(i)])] += n;
    std::int64_t sum = 0, unit = n;
    switch (attribute_.distance) {
      case GroundDistance::ordered: {
        std::int64_t running = 0;
        for (const std::int64_t d : difference) sum += std::abs(running += d);
        unit = n * std::max(m_ - 1, 1);
        break;
      }
      case GroundDistance::nominal:
        for (const std::int64_t d : difference) sum += std::max<std::int64_t>(d, 0);
        break;
      case GroundDistance::hierarchical:
        sum = hierarchical(difference);
        unit = n * *std::max_element(attribute_.taxonomy.height.begin(),
                                     attribute_.taxonomy.height.end());
        break;
    }
    return static_cast<double>(sum) / static_cast<double>(unit * s);
  }

  double t() const { return attribute_.t; }

 private:
  // Li et al. 2007, section 4.2: extra of a node is the sum of its children's.
  std::int64_t hierarchical(const std::vector<std::int64_t>& difference) const {
    const auto& parent = attribute_.taxonomy.parent;
    const auto& height = attribute_.taxonomy.height;
    const auto nodes = static_cast<std::int32_t>(parent.size());
    const auto extra = [&](std::int32_t node) {
      std::int64_t sum = 0;
      for (std::int32_t value = 0; value < m_; ++value)
        for (std::int32_t v = value; v >= 0; v = parent[static_cast<std::size_t>(v)])
          if (v == node) sum += difference[static_cast<std::size_t>(value)];
      return sum;
    };
    std::int64_t sum = 0;
    for (std::int32_t node = m_; node < nodes; ++node) {
      std::int64_t positive = 0, negative = 0;
      for (std::int32_t child = 0; child < nodes; ++child) {
        if (parent[static_cast<std::size_t>(child)] != node) continue;
        const std::int64_t e = extra(child);
        (e > 0 ? positive : negative) += std::abs(e);
      }
      sum += height[static_cast<std::size_t>(node)] * std::min(positive, negative);
    }
    return sum;
  }

  SensitiveAttribute attribute_;
  std::int32_t m_ = 0;
};

/// `Emd` computes the EMD of one attribute.
template <class Emd>
class BasicReferenceTCloseness {
 public:
  using Clusters = std::vector<std::vector<Record>>;

  BasicReferenceTCloseness(const Space& space, const std::vector<SensitiveAttribute>& attributes)
      : space_(space) {
    for (const SensitiveAttribute& attribute : attributes) emds_.emplace_back(attribute);
  }

  double level(const std::vector<Record>& members) const {
    double level = 0;
    for (const Emd& emd : emds_) level = std::max(level, emd.distance(members) / emd.t());
    return level;
  }
  bool close(const std::vector<Record>& members) const {
    return std::all_of(emds_.begin(), emds_.end(),
                       [&](const Emd& emd) { return emd.distance(members) <= emd.t(); });
  }

  /// Algorithm 1, from its second line.
  Partition merge(const Partition& start) const {
    Clusters clusters(static_cast<std::size_t>(start.classes));
    for (std::size_t i = 0; i < start.class_of.size(); ++i)
      clusters[static_cast<std::size_t>(start.class_of[i])].push_back(static_cast<Record>(i));
    while (true) {
      std::sort(clusters.begin(), clusters.end());
      std::size_t worst = clusters.size();
      for (std::size_t c = 0; c < clusters.size(); ++c)
        if (!close(clusters[c]) &&
            (worst == clusters.size() || level(clusters[c]) > level(clusters[worst])))
          worst = c;
      if (worst == clusters.size()) return partition(clusters);
      std::size_t nearest = worst;
      double least = 0;
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        const double distance =
            space_.squared_distance(centroid(clusters[c]).data(), centroid(clusters[worst]).data());
        if (c == worst || (nearest != worst && distance >= least)) continue;
        nearest = c;
        least = distance;
      }
      clusters[worst].insert(clusters[worst].end(), clusters[nearest].begin(),
                             clusters[nearest].end());
      std::sort(clusters[worst].begin(), clusters[worst].end());
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(nearest));
    }
  }

  /// Algorithm 2.
  Partition k_first(Record k) const {
    Clusters clusters;
    std::vector<Record> left = everyone();
    while (!left.empty()) {
      const Record x0 = farthest(centroid(left).data(), left);
      clusters.push_back(generate_cluster(x0, left, static_cast<std::size_t>(k)));
      left = without(left, clusters.back());
      if (left.empty()) break;
      const Record x1 = farthest(space_.row(x0), left);
      clusters.push_back(generate_cluster(x1, left, static_cast<std::size_t>(k)));
      left = without(left, clusters.back());
    }
    return partition(clusters);
  }

  /// Algorithm 3, with the floor of formula (4); spare records as in t_first.hpp.
  Partition t_first(const std::vector<std::int32_t>& ranks, Record k, double t) const {
    const auto n = static_cast<Record>(ranks.size());
    k = std::min(n, std::max(k, static_cast<Record>(std::ceil(n / (2 * (n - 1.0) * t + 1)))));
    k += (n % k) / (n / k);
    std::vector<Record> order = everyone();
    std::stable_sort(order.begin(), order.end(), [&](Record a, Record b) {
      return ranks[static_cast<std::size_t>(a)] < ranks[static_cast<std::size_t>(b)];
    });
    Clusters subsets(static_cast<std::size_t>(k));
    std::size_t next = 0;
    for (Record s = 1; s <= k; ++s) {
      Record size = n / k;
      if (k % 2 == 1 && s == (k + 1) / 2) size += n % k;
      if (k % 2 == 0 && s == k / 2) size += n % k / 2;
      if (k % 2 == 0 && s == k / 2 + 1) size += (n % k + 1) / 2;
      for (Record i = 0; i < size; ++i)
        subsets[static_cast<std::size_t>(s - 1)].push_back(order[next++]);
    }
    Clusters clusters;
    std::vector<Record> left = everyone();
    while (!left.empty()) {
      const Record x0 = farthest(centroid(left).data(), left);
      clusters.push_back(take_one_each(x0, subsets));
      left = without(left, clusters.back());
      if (left.empty()) break;
      clusters.push_back(take_one_each(farthest(space_.row(x0), left), subsets));
      left = without(left, clusters.back());
    }
    return partition(clusters);
  }

 private:
  std::vector<Record> everyone() const {
    std::vector<Record> all(static_cast<std::size_t>(space_.size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  std::vector<double> centroid(const std::vector<Record>& members) const {
    Centroid centroid(space_);
    for (const Record i : members) centroid.add(i);
    std::vector<double> point(static_cast<std::size_t>(space_.dimension()));
    centroid.point(point.data());
    return point;
  }

  Record farthest(const double* x, const std::vector<Record>& from) const {
    Record best = from.front();
    for (const Record i : from)
      if (space_.squared_distance(space_.row(i), x) > space_.squared_distance(space_.row(best), x))
        best = i;
    return best;
  }

  void sort_by_distance(const double* x, std::vector<Record>* records) const {
    std::sort(records->begin(), records->end());
    std::stable_sort(records->begin(), records->end(), [&](Record a, Record b) {
      return space_.squared_distance(space_.row(a), x) < space_.squared_distance(space_.row(b), x);
    });
  }

  static std::vector<Record> without(const std::vector<Record>& all, std::vector<Record> gone) {
    std::sort(gone.begin(), gone.end());
    std::vector<Record> rest;
    std::set_difference(all.begin(), all.end(), gone.begin(), gone.end(), std::back_inserter(rest));
    return rest;
  }

  std::vector<Record> generate_cluster(Record seed, std::vector<Record> left, std::size_t k) const {
    if (left.size() < 2 * k) return left;
    sort_by_distance(space_.row(seed), &left);
    std::vector<Record> cluster(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(k));
    for (std::size_t next = k; next < left.size() && !close(cluster); ++next) {
      double least = level(cluster);
      std::vector<Record> best = cluster;
      for (const Record leaving : cluster) {
        std::vector<Record> after = cluster;
        std::replace(after.begin(), after.end(), leaving, left[next]);
        const double reached = level(after);
        if (reached >= least) continue;
        least = reached;
        best = after;
      }
      cluster = best;
    }
    return cluster;
  }

  std::vector<Record> take_one_each(Record seed, Clusters& subsets) const {
    std::vector<Record> cluster;
    const auto take = [&](std::vector<Record>& subset) {
      sort_by_distance(space_.row(seed), &subset);
      cluster.push_back(subset.front());
      subset.erase(subset.begin());
    };
    for (std::size_t i = 1; i <= subsets.size(); ++i) {
      take(subsets[i - 1]);
      if (subsets[i - 1].size() > subsets[0].size() && cluster.size() == i) take(subsets[i - 1]);
    }
    return cluster;
  }

  Partition partition(const Clusters& clusters) const {
    Partition partition;
    partition.class_of.resize(static_cast<std::size_t>(space_.size()));
    partition.classes = static_cast<ClassId>(clusters.size());
    for (std::size_t c = 0; c < clusters.size(); ++c)
      for (const Record i : clusters[c])
        partition.class_of[static_cast<std::size_t>(i)] = static_cast<ClassId>(c);
    number_by_first_record(partition);
    return partition;
  }

  const Space& space_;
  std::vector<Emd> emds_;
};

using ReferenceTCloseness = BasicReferenceTCloseness<ReferenceEmd>;

}  // namespace anonkit
