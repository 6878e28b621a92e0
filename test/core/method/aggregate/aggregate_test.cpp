#include "method/aggregate/aggregate.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fixture/aggregate_fixture.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/income_data.hpp"
#include "method/aggregate/attribute_blocks.hpp"
#include "method/aggregate/free_classes.hpp"

namespace anonkit {
namespace {

constexpr AggregateGuarantee kCandidates = AggregateGuarantee::candidates;
constexpr AggregateGuarantee kIdentical = AggregateGuarantee::identical;
constexpr AggregateAlgorithm kGreedy = AggregateAlgorithm::greedy;
constexpr AggregateAlgorithm kOptimal = AggregateAlgorithm::optimal;

double loss_of(const AggregateRelease& release, NcpDomain domain) {
  return domain == NcpDomain::attribute ? release.ncp : release.ncp_common;
}

/// The number of published records left to an attacker who knows the target's f within d.
int left_after_attack(const reference::Published& cells, const reference::Row& target,
                      const std::vector<AggregateFunction>& functions, double d) {
  int left = 0;
  for (std::size_t u = 0; u < cells.low.size(); ++u) {
    bool possible = true;
    for (const AggregateFunction& function : functions)
      possible &= reference::is_candidate(reference::f(function, cells.low[u], cells.high[u]),
                                          reference::f(function, target), d);
    left += possible ? 1 : 0;
  }
  return left;
}

const reference::Rows kTableI = {{10, 20, 100}, {15, 15, 105}, {30, 40, 200}, {40, 30, 210}};

AggregateOptions sum_options(int k, AggregateAlgorithm algorithm, AggregateGuarantee guarantee) {
  AggregateOptions options;
  options.k = k;
  options.functions = {AggregateFunction{}};
  options.algorithm = algorithm;
  options.guarantee = guarantee;
  return options;
}

TEST(Aggregate, NeedsOneAttributePerClassForTableI) {
  // Table III generalises "other income" instead of "salary" in the second class. Its loss and its
  // intervals of f are equal: [130,135] and [270,280].
  for (const AggregateAlgorithm algorithm : {kGreedy, kOptimal})
    for (const AggregateGuarantee guarantee : {kCandidates, kIdentical}) {
      AggregateOptions options = sum_options(2, algorithm, guarantee);
      options.domain = NcpDomain::common;
      const AggregateRelease release = release_of(kTableI, options);
      EXPECT_EQ(release.partition.class_of, (std::vector<ClassId>{0, 0, 1, 1}));
      const reference::Published cells = published(kTableI, release);
      for (std::size_t i = 0; i < 4; ++i) {
        const reference::Interval interval =
            reference::f(AggregateFunction{}, cells.low[i], cells.high[i]);
        EXPECT_EQ(interval.low, i < 2 ? 130 : 270);
        EXPECT_EQ(interval.high, i < 2 ? 135 : 280);
      }
      EXPECT_EQ(release.generalised, (std::vector<AttributeSet>{1, 1}));
      EXPECT_DOUBLE_EQ(release.ncp_common, (2 * 5.0 + 2 * 10.0) / (210 - 10) / 12);
    }
}

TEST(Aggregate, GreedyIsAlgorithm1) {
  RandomTables random(1);
  for (int round = 0; round < trials(2000); ++round) {
    const int n = random.between(1, 40), m = random.between(2, 5);
    const reference::Rows rows = random.whole(n, m);
    AggregateOptions options = random.options(m, random.between(1, std::min(n, 6)));
    options.functions.resize(1);
    options.algorithm = kGreedy;
    std::vector<int> sensitive;
    if (round % 3 == 0) {
      sensitive = random.sensitive(n, 4);
      const std::set<int> values(sensitive.begin(), sensitive.end());
      options.p = random.between(1, static_cast<int>(values.size()));
    }
    const AggregateRelease release = release_of(rows, options, sensitive);
    const std::vector<reference::Class> classes =
        reference::Table(rows, sensitive, options).greedy();
    ASSERT_EQ(static_cast<std::size_t>(release.partition.classes), classes.size());
    for (const reference::Class& expected : classes) {
      const ClassId c = release.partition.class_of[static_cast<std::size_t>(expected.records[0])];
      EXPECT_EQ(release.generalised[static_cast<std::size_t>(c)], expected.generalised);
      for (const Record i : expected.records)
        EXPECT_EQ(release.partition.class_of[static_cast<std::size_t>(i)], c);
    }
  }
}

TEST(Aggregate, OptimalIsTheLeastOfAllBoundariesAndAttributeSets) {
  RandomTables random(2);
  for (int round = 0; round < 600; ++round) {
    const int k = random.between(1, 4), n = random.between(k, k == 1 ? 8 : 3 * k + 1);
    const int m = random.between(2, 4);
    const reference::Rows rows = random.whole(n, m);
    AggregateOptions options = random.options(m, k);
    options.algorithm = kOptimal;
    options.domain = NcpDomain::attribute;
    const AggregateRelease release = release_of(rows, options);
    EXPECT_TRUE(release.exact);
    const double least = reference::Table(rows, {}, options).least_ncp();
    EXPECT_NEAR(release.ncp, least, 1e-12);
  }
}

TEST(AttributeBlocks, TheCheapestAttributesShareTheLast) {
  // Within the greedy's classes of two, the second attribute has the widest ranges.
  const double values[] = {0, 0, 5, 1, 10, 5, 100, 0, 6, 102, 10, 6};
  AggregateOptions options = sum_options(2, kOptimal, kCandidates);
  SilentTicker ticker;
  const SortedRecords records({4, 3, values}, options, ticker);
  const MaskedRuns greedy = {{2, 0, 0}, {4, 0, 0}};
  EXPECT_EQ(attribute_blocks(records, options, greedy, 2), AttributeBlocks({2, 1 + 4}));
  EXPECT_EQ(attribute_blocks(records, options, greedy, 3), AttributeBlocks({1, 2, 4}));
}

TEST(AttributeBlocks, OfEqualCostTheFirstComeFirst) {
  const double values[] = {0, 5, 0, 2, 7, 2, 100, 1, 100, 102, 3, 102};
  AggregateOptions options = sum_options(2, kOptimal, kCandidates);
  options.domain = NcpDomain::common;
  SilentTicker ticker;
  const SortedRecords records({4, 3, values}, options, ticker);
  const MaskedRuns greedy = {{2, 0, 0}, {4, 0, 0}};
  EXPECT_EQ(attribute_blocks(records, options, greedy, 2), AttributeBlocks({1, 2 + 4}));
}

TEST(Aggregate, OptimalIsNeverWorseThanGreedy) {
  RandomTables random(3);
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(1, 80), m = round % 50 == 0 ? 14 : random.between(2, 6);
    const reference::Rows rows = random.whole(n, m);
    AggregateOptions options = random.options(m, random.between(1, std::min(n, 8)));
    const std::vector<int> sensitive = random.sensitive(n, 3);
    options.p = static_cast<int>(std::set<int>(sensitive.begin(), sensitive.end()).size());
    options.algorithm = kGreedy;
    const double greedy = loss_of(release_of(rows, options, sensitive), options.domain);
    options.algorithm = kOptimal;
    const AggregateRelease optimal = release_of(rows, options, sensitive);
    EXPECT_LE(loss_of(optimal, options.domain), greedy * (1 + 1e-12));
    EXPECT_EQ(optimal.exact, m <= 12);
  }
}

TEST(Aggregate, NoAttackerIsLeftWithFewerThanK) {
  RandomTables random(4);
  for (int round = 0; round < trials(1500); ++round) {
    const int n = random.between(1, 60), m = random.between(2, 5);
    const reference::Rows rows = random.whole(n, m);
    const AggregateOptions options = random.options(m, random.between(1, std::min(n, 8)));
    const reference::Published cells = published(rows, release_of(rows, options));
    for (const reference::Row& target : rows)
      EXPECT_GE(left_after_attack(cells, target, options.functions, options.d), options.k);
    EXPECT_GE(judged(cells, rows, options.functions, options.d, options.guarantee).k, options.k);
  }
}

TEST(Aggregate, ClassesHaveKTo2kMinus1RecordsAndContainTheirCells) {
  RandomTables random(5);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(1, 60), m = random.between(2, 5);
    const reference::Rows rows = random.whole(n, m);
    const AggregateOptions options = random.options(m, random.between(1, std::min(n, 8)));
    const AggregateRelease release = release_of(rows, options);
    const Members members = members_of(release.partition);
    for (const RecordSpan of_class : members) {
      EXPECT_GE(of_class.size(), options.k);
      EXPECT_LE(of_class.size(), 2 * options.k - 1);
    }
    const reference::Published cells = published(rows, release);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        EXPECT_LE(cells.low[i][j], rows[i][j]);
        EXPECT_GE(cells.high[i][j], rows[i][j]);
      }
  }
}

TEST(Aggregate, CandidatesHavePSensitiveValues) {
  RandomTables random(6);
  for (int round = 0; round < 500; ++round) {
    const int n = random.between(2, 60), m = random.between(2, 4);
    const reference::Rows rows = random.whole(n, m);
    const std::vector<int> sensitive = random.sensitive(n, 5);
    AggregateOptions options = random.options(m, random.between(1, std::min(n, 6)));
    options.p = random.between(
        1, static_cast<int>(std::set<int>(sensitive.begin(), sensitive.end()).size()));
    const reference::Published cells = published(rows, release_of(rows, options, sensitive));
    const AggregateLevel level =
        judged(cells, rows, options.functions, options.d, options.guarantee, sensitive);
    EXPECT_GE(level.distinct, options.p);
    EXPECT_GE(level.k, options.k);
  }
}

TEST(Aggregate, BestIsNeverWorseThanOptimalAndKeepsTheGuarantee) {
  RandomTables random(8);
  int better = 0;
  for (int round = 0; round < trials(120); ++round) {
    const int n = random.between(2, 60), m = round % 20 == 0 ? 9 : random.between(2, 5);
    const reference::Rows rows = random.whole(n, m);
    const std::vector<int> sensitive = random.sensitive(n, 4);
    AggregateOptions options = random.options(m, random.between(1, std::min(n, 6)));
    options.p = random.between(
        1, static_cast<int>(std::set<int>(sensitive.begin(), sensitive.end()).size()));
    options.algorithm = kOptimal;
    const double optimal = loss_of(release_of(rows, options, sensitive), options.domain);
    options.algorithm = AggregateAlgorithm::best;
    const AggregateRelease best = release_of(rows, options, sensitive);
    EXPECT_LE(loss_of(best, options.domain), optimal * (1 + 1e-12));
    better += loss_of(best, options.domain) < optimal * (1 - 1e-12);
    const reference::Published cells = published(rows, best);
    for (const reference::Row& target : rows)
      EXPECT_GE(left_after_attack(cells, target, options.functions, options.d), options.k);
    const AggregateLevel level =
        judged(cells, rows, options.functions, options.d, options.guarantee, sensitive);
    EXPECT_GE(level.k, options.k);
    EXPECT_GE(level.distinct, options.p);
  }
  EXPECT_GT(better, trials(10));
}

TEST(Aggregate, CentsAreAddedExactly) {
  // In doubles .1 + .2 is above .3: only exact sums make all four records equal.
  const reference::Rows rows = {{0.1, 0.2}, {0.15, 0.15}, {0.2, 0.1}, {0.3, 0}};
  for (const AggregateAlgorithm algorithm : {kGreedy, kOptimal}) {
    const AggregateRelease release = release_of(rows, sum_options(4, algorithm, kIdentical));
    EXPECT_EQ(release.generalised, std::vector<AttributeSet>{0});
    EXPECT_EQ(release.ncp, 0);
  }
}

TEST(Aggregate, NumbersWithoutLastDigitKeepTheGuarantee) {
  RandomTables random(7);
  for (int round = 0; round < 300; ++round) {
    const int n = random.between(1, 50), m = random.between(2, 5);
    reference::Rows rows = random.whole(n, m);
    const double scale = std::ldexp(1.0, random.between(-400, 400)) / 3;
    for (reference::Row& row : rows)
      for (double& value : row) value *= value * scale / (1 + random.between(0, 2));
    AggregateOptions options = random.options(m, random.between(1, std::min(n, 6)));
    for (AggregateFunction& function : options.functions)
      for (double& weight : function.weights) weight /= 3;
    const reference::Published cells = published(rows, release_of(rows, options));
    EXPECT_GE(judged(cells, rows, options.functions, options.d, options.guarantee).k, options.k);
  }
}

TEST(Aggregate, RefusesBadInput) {
  const auto error_of = [](const reference::Rows& rows, const AggregateOptions& options) {
    try {
      release_of(rows, options);
    } catch (const Error& error) {
      return error.kind;
    }
    ADD_FAILURE() << "accepted";
    return ErrorKind::internal;
  };
  const AggregateOptions good = sum_options(2, kOptimal, kCandidates);
  AggregateOptions bad = good;
  const reference::Rows too_wide(2, std::vector<double>(65, 1));
  EXPECT_EQ(error_of(too_wide, good), ErrorKind::invalid_parameter);
  EXPECT_EQ(error_of({{1}, {2}}, good), ErrorKind::invalid_parameter);
  EXPECT_EQ(error_of({{1, 2}}, good), ErrorKind::invalid_parameter);
  EXPECT_EQ(error_of({{1, 2}, {1, std::nan("")}}, good), ErrorKind::invalid_data);
  EXPECT_EQ(error_of({{1, 2}, {1, std::numeric_limits<double>::infinity()}}, good),
            ErrorKind::invalid_data);
  for (const double d : {-0.1, 1.0, std::nan("")}) {
    bad.d = d;
    EXPECT_EQ(error_of(kTableI, bad), ErrorKind::invalid_parameter);
  }
  bad = good;
  bad.k = 0;
  EXPECT_EQ(error_of(kTableI, bad), ErrorKind::invalid_parameter);
  bad = good;
  bad.functions.clear();
  EXPECT_EQ(error_of(kTableI, bad), ErrorKind::invalid_parameter);
  bad = good;
  bad.p = 2;
  EXPECT_EQ(error_of(kTableI, bad), ErrorKind::invalid_parameter);
  EXPECT_THROW(release_of(kTableI, bad, {5, 5, 5, 5}), Error);
}

TEST(Aggregate, NamesTheFunctionsThatItKnows) {
  try {
    aggregate_function("median", 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_parameter);
    EXPECT_EQ(error.hint, "The known functions are: sum, avg, min, max, weighted_sum.");
  }
  EXPECT_THROW(aggregate_function("weighted_sum", 3, {1, 2}), Error);
  EXPECT_THROW(aggregate_function("weighted_sum", 2, {1, std::nan("")}), Error);
}

TEST(Aggregate, CanBeCancelled) {
  ImpatientTicker ticker;
  RandomTables random(8);
  const std::vector<double> values = flat(random.whole(20000, 4));
  EXPECT_THROW(anonymize_aggregate({20000, 4, values.data(), nullptr},
                                   sum_options(5, kOptimal, kCandidates), ticker),
               Error);
}

TEST(Aggregate, LosesLessThanTheFigureOnIncomes) {
  const reference::Rows rows = income_records();
  if (rows.empty()) GTEST_SKIP() << not_present("ato_sample_2010_2011.csv.gz");
  AggregateOptions options = sum_options(10, kGreedy, kCandidates);
  options.domain = NcpDomain::common;
  EXPECT_NEAR(release_of(rows, options).ncp_common, 2.658e-3, 0.005e-3);
  options.algorithm = kOptimal;
  const AggregateRelease release = release_of(rows, options);
  EXPECT_LT(release.ncp_common, 0.38e-3);
  const reference::Published cells = published(rows, release);
  EXPECT_EQ(judged(cells, rows, options.functions, 0, kCandidates).k, 10);
}

TEST(Aggregate, AConstantAttributeChangesNoFreeClasses) {
  RandomTables random(15);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    const int n = random.between(4, 40);
    reference::Rows rows = random.whole(n, 2);
    const int k = random.between(1, 4);
    const auto ends = [&](int attributes) {
      const std::vector<double> values = flat(rows);
      AggregateOptions options;
      options.k = k;
      options.functions = {aggregate_function("min", attributes, {})};
      std::vector<Record> last;
      for (const MaskedRun& run :
           free_classes({static_cast<Record>(n), attributes, values.data()}, options, ticker).runs)
        last.push_back(run.last);
      return last;
    };
    const std::vector<Record> plain = ends(2);
    for (reference::Row& row : rows) row.push_back(1000);
    EXPECT_EQ(ends(3), plain);
  }
}

// f grows by a constant in every record, and the ranges of the attribute stay as wide.
TEST(Aggregate, AConstantAddedToAnAttributeChangesNoChoice) {
  RandomTables random(16);
  for (int round = 0; round < 100; ++round) {
    const int n = random.between(4, 40);
    reference::Rows rows = random.whole(n, 4);
    AggregateOptions options = sum_options(random.between(2, 4), kGreedy, kCandidates);
    options.functions.push_back(aggregate_function("weighted_sum", 4, {1, 3, -2, 2}));
    const AggregateRelease plain = release_of(rows, options);
    for (reference::Row& row : rows) row[1] += 1000;
    const AggregateRelease moved = release_of(rows, options);
    EXPECT_EQ(moved.partition.class_of, plain.partition.class_of);
    EXPECT_EQ(moved.generalised, plain.generalised);
  }
}

TEST(Aggregate, AFunctionThatIsAlwaysZeroChangesNoChoice) {
  RandomTables random(17);
  for (int round = 0; round < 100; ++round) {
    const int n = random.between(4, 40);
    const reference::Rows rows = random.whole(n, 4);
    AggregateOptions options = sum_options(random.between(2, 4), kGreedy, kCandidates);
    const AggregateRelease plain = release_of(rows, options);
    options.functions.push_back(aggregate_function("weighted_sum", 4, {0, 0, 0, 0}));
    const AggregateRelease with_zero = release_of(rows, options);
    EXPECT_EQ(with_zero.partition.class_of, plain.partition.class_of);
    EXPECT_EQ(with_zero.generalised, plain.generalised);
  }
}

}  // namespace
}  // namespace anonkit
