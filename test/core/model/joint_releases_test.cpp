#include "model/joint_releases.hpp"
#include "fixture/trials.hpp"
#include "reference/joint.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "model/models.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kValues = 3;

/// Persons in the classes of one to three releases; some are in none of them.
struct RandomReleases {
  ByRelease class_of;
  std::vector<std::int32_t> truth;
  std::vector<bool> shows;

  explicit RandomReleases(std::uint64_t seed) {
    Random random(seed);
    const std::size_t persons = 2 + random.below(6);
    for (std::size_t i = 0; i < persons; ++i)
      truth.push_back(static_cast<std::int32_t>(random.below(kValues)));
    const std::size_t releases = 1 + random.below(3);
    for (std::size_t release = 0; release < releases; ++release) {
      const std::uint32_t classes = 1 + random.below(3);
      class_of.emplace_back();
      for (std::size_t i = 0; i < persons; ++i)
        class_of.back().push_back(
            random.below(8) == 0 ? kNowhere : static_cast<std::int32_t>(random.below(classes)));
      shows.push_back(release == 0 || random.below(3) > 0);
    }
  }

  ByRelease values() const {
    ByRelease value_of;
    for (std::size_t release = 0; release < shows.size(); ++release)
      value_of.push_back(shows[release] ? truth
                                        : std::vector<std::int32_t>(truth.size(), kNowhere));
    return value_of;
  }

  /// True if a release shows the person's value.
  bool is_shown(std::size_t person) const {
    for (std::size_t release = 0; release < shows.size(); ++release)
      if (shows[release] && class_of[release][person] != kNowhere) return true;
    return false;
  }
};

TEST(JointReleases, PersonsOfAJointClassAgreeInEveryRelease) {
  for (std::uint64_t seed = 0; seed < trials(2000); ++seed) {
    const RandomReleases releases(seed);
    SilentTicker ticker;
    const auto persons = static_cast<std::int64_t>(releases.truth.size());
    const auto joint = joint_classes(releases.class_of, persons, ticker);
    for (std::size_t i = 0; i < joint.size(); ++i)
      for (std::size_t j = 0; j < joint.size(); ++j)
        ASSERT_EQ(joint[i] == joint[j],
                  std::all_of(releases.class_of.begin(), releases.class_of.end(),
                              [&](const auto& one) { return one[i] == one[j]; }));
    const Level k = find_model("k-anonymity")->measure(ClassHistogram(joint, ticker), {}, ticker);
    ASSERT_EQ(k.level, reference::joint_k(releases.class_of, releases.truth.size())) << seed;
  }
}

/// The distinct values of each person's joint class: those can be exchanged without a trace.
std::vector<std::int64_t> floor_of(const RandomReleases& releases) {
  SilentTicker ticker;
  const auto joint =
      joint_classes(releases.class_of, static_cast<std::int64_t>(releases.truth.size()), ticker);
  std::vector<std::int64_t> distinct;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    std::set<std::int32_t> values;
    for (std::size_t j = 0; j < joint.size(); ++j)
      if (joint[i] == joint[j]) values.insert(releases.truth[j]);
    distinct.push_back(static_cast<std::int64_t>(values.size()));
  }
  return distinct;
}

/// One release is exact. For several, every world is among the possible values, and nobody has
/// fewer than the joint class.
TEST(JointReleases, RemainingValuesIncludeThoseOfAllWorlds) {
  std::int64_t narrower = 0;
  for (std::uint64_t seed = 0; seed < trials(800); ++seed) {
    const RandomReleases releases(seed);
    SilentTicker ticker;
    const RemainingValues found = remaining_values(releases.class_of, releases.values(), ticker);
    const auto worlds =
        reference::possible_values(releases.class_of, releases.shows, releases.truth, kValues);
    const auto floor = floor_of(releases);
    std::int64_t places = 0, fewest = kValues, determined = 0;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (!releases.is_shown(i)) continue;
      const auto possible = static_cast<std::int64_t>(worlds[i].size());
      ++places;
      fewest = std::min(fewest, possible);
      determined += possible == 1 ? 1 : 0;
      ASSERT_GE(possible, floor[i]) << seed;
    }
    ASSERT_EQ(found.places, places) << seed;
    if (places == 0) continue;
    ASSERT_GE(found.fewest, fewest) << seed;
    ASSERT_LE(found.determined, determined) << seed;
    if (releases.class_of.size() == 1) {
      ASSERT_EQ(found.fewest, fewest) << seed;
      ASSERT_EQ(found.determined, determined) << seed;
    }
    narrower += found.determined > 0 ? 1 : 0;
  }
  EXPECT_GT(narrower, 0);
}

/// Two releases that cut the same six persons by other columns: one person is alone in both.
TEST(JointReleases, TwoThreeAnonymousReleasesMayIsolateSomebody) {
  const ByRelease class_of = {{0, 0, 0, 1, 1, 1}, {0, 1, 1, 0, 0, 1}};
  const ByRelease value_of = {{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}};
  SilentTicker ticker;
  EXPECT_EQ(reference::joint_k(class_of, 6), 1);
  const RemainingValues found = remaining_values(class_of, value_of, ticker);
  EXPECT_EQ(found.fewest, 1);
  EXPECT_EQ(found.determined, 2);
}

/// Means over {a, b, c} and over {b, c} leave a alone. The person of no class is unknown.
TEST(JointReleases, MeansAreSolvedAcrossReleases) {
  SilentTicker ticker;
  EXPECT_EQ(solved_persons({{0, 0, 0, kNowhere}}, ticker), 0);
  EXPECT_EQ(solved_persons({{0, 0, 0, kNowhere}, {kNowhere, 0, 0, kNowhere}}, ticker), 1);
}

}  // namespace
}  // namespace anonkit
