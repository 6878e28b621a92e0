#include "metric/bound/class_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {
namespace {

constexpr double kLeftOut = std::numeric_limits<double>::infinity();
// Classes with a point are not sought again if they are proven to save less than this share of a
// price.
constexpr double kSlack = 1e-6;
// For one size of classes. The memory of a search grows with the square of their number.
constexpr std::size_t kMostCandidates = 1500;

}  // namespace

void ClassCandidates::seek(std::int32_t i, const PricedPoints& priced, Ticker& ticker) {
  left_out_ = kLeftOut;
  wanted_.assign(at(points_.size()), false);
  scores_.resize(at(points_.size()));
  measure(i, priced);
  for (Record size = smallest_; size <= largest_; ++size) seek(i, priced, size);
  found_.clear();
  for (std::int32_t v = 0; v < points_.size(); ++v)
    if (wanted_[at(v)]) found_.push_back({v, distances_[at(v)]});
  work_ = std::int64_t{points_.size()} * (1 + points_.dimension() / 2 + largest_ - smallest_);
  ticker.step(work_);
}

void ClassCandidates::measure(std::int32_t i, const PricedPoints& priced) {
  const double enough = priced.known[at(i)] - kSlack * std::fabs(priced.prices[at(i)]);
  const double* row = points_.distances(i);
  distances_.resize(at(points_.size()));
  for (std::int32_t v = 0; v < points_.size(); ++v) {
    if (v != i && priced.proven[at(v)] >= enough) {
      distances_[at(v)] = kLeftOut;
      left_out_ = std::min(left_out_, priced.proven[at(v)]);
    } else {
      distances_[at(v)] = row != nullptr ? row[v] : points_.distance(i, v);
    }
  }
  if (points_.weight(i) == 1) distances_[at(i)] = kLeftOut;
}

void ClassCandidates::seek(std::int32_t i, const PricedPoints& priced, Record size) {
  const double* of_others = points_.nearest_sums(size - 2);
  for (std::size_t v = 0; v < scores_.size(); ++v)
    scores_[v] = distances_[v] + 0.5 * of_others[v] - size * priced.prices[v];
  const double cost = least_sum(i, size - 2) - size * priced.prices[at(i)];
  const double most = priced.known[at(i)] * size * size - cost;
  cheap_.clear();
  for (std::int32_t v = 0; v < points_.size(); ++v)
    if (scores_[at(v)] < most) cheap_.push_back({scores_[at(v)], v});
  if (cheap_.size() > kMostCandidates) {
    const auto first_out = cheap_.begin() + kMostCandidates;
    std::nth_element(cheap_.begin(), first_out, cheap_.end(), [](const Scored& a, const Scored& b) {
      return a.score < b.score || (a.score == b.score && a.point < b.point);
    });
    left_out_ = std::min(left_out_, (cost + first_out->score) / (size * size));
    cheap_.erase(first_out, cheap_.end());
  }
  for (const Scored& one : cheap_) wanted_[at(one.point)] = true;
}

// The sum of the least scores of so many records; infinity if there are fewer.
double ClassCandidates::least_sum(std::int32_t i, Record needed) {
  least_.clear();
  Record records = 0;
  for (std::int32_t v = 0; v < points_.size(); ++v) {
    const double score = scores_[at(v)];
    if (records >= needed && (needed == 0 || !(score < least_.back().score))) continue;
    if (!(score < kLeftOut)) continue;
    const Record of_point = std::min(needed, points_.weight(v) - (v == i ? 1 : 0));
    const auto place = std::find_if(least_.begin(), least_.end(),
                                    [&](const Records& one) { return score < one.score; });
    least_.insert(place, {score, of_point});
    records += of_point;
    while (records - least_.back().records >= needed) {
      records -= least_.back().records;
      least_.pop_back();
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
