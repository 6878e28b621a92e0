// Promises about distributions over time: classes are compared with the rows founded with them.

#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "model/t_closeness.hpp"
#include "settling.hpp"

namespace anonkit {
namespace {

constexpr double kAnyLoss = std::numeric_limits<double>::infinity();

/// Newcomers of one night, with a sensitive column of random values.
struct Newcomers {
  OwnedTable owned;
  std::vector<std::vector<std::int32_t>> ranks;
  std::vector<std::int32_t> units;
  Waiters waiters;
  AttributeScale scale = AttributeScale::nominal;

  Newcomers(Random& random, std::size_t persons) : owned(table_of({0})), ranks(1) {
    const bool counts_units = random.below(3) == 0;
    const std::uint32_t values = 2 + random.below(9);
    owned.values.clear();
    for (std::size_t i = 0; i < persons; ++i) {
      owned.values.push_back(random.below(40));
      owned.fingerprints.push_back({mix(i), i});
      ranks[0].push_back(static_cast<std::int32_t>(random.below(values)));
      if (counts_units) units.push_back(static_cast<std::int32_t>(i / 2));
      waiters.waited.push_back(0);
      waiters.holders.push_back(counts_units ? i / 2 : i);
      waiters.met.push_back(0);
    }
    if (random.below(2) == 0) scale = AttributeScale::ordinal;
  }

  Table view() {
    Table table = owned.view();
    add_sensitive(table, ranks);
    table.sensitive[0].kind = scale == AttributeScale::nominal ? Kind::nominal : Kind::ordinal;
    if (!units.empty()) table.units = units.data();
    return table;
  }

  /// The distance of the farthest class to all rows that show their values, by the judge; 0 if none
  /// does.
  double level(const Anonymized& made) const {
    std::vector<std::int32_t> class_of;
    std::vector<std::int32_t> unit_of;
    PublishedAttribute attribute;
    attribute.scale = scale;
    std::map<ClassId, std::int32_t> number;
    for (std::size_t row = 0; row < ranks[0].size(); ++row) {
      const ClassId c = made.partition.class_of[row];
      if (c == kNone || made.withholds(row)) continue;
      class_of.push_back(number.emplace(c, static_cast<std::int32_t>(number.size())).first->second);
      attribute.code_of.push_back(ranks[0][row]);
      if (!units.empty()) unit_of.push_back(units[row]);
    }
    SilentTicker ticker;
    if (class_of.empty()) return 0;
    return t_closeness(ClassHistogram(class_of, attribute, ticker, unit_of), ticker).level;
  }
};

/// Distances are to the rows founded together that show their values, as the judge counts them.
TEST(FoundedTogether, ClassesAreCloseToTheRowsFoundedWithThem) {
  std::int64_t shown = 0;
  std::int64_t withheld = 0;
  SilentTicker ticker;
  for (std::uint64_t seed = 0; seed < trials(150); ++seed) {
    Random random(seed);
    Newcomers newcomers(random, 30 + random.below(60));
    Options options;
    options.k = 3;
    options.counts_units = !newcomers.units.empty();
    options.promises.t = 0.1 + 0.05 * random.below(5);
    options.transparency.decoys = 0.1 * random.below(3);
    const Anonymized made =
        settle(newcomers.view(), *find_method("microaggregate"), options, newcomers.waiters,
               {kAnyLoss, 1, true}, {seed, options.transparency.decoys}, ticker);
    EXPECT_LE(newcomers.level(made), options.promises.t + 1e-12) << seed;
    for (std::size_t row = 0; row < newcomers.ranks[0].size(); ++row)
      ++(made.withholds(row) ? withheld : shown);
  }
  EXPECT_GT(shown, 2 * withheld);
  EXPECT_GT(withheld, trials(150));
}

TEST(FoundedTogether, NobodyIsFoundedInTooSmallABatch) {
  SilentTicker ticker;
  for (const std::int32_t least : {40, 41}) {
    Random random(3);
    Newcomers newcomers(random, 40);
    newcomers.units.clear();
    for (std::size_t i = 0; i < 40; ++i) newcomers.waiters.holders[i] = i;
    Options options;
    options.k = 3;
    const Acceptance acceptance = {kAnyLoss, 1, true, least};
    const Anonymized made = settle(newcomers.view(), *find_method("microaggregate"), options,
                                   newcomers.waiters, acceptance, {}, ticker);
    EXPECT_EQ(made.members.records.size(), least == 40 ? 40u : 0u);
  }
}

/// The margin for decoys, t (1 - m), is the largest that suffices: every class within it stays
/// within t of the table without a share m of its rows, in classes within it, and some reach t.
TEST(FoundedTogether, TheMarginForDecoysIsTight) {
  double nearest = 0;
  SilentTicker ticker;
  for (std::uint64_t seed = 0; seed < trials(3000); ++seed) {
    Random random(seed);
    const std::size_t classes = 2 + random.below(5);
    const std::uint32_t values = 2 + random.below(3);
    const auto scale = random.below(2) == 0 ? AttributeScale::nominal : AttributeScale::ordinal;
    std::vector<std::int32_t> class_of;
    PublishedAttribute attribute;
    attribute.scale = scale;
    for (std::size_t c = 0; c < classes; ++c)
      for (int i = 0; i < 6; ++i) {
        class_of.push_back(static_cast<std::int32_t>(c));
        attribute.code_of.push_back(static_cast<std::int32_t>(random.below(values)));
      }
    const double level = t_closeness(ClassHistogram(class_of, attribute, ticker), ticker).level;
    // The last class is the decoy.
    class_of.resize(class_of.size() - 6);
    attribute.code_of.resize(class_of.size());
    const ClassHistogram shown(class_of, attribute, ticker);
    const double share = 1 / static_cast<double>(classes);
    const auto distinct = [&](const std::vector<std::int32_t>& codes) {
      return std::set<std::int32_t>(codes.begin(), codes.end()).size();
    };
    if (distinct(attribute.code_of) < values) continue;  // the ordered distance has another unit
    const double after = t_closeness(shown, ticker).level;
    EXPECT_LE(after, level / (1 - share) + 1e-12) << seed;
    if (level > 0) nearest = std::max(nearest, after * (1 - share) / level);
  }
  EXPECT_GT(nearest, 1 - 1e-12);
}

}  // namespace
}  // namespace anonkit
