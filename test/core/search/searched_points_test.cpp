// Searches that move points of several records, under promises on sensitive values.

#include "search/searched_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "fixture/random_problem.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/trials.hpp"
#include "method/constrained.hpp"
#include "metric/sse.hpp"
#include "promise/point_constraint.hpp"
#include "search/starts.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

bool at_one_place(const Space& space, Record a, Record b) {
  return std::equal(space.row(a), space.row(a) + space.dimension(), space.row(b));
}

/// Coarse numbers: several records at each place.
Space coarse_space(std::mt19937_64& random, Record n) {
  std::vector<double> values;
  for (Record i = 0; i < 2 * n; ++i) values.push_back(roll(random, 0, 2));
  return Space(std::move(values), std::vector<Attribute>(2));
}

/// Classes of one place each, or of several.
Partition classes_by_place(std::mt19937_64& random, const Space& space) {
  Partition classes{points_of(space, {}, silent).of_record, 6};
  for (ClassId& c : classes.class_of) c = c < 4 ? c : 4 + roll(random, 0, 1);
  number_by_first_record(classes);
  return classes;
}

TEST(SearchedPoints, AreOfEqualRecordsInClassesThatLoseNothing) {
  std::mt19937_64 random(1);
  int shared = 0;
  for (int round = 0; round < trials(300); ++round) {
    const Record n = roll(random, 1, 60);
    const Space space = coarse_space(random, n);
    std::vector<std::int32_t> codes;
    for (Record i = 0; i < n; ++i) codes.push_back(roll(random, 0, 2));
    const Partition start = classes_by_place(random, space);
    const Points points =
        SearchedPoints(space, start, Marks{&codes}, {}, Effort::fast, silent).points();
    const auto lists = members_of(start);
    const auto loses = [&](ClassId c) {
      const Record* const first = lists.records.data() + lists.first_of[at(c)];
      const Record* const last = lists.records.data() + lists.first_of[at(c) + 1];
      return std::any_of(first, last, [&](Record i) { return !at_one_place(space, i, *first); });
    };
    for (Record a = 0; a < n; ++a)
      for (Record b = 0; b < a; ++b) {
        const ClassId c = start.class_of[at(a)];
        const bool one = c == start.class_of[at(b)] && codes[at(a)] == codes[at(b)] && !loses(c);
        ASSERT_EQ(points.of_record[at(a)] == points.of_record[at(b)], one) << "round " << round;
        shared += one ? 1 : 0;
      }
  }
  EXPECT_GT(shared, trials(1000));
}

TEST(SearchedPoints, WithoutValuesAreOfAllEqualRecordsOfAClass) {
  std::mt19937_64 random(2);
  const Space space = coarse_space(random, 60);
  const Partition start = round_robin(in_order(60), 5);
  for (const Effort effort : {Effort::fast, Effort::thorough}) {
    const Points points = SearchedPoints(space, start, Marks{}, {}, effort, silent).points();
    for (Record a = 0; a < 60; ++a)
      for (Record b = 0; b < a; ++b)
        ASSERT_EQ(points.of_record[at(a)] == points.of_record[at(b)],
                  at_one_place(space, a, b) && start.class_of[at(a)] == start.class_of[at(b)]);
  }
}

TEST(SearchedPoints, AreSingleRecordsIfEqualsMoveApart) {
  std::mt19937_64 random(4);
  const Space space = coarse_space(random, 60);
  const Partition start = round_robin(in_order(60), 5);
  for (const Effort effort : {Effort::fast, Effort::thorough})
    EXPECT_FALSE(SearchedPoints(space, start, Marks{}, {}, effort, silent, Equals::apart).fewer());
}

TEST(SearchedPoints, AreSingleRecordsForAThoroughSearchAndForPersons) {
  std::mt19937_64 random(3);
  const Space space = coarse_space(random, 60);
  const std::vector<std::int32_t> codes(60, 0);
  const Partition start{std::vector<ClassId>(60, 0), 1};
  EXPECT_FALSE(SearchedPoints(space, start, Marks{&codes}, {}, Effort::thorough, silent).fewer());
  EXPECT_FALSE(SearchedPoints(space, start, {}, {}, Effort::fast, silent).fewer());
}

/// A number, with the t of the promises.
SensitiveAttribute number(RandomSensitive& random, Record n, const Promises& promises) {
  SensitiveAttribute attribute =
      random.make(GroundDistance::ordered, n, promises.t > 0 ? promises.t : 1);
  double next = 0;
  for (Record rank = 0; rank < n; ++rank) attribute.numbers.push_back(next += random.between(1, 5));
  attribute.numbers.resize(
      at(1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end())));
  return attribute;
}

Promises one_promise(std::mt19937_64& random) {
  Promises promises;
  switch (roll(random, 0, 6)) {
    case 0:
      promises.l = roll(random, 2, 4);
      break;
    case 1:
      promises.alpha = roll(random, 4, 9) / 10.0;
      break;
    case 2:
      promises.entropy_l = roll(random, 5, 9) / 4.0;
      break;
    case 3:
      promises.t = roll(random, 3, 8) / 10.0;
      break;
    case 4:
      promises.e = roll(random, 1, 12);
      break;
    case 5:
      promises.p = 2;
      promises.q = roll(random, 1, 3) / 10.0;
      promises.r = roll(random, 1, 5) / 10.0;
      break;
    default:
      promises.l = 2;
      promises.c = roll(random, 4, 12) / 4.0;
  }
  return promises;
}

TEST(PointConstraint, AllowsWhatIsAllowedOfTheRecords) {
  std::mt19937_64 random(4);
  RandomSensitive sensitive(4);
  std::int64_t accepted = 0, refused = 0;
  for (int round = 0; round < trials(400); ++round) {
    const Record n = roll(random, 12, 80);
    const Promises promises = one_promise(random);
    const std::vector<SensitiveAttribute> attributes = {number(sensitive, n, promises)};
    const Space space = coarse_space(random, n);
    const Partition start = round_robin(in_order(n), roll(random, 1, n / 6));
    const Constraints of_records = promised_constraints(attributes, promises);
    const Constraints afresh = promised_constraints(attributes, promises);
    if (!all_allow(of_records, start, silent)) continue;
    const Points points = points_in_classes(space, start, Marks{&attributes[0].ranks}, silent);
    const Members records = members_of(points);
    const Constraints constraints = on_points(pointers(of_records), records);
    AuditedConstraint audited(*constraints.front(), [&](const std::vector<Record>& members) {
      std::vector<Record> listed;
      for (const Record point : members)
        listed.insert(listed.end(), records.records.data() + records.first_of[at(point)],
                      records.records.data() + records.first_of[at(point) + 1]);
      return all_allow(afresh, RecordSpan(listed)) ? 1 : -1;
    });
    RefineOptions options;
    options.effort = Effort::thorough;
    options.scale = 0.0005;
    refine(space_of(space, points), to_points(points, start), 2, {&audited}, options, silent);
    accepted += audited.accepted;
    refused += audited.refused;
  }
  EXPECT_GT(accepted, trials(10000));
  EXPECT_GT(refused, trials(1000));
}

/// The mean of the logarithms of two losses' ratios, over random problems.
class Comparison {
 public:
  void add(double one, double other) {
    if (!(one > 0) || !(other > 0)) return;
    sum_ += std::log(one / other);
    ++count_;
  }
  int count() const { return count_; }
  double ratio() const { return std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

TEST(SearchedPoints, KeepPromisesAndLoseLittleMoreThanRecordsThatMoveAlone) {
  RandomSpaces spaces(5);
  std::mt19937_64 random(5);
  RandomSensitive sensitive(5);
  Comparison comparison;
  for (int round = 0; round < trials(150); ++round) {
    const Record n = roll(random, 60, 300);
    const Promises promises = one_promise(random);
    // Grids and repeated rows.
    Instance instance(spaces, 1 + round % 2, n, {number(sensitive, n, promises)});
    instance.options.promises = promises;
    const Problem problem = instance.problem();
    const Constraints constraints = constraints_of(problem);
    std::vector<Record> all = in_order(n);
    if (!all_allow(constraints, RecordSpan(all))) continue;
    const std::vector<Partition> starts =
        feasible_starts(problem, constraints, Effort::fast, silent);
    const auto searched = [&](const std::optional<Marks>& alike) {
      RefineOptions how = search_options(problem, Effort::fast);
      how.scale = 0.1;
      const Partition found =
          refine_starts({problem.space, problem.options.k, pointers(constraints), alike}, starts,
                        how, silent)
              .partition;
      EXPECT_TRUE(instance.keeps(found)) << "round " << round;
      return sse(instance.space, found);
    };
    comparison.add(searched(alike_in(problem)), searched({}));
  }
  EXPECT_GT(comparison.count(), trials(50));
  EXPECT_LE(comparison.ratio(), 1.02);
}

}  // namespace
}  // namespace anonkit
