#include "base/threaded_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "fixture/impatient_ticker.hpp"

namespace anonkit {
namespace {

struct Item {
  int key;
  int place;
};

bool precedes(const Item& a, const Item& b) {
  return a.key != b.key ? a.key < b.key : a.place < b.place;
}

std::vector<Item> random_items(std::size_t count, int keys, std::mt19937& random) {
  std::vector<Item> items(count);
  for (std::size_t i = 0; i < count; ++i)
    items[i] = {static_cast<int>(random() % static_cast<unsigned>(keys)), static_cast<int>(i)};
  return items;
}

TEST(ThreadedSort, EqualsASortByOneThread) {
  std::mt19937 random(1);
  SilentTicker host;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{100}, 2 * kChunk - 1,
                                  2 * kChunk, 3 * kChunk + 7, 20 * kChunk + 1})
    for (const int keys : {1, 2, 1000, 1 << 30}) {
      const std::vector<Item> items = random_items(count, keys, random);
      std::vector<Item> expected = items;
      std::sort(expected.begin(), expected.end(), precedes);
      for (const int threads : {0, 1, 2, 3, 8}) {
        std::vector<Item> sorted = items;
        sort_in_threads(sorted, threads, host, [](const Item& a, const Item& b, Ticker& ticker) {
          ticker.step(1);
          return precedes(a, b);
        });
        ASSERT_TRUE(std::equal(
            sorted.begin(), sorted.end(), expected.begin(), expected.end(),
            [](const Item& a, const Item& b) { return a.key == b.key && a.place == b.place; }));
      }
    }
}

TEST(ThreadedSort, TheHostMayEndIt) {
  std::mt19937 random(2);
  for (const int threads : {1, 4}) {
    std::vector<Item> items = random_items(20 * kChunk, 1 << 30, random);
    ImpatientTicker host;
    EXPECT_THROW(sort_in_threads(items, threads, host,
                                 [](const Item& a, const Item& b, Ticker& ticker) {
                                   ticker.step(1000);
                                   return precedes(a, b);
                                 }),
                 Error);
  }
}

}  // namespace
}  // namespace anonkit
