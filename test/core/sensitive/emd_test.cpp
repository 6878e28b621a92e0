#include "sensitive/emd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/search_fixture.hpp"
#include "promise/table_closeness.hpp"
#include "reference/tcloseness.hpp"
#include "search/refine.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {
namespace {

constexpr GroundDistance kDistances[] = {GroundDistance::ordered, GroundDistance::nominal,
                                         GroundDistance::hierarchical};

double ground_distance(const SensitiveAttribute& attribute, std::int32_t a, std::int32_t b,
                       std::int32_t m) {
  if (a == b) return 0;
  if (attribute.distance == GroundDistance::ordered) return std::abs(a - b) / (m - 1.0);
  if (attribute.distance == GroundDistance::nominal) return 1;
  const auto& [parent, height] = attribute.taxonomy;
  for (std::int32_t v = a; v >= 0; v = parent[static_cast<std::size_t>(v)])
    for (std::int32_t w = b; w >= 0; w = parent[static_cast<std::size_t>(w)])
      if (v == w)
        return static_cast<double>(height[static_cast<std::size_t>(v)]) /
               *std::max_element(height.begin(), height.end());
  return std::numeric_limits<double>::quiet_NaN();
}

/// The transport problem by successive shortest paths. Nodes are the values twice, as sources and
/// as sinks. Each round sends as much as possible along the cheapest path of the residual network.
double transport(std::vector<double> supply, std::vector<double> demand,
                 const std::vector<std::vector<double>>& cost) {
  const std::size_t m = supply.size();
  std::vector<std::vector<double>> flow(m, std::vector<double>(m, 0));
  double total = 0;
  while (true) {
    std::vector<double> from(m), to(m, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> via(m, m), back(m, m);
    for (std::size_t i = 0; i < m; ++i)
      from[i] = supply[i] > 0.5 ? 0 : std::numeric_limits<double>::infinity();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) {
          if (from[i] + cost[i][j] < to[j] - 1e-12) {
            to[j] = from[i] + cost[i][j];
            via[j] = i;
            changed = true;
          }
          if (flow[i][j] > 0.5 && to[j] - cost[i][j] < from[i] - 1e-12) {
            from[i] = to[j] - cost[i][j];
            back[i] = j;
            changed = true;
          }
        }
    }
    std::size_t end = m;
    for (std::size_t j = 0; j < m; ++j)
      if (demand[j] > 0.5 && (end == m || to[j] < to[end])) end = j;
    if (end == m) return total;
    double amount = demand[end];
    std::size_t first = end;
    for (std::size_t j = end;; j = back[via[j]]) {
      first = via[j];
      if (back[first] == m) break;
      amount = std::min(amount, flow[first][back[first]]);
    }
    amount = std::min(amount, supply[first]);
    for (std::size_t j = end;;) {
      const std::size_t i = via[j];
      flow[i][j] += amount;
      if (back[i] == m) break;
      j = back[i];
      flow[i][j] -= amount;
    }
    supply[first] -= amount;
    demand[end] -= amount;
    total += amount * to[end];
  }
}

double transport_emd(const SensitiveAttribute& attribute, const std::vector<Record>& members) {
  const std::int32_t m = std::max(
      attribute.values, 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end()));
  const auto n = static_cast<double>(attribute.ranks.size());
  const auto s = static_cast<double>(members.size());
  std::vector<double> supply(static_cast<std::size_t>(m), 0), demand = supply;
  for (const std::int32_t r : attribute.ranks) demand[static_cast<std::size_t>(r)] += s;
  for (const Record i : members)
    supply[static_cast<std::size_t>(attribute.ranks[static_cast<std::size_t>(i)])] += n;
  std::vector<std::vector<double>> cost(supply.size(), std::vector<double>(supply.size()));
  for (std::int32_t a = 0; a < m; ++a)
    for (std::int32_t b = 0; b < m; ++b)
      cost[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
          ground_distance(attribute, a, b, m);
  return transport(supply, demand, cost) / (n * s);
}

std::vector<Record> some_records(RandomSensitive& random, Record n) {
  std::vector<Record> members;
  const int share = random.between(1, 4);
  for (Record i = 0; i < n; ++i)
    if (random.between(1, 4) <= share) members.push_back(i);
  if (members.empty()) members.push_back(random.between(0, n - 1));
  return members;
}

Emd::Sorted values_of(const Emd& emd, const std::vector<Record>& members) {
  Emd::Sorted values;
  for (const Record i : members) values.push_back(emd.rank(i));
  std::sort(values.begin(), values.end());
  return values;
}

TEST(EarthMoversDistance, AHistogramCostsWhatItsSortedValuesCost) {
  RandomSensitive random(77);
  for (const GroundDistance distance : kDistances) {
    for (int round = 0; round < 300; ++round) {
      const int n = random.between(1, 40);
      const SensitiveAttribute attribute = random.make(distance, n, 0.3);
      std::vector<std::int64_t> records;
      for (const std::int32_t r : attribute.ranks) {
        records.resize(std::max(records.size(), static_cast<std::size_t>(r) + 1), 0);
        ++records[static_cast<std::size_t>(r)];
      }
      const Emd by_record(attribute), by_rank(attribute, records);
      Emd::Sorted values;
      for (int i = random.between(1, n); i > 0; --i)
        values.push_back(attribute.ranks[static_cast<std::size_t>(random.between(0, n - 1))]);
      std::sort(values.begin(), values.end());
      std::vector<Emd::Run> runs;
      for (const std::int32_t v : values) {
        if (runs.empty() || runs.back().rank != v) runs.push_back({v, 0});
        ++runs.back().count;
      }
      const Emd::Runs histogram = {runs.data(), runs.data() + runs.size()};
      EXPECT_EQ(by_record.unit(), by_rank.unit());
      EXPECT_TRUE(by_record.cost(values) == by_rank.cost(histogram));
      EXPECT_TRUE(by_record.cost(values) == by_record.cost(histogram));
    }
  }
}

/// A part of a table is compared with the entire table, given its counts.
TEST(EarthMoversDistance, APartIsComparedWithTheWhole) {
  RandomSensitive random(59);
  for (int round = 0; round < 600; ++round) {
    const int n = random.between(2, 30);
    const SensitiveAttribute whole = random.make(kDistances[round % 3], n, 0.5);
    SensitiveAttribute part = whole;
    part.ranks.resize(static_cast<std::size_t>(random.between(1, n)));
    part.table_counts.assign(
        static_cast<std::size_t>(*std::max_element(whole.ranks.begin(), whole.ranks.end())) + 1, 0);
    for (const std::int32_t rank : whole.ranks) ++part.table_counts[static_cast<std::size_t>(rank)];
    const Emd of_whole(whole), of_part(part);
    const auto members = some_records(random, static_cast<Record>(part.ranks.size()));
    const Emd::Sorted values = values_of(of_part, members);
    const Emd::Wide cost = of_part.cost(values);
    EXPECT_EQ(of_part.unit(), of_whole.unit());
    EXPECT_TRUE(cost == of_whole.cost(values));
    const std::int32_t in = part.ranks.front();
    EXPECT_TRUE(of_part.exchanged(values, cost, values.back(), in) ==
                of_whole.exchanged(values, cost, values.back(), in));
  }
}

TEST(EarthMoversDistance, IsTheCheapestTransport) {
  RandomSensitive random(41);
  for (int round = 0; round < 1500; ++round) {
    SensitiveAttribute attribute = random.make(kDistances[round % 3], random.between(1, 14), 0.5);
    if (round % 2 == 1) attribute = random.part_of(std::move(attribute));
    const Emd emd(attribute);
    const auto members = some_records(random, static_cast<Record>(attribute.ranks.size()));
    const double distance =
        emd.distance(emd.cost(values_of(emd, members)), static_cast<std::int64_t>(members.size()));
    EXPECT_NEAR(distance, transport_emd(attribute, members), 1e-9);
    EXPECT_EQ(distance, ReferenceEmd(attribute).distance(members));
  }
}

TEST(EarthMoversDistance, AfterAnExchangeIsThatOfTheNewClass) {
  RandomSensitive random(42);
  for (int round = 0; round < 3000; ++round) {
    SensitiveAttribute attribute = random.make(kDistances[round % 3], random.between(2, 60), 0.5);
    if (round % 2 == 1) attribute = random.part_of(std::move(attribute));
    const auto n = static_cast<Record>(attribute.ranks.size());
    const Emd emd(attribute);
    const Emd::Sorted values = values_of(emd, some_records(random, n));
    const Emd::Wide cost = emd.cost(values);
    const std::int32_t in = emd.rank(random.between(0, n - 1));
    std::vector<Emd::Wide> costs;
    emd.exchanges(values, cost, in, &costs);
    ASSERT_EQ(costs.size(), values.size());
    for (std::size_t j = 0; j < values.size(); ++j) {
      Emd::Sorted after = values;
      after[j] = in;
      std::sort(after.begin(), after.end());
      Emd::Sorted exchanged = values;
      exchange(&exchanged, values[j], in);
      EXPECT_EQ(exchanged, after);
      const Emd::Wide fresh = emd.cost(after);
      EXPECT_TRUE(costs[j] == fresh);
      EXPECT_TRUE(emd.exchanged(values, cost, values[j], in) == fresh);
    }
  }
}

TEST(EarthMoversDistance, OfTheWholeTableIsZero) {
  RandomSensitive random(43);
  for (const GroundDistance distance : kDistances) {
    const Emd emd(random.make(distance, 40, 0.5));
    EXPECT_TRUE(emd.cost(values_of(emd, in_order(40))) == 0);
  }
}

// Li, Li and Venkatasubramanian 2007, section 4.2. A class with one of two branches moves half of
// its mass over the root. Within the branch it moves nothing if it has the table's distribution
// there.
TEST(EarthMoversDistance, CountsMassAtTheNodeWhereItMeets) {
  const SensitiveAttribute diseases{{0, 1, 2, 3},
                                    GroundDistance::hierarchical,
                                    1,
                                    {{4, 4, 5, 5, 6, 6, -1}, {0, 0, 0, 0, 1, 1, 2}}};
  const Emd emd(diseases);
  const auto distance = [&](const Emd::Sorted& values) {
    return emd.distance(emd.cost(values), static_cast<std::int64_t>(values.size()));
  };
  EXPECT_DOUBLE_EQ(distance({0, 1}), 0.5);   // 1/2 over the root
  EXPECT_DOUBLE_EQ(distance({0, 2}), 0.25);  // 1/4 within each branch, at half height
  EXPECT_DOUBLE_EQ(distance({0}), 0.5 + 0.25 * 0.5);
}

TEST(EarthMoversDistance, IsComparedWithTInLowestTerms) {
  // 1000 records in 10 values of 100 each; one record of a value alone: 9/10.
  SensitiveAttribute attribute{{}, GroundDistance::nominal, 0.9, {}};
  for (int i = 0; i < 1000; ++i) attribute.ranks.push_back(i % 10);
  const Emd emd(attribute);
  EXPECT_TRUE(emd.within(emd.cost({3}), 1));
  attribute.t = std::nextafter(0.9, 0);
  EXPECT_FALSE(Emd(attribute).within(emd.cost({3}), 1));
}

TEST(EarthMoversDistance, OfPersonsIsComparedWithTInLowestTerms) {
  // A person with a value that a tenth of the table has: 9/10, of weights beyond 2^53.
  SensitiveAttribute attribute{{}, GroundDistance::nominal, 0, {}};
  for (std::int64_t tenth = 100000000000000001; tenth % 100 != 99; tenth += 2) {
    attribute.table_counts = {tenth, 9 * tenth};
    attribute.t = 0.9;
    EXPECT_TRUE(PersonEmd(attribute, {}).within({{3, 0}}));
    attribute.t = std::nextafter(0.9, 0);
    EXPECT_FALSE(PersonEmd(attribute, {}).within({{3, 0}}));
  }
}

TEST(EarthMoversDistance, RefusesWhatIsNoTree) {
  const auto attribute = [](Taxonomy tree) {
    return SensitiveAttribute{{0, 1, 1}, GroundDistance::hierarchical, 0.5, std::move(tree)};
  };
  EXPECT_NO_THROW(Emd(attribute({{2, 2, -1}, {0, 0, 1}})));
  EXPECT_THROW(Emd(attribute({{2, -1, -1}, {0, 0, 1}})), Error) << "two roots";
  EXPECT_THROW(Emd(attribute({{-1, 2, -1}, {0, 0, 1}})), Error) << "two roots";
  EXPECT_THROW(Emd(attribute({{2, 1, -1}, {0, 0, 1}})), Error) << "a value above a value";
  EXPECT_THROW(Emd(attribute({{1, 2, -1}, {0, 0, 1}})), Error) << "a value above the first value";
  EXPECT_THROW(Emd(attribute({{2, 2, -1}, {1, 0, 2}})), Error) << "a first value with a height";
  EXPECT_THROW(Emd(attribute({{2, 2, 3, 2}, {0, 0, 1, 1}})), Error) << "a cycle";
  EXPECT_THROW(Emd(attribute({{2, 2, -1}, {0, 1, 1}})), Error) << "heights that do not rise";
  EXPECT_THROW(Emd(attribute({{-1}, {0}})), Error) << "a value outside the tree";
  EXPECT_THROW(Emd(attribute({{2, 2, -1}, {0, 0}})), Error) << "a node without height";
}

TEST(TClosenessConstraint, HierarchicalAgreesWithThePlainSumOnEveryState) {
  RandomSensitive random(44);
  std::mt19937_64 numbers(44);
  for (int round = 0; round < 60; ++round) {
    const Record n = random.between(4, 40);
    const Space space = random_space(numbers, n, std::vector<Attribute>(2));
    SensitiveAttribute attribute = random.make(GroundDistance::hierarchical, n, 1);
    const Partition start = round_robin(in_order(n), random.between(1, n / 2));
    const ReferenceEmd plain(attribute);
    for (ClassId c = 0; c < start.classes; ++c) attribute.t = random.between(20, 100) / 100.0;
    Partition feasible = start;
    for (ClassId& c : feasible.class_of) c = 0;
    feasible.classes = 1;
    TClosenessConstraint closeness(attribute);
    AuditedConstraint audited(closeness, [&](const std::vector<Record>& members) {
      return plain.distance(members) <= attribute.t ? 1 : -1;
    });
    SilentTicker ticker;
    RefineOptions options;
    options.effort = Effort::thorough;
    options.scale = 0.01;
    const RefineResult result = refine(space, feasible, 2, {&audited}, options, ticker);
    EXPECT_LE(result.loss_after, result.loss_before);
  }
}

}  // namespace
}  // namespace anonkit
