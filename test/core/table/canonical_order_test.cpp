#include "table/canonical_order.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

/// A record, bit by bit, with its fingerprint.
std::vector<std::uint64_t> bits_of(const Table& table, Record i) {
  std::vector<std::uint64_t> bits;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const double value = table.value(i, j);
    bits.push_back(0);
    std::memcpy(&bits.back(), &value, sizeof value);
  }
  if (table.fingerprints != nullptr)
    bits.insert(bits.end(), table.fingerprints[i].begin(), table.fingerprints[i].end());
  return bits;
}

std::vector<std::vector<std::uint64_t>> sequence_of(const OwnedTable& owned) {
  const Table table = owned.view();
  std::vector<std::vector<std::uint64_t>> sequence;
  for (const Record row : canonical_order(table, 0, silent))
    sequence.push_back(bits_of(table, row));
  return sequence;
}

TEST(CanonicalOrder, DoesNotDependOnTheOrderOfTheRows) {
  RandomTables random(1);
  for (int round = 0; round < 500; ++round) {
    OwnedTable table = random.make(random.between(1, 40), random.between(1, 4), true, 5);
    if (round % 3 == 0) table.fingerprints.clear();
    ASSERT_EQ(sequence_of(table), sequence_of(random.shuffled(table)));
  }
}

TEST(CanonicalOrder, IsLexicographicWithNullsLast) {
  const OwnedTable owned = table_of({2, 1, kNull, 0, 1, kNull, 1, 5, -1, 9}, {{}, {}});
  EXPECT_EQ(canonical_order(owned.view(), 0, silent), (std::vector<Record>{4, 3, 2, 0, 1}));
}

/// The orders of records with equal quasi-identifiers and these values, under several seeds.
std::set<std::vector<Record>> orders_of(std::vector<Fingerprint> fingerprints) {
  OwnedTable owned = table_of(std::vector<double>(fingerprints.size(), 1));
  owned.fingerprints = std::move(fingerprints);
  std::set<std::vector<Record>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    orders.insert(canonical_order(owned.view(), seed, silent));
  return orders;
}

TEST(CanonicalOrder, NoValueComesFirstAmongRecordsOfEqualQuasiIdentifiers) {
  EXPECT_EQ(orders_of({{1, 8}, {1, 9}, {2, 0}}).size(), 6U);
}

// Adjacent copies of one value would reveal the first copy of the next.
TEST(CanonicalOrder, CopiesOfARecordDoNotStandTogether) {
  std::size_t between = 0;
  for (const std::vector<Record>& order : orders_of({{3, 3}, {3, 3}, {7, 7}}))
    between += order[1] == 2 ? 1 : 0;
  EXPECT_GT(between, 0U);
}

}  // namespace
}  // namespace anonkit
