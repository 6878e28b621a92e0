#include "metric/bound/class_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace anonkit {
namespace {

constexpr double kLeftOut = std::numeric_limits<double>::infinity();
// Classes with a point are not sought again if they are proven to save less than this share of a
// price.
constexpr double kSlack = 1e-6;
// For one size of classes. The memory of a search grows with the square of their number.
constexpr std::size_t kMostCandidates = 1500;

}  // namespace

Gains::Gains(const ClassPoints& points, const std::vector<double>& prices, Record smallest,
             Record largest)
    : smallest_(smallest) {
  const PointGroups& groups = points.groups();
  for (Record size = smallest; size <= largest; ++size) {
    const double* of_others = points.nearest_sums(size - 2);
    std::vector<double>& of_places = of_places_.emplace_back();
    for (std::int32_t place = 0; place < points.size(); ++place) {
      const std::size_t v = at(groups.point(place));
      of_places.push_back(size * prices[v] - 0.5 * of_others[v]);
    }
    std::vector<double>& of_groups = of_groups_.emplace_back();
    for (std::int32_t group = 0; group < groups.size(); ++group)
      of_groups.push_back(*std::max_element(of_places.begin() + groups.begin(group),
                                            of_places.begin() + groups.end(group)));
  }
}

void ClassCandidates::seek(std::int32_t i, const PricedPoints& priced, Ticker& ticker) {
  approach(i, priced);
  for (Record size = smallest_; size <= largest_; ++size) seek(size);
  std::sort(found_.begin(), found_.end(),
            [](const Candidate& a, const Candidate& b) { return a.point < b.point; });
  ticker.step(work_);
}

// The nearest groups are the likeliest to have the cheapest points.
void ClassCandidates::approach(std::int32_t i, const PricedPoints& priced) {
  i_ = i;
  priced_ = &priced;
  enough_ = priced.known[at(i)] - kSlack * std::fabs(priced.prices[at(i)]);
  left_out_ = kLeftOut;
  found_.clear();
  wanted_.assign(at(points_.size()), false);
  distances_.resize(at(points_.size()));
  const std::int32_t groups = points_.groups().size();
  measured_.assign(at(groups), false);
  points_.distances_of_groups(i, nearest_);
  order_.resize(at(groups));
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return nearest_[at(a)] < nearest_[at(b)] || (nearest_[at(a)] == nearest_[at(b)] && a < b);
  });
  work_ = std::int64_t{groups} * (8 + points_.dimension() / 2 + largest_ - smallest_);
}

// The points of a group that is never measured score no less than any that least_sum took, and too
// much to improve on the known class. So their own proven excess is not needed.
void ClassCandidates::measure(std::int32_t group) {
  if (measured_[at(group)]) return;
  measured_[at(group)] = true;
  const PointGroups& groups = points_.groups();
  const double* row = points_.distances(i_);
  for (std::int32_t place = groups.begin(group); place < groups.end(group); ++place) {
    const std::int32_t v = groups.point(place);
    double& distance = distances_[at(place)];
    if (v == i_ ? points_.weight(v) == 1 : priced_->proven[at(v)] >= enough_) {
      distance = kLeftOut;
      if (v != i_) left_out_ = std::min(left_out_, priced_->proven[at(v)]);
    } else {
      distance = row != nullptr ? row[v] : points_.distance(i_, v);
    }
  }
  work_ += (groups.end(group) - groups.begin(group)) * (1 + points_.dimension() / 2);
}

void ClassCandidates::seek(Record size) {
  const double cost = least_sum(size) - size * priced_->prices[at(i_)];
  cheap_.clear();
  collect_below(priced_->known[at(i_)] * size * size - cost, size);
  if (cheap_.size() > kMostCandidates) {
    const auto first_out = cheap_.begin() + kMostCandidates;
    const PointGroups& groups = points_.groups();
    std::nth_element(cheap_.begin(), first_out, cheap_.end(),
                     [&](const Scored& a, const Scored& b) {
                       return a.score < b.score ||
                              (a.score == b.score && groups.point(a.place) < groups.point(b.place));
                     });
    left_out_ = std::min(left_out_, (cost + first_out->score) / (size * size));
    cheap_.erase(first_out, cheap_.end());
  }
  for (const Scored& one : cheap_) {
    if (!wanted_[at(one.place)])
      found_.push_back({points_.groups().point(one.place), distances_[at(one.place)]});
    wanted_[at(one.place)] = true;
  }
}

// The points with a smaller score.
void ClassCandidates::collect_below(double most, Record size) {
  const PointGroups& groups = points_.groups();
  const double* gains = priced_->gains.of_places(size);
  for (std::int32_t group = 0; group < groups.size(); ++group) {
    if (!(bound(group, size) < most)) continue;
    measure(group);
    for (std::int32_t place = groups.begin(group); place < groups.end(group); ++place)
      if (const double score = distances_[at(place)] - gains[place]; score < most)
        cheap_.push_back({score, place});
    work_ += groups.end(group) - groups.begin(group);
  }
}

// The sum of the least scores of the others in a class of the size, without i and one of them;
// infinity if there are fewer.
double ClassCandidates::least_sum(Record size) {
  const PointGroups& groups = points_.groups();
  const double* gains = priced_->gains.of_places(size);
  Record needed = size - 2, records = 0;
  if (needed == 0) return 0;
  least_.clear();
  const auto is_dear = [&](double score) {
    return records >= needed && !(score < least_.back().score);
  };
  for (const std::int32_t group : order_) {
    if (is_dear(bound(group, size))) continue;
    measure(group);
    work_ += groups.end(group) - groups.begin(group);
    for (std::int32_t place = groups.begin(group); place < groups.end(group); ++place) {
      const double score = distances_[at(place)] - gains[place];
      if (is_dear(score) || !(score < kLeftOut)) continue;
      const std::int32_t v = groups.point(place);
      const Record of_point = std::min(needed, points_.weight(v) - (v == i_ ? 1 : 0));
      const auto first_dearer = std::find_if(least_.begin(), least_.end(),
                                             [&](const Records& one) { return score < one.score; });
      least_.insert(first_dearer, {score, of_point});
      records += of_point;
      while (records - least_.back().records >= needed) {
        records -= least_.back().records;
        least_.pop_back();
      }
    }
  }
  if (records < needed) return kLeftOut;
  double sum = 0;
  for (const Records& one : least_) {
    const Record taken = std::min(needed, one.records);
    sum += taken * one.score;
    needed -= taken;
  }
  return sum;
}

}  // namespace anonkit
