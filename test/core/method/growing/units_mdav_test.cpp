#include "method/growing/units_mdav.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "reference/mdav.hpp"

namespace anonkit {
namespace {

/// By class, its units.
std::vector<std::set<std::int32_t>> units_of(const Partition& partition,
                                             const std::vector<std::int32_t>& unit_of) {
  std::vector<std::set<std::int32_t>> units(static_cast<std::size_t>(partition.classes));
  for (std::size_t i = 0; i < unit_of.size(); ++i)
    units.at(static_cast<std::size_t>(partition.class_of[i])).insert(unit_of[i]);
  return units;
}

std::vector<std::int32_t> random_units(RandomSpaces& random, int n, int most) {
  std::vector<std::int32_t> unit_of;
  for (int i = 0; i < n; ++i) unit_of.push_back(random.between(0, most - 1));
  // Numbered without gaps.
  std::set<std::int32_t> used(unit_of.begin(), unit_of.end());
  for (std::int32_t& unit : unit_of)
    unit = static_cast<std::int32_t>(std::distance(used.begin(), used.find(unit)));
  return unit_of;
}

TEST(UnitsMdav, IsMdavWhereEveryRecordIsAnotherUnits) {
  RandomSpaces random(5);
  SilentTicker ticker;
  for (int round = 0; round < 400; ++round) {
    const int n = random.between(1, 60);
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 3));
    std::vector<std::int32_t> unit_of(static_cast<std::size_t>(n));
    std::iota(unit_of.begin(), unit_of.end(), 0);
    const int k = random.between(1, n);
    ASSERT_EQ(mdav_of_units(space, RecordUnits::one_each(unit_of), k, ticker).class_of,
              mdav(space, k, ticker).class_of);
  }
}

TEST(UnitsMdav, EveryClassIsOfKUnits) {
  RandomSpaces random(6);
  SilentTicker ticker;
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(1, 80);
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 3));
    const auto unit_of = random_units(random, n, random.between(1, n));
    const std::int32_t units = 1 + *std::max_element(unit_of.begin(), unit_of.end());
    const int k = random.between(1, units);
    for (const bool variable : {false, true}) {
      const RecordUnits of_records = RecordUnits::one_each(unit_of);
      const Partition found = variable ? vmdav_of_units(space, of_records, k, 0.2, ticker)
                                       : mdav_of_units(space, of_records, k, ticker);
      ASSERT_EQ(std::count(found.class_of.begin(), found.class_of.end(), kNone), 0);
      for (const auto& of_class : units_of(found, unit_of))
        ASSERT_GE(static_cast<int>(of_class.size()), k);
    }
  }
}

TEST(UnitsMdav, SkipsAUnitThatTheClassHasAlready) {
  // Two near persons with two records each, and two persons farther off. For k = 2, the nearest
  // record of the first person's first one is that person's second, which is skipped.
  const Space space({0, 0.1, 1, 1.1, 100, 101}, std::vector<Attribute>(1));
  SilentTicker ticker;
  const Partition found =
      mdav_of_units(space, RecordUnits::one_each({0, 0, 1, 1, 2, 3}), 2, ticker);
  EXPECT_EQ(found.class_of, (std::vector<ClassId>{0, 1, 0, 1, 2, 2}));
}

TEST(UnitsMdav, RecordsOfManyUnitsAreNotDivided) {
  // One record represents three persons and forms a class alone; the others form two.
  const Space space({0, 10, 11, 20, 21}, std::vector<Attribute>(1));
  RecordUnits units;
  units.begin = {0, 3, 4, 5, 6, 7};
  units.units = {0, 1, 2, 3, 4, 5, 6};
  SilentTicker ticker;
  const Partition found = mdav_of_units(space, units, 2, ticker);
  EXPECT_EQ(found.class_of, (std::vector<ClassId>{0, 1, 1, 2, 2}));
}

TEST(UnitsMdav, NeedsKUnits) {
  const Space space({0, 1, 2}, std::vector<Attribute>(1));
  SilentTicker ticker;
  EXPECT_THROW(mdav_of_units(space, RecordUnits::one_each({0, 0, 1}), 3, ticker), Error);
}

}  // namespace
}  // namespace anonkit
