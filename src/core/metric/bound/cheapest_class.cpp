#include "metric/bound/cheapest_class.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A search's, as a ticker's steps: some hundred milliseconds. Few searches need it.
constexpr std::int64_t kMostWork = std::int64_t{1} << 26;
// More candidates for each member that is needed are scored by their nearest records alone.
constexpr Record kPaired = 4;
// Trials for the threshold of a sum.
constexpr int kThresholds = 4;

/// At most the sum of the `needed` least of the values, of which each occurs `counts` times.
///
/// For every threshold, that sum is at least needed * threshold, less what the values fall short of
/// it. The best threshold is the value with the rank `needed`; it is sought from the given one, and
/// returned there.
double least_sum_bound(const std::vector<double>& values, const std::vector<double>& counts,
                       double needed, double& threshold) {
  double best = -kInfinity, low = -kInfinity, high = kInfinity;
  double trial = threshold;
  for (int round = 0; round < kThresholds; ++round) {
    double below = 0, lacking = 0;
    for (std::size_t w = 0; w < values.size(); ++w) {
      const double less = std::min(0.0, values[w] - trial);
      lacking += counts[w] * less;
      below += less < 0 ? counts[w] : 0;
    }
    if (const double bound = needed * trial + lacking; bound > best) {
      best = bound;
      threshold = trial;
    }
    if (below == needed) break;
    // The mean distance of the values below it is a step of about the right length.
    const double step = below > 0 ? -lacking / below : std::fabs(trial) * 0.2 + 1e-3;
    (below > needed ? high : low) = trial;
    const bool enclosed = low > -kInfinity && high < kInfinity;
    trial = enclosed ? (low + high) / 2 : trial + (below > needed ? -step : step);
  }
  return best;
}

}  // namespace

CheapestClass::CheapestClass(const ClassPoints& points, Record smallest, Record largest)
    : points_(points),
      candidates_(points, smallest, largest),
      smallest_(smallest),
      largest_(largest),
      chosen_(at(largest)),
      levels_(at(largest) + 1) {}

CheapestClass::Answer CheapestClass::of(std::int32_t i, const PricedPoints& priced,
                                        Ticker& ticker) {
  prices_ = &priced.prices;
  ticker_ = &ticker;
  candidates_.seek(i, priced, ticker);
  work_ = candidates_.work();
  best_ = priced.known[at(i)];
  open_ = candidates_.left_out();
  collect(i);
  Answer answer;
  for (Record size = smallest_; size <= largest_; ++size) {
    found_ = false;
    search(size, priced.prices[at(i)]);
    if (found_) answer.columns.push_back(found_column());
  }
  answer.least = std::min(best_, open_);
  answer.work = work_;
  return answer;
}

// The candidates of all sizes.
void CheapestClass::collect(std::int32_t i) {
  points_of_search_.assign(1, i);
  all_.clear();
  const bool tabled = points_.distances(i) != nullptr;
  for (const ClassCandidates::Candidate& one : candidates_.found()) {
    const Record records = points_.weight(one.point) - (one.point == i ? 1 : 0);
    const auto place = one.point == i ? 0 : static_cast<std::int32_t>(points_of_search_.size());
    if (place > 0) points_of_search_.push_back(one.point);
    all_.push_back({place, tabled ? one.point : place, records, one.distance, 0});
  }
  if (tabled) return;
  rows_.resize(std::max(rows_.size(), points_of_search_.size()));
  for (std::vector<double>& row : rows_) row.clear();
}

// Its distances, by column.
const double* CheapestClass::row(const Candidate& one) {
  if (const double* of_all = points_.distances(point(one)); of_all != nullptr) return of_all;
  std::vector<double>& row = rows_[at(one.place)];
  if (row.empty()) {
    for (const std::int32_t other : points_of_search_)
      row.push_back(points_.distance(point(one), other));
    spend(row.size() * at(points_.dimension()));
  }
  return row.data();
}

void CheapestClass::search(Record size, double price) {
  size_ = size;
  levels_[1] = all_;
  chosen_[0] = 0;
  branch(1, 0, price);
}

// Takes a further member, in ascending order of the scores. Those before it are left out, so that
// each class is met once.
void CheapestClass::branch(Record members, double pairs, double paid) {
  std::vector<Candidate>& candidates = levels_[at(members)];
  const Record needed = size_ - members;
  const double cost = pairs - size_ * paid;
  if (needed == 1) return finish(cost);
  score_by_nearest(candidates, needed);
  if (!drop_dear(candidates, cost, needed)) return;
  if (needed > 2 && candidates.size() <= at(kPaired * needed)) {
    score_by_pairs(candidates, needed);
    if (!drop_dear(candidates, cost, needed)) return;
  }
  std::sort(candidates.begin(), candidates.end(), scores_less);
  for (std::size_t first = 0; first < candidates.size(); ++first) {
    const double bound = cost + sum_from(candidates, first, needed);
    if (!(bound < best_cost())) return;
    if (work_ > kMostWork) {
      open_ = std::min(open_, bound / (size_ * size_));
      return;
    }
    take(candidates, first, members);
    branch(members + 1, pairs + candidates[first].to_chosen, paid + price(candidates[first]));
  }
}

// The candidates after a further member, with their distances from it.
void CheapestClass::take(const std::vector<Candidate>& candidates, std::size_t first,
                         Record members) {
  const double* row = this->row(candidates[first]);
  chosen_[at(members)] = candidates[first].place;
  std::vector<Candidate>& next = levels_[at(members) + 1];
  next.clear();
  for (std::size_t c = first; c < candidates.size(); ++c) {
    const Candidate& one = candidates[c];
    const Record left = one.records - (c == first ? 1 : 0);
    if (left > 0) next.push_back({one.place, one.column, left, one.to_chosen + row[one.column], 0});
  }
  spend(2 * (candidates.size() - first));
}

// The last member is the one that costs least.
void CheapestClass::finish(double cost) {
  for (const Candidate& one : levels_[at(size_) - 1]) {
    const double whole = cost + one.to_chosen - size_ * price(one);
    if (!(whole < best_cost())) continue;
    best_ = whole / (size_ * size_);
    chosen_[at(size_) - 1] = one.place;
    found_ = true;
    found_members_.assign(chosen_.begin(), chosen_.begin() + size_);
  }
}

// A member pays its distances from the members so far, and half of the distances from the others,
// which are no nearer than its nearest records.
void CheapestClass::score_by_nearest(std::vector<Candidate>& candidates, Record needed) {
  const double* of_others = points_.nearest_sums(needed - 1);
  for (Candidate& one : candidates)
    one.score = one.to_chosen + 0.5 * of_others[point(one)] - size_ * price(one);
  spend(candidates.size());
}

// The bound of Gilmore (1962) and Lawler (1963) for quadratic assignment. Each of the members that
// are needed pays half of its own costs, and its equal share of half of those of the others. So it
// chooses others that are near it and cheap.
void CheapestClass::score_by_pairs(std::vector<Candidate>& candidates, Record needed) {
  const std::size_t size = candidates.size();
  const double others = needed - 1;
  shared_.clear();
  counts_.clear();
  for (const Candidate& one : candidates) {
    shared_.push_back((one.to_chosen - size_ * price(one)) / (2 * others));
    counts_.push_back(one.records);
  }
  costs_.resize(size);
  double threshold = *std::max_element(shared_.begin(), shared_.end());
  for (std::size_t v = 0; v < size; ++v) {
    const double* row = this->row(candidates[v]);
    for (std::size_t w = 0; w < size; ++w) costs_[w] = 0.5 * row[candidates[w].column] + shared_[w];
    --counts_[v];
    const double least = least_sum_bound(costs_, counts_, others, threshold);
    ++counts_[v];
    candidates[v].score = shared_[v] * others + least;
  }
  spend(3 * size * size);
}

// Leaves out those with which no class is better than the best. False if too few are left.
bool CheapestClass::drop_dear(std::vector<Candidate>& candidates, double cost, Record needed) {
  const double others = cost + least_sum(candidates, needed - 1);
  const auto is_dear = [&](const Candidate& one) { return !(others + one.score < best_cost()); };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), is_dear), candidates.end());
  return !candidates.empty();
}

// The sum of the least scores of so many records; infinity if there are fewer.
double CheapestClass::least_sum(const std::vector<Candidate>& candidates, Record needed) {
  const std::size_t most = std::min(at(needed), candidates.size());
  least_.resize(most);
  std::partial_sort_copy(candidates.begin(), candidates.end(), least_.begin(), least_.end(),
                         scores_less);
  spend(candidates.size());
  return sum_from(least_, 0, needed);
}

double CheapestClass::sum_from(const std::vector<Candidate>& sorted, std::size_t first,
                               Record needed) {
  double sum = 0;
  for (std::size_t c = first; c < sorted.size() && needed > 0; ++c) {
    const Record records = std::min(needed, sorted[c].records);
    sum += records * sorted[c].score;
    needed -= records;
  }
  return needed > 0 ? kInfinity : sum;
}

ClassColumn CheapestClass::found_column() const {
  std::vector<std::int32_t> places = found_members_;
  std::sort(places.begin(), places.end());
  std::vector<ClassColumn::Member> members;
  for (std::size_t m = 0; m < places.size(); ++m) {
    if (m == 0 || places[m] != places[m - 1])
      members.push_back({points_of_search_[at(places[m])], 0});
    ++members.back().records;
  }
  return ClassColumn(points_, std::move(members));
}

void CheapestClass::spend(std::size_t work) {
  work_ += static_cast<std::int64_t>(work);
  ticker_->step(static_cast<std::int64_t>(work));
}

}  // namespace anonkit
