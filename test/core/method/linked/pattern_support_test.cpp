#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.hpp"
#include "fixture/trials.hpp"
#include "method/linked/group_cells.hpp"

namespace anonkit {
namespace {

TEST(PatternSupport, CountsPersonsByPattern) {
  Random random(18);
  PatternSupport support;
  for (int round = 0; round < trials(300); ++round) {
    const auto k = 1 + static_cast<std::int32_t>(random.below(4));
    const std::size_t patterns = 1 + random.below(round % 10 == 0 ? 5000 : 50);
    support.clear(k, patterns + 1);
    std::map<std::size_t, std::set<std::int32_t>> persons;
    for (std::int32_t person = 0; person < 100; ++person)
      for (std::uint32_t i = random.below(60); i > 0; --i) {
        const std::size_t pattern = random.below(static_cast<std::uint32_t>(patterns));
        support.add(pattern, person);
        persons[pattern].insert(person);
      }
    std::int64_t rare = 0;
    for (const auto& [pattern, own] : persons) {
      ASSERT_EQ(support.persons(pattern), static_cast<std::int32_t>(own.size()));
      rare += static_cast<std::int32_t>(own.size()) < k ? 1 : 0;
    }
    ASSERT_EQ(support.rare(), rare);
    ASSERT_EQ(support.persons(patterns), 0);
  }
}

}  // namespace
}  // namespace anonkit
