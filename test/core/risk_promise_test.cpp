// Limits on the risk of a whole release: kept by the definition, whenever one class of all records
// keeps them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "input_checks.hpp"
#include "model/models.hpp"
#include "pipeline.hpp"
#include "promise/risk_limits.hpp"
#include "reference/risk.hpp"

namespace anonkit {
namespace {

/// A random table; with persons, of several rows each; with a sensitive column.
struct RiskCase {
  OwnedTable owned;
  std::vector<std::int32_t> units, ranks;
  std::int32_t members = 0;
  Options options;

  RiskCase(RandomTables& random, int n, bool of_persons, int null_in) {
    owned = random.make(n, random.between(1, 3), random.between(0, 1) == 0, null_in);
    const int persons = random.between(1 + n / 4, n);
    std::map<int, std::int32_t> numbers;
    for (int i = 0; i < n; ++i) {
      ranks.push_back(i % 3);
      const auto next = static_cast<std::int32_t>(numbers.size());
      if (of_persons)
        units.push_back(numbers.try_emplace(random.between(0, persons - 1), next).first->second);
    }
    members = of_persons ? static_cast<std::int32_t>(numbers.size()) : n;
    options.counts_units = of_persons;
    options.k = random.between(1, std::min(3, members));
    options.recode = random.between(0, 1) == 0 ? Recode::range : Recode::centroid;
    Promises& promises = options.promises;
    if (random.between(0, 2) > 0) promises.risk_mean = random.between(2, 60) / 100.0;
    if (promises.risk_mean == 0 || random.between(0, 1) == 0) {
      promises.risk_above = random.between(1, 60) / 100.0;
      if (random.between(0, 1) == 0) promises.risk_threshold = random.between(5, 40) / 100.0;
    }
  }

  Table view() const {
    Table table = owned.view();
    if (!units.empty()) table.units = units.data();
    table.sensitive.emplace_back();
    SensitiveColumn& column = table.sensitive.back();
    column.name = "s";
    column.kind = Kind::nominal;
    column.ranks = ranks.data();
    column.distinct = 3;
    return table;
  }
  /// True if one class of all records keeps the limits.
  bool possible() const {
    const Promises& promises = options.promises;
    const double risk = 1.0 / members;
    return (promises.risk_mean == 0 || risk <= promises.risk_mean) &&
           (promises.risk_above == 0 || risk <= promises.threshold_of_risk());
  }
};

void expect_kept(const RiskCase& one, const std::vector<ClassId>& class_of) {
  const Promises& promises = one.options.promises;
  const std::vector<double> risks = reference::risks(class_of, one.units);
  if (promises.risk_mean > 0) {
    ASSERT_LE(reference::mean_risk(risks), promises.risk_mean * (1 + 1e-12));
  }
  if (promises.risk_above > 0) {
    ASSERT_LE(reference::share_above(risks, promises.threshold_of_risk()), promises.risk_above);
  }
  for (const double risk : risks) ASSERT_LE(risk, 1.0 / one.options.k);
}

TEST(RiskPromise, IsKeptWheneverOneClassOfAllRecordsKeepsIt) {
  RandomTables random(61);
  SilentTicker ticker;
  int formed = 0, refused = 0;
  for (int round = 0; round < trials(3000); ++round) {
    SCOPED_TRACE(round);
    const char* names[] = {"microaggregate", "mdav",       "vmdav", "mondrian",
                           "tclose",         "psensitive", "kpqr"};
    const std::string_view method = names[round % 7];
    const bool of_persons = method != "kpqr" && random.between(0, 2) == 0;
    RiskCase one(random, random.between(6, 50), of_persons, 0);
    if (method == "tclose") one.options.promises.t = 1;
    if (method == "psensitive" || method == "kpqr") one.options.promises.p = 1;
    if (method == "kpqr") one.options.promises.q = 0.1;
    try {
      const Anonymized result = anonymize(one.view(), *find_method(method), one.options, ticker);
      ASSERT_TRUE(one.possible()) << method;
      expect_kept(one, result.partition.class_of);
      ++formed;
    } catch (const Error& error) {
      ASSERT_FALSE(one.possible()) << method << ": " << error.what();
      ASSERT_EQ(error.kind, ErrorKind::infeasible);
      ++refused;
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(formed, trials(1500));
  EXPECT_GT(refused, trials(200));
}

// Blanked cells are few where parts of a table need as many records as the risk asks for.
TEST(RiskPromise, HoldsForAllStrataOfNullsTogether) {
  RandomTables random(62);
  SilentTicker ticker;
  int formed = 0;
  for (int round = 0; round < trials(120); ++round) {
    SCOPED_TRACE(round);
    RiskCase one(random, random.between(20, 60), round % 3 == 0, 5);
    one.options.nulls = Nulls::stratify;
    if (!one.possible()) continue;
    const Method& method = *find_method(round % 2 == 0 ? "microaggregate" : "mdav");
    const Anonymized result = anonymize(one.view(), method, one.options, ticker);
    expect_kept(one, result.partition.class_of);
    if (HasFatalFailure()) return;
    ++formed;
  }
  EXPECT_GT(formed, trials(60));
}

TEST(RiskPromise, IsKeptBesidePromisesOnValues) {
  RandomTables random(63);
  SilentTicker ticker;
  int formed = 0;
  for (int round = 0; round < trials(120); ++round) {
    SCOPED_TRACE(round);
    RiskCase one(random, random.between(12, 50), false, 0);
    if (!one.possible()) continue;
    one.options.promises.l = 2;
    one.options.promises.t = 0.5;
    if (round % 3 == 0) one.options.block_size = 12;
    const Anonymized result =
        anonymize(one.view(), *find_method("microaggregate"), one.options, ticker);
    expect_kept(one, result.partition.class_of);
    if (HasFatalFailure()) return;
    ++formed;
  }
  EXPECT_GT(formed, trials(60));
}

// A limit that classes of k keep anyway changes nothing, and a lower one costs no less.
TEST(RiskPromise, CostsLossOnlyIfItBinds) {
  RandomTables random(64);
  SilentTicker ticker;
  for (int round = 0; round < trials(100); ++round) {
    SCOPED_TRACE(round);
    RiskCase one(random, 40, false, 0);
    one.options.promises = {};
    const Method& mdav = *find_method("mdav");
    const Anonymized free = anonymize(one.view(), mdav, one.options, ticker);
    one.options.promises.risk_mean = 1.0 / one.options.k;
    const Anonymized same = anonymize(one.view(), mdav, one.options, ticker);
    ASSERT_EQ(free.partition.class_of, same.partition.class_of);
    one.options.promises.risk_mean = 1.0 / 12;
    const Anonymized limited = anonymize(one.view(), mdav, one.options, ticker);
    ASSERT_LE(limited.partition.classes, 3);
    ASSERT_GE(limited.loss.percent(), free.loss.percent() - 1e-12);
  }
}

/// A host that must not be asked for anything but a refusal.
class IdleTicker final : public Ticker {
 public:
  std::string stage() const { return stage_; }

 protected:
  void poll() override {}
};

// No records are ordered and no class is formed, by any method and with any suppression.
TEST(RiskPromise, ImpossibleLimitsAreRefusedBeforeAnyWork) {
  const auto refused = [](const RiskCase& one, const Method& method) {
    IdleTicker ticker;
    try {
      anonymize(one.view(), method, one.options, ticker);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::infeasible);
      EXPECT_EQ(ticker.stage(), "");
      return std::string(error.what());
    }
    return std::string();
  };
  RandomTables random(66);
  for (const Method& method : methods()) {
    if ((method.keeps & kPromiseRisk) == 0) continue;
    RiskCase one(random, 30, false, 0);
    one.options.promises = {};
    one.options.promises.risk_mean = 1.0 / 31;
    EXPECT_EQ(refused(one, method), "mean risk cannot be had") << method.name;
    one.options.promises = {};
    one.options.promises.risk_above = 0.5;
    one.options.promises.risk_threshold = 1.0 / 31;
    EXPECT_EQ(refused(one, method), "records at risk cannot be had") << method.name;
    if ((method.keeps & kPromisePersons) == 0) continue;
    // 21 of 30 records are of one person; with 6 suppressed, 15 of 24.
    for (int i = 0; i < 30; ++i) one.units.push_back(std::max(0, i - 20));
    one.options.counts_units = true;
    one.options.promises = {};
    one.options.promises.dominance = 0.62;
    one.options.generalisation.max_suppression = 0.2;
    EXPECT_EQ(refused(one, method), "dominance cannot be had") << method.name;
    one.options.promises.dominance = 0.63;
    EXPECT_NO_THROW(check_possible(one.view(), one.options));
  }
}

TEST(RiskPromise, JudgesEqualTheDefinition) {
  std::mt19937_64 random(65);
  SilentTicker ticker;
  for (int round = 0; round < trials(3000); ++round) {
    SCOPED_TRACE(round);
    const auto n = 1 + random() % 30, classes = 1 + random() % std::min<std::size_t>(n, 8);
    std::vector<std::int32_t> class_of, person_of;
    for (std::size_t i = 0; i < n; ++i) {
      class_of.push_back(static_cast<std::int32_t>(i < classes ? i : random() % classes));
      if (round % 2 == 0) person_of.push_back(static_cast<std::int32_t>(random() % n));
    }
    const ClassHistogram histogram(class_of, ticker, person_of);
    ModelParameters parameters;
    parameters.risk_threshold = static_cast<double>(1 + random() % 50) / 100;
    const std::vector<double> risks = reference::risks(class_of, person_of);
    ASSERT_NEAR(find_model("mean risk")->measure(histogram, parameters, ticker).level,
                reference::mean_risk(risks), 1e-14);
    ASSERT_EQ(find_model("records at risk")->measure(histogram, parameters, ticker).level,
              reference::share_above(risks, parameters.risk_threshold));
  }
}

TEST(RiskPromise, FindsTheLeastClassesThatKeepIt) {
  for (int mean = 1; mean <= 100; ++mean)
    for (int threshold = 1; threshold <= 100; ++threshold) {
      Promises promises;
      promises.risk_mean = mean / 100.0;
      if (threshold % 2 == 0) promises.risk_above = 0.1;
      promises.risk_threshold = threshold / 100.0;
      const RiskLimits limits(promises);
      Record least = 1;
      while (1.0 / least > limits.mean || (limits.above < 1 && limits.at_risk(least))) ++least;
      ASSERT_EQ(limits.least_members(), least);
    }
}

TEST(RiskPromise, StaysBelowTheLimitOnceARoundedShareWasTakenAway) {
  Promises promises;
  promises.risk_mean = 0.5;
  ReleaseRisk whole((RiskLimits(promises)));
  whole.add(2, 2);
  whole.add(4, 2);
  EXPECT_TRUE(whole.within());  // 1 + 4/2 of 6 records
  whole.remove(2, 2);
  whole.add(2, 2);
  EXPECT_TRUE(whole.within());
  whole.remove(4, 2);
  whole.add(4, 2);
  EXPECT_FALSE(whole.within());
  whole.add(8, 8);
  EXPECT_TRUE(whole.within());
}

TEST(RiskPromise, ALimitBelowThatOfAnyTableNeedsMoreRecordsThanThereAre) {
  Promises promises;
  for (const double mean : {1e-9, 1e-10, 1e-300}) {
    promises.risk_mean = mean;
    EXPECT_GE(RiskLimits(promises).least_members(), 1000000000);
  }
  promises.risk_mean = 1 / 1.6e9;
  EXPECT_EQ(RiskLimits(promises).least_members(), 1600000000);
}

}  // namespace
}  // namespace anonkit
