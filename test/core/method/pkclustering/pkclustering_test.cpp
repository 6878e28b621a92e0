#include "fixture/trials.hpp"
#include "method/pkclustering/pk_clustering.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "fixture/adult_data.hpp"
#include "fixture/adult_incognito.hpp"
#include "fixture/random_sensitive.hpp"
#include "method/pkclustering/clusters.hpp"
#include "method/pkclustering/conditions.hpp"
#include "method/pkclustering/form.hpp"
#include "metric/class_metrics.hpp"
#include "model/models.hpp"
#include "reference/pkclustering.hpp"

namespace anonkit {
namespace {

Partition enhanced(const PkData& data, Record k, std::int32_t p, std::vector<double> w = {}) {
  SilentTicker ticker;
  return enhanced_pk_clustering(data.table(), data.rows, data.sensitive, {k, p, std::move(w)},
                                ticker);
}

Partition greedy(const PkData& data, Record k, std::int32_t p, std::vector<double> w = {}) {
  SilentTicker ticker;
  return greedy_pk_clustering(data.table(), data.rows, data.sensitive, {k, p, std::move(w)},
                              ticker);
}

PkChoice better(const PkData& data, Record k, std::int32_t p) {
  SilentTicker ticker;
  return better_pk_clustering(data.table(), data.rows, data.sensitive, {k, p, {}}, ticker);
}

Partition as_partition(const ReferencePk::Clusters& clusters, std::size_t n) {
  Partition partition{std::vector<ClassId>(n), static_cast<ClassId>(clusters.size())};
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const Record i : clusters[c])
      partition.class_of[static_cast<std::size_t>(i)] = static_cast<ClassId>(c);
  number_by_first_record(partition);
  return partition;
}

/// By record: its lifted value.
std::vector<std::int32_t> lifted_values(const SensitiveAttribute& attribute) {
  std::vector<std::int32_t> values = attribute.ranks;
  if (!attribute.lifted.empty())
    for (std::int32_t& v : values) v = attribute.lifted[static_cast<std::size_t>(v)];
  return values;
}

bool enough_values(const std::vector<std::int32_t>& values, const std::vector<Record>& members,
                   std::int32_t p) {
  std::set<std::int32_t> distinct;
  for (const Record i : members) distinct.insert(values[static_cast<std::size_t>(i)]);
  return static_cast<std::int32_t>(distinct.size()) >= p;
}

bool keeps_k_and_p(const PkData& data, const std::vector<std::vector<Record>>& classes, Record k,
                   std::int32_t p) {
  for (const auto& members : classes) {
    if (static_cast<Record>(members.size()) < k) return false;
    for (const SensitiveAttribute& attribute : data.sensitive)
      if (!enough_values(lifted_values(attribute), members, p)) return false;
  }
  return true;
}

std::vector<std::vector<Record>> lists(const Partition& partition) {
  std::vector<std::vector<Record>> lists(static_cast<std::size_t>(partition.classes));
  for (std::size_t i = 0; i < partition.class_of.size(); ++i)
    lists.at(static_cast<std::size_t>(partition.class_of[i])).push_back(static_cast<Record>(i));
  return lists;
}

/// True if a partition of the records satisfies k and p, by enumeration.
bool possible(const PkData& data, Record k, std::int32_t p,
              std::vector<std::vector<Record>>& classes, Record next = 0) {
  if (next == static_cast<Record>(data.rows.size())) return keeps_k_and_p(data, classes, k, p);
  for (std::size_t c = 0; c <= classes.size(); ++c) {
    if (c == classes.size()) classes.emplace_back();
    classes[c].push_back(next);
    if (possible(data, k, p, classes, next + 1)) return true;
    classes[c].pop_back();
    if (classes[c].empty()) {
      classes.pop_back();
      break;
    }
  }
  return false;
}

TEST(EnhancedPkClustering, FormsTheClustersOfThePseudoCode) {
  RandomPkData random(71);
  int several = 0;
  for (int round = 0; round < 700; ++round) {
    const int n = random.between(1, round % 50 == 0 ? 60 : 24);
    const PkData data = random.make(n);
    const int k = random.between(1, std::min(n, 6)), p = random.between(1, 4);
    const Table table = data.table();
    Partition found;
    try {
      found = enhanced(data, k, p);
    } catch (const Error&) {
      continue;
    }
    const ReferencePk reference(table, data.rows, data.sensitive, k, p);
    ASSERT_EQ(found.class_of, as_partition(reference.enhanced(), data.rows.size()).class_of)
        << "round " << round << ", n " << n << ", k " << k << ", p " << p;
    several += found.classes > 1;
  }
  EXPECT_GT(several, 200);
}

TEST(SensitiveCodes, CombinationsAreTheDistinctTuplesOfValues) {
  RandomSensitive random(7);
  SilentTicker ticker;
  for (int round = 0; round < 200; ++round) {
    const int n = random.between(1, 20);
    std::vector<SensitiveAttribute> attributes;
    for (int a = random.between(1, 3); a > 0; --a)
      attributes.push_back(random.make(GroundDistance::nominal, n, 0));
    const SensitiveCodes codes(attributes, 2, {}, ticker);
    std::map<std::vector<std::int32_t>, std::set<std::int32_t>> tuples;
    for (Record i = 0; i < n; ++i) {
      std::vector<std::int32_t> tuple;
      for (const SensitiveAttribute& attribute : attributes)
        tuple.push_back(attribute.ranks[static_cast<std::size_t>(i)]);
      tuples[tuple].insert(codes.combination(i));
      EXPECT_EQ(codes.combination(codes.record_of(codes.combination(i))), codes.combination(i));
    }
    EXPECT_EQ(codes.combinations(), static_cast<std::int32_t>(tuples.size()));
    for (const auto& [tuple, numbers] : tuples) EXPECT_EQ(numbers.size(), 1U);
  }
}

TEST(GreedyPkClustering, FormsTheClustersOfThePseudoCode) {
  RandomPkData random(72);
  int several = 0;
  for (int round = 0; round < 700; ++round) {
    const int n = random.between(1, 24);
    const PkData data = random.make(n);
    const int k = random.between(1, std::min(n, 6)), p = random.between(1, 4);
    const Table table = data.table();
    Partition found;
    try {
      found = greedy(data, k, p);
    } catch (const Error&) {
      continue;
    }
    const ReferencePk reference(table, data.rows, data.sensitive, k, p);
    ASSERT_EQ(found.class_of, as_partition(reference.greedy(), data.rows.size()).class_of)
        << "round " << round << ", n " << n << ", k " << k << ", p " << p;
    several += found.classes > 1;
  }
  EXPECT_GT(several, 200);
}

TEST(PkClustering, WeightsDecideWhichAttributeIsCompletedFirst) {
  RandomPkData random(73);
  int differ = 0;
  for (int round = 0; round < trials(600); ++round) {
    const PkData data = random.make(random.between(12, 30));
    const std::vector<double> all = {0.125, 4, 0.5};
    const std::vector<double> weights(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(data.sensitive.size()));
    const Table table = data.table();
    const ReferencePk reference(table, data.rows, data.sensitive, 3, 3, weights);
    try {
      const Partition first = enhanced(data, 3, 3, weights), second = greedy(data, 3, 3, weights);
      EXPECT_EQ(first.class_of, as_partition(reference.enhanced(), data.rows.size()).class_of);
      EXPECT_EQ(second.class_of, as_partition(reference.greedy(), data.rows.size()).class_of);
      differ += first.class_of != enhanced(data, 3, 3).class_of;
    } catch (const Error&) {
    }
  }
  EXPECT_GE(differ, trials(5));
}

TEST(PkClustering, FindsClassesExactlyWhereThereAreAny) {
  RandomPkData random(74);
  int impossible = 0;
  for (int round = 0; round < 1500; ++round) {
    const int n = random.between(1, 8);
    const PkData data = random.make(n);
    const int k = random.between(1, n), p = random.between(1, 4);
    std::vector<std::vector<Record>> scratch;
    const bool expected = possible(data, k, p, scratch);
    impossible += !expected;
    for (const auto algorithm : {enhanced, greedy}) {
      try {
        const Partition found = algorithm(data, k, p, {});
        EXPECT_TRUE(expected);
        EXPECT_TRUE(keeps_k_and_p(data, lists(found), k, p));
      } catch (const Error& error) {
        EXPECT_FALSE(expected) << error.what();
        EXPECT_EQ(error.kind, ErrorKind::infeasible);
      }
    }
  }
  EXPECT_GT(impossible, 200);
  EXPECT_LT(impossible, 1300);
}

TEST(PkClustering, LargerTablesKeepKAndP) {
  RandomPkData random(75);
  for (int round = 0; round < 60; ++round) {
    const PkData data = random.make(random.between(50, 400));
    const int k = random.between(1, 12), p = random.between(1, 9);
    for (const auto algorithm : {enhanced, greedy}) {
      try {
        EXPECT_TRUE(keeps_k_and_p(data, lists(algorithm(data, k, p, {})), k, p));
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::infeasible);
        const bool poor = std::any_of(
            data.sensitive.begin(), data.sensitive.end(), [&](const SensitiveAttribute& a) {
              const auto values = lifted_values(a);
              return static_cast<int>(std::set<std::int32_t>(values.begin(), values.end()).size()) <
                     p;
            });
        EXPECT_TRUE(poor);
      }
    }
  }
}

TEST(PkClustering, TheOrderOfRowsDoesNotMatter) {
  RandomPkData random(76);
  for (int round = 0; round < 100; ++round) {
    const PkData data = random.make(random.between(10, 60));
    const PkData other = random.shuffled(data);
    for (const auto algorithm : {enhanced, greedy}) {
      try {
        EXPECT_EQ(algorithm(data, 3, 2, {}).class_of, algorithm(other, 3, 2, {}).class_of);
      } catch (const Error&) {
      }
    }
  }
}

TEST(PkClustering, AutoTakesTheBetterOne) {
  RandomPkData random(77);
  int taken[2] = {0, 0};
  for (int round = 0; round < 200; ++round) {
    const PkData data = random.make(random.between(6, 60));
    const int k = random.between(1, 5), p = random.between(1, 3);
    try {
      const PkChoice choice = better(data, k, p);
      const Partition both[2] = {enhanced(data, k, p), greedy(data, k, p)};
      ++taken[static_cast<int>(choice.algorithm)];
      EXPECT_EQ(choice.partition.class_of, both[static_cast<int>(choice.algorithm)].class_of);
      EXPECT_EQ(choice.partition.classes, std::max(both[0].classes, both[1].classes));
    } catch (const Error&) {
    }
  }
  EXPECT_GT(taken[0], 10);
  EXPECT_GT(taken[1], 10);
}

/// Fig. 1: Condition 2 allows two clusters, but the data only one.
PkData figure_1() {
  PkData data;
  data.columns.push_back({"age", {}, {}});
  data.values = {1, 2, 3, 4};
  data.rows = {0, 1, 2, 3};
  for (const auto& ranks : {std::vector<std::int32_t>{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}}) {
    data.sensitive.emplace_back();
    data.sensitive.back().ranks = ranks;
  }
  data.sensitive_names = {"a", "b", "c"};
  return data;
}

TEST(PkClustering, FourRecordsOfFigure1AreOneCluster) {
  const PkData data = figure_1();
  EXPECT_EQ(ReferencePk(data.table(), data.rows, data.sensitive, 2, 2).max_clusters(0), 2);
  EXPECT_EQ(enhanced(data, 2, 2).classes, 1);
  EXPECT_EQ(greedy(data, 2, 2).classes, 1);
  EXPECT_EQ(better(data, 2, 2).partition.classes, 1);
}

TEST(PkClustering, ErrorsNameTheAttributeAndWhatItAllows) {
  PkData data = figure_1();
  data.sensitive[1].ranks = {0, 0, 0, 0};
  for (const auto algorithm : {enhanced, greedy}) {
    try {
      algorithm(data, 2, 2, {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
      EXPECT_STREQ(error.what(),
                   "sensitive column \"b\" has too few distinct values for p-sensitivity");
      EXPECT_EQ(error.detail, "It has 1, and p is 2.");
      EXPECT_EQ(error.hint, "Choose a p of at most 1.");
    }
  }
}

TEST(PkClustering, RefusesBadParameters) {
  const PkData data = figure_1();
  EXPECT_THROW(enhanced(data, 0, 2), Error);
  EXPECT_THROW(enhanced(data, 5, 2), Error);
  EXPECT_THROW(enhanced(data, 2, 0), Error);
  EXPECT_THROW(enhanced(data, 2, 2, {1}), Error);
  EXPECT_THROW(enhanced(data, 2, 2, {1, 1, 0}), Error);
  EXPECT_NO_THROW(enhanced(data, 2, 2, {1, 1, 0.1}));
}

TEST(PkClustering, ColumnsWithANullAreLeftToTheBlanking) {
  PkData data = figure_1();
  data.columns.push_back({"weight", {}, {}});
  data.values = {1, kNull, 2, kNull, 3, 70, 4, 80};
  EXPECT_EQ(enhanced(data, 2, 2).class_of, enhanced(figure_1(), 2, 2).class_of);
}

TEST(PkClustering, IsAnAlgorithmOfAMethod) {
  RandomPkData random(78);
  const PkData data = random.make(40);
  const Table table = data.table();
  const Space space(std::vector<double>(data.rows.size()), {{}});
  Options options;
  options.k = 4;
  options.promises.p = 2;
  std::vector<std::size_t> columns(table.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const Problem problem = {table,          data.rows, columns, space,
                           data.sensitive, options,   {},      space.size()};
  SilentTicker ticker;
  EXPECT_EQ(form_enhanced_pk(problem, ticker).partition.class_of, enhanced(data, 4, 2).class_of);
  EXPECT_EQ(form_greedy_pk(problem, ticker).partition.class_of, greedy(data, 4, 2).class_of);
  EXPECT_EQ(form_better_pk(problem, ticker).partition.class_of,
            better(data, 4, 2).partition.class_of);
}

class Adult : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto records = adult_records();
    if (records.empty()) GTEST_SKIP() << not_present("adult.csv");
    data_ = adult_data(sample(records, 10000, 1));
  }

  ClassMetrics metrics(const Partition& partition) const {
    SilentTicker ticker;
    for (const SensitiveAttribute& attribute : data_.sensitive)
      smallest_p_ = std::min(
          smallest_p_,
          find_model("p-sensitivity")
              ->measure(ClassHistogram(partition.class_of,
                                       {attribute.ranks, AttributeScale::nominal, {}}, ticker),
                        {}, ticker)
              .level);
    return class_metrics(class_sizes(partition.class_of, ticker), 20, 0, ticker);
  }

  PkData data_;
  mutable double smallest_p_ = 100;
};

TEST_F(Adult, EnhancedIsAtMostGreedyAtEveryPAndGreedyBelowIncognito) {
  const AdultIncognito incognito(data_);
  SilentTicker ticker;
  for (const std::int32_t p : {10, 8, 6, 4, 2}) {
    const ClassMetrics e = metrics(enhanced(data_, 20, p)), g = metrics(greedy(data_, 20, p));
    EXPECT_GE(smallest_p_, p);
    EXPECT_GE(e.smallest, 20);
    EXPECT_GE(g.smallest, 20);
    EXPECT_LE(e.normalized_average, g.normalized_average);
    EXPECT_LE(e.discernibility, g.discernibility);
    EXPECT_LT(g.normalized_average, incognito.best(20, p, RecodingMetric::avg, ticker).avg);
    EXPECT_LT(g.discernibility, incognito.best(20, p, RecodingMetric::dm, ticker).dm);
    if (p <= 4) {
      EXPECT_EQ(e.normalized_average, 1);
      EXPECT_EQ(g.normalized_average, 1);
    }
    smallest_p_ = 100;
  }
}

TEST(PkClustering, AnAttributeWithoutANameIsCounted) {
  SilentTicker ticker;
  SensitiveAttribute rich, poor;
  rich.ranks = {0, 1, 2, 0};
  poor.ranks = {0, 0, 1, 1};
  const SensitiveCodes codes({rich, poor, rich}, 3, {}, ticker);
  try {
    check_condition_1({}, codes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "sensitive attribute 2 has too few distinct values for p-sensitivity");
  }
}

}  // namespace
}  // namespace anonkit
