#include "table/canonical_order.hpp"

#include <gtest/gtest.h>

#include <cstring>

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
  for (const Record row : canonical_order(table, silent)) sequence.push_back(bits_of(table, row));
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
  EXPECT_EQ(canonical_order(owned.view(), silent), (std::vector<Record>{4, 3, 2, 0, 1}));
}

TEST(CanonicalOrder, FingerprintsOrderRecordsThatAreAlike) {
  OwnedTable owned = table_of({1, 1, kNull, kNull, 1});
  owned.fingerprints = {{2, 0}, {1, 9}, {5, 5}, {5, 4}, {1, 8}};
  EXPECT_EQ(canonical_order(owned.view(), silent), (std::vector<Record>{4, 1, 0, 3, 2}));
}

}  // namespace
}  // namespace anonkit
