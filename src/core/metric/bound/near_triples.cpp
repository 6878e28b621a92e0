#include "metric/bound/near_triples.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace anonkit {
namespace {

constexpr NearTriples::Place kUnpriced = UINT32_MAX;

}  // namespace

// Prices of all triples would need cubic memory. Those of near records are the ones that a good
// partition uses; all others keep a price of 0, which is a valid choice for a dual variable.
NearTriples::NearTriples(const BlockDistances& distances, std::int32_t largest, std::int32_t near,
                         Ticker& ticker)
    : distances_(distances),
      rest_size_(at(std::max(0, largest - 2))),
      neighbours_(at(distances.size())),
      pairs_(at(distances.size())) {
  find_neighbours(near, ticker);
  list_near(ticker);
  find_triples(ticker);
}

// Nearness is symmetric: a record is near another if it is among its nearest, or the reverse. Ties
// go to the lower record, so that the bound is equal on every machine.
void NearTriples::find_neighbours(std::int32_t near, Ticker& ticker) {
  const std::int32_t n = distances_.size();
  near = std::min(near, n - 1);
  std::vector<std::int32_t> others;
  for (std::int32_t i = 0; i < n; ++i) {
    ticker.step(10 * std::int64_t{n});
    others.resize(at(n));
    std::iota(others.begin(), others.end(), 0);
    others.erase(others.begin() + i);
    const std::int32_t* row = distances_.row(i);
    std::nth_element(others.begin(), others.begin() + near, others.end(),
                     [&](std::int32_t a, std::int32_t b) {
                       return row[a] < row[b] || (row[a] == row[b] && a < b);
                     });
    for (std::int32_t m = 0; m < near; ++m) {
      neighbours_[at(i)].push_back(others[at(m)]);
      neighbours_[at(others[at(m)])].push_back(i);
    }
  }
  for (std::vector<std::int32_t>& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

// Lists the pairs of near records, each with the triples whose third record is near both. The two
// orders of a pair share the other triples, which have no prices.
void NearTriples::list_near(Ticker& ticker) {
  std::vector<std::int32_t> common;
  for (std::int32_t i = 0; i < distances_.size(); ++i) {
    for (const std::int32_t j : neighbours_[at(i)]) {
      ticker.step(5 * std::int64_t{distances_.size()});
      common.clear();
      std::set_intersection(neighbours_[at(i)].begin(), neighbours_[at(i)].end(),
                            neighbours_[at(j)].begin(), neighbours_[at(j)].end(),
                            std::back_inserter(common));
      Pair pair{j, distances_.between(i, j), static_cast<Place>(cost_.size()), 0, 0};
      for (const std::int32_t l : common) {
        cost_.push_back(distances_.between(i, j) + distances_.between(i, l) +
                        distances_.between(j, l));
        third_.push_back(l);
      }
      pair.end = static_cast<Place>(cost_.size());
      const auto& twins = pairs_[at(j)];
      pair.rest = j > i ? add_rest(i, j, common)
                        : std::find_if(twins.begin(), twins.end(), [&](const Pair& twin) {
                            return twin.partner == i;
                          })->rest;
      pairs_[at(i)].push_back(pair);
    }
  }
}

// Visits each triple i < j < l of mutually near records once, and notes where its six orders are.
void NearTriples::find_triples(Ticker& ticker) {
  for (std::int32_t i = 0; i < distances_.size(); ++i) {
    for (const Pair& pair : pairs_[at(i)]) {
      const std::int32_t j = pair.partner;
      if (j < i) continue;
      ticker.step(200 * std::int64_t{pair.end - pair.begin});
      for (Place place = pair.begin; place < pair.end; ++place) {
        const std::int32_t l = third_[place];
        if (l < j) continue;
        triples_.push_back({place, place_of(i, l, j), place_of(j, i, l), place_of(j, l, i),
                            place_of(l, i, j), place_of(l, j, i)});
      }
    }
  }
}

// Two binary searches: the third records of a pair are ascending, and so are the pairs of a record.
NearTriples::Place NearTriples::place_of(std::int32_t i, std::int32_t j, std::int32_t l) const {
  const std::vector<std::int32_t>& near = neighbours_[at(i)];
  const auto found = std::lower_bound(near.begin(), near.end(), j) - near.begin();
  const Pair& pair = pairs_[at(i)][static_cast<std::size_t>(found)];
  return static_cast<Place>(
      std::lower_bound(third_.begin() + pair.begin, third_.begin() + pair.end, l) - third_.begin());
}

// A third record outside the block is at least as far from both as their nearest ones there.
NearTriples::Place NearTriples::add_rest(std::int32_t i, std::int32_t j,
                                         const std::vector<std::int32_t>& common) {
  const std::int32_t *to_i = distances_.row(i), *to_j = distances_.row(j);
  const std::int32_t between = distances_.between(i, j);
  std::vector<std::int32_t> others;
  auto skip = common.begin();
  for (std::int32_t l = 0; l < distances_.size(); ++l) {
    if (skip != common.end() && *skip == l) {
      ++skip;
    } else if (l != i && l != j) {
      others.push_back(between + to_i[l] + to_j[l]);
    }
  }
  if (distances_.has_outside())
    others.resize(others.size() + rest_size_,
                  between + distances_.nearest_outside(i) + distances_.nearest_outside(j));
  const std::size_t kept = std::min(others.size(), rest_size_);
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(kept),
                    others.end());
  others.resize(kept);
  others.resize(rest_size_, kNone);
  const auto place = static_cast<Place>(rest_.size());
  rest_.insert(rest_.end(), others.begin(), others.end());
  return place;
}

// A pair of records that are not near each other has no priced triples.
void NearTriples::list(std::int32_t i, std::int32_t j) {
  const Place rest = add_rest(i, j, {});
  const std::int32_t distance = distances_.between(i, j);
  pairs_[at(i)].push_back({j, distance, 0, 0, rest});
  pairs_[at(j)].push_back({i, distance, 0, 0, rest});
}

// Merges the priced triples with as many others as could be chosen, and adds up the cheapest.
std::int64_t NearTriples::cheapest(const Pair& pair, std::int32_t count,
                                   std::vector<Place>* used) const {
  const std::size_t wanted = at(count);
  offers_.clear();
  for (Place place = pair.begin; place < pair.end; ++place)
    offers_.emplace_back(cost_[place], place);
  for (std::size_t m = 0; m < wanted && rest_[pair.rest + m] != kNone; ++m)
    offers_.emplace_back(rest_[pair.rest + m], kUnpriced);
  if (offers_.size() < wanted) return kNoSum;
  if (offers_.size() > wanted)
    std::nth_element(offers_.begin(), offers_.begin() + count, offers_.end());
  std::int64_t sum = 0;
  for (std::size_t m = 0; m < wanted; ++m) {
    sum += offers_[m].first;
    if (used != nullptr && offers_[m].second != kUnpriced) used->push_back(offers_[m].second);
  }
  return sum;
}

}  // namespace anonkit
