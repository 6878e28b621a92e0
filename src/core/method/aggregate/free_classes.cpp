#include "method/aggregate/free_classes.hpp"

#include <numeric>

#include "method/aggregate/masked_class.hpp"
#include "method/mondrian/mondrian.hpp"
#include "promise/distinct_values.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kMostForAllSets = 8;

/// The records in the space of Mondrian and the search, with the domains of the loss.
GeneralisationSpace space_of(const AggregateRecords& records, NcpDomain how, Ticker& ticker) {
  const auto m = static_cast<std::size_t>(records.attributes);
  const std::size_t cells = static_cast<std::size_t>(records.size) * m;
  std::vector<double> low(records.values, records.values + m), high = low;
  for (std::size_t i = 0; i < cells; ++i) {
    ticker.step(2);
    low[i % m] = std::min(low[i % m], records.values[i]);
    high[i % m] = std::max(high[i % m], records.values[i]);
  }
  if (how == NcpDomain::common) {
    low.assign(m, *std::min_element(low.begin(), low.end()));
    high.assign(m, *std::max_element(high.begin(), high.end()));
  }
  std::vector<double> places;
  places.reserve(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    ticker.step(2);
    const double range = high[i % m] - low[i % m];
    places.push_back(range > 0 ? (records.values[i] - low[i % m]) / range : 0);
  }
  return GeneralisationSpace(std::move(places), std::vector<Domain>(m));
}

/// k-anonymous classes (of at least p sensitive values) of low NCP.
Partition classes_of_low_ncp(const AggregateRecords& records, const AggregateOptions& options,
                             Ticker& ticker) {
  const GeneralisationSpace space = space_of(records, options.domain, ticker);
  std::vector<std::int32_t> codes;
  if (records.sensitive != nullptr)
    codes.assign(records.sensitive, records.sensitive + records.size);
  DistinctValues p_sensitive({codes}, options.p);
  std::vector<Constraint*> constraints;
  if (options.p > 1) constraints.push_back(&p_sensitive);
  const Partition start = mondrian(space, options.k, constraints, MondrianCut::cheapest, ticker);
  NcpLoss loss(space);
  return refine(euclidean(space, ticker), start, options.k, loss, constraints, {}, ticker)
      .partition;
}

/// The cheapest of all sets; full generalisation satisfies any guarantee.
AttributeSet cheapest_set(MaskedClass& masked, AttributeSet all) {
  AttributeSet best = all;
  double least = masked.ncp(all);
  for (AttributeSet set = 0; set < all; ++set) {
    const double ncp = masked.ncp(set);
    if (ncp < least && masked.holds(set)) {
      least = ncp;
      best = set;
    }
  }
  return best;
}

/// Restores one attribute after the other, the costliest first, where the guarantee allows.
AttributeSet thinned_set(MaskedClass& masked, AttributeSet all, std::size_t attributes) {
  std::vector<std::size_t> by_cost(attributes);
  std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
  const auto cost = [&](std::size_t j) { return masked.ncp(AttributeSet{1} << j); };
  std::stable_sort(by_cost.begin(), by_cost.end(),
                   [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  AttributeSet set = all;
  for (const std::size_t j : by_cost)
    if (masked.holds(set & ~(AttributeSet{1} << j))) set &= ~(AttributeSet{1} << j);
  return set;
}

}  // namespace

FreeClasses free_classes(const AggregateRecords& records, const AggregateOptions& options,
                         Ticker& ticker) {
  const Partition classes = classes_of_low_ncp(records, options, ticker);
  FreeClasses result = {SortedRecords(records, options, ticker, &classes), {}};
  const std::size_t m = result.records.attributes();
  const AttributeSet all = all_attributes(m);
  const Members members = members_of(classes);
  MaskedClass masked(result.records, options);
  for (std::size_t c = 0; c < members.classes(); ++c) {
    const Record first = members.first_of[c], last = members.first_of[c + 1];
    masked.turn_to(first, last);
    const AttributeSet set =
        m <= kMostForAllSets ? cheapest_set(masked, all) : thinned_set(masked, all, m);
    result.runs.push_back({last, set, class_loss(last - first, masked.ncp(set))});
    ticker.step(static_cast<std::int64_t>(last - first) *
                    static_cast<std::int64_t>(m * result.records.functions())
                << std::min(m, kMostForAllSets));
  }
  return result;
}

}  // namespace anonkit
