#include "model/nested_classes.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/trials.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace anonkit {
namespace {

using HistorySet = std::set<std::int32_t>;

NumberLists lists_of(const std::vector<HistorySet>& classes) {
  NumberLists lists;
  for (const HistorySet& one : classes) {
    lists.items.insert(lists.items.end(), one.begin(), one.end());
    lists.close();
  }
  return lists;
}

/// Ascending, to compare them as sets.
std::vector<HistorySet> split(const std::vector<HistorySet>& classes, std::size_t histories) {
  SilentTicker ticker;
  const NumberLists lists = split_nested(lists_of(classes), histories, ticker);
  std::vector<HistorySet> found;
  for (std::size_t c = 0; c < lists.size(); ++c)
    found.emplace_back(lists[c].begin(), lists[c].end());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<HistorySet> random_classes(Random& random, std::size_t histories) {
  std::vector<HistorySet> classes(1 + random.below(8));
  for (HistorySet& one : classes) {
    const std::uint32_t share = 1 + random.below(4);
    for (std::size_t h = 0; h < histories; ++h)
      if (random.below(4) < share) one.insert(static_cast<std::int32_t>(h));
  }
  return classes;
}

bool is_in(const HistorySet& inner, const HistorySet& outer) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

/// True if disjoint classes make up all of one.
bool is_union(const HistorySet& left, const std::vector<HistorySet>& classes) {
  if (left.empty()) return true;
  for (const HistorySet& one : classes) {
    if (one.count(*left.begin()) == 0 || !is_in(one, left)) continue;
    HistorySet rest;
    std::set_difference(left.begin(), left.end(), one.begin(), one.end(),
                        std::inserter(rest, rest.end()));
    if (is_union(rest, classes)) return true;
  }
  return false;
}

/// The rank of the classes as vectors of zeros and ones, which is that of few small numbers.
std::size_t rank_of(const std::vector<HistorySet>& classes, std::size_t histories) {
  std::vector<std::vector<double>> rows;
  for (const HistorySet& one : classes) {
    rows.emplace_back(histories, 0);
    for (const std::int32_t h : one) rows.back()[at(h)] = 1;
  }
  std::size_t rank = 0;
  for (std::size_t column = 0; column < histories; ++column) {
    const auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
        [&](auto& a, auto& b) { return std::abs(a[column]) < std::abs(b[column]); });
    if (pivot == rows.end() || std::abs((*pivot)[column]) < 1e-9) continue;
    std::swap(*pivot, rows[rank]);
    for (std::size_t i = rank + 1; i < rows.size(); ++i) {
      const double factor = rows[i][column] / rows[rank][column];
      for (std::size_t j = column; j < histories; ++j) rows[i][j] -= factor * rows[rank][j];
    }
    ++rank;
  }
  return rank;
}

TEST(NestedClasses, LeaveTheirRests) {
  EXPECT_EQ(split({}, 0), (std::vector<HistorySet>{}));
  EXPECT_EQ(split({{0, 1, 2}, {0, 1}, {0, 1}}, 3), (std::vector<HistorySet>{{0, 1}, {2}}));
  EXPECT_EQ(split({{0, 1}, {1, 2}}, 3), (std::vector<HistorySet>{{0, 1}, {1, 2}})) << "not nested";
  EXPECT_EQ(split({{0, 1, 2, 3}, {0, 1}, {2, 3}}, 4), (std::vector<HistorySet>{{0, 1}, {2, 3}}));
  EXPECT_EQ(split({{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}}, 4),
            (std::vector<HistorySet>{{0}, {1}, {2}, {3}}));
}

/// Parts that overlap leave a rest each, which is in the other one again.
TEST(NestedClasses, OverlappingPartsLeaveOneRestEach) {
  EXPECT_EQ(split({{0, 1, 2, 3}, {0, 1, 2}, {1, 2, 3}}, 4),
            (std::vector<HistorySet>{{0}, {1, 2}, {3}}));
}

/// The classes given are disjoint unions of those returned. Their values follow from those of the
/// classes given: as vectors they are combinations of them.
TEST(NestedClasses, TellTheSame) {
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed) {
    Random random(seed);
    const std::size_t histories = 1 + random.below(10);
    const std::vector<HistorySet> given = random_classes(random, histories);
    const std::vector<HistorySet> found = split(given, histories);
    std::vector<HistorySet> both = given;
    both.insert(both.end(), found.begin(), found.end());
    ASSERT_EQ(rank_of(both, histories), rank_of(given, histories)) << seed;
    for (const HistorySet& one : given) ASSERT_TRUE(is_union(one, found)) << seed;
    ASSERT_EQ(std::set<HistorySet>(found.begin(), found.end()).size(), found.size()) << seed;
  }
}

/// Within the rounds, small tables lose every class in another.
TEST(NestedClasses, AreNotInOneAnother) {
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed) {
    Random random(seed);
    const std::size_t histories = 1 + random.below(10);
    const std::vector<HistorySet> found = split(random_classes(random, histories), histories);
    for (std::size_t a = 0; a < found.size(); ++a) {
      ASSERT_FALSE(found[a].empty()) << seed;
      for (std::size_t b = 0; b < found.size(); ++b)
        ASSERT_TRUE(a == b || !is_in(found[a], found[b])) << seed;
    }
  }
}

/// Pairs of 200 histories in one class of all: a layer has disjoint pairs only.
TEST(NestedClasses, TakeBoundedMemory) {
  std::vector<HistorySet> classes(1);
  for (std::int32_t h = 0; h < 200; ++h) classes[0].insert(h);
  for (std::int32_t a = 0; a < 200; ++a)
    for (std::int32_t b = a + 1; b < std::min(200, a + 30); ++b) classes.push_back({a, b});
  std::size_t given = 0, found = 0;
  for (const HistorySet& one : classes) given += one.size();
  for (const HistorySet& one : split(classes, 200)) found += one.size();
  EXPECT_LE(found, 2 * given);
}

/// Classes that grow from version to version at one end, and shrink at the other.
std::vector<HistorySet> sliding_classes() {
  std::vector<HistorySet> classes;
  for (std::int32_t version = 0; version < 100; ++version) {
    classes.emplace_back();
    for (std::int32_t h = version / 2; h < 100 + version; ++h) classes.back().insert(h);
    classes.push_back({version, version + 1});
  }
  return classes;
}

TEST(NestedClasses, CanBeCancelledAtAnyPoll) {
  const NumberLists classes = lists_of(sliding_classes());
  class Count final : public Ticker {
   public:
    int polls = 0;

   protected:
    void poll() override { ++polls; }
  } all;
  split_nested(classes, 200, all);
  EXPECT_GT(all.polls, 10);
  for (int polls = 1; polls <= all.polls; polls *= 2) {
    ImpatientTicker ticker(polls);
    EXPECT_THROW(split_nested(classes, 200, ticker), Error);
  }
}

}  // namespace
}  // namespace anonkit
