#include "metric/bound/shares.hpp"

#include <algorithm>
#include <utility>

namespace anonkit {

Shares::Shares(const BlockDistances& distances, std::int32_t smallest, std::int32_t largest,
               std::int32_t near, DiverseChoice constraints, Ticker& ticker)
    : ticker_(ticker),
      smallest_(smallest),
      largest_(largest),
      pairs_(distances, smallest, ticker),
      triples_(distances, largest, near, ticker),
      constraints_(std::move(constraints)),
      use_(triples_.prices()) {
  for (std::int32_t i = 0; i < size(); ++i)
    for (const NearTriples::Pair& pair : triples_.pairs_of(i))
      if (!pairs_.is_listed(i, pair.partner)) pairs_.list(i, pair.partner);
}

// The dual function of the relaxation. With d the squared distances, p(i,j) = -p(j,i) the price of
// a pair and q(i,j,l) that of an ordered triple, whose six orders sum to 0, record i pays in a
// class C of s records
//   share(i, C) = 1/2s sum over j in C of (p(i,j) + 1/3 mean over l in C of c(i,j,l))
//   c(i,j,l) = d(i,j) + d(i,l) + d(j,l) + q(i,j,l)
// Summed over the members of C, prices cancel, and each ordered pair has its distance once: a third
// from its own triples, two thirds from those in which it is one of the other sides. So the shares
// sum to the loss of C, and their separate minima are a lower bound.
double Shares::sum() {
  for (const NearTriples::Place place : used_) use_[place] = 0;
  used_.clear();
  choices_.clear();
  least_.clear();
  double sum = 0;
  for (std::int32_t i = 0; i < size(); ++i) {
    least_.push_back(share_of(i));
    sum += least_.back();
  }
  return sum;
}

// If a record chooses a pair with unlisted triples, they are listed and the record chooses again.
double Shares::share_of(std::int32_t i) {
  for (;;) {
    double share = 0;
    const std::int32_t size = cheapest_size(i, &share);
    if (list_chosen(i, size)) continue;
    record_choice(i, size);
    return share;
  }
}

// The mean cost of triples, and so of partners, does not decrease with the size of the class. The
// smallest class therefore bounds the share in all others.
std::int32_t Shares::cheapest_size(std::int32_t i, double* share) {
  *share = share_at(i, smallest_);
  const auto most = std::min(offers_.size(), at(largest_ - 1));
  std::partial_sort(offers_.begin(), offers_.begin() + static_cast<std::ptrdiff_t>(most),
                    offers_.end(), cheaper);
  std::vector<std::int32_t> candidates;
  double cost = 0;
  for (std::size_t m = 0; m < most; ++m) {
    cost += offers_[m].cost;
    const auto size = static_cast<std::int32_t>(m) + 2;
    if (size > smallest_ && (smallest_ == 2 || cost / (2.0 * size) < *share))
      candidates.push_back(size);
  }
  std::int32_t best = smallest_;
  for (const std::int32_t size : candidates) {
    const double other = share_at(i, size);
    if (!(other < *share)) continue;
    *share = other;
    best = size;
  }
  const bool grows = !constraints_.empty() && may_grow(*share);
  if (const std::int32_t grown = grows ? grow(i, share) : kNone; grown != kNone) return grown;
  if (grows || !candidates.empty()) share_at(i, best);
  return best;
}

// The least share in a class of that size: 1/2s of the cheapest s-1 partners. Afterwards these
// offers come first.
double Shares::share_at(std::int32_t i, std::int32_t size) {
  collect(i, size, 0);
  return choose(i, size - 1) / (2.0 * size);
}

// The sum of the cheapest offers, or infinity if there are too few of them for a class of that
// size.
double Shares::choose(std::int32_t i, std::int32_t partners) {
  if (!constraints_.empty()) return constraints_.choose(i, partners, offers_);
  if (offers_.size() < at(partners)) return kImpossible;
  std::nth_element(offers_.begin(), offers_.begin() + (partners - 1), offers_.end(), cheaper);
  double sum = 0;
  for (std::size_t m = 0; m < at(partners); ++m) sum += offers_[m].cost;
  return sum;
}

// The share falls when a record joins that costs less than twice the share. Costs do not decrease
// with the size, except from 2 to 3, so too few such offers now are too few in larger classes.
bool Shares::may_grow(double share) const {
  if (smallest_ == 2 || !(2 * share <= collected_)) return true;
  const auto cheap = std::count_if(offers_.begin(), offers_.end(),
                                   [&](const Offer& offer) { return offer.cost < 2 * share; });
  return cheap > largest_ - 1 - constraints_.most_others();
}

// Returns the size of a class above `largest_` with a lower share, or kNone if there is none.
std::int32_t Shares::grow(std::int32_t i, double* share) {
  collect(i, largest_, 2 * *share);
  double sum = choose(i, largest_ - 1);
  if (!(sum < kImpossible)) return kNone;
  std::int32_t size = largest_;
  std::sort(offers_.begin() + (size - 1), offers_.end(), cheaper);
  for (std::size_t next = at(size - 1); next < offers_.size(); ++next) {
    if (!(offers_[next].cost < sum / size)) break;
    sum += offers_[next].cost;
    ++size;
  }
  double least = sum / (2.0 * size);
  // Any number of records outside the block may cost as much as the last one there.
  const std::vector<std::int32_t>& outside = pairs_.outside(i);
  if (!outside.empty()) least = std::min(least, outside.back() / 2.0);
  if (!(least < *share)) return kNone;
  *share = least;
  return size;
}

// Among partners with unlisted triples, takes those that a choice may need, and those that cost
// less than `wanted`.
void Shares::collect(std::int32_t i, std::int32_t size, double wanted) {
  ticker_.step(std::int64_t{pairs_.size()});
  offers_.clear();
  for (const std::int32_t outside : pairs_.outside(i))
    offers_.push_back({static_cast<double>(outside), kNone});
  for (const NearTriples::Pair& pair : triples_.pairs_of(i)) {
    ticker_.step(2 * std::int64_t{pair.end - pair.begin + size});
    offers_.push_back({cost(i, pair, size), pair.partner});
  }
  double enough = kImpossible;
  if (const std::size_t most = at(largest_ - 1); offers_.size() >= most) {
    std::nth_element(offers_.begin(), offers_.begin() + (largest_ - 2), offers_.end(), cheaper);
    enough = offers_[most - 1].cost;
  }
  if (!constraints_.empty()) enough = std::max({enough, wanted, constraints_.enough(i, offers_)});
  collected_ = enough;
  const std::int32_t* costs = pairs_.row(i);
  for (std::int32_t j = 0; j < pairs_.size(); ++j)
    if (costs[j] < enough && j != i && !pairs_.is_listed(i, j))
      offers_.push_back({static_cast<double>(costs[j]), j});
}

// The cost of a partner: p(i,j) and a third of the mean of the size-2 cheapest triples. Each
// partner chooses its own third records, which is a further relaxation.
double Shares::cost(std::int32_t i, const NearTriples::Pair& pair, std::int32_t size) const {
  const double price = pairs_.row(i)[pair.partner];
  if (size == 2) return price + pair.distance;
  const std::int64_t sum = triples_.cheapest(pair, size - 2, nullptr);
  if (sum == NearTriples::kNoSum) return kImpossible;
  return price + static_cast<double>(sum) / (3.0 * (size - 2));
}

// Lists the chosen pairs that were priced by a lower bound on their triples. True if there was one.
bool Shares::list_chosen(std::int32_t i, std::int32_t size) {
  bool any = false;
  for (std::size_t m = 0; m + 1 < at(std::min(size, largest_)); ++m) {
    const std::int32_t j = offers_[m].partner;
    if (j == kNone || pairs_.is_listed(i, j)) continue;
    pairs_.list(i, j);
    triples_.list(i, j);
    any = true;
  }
  return any;
}

// Notes the factors of the prices in the share, its partial derivatives: 1/2s for a pair, and 1/2s
// * 1/3(s-2) for a triple. Beyond `largest_`, a partner still costs as much as there.
void Shares::record_choice(std::int32_t i, std::int32_t size) {
  const auto chosen = [&](std::int32_t partner) {
    return std::any_of(offers_.begin(), offers_.begin() + (size - 1),
                       [&](const Offer& offer) { return offer.partner == partner; });
  };
  for (std::size_t m = 0; m + 1 < at(size); ++m)
    if (offers_[m].partner != kNone)
      choices_.push_back({i, offers_[m].partner, 0.5F / static_cast<float>(size)});
  if (size == 2) return;
  const std::int32_t thirds = std::min(size, largest_) - 2;
  const float weight = 1.0F / (6.0F * static_cast<float>(size) * static_cast<float>(thirds));
  for (const NearTriples::Pair& pair : triples_.pairs_of(i)) {
    if (pair.begin == pair.end || !chosen(pair.partner)) continue;
    places_.clear();
    triples_.cheapest(pair, thirds, &places_);
    for (const NearTriples::Place place : places_) use_[place] = weight;
    used_.insert(used_.end(), places_.begin(), places_.end());
  }
}

}  // namespace anonkit
