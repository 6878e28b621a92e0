#include "method/repair/risk_merging.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/problem_loss.hpp"
#include "promise/distinct_values.hpp"
#include "promise/risk_limits.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kPartners = 4;

class RiskMerging {
 public:
  RiskMerging(const Problem& problem, const Partition& partition, Ticker& ticker)
      : problem_(problem),
        constraints_(constraints_of(problem)),
        limits_(problem.options.promises),
        risk_(limits_),
        ticker_(ticker),
        centroids_(problem.space, partition.classes, ticker),
        centroid_(problem.space) {
    const Members members = members_of(partition);
    for (std::size_t c = 0; c < members.classes(); ++c) {
      const RecordSpan records = members.of(c);
      classes_.push_back({{records.begin(), records.end()}, 0, 0});
      enter(static_cast<ClassId>(c));
    }
  }

  /// False if no union is left that keeps all other promises, and a limit is exceeded.
  bool run() {
    return unite_while([&] { return !risk_.share_within(); },
                       [&](const Class& one) { return limits_.at_risk(one.members); }) &&
           unite_while([&] { return !risk_.within(); }, [](const Class&) { return true; });
  }

  Partition result(Partition partition) const {
    for (std::size_t c = 0; c < classes_.size(); ++c)
      for (const Record i : classes_[c].records)
        partition.class_of[at(i)] = static_cast<ClassId>(c);
    number_by_first_record(partition);
    return partition;
  }

 private:
  struct Class {
    std::vector<Record> records;  ///< none after it has joined another one
    Record members;
    std::int32_t version;
  };
  struct Union {
    double cost;
    std::size_t size;  ///< records
    ClassId id, other;
    std::int32_t version, other_version;
    /// The cheapest union is the greatest; ties go to the smaller one, then to lower classes. So
    /// unions of classes at one point, which cost nothing, are those of a balanced tree, and a
    /// record is moved O(log n) times. By class alone, one class would take in all others, and move
    /// its records with each.
    bool operator<(const Union& that) const {
      return std::tie(that.cost, that.size, that.id, that.other) < std::tie(cost, size, id, other);
    }
  };
  using Point = std::vector<double>;

  template <class Exceeded, class Eligible>
  bool unite_while(const Exceeded& exceeded, const Eligible& eligible) {
    std::priority_queue<Union> unions;
    const auto offer = [&](ClassId c) {
      const Class& one = classes_[at(c)];
      if (one.records.empty() || !eligible(one)) return;
      const Union best = cheapest(c);
      if (best.other >= 0) unions.push(best);
    };
    if (!exceeded()) return true;
    for (ClassId c = 0; c < static_cast<ClassId>(classes_.size()); ++c) offer(c);
    while (exceeded()) {
      if (unions.empty()) return false;
      const Union next = unions.top();
      unions.pop();
      if (classes_[at(next.id)].version != next.version) continue;
      if (classes_[at(next.other)].version != next.other_version) {
        offer(next.id);
        continue;
      }
      unite(next.id, next.other);
      offer(next.id);
    }
    return true;
  }

  /// A union at no cost: with the smallest of the classes at the same point.
  bool find_equal(ClassId c, Union* best) {
    std::size_t tried = 0;
    for (const auto& [size, other] : at_point_.find(point_of(c))->second) {
      if (other == c) continue;
      const Class& two = classes_[at(other)];
      if (is_allowed(classes_[at(c)], two)) {
        *best = {0, best->size + size, c, other, best->version, two.version};
        return true;
      }
      if (++tried == kPartners) break;
    }
    return false;
  }

  /// The union of a class with the one of the near classes that costs least; other is -1 if there
  /// is none that keeps the promises.
  Union cheapest(ClassId c) {
    const Class& one = classes_[at(c)];
    Union best = {0, one.records.size(), c, -1, one.version, 0};
    if (find_equal(c, &best)) return best;
    for (const ClassId other : centroids_.nearest(centroids_.point(c), kPartners, c)) {
      const Class& two = classes_[at(other)];
      const auto a = static_cast<double>(one.records.size());
      const auto b = static_cast<double>(two.records.size());
      const double cost =
          problem_.space.squared_distance(centroids_.point(c), centroids_.point(other)) *
          (a * b / (a + b));
      if ((best.other >= 0 && cost >= best.cost) || !is_allowed(one, two)) continue;
      best.cost = cost;
      best.size = one.records.size() + two.records.size();
      best.other = other;
      best.other_version = two.version;
    }
    return best;
  }

  bool is_allowed(const Class& one, const Class& two) {
    if (constraints_.empty()) return true;
    united_ = one.records;
    united_.insert(united_.end(), two.records.begin(), two.records.end());
    ticker_.step(static_cast<std::int64_t>(50 * united_.size()));
    return all_allow(constraints_, RecordSpan(united_));
  }

  void unite(ClassId into, ClassId from) {
    for (const ClassId c : {into, from}) {
      const auto here = at_point_.find(point_of(c));
      here->second.erase({classes_[at(c)].records.size(), c});
      if (here->second.empty()) at_point_.erase(here);
      centroids_.remove(c);
      risk_.remove(static_cast<Record>(classes_[at(c)].records.size()), classes_[at(c)].members);
      ++classes_[at(c)].version;
    }
    std::vector<Record>& records = classes_[at(into)].records;
    const std::vector<Record> joining = std::move(classes_[at(from)].records);
    classes_[at(from)].records.clear();
    records.insert(records.end(), joining.begin(), joining.end());
    enter(into);
  }

  void enter(ClassId c) {
    Class& one = classes_[at(c)];
    Point point(at(problem_.space.dimension()));
    for (const Record i : one.records) centroid_.add(i);
    centroid_.point(point.data());
    for (const Record i : one.records) centroid_.remove(i);
    ticker_.step(static_cast<std::int64_t>(one.records.size() * (20 + point.size())));
    centroids_.add(c, point.data());
    at_point_[std::move(point)].emplace(one.records.size(), c);
    one.members = count_members(problem_, RecordSpan(one.records));
    risk_.add(static_cast<Record>(one.records.size()), one.members);
  }

  Point point_of(ClassId c) const {
    const double* point = centroids_.point(c);
    return {point, point + problem_.space.dimension()};
  }

  const Problem& problem_;
  const Constraints constraints_;
  const RiskLimits limits_;
  ReleaseRisk risk_;
  Ticker& ticker_;
  CentroidIndex centroids_;
  Centroid centroid_;  ///< empty between calls
  /// By centroid, its classes by size. Many have one where records are equal and may be divided.
  std::map<Point, std::set<std::pair<std::size_t, ClassId>>> at_point_;
  std::vector<Class> classes_;
  std::vector<Record> united_;
};

}  // namespace

Partition merge_within_risk(const Problem& problem, Partition partition, Ticker& ticker) {
  require_possible(RiskLimits(problem.options.promises),
                   count_members(problem, RecordSpan(all_records(problem))));
  number_by_first_record(partition);
  ticker.begin("lowering the risk", 0);
  RiskMerging merging(problem, partition, ticker);
  if (merging.run()) return merging.result(std::move(partition));
  const std::vector<Record> all = all_records(problem);
  if (all_allow(constraints_of(problem), RecordSpan(all)))
    return {std::vector<ClassId>(all.size(), 0), 1};
  throw Error(ErrorKind::infeasible, "no classes were found within the promised risk",
              "Larger classes break another promise.", "Promise less.");
}

Classification form_within_risk(const Problem& problem,
                                const std::function<Classification(const Problem&)>& form,
                                Ticker& ticker) {
  const RiskLimits limits(problem.options.promises);
  if (!limits.any()) return form(problem);
  Classification merged = form(problem);
  if (merged.masked.has_value()) return merged;
  merged.partition = merge_within_risk(problem, std::move(merged.partition), ticker);
  Options larger = problem.options;
  larger.k = limits.least_members();
  if (larger.k <= problem.options.k ||
      larger.k > count_members(problem, RecordSpan(members_of(merged.partition).records)) ||
      (larger.block_size > 0 && larger.block_size < larger.k))
    return merged;
  std::optional<Classification> grown = unless({ErrorKind::infeasible}, [&] {
    Classification classes =
        form({problem.table, problem.rows, problem.columns, problem.space, problem.sensitive,
              larger, problem.clock, problem.table_records, problem.units});
    classes.partition = merge_within_risk(problem, std::move(classes.partition), ticker);
    return classes;
  });
  if (!grown) return merged;
  const ProblemLoss loss(problem, ticker);
  const bool less = loss.total(grown->partition) < loss.total(merged.partition);
  Classification& better = less ? *grown : merged;
  better.reproducible = grown->reproducible && merged.reproducible;
  better.exact = grown->exact && merged.exact;
  return std::move(better);
}

}  // namespace anonkit
