// The loss of a search at k never exceeds that at a larger k, under every promise.

#include "method/nested_sizes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fixture/contests.hpp"
#include "fixture/random_problem.hpp"
#include "fixture/random_table.hpp"
#include "fixture/tied_table.hpp"
#include "fixture/trials.hpp"
#include "method/growing/mdav.hpp"
#include "metric/sse.hpp"
#include "pipeline.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

constexpr double kTolerance = 1.001;

struct Nested {
  std::string name;
  bool pay = false;  ///< promised of pay, else of the occupation
  Promises promises = {};
};

std::vector<Nested> promises() {
  std::vector<Nested> all;
  const auto add = [&](const char* name, bool pay, const auto& promise) {
    all.push_back({name, pay});
    promise(all.back().promises);
  };
  add("t", false, [](Promises& made) { made.t = 0.3; });
  add("t of numbers", true, [](Promises& made) { made.t = 0.15; });
  add("l", false, [](Promises& made) { made.l = 6; });
  add("entropy l", false, [](Promises& made) { made.entropy_l = 4; });
  add("(c,l)", false, [](Promises& made) { made.l = 3, made.c = 1; });
  add("alpha", false, [](Promises& made) { made.alpha = 0.3; });
  add("beta", false, [](Promises& made) { made.beta = 2; });
  add("delta", false, [](Promises& made) { made.delta = 2; });
  add("p", false, [](Promises& made) { made.p = 5; });
  add("(k,p,q,r)", true, [](Promises& made) { made.p = 3, made.q = 0.05, made.r = 0.3; });
  add("e", true, [](Promises& made) { made.e = 12; });
  add("t and l", false, [](Promises& made) { made.t = 0.4, made.l = 4; });
  add("mean risk", false, [](Promises& made) { made.risk_mean = 0.02; });
  add("share at risk", false,
      [](Promises& made) { made.risk_above = 0.1, made.risk_threshold = 0.05; });
  return all;
}

struct Searched {
  const char* method;
  Recode recode;
};

/// The losses by k where classes are found, and a failure where a smaller k loses more.
std::map<Record, double> expect_nested(const Table& table, const Searched& how,
                                       const Promises& promises, Effort effort = Effort::fast,
                                       const std::vector<Record>& sizes = {3, 5, 10, 20, 50}) {
  std::map<Record, double> losses;
  Options options;
  options.recode = how.recode;
  options.promises = promises;
  for (const Record k : sizes) {
    options.k = k;
    const std::optional<double> loss = loss_of(table, how.method, nullptr, options, effort);
    if (loss) losses[k] = *loss;
  }
  for (auto one = losses.begin(); one != losses.end(); ++one)
    for (auto larger = one; larger != losses.end(); ++larger)
      EXPECT_LE(one->second, larger->second * kTolerance)
          << how.method << (how.recode == Recode::range ? " in ranges" : "")
          << ", k = " << one->first << " and " << larger->first;
  return losses;
}

constexpr Searched kSearches[] = {{"microaggregate", Recode::centroid},
                                  {"microaggregate", Recode::range}};

TEST(NestedSizes, ALossNeverExceedsThatOfALargerK) {
  std::size_t found = 0, at = 0;
  for (const Nested& one : promises())
    for (const Searched& how : kSearches) {
      SCOPED_TRACE(one.name);
      const TiedTable data(110, kTables[at % 5], 60 + at);
      ++at;
      found += expect_nested(table_of(data, one.pay, how.recode), how, one.promises).size();
    }
  EXPECT_GT(found, 4 * at);
}

TEST(NestedSizes, AThoroughLossNeverExceedsThatOfALargerK) {
  for (const Nested& one : {promises()[0], promises()[1]}) {
    const TiedTable data(50, Ties::census, 3);
    expect_nested(table_of(data, one.pay, kSearches[0].recode), kSearches[0], one.promises,
                  Effort::thorough, {3, 20});
  }
}

// The largest classes of so many records are searched longer than the others.
TEST(NestedSizes, ALossOfThousandsNeverExceedsThatOfALargerK) {
  const TiedTable data(5001, Ties::census, 4);
  for (const Nested& one : {promises()[0], promises()[2]})
    for (const Searched& how : kSearches)
      EXPECT_EQ(expect_nested(table_of(data, one.pay, how.recode), how, one.promises, Effort::fast,
                              {5, 20})
                    .size(),
                2U);
}

TEST(NestedSizes, ASearchOfMoreEffortLosesLess) {
  SilentTicker ticker;
  RandomSpaces spaces(8);
  Instance instance(spaces, 0, 2000, {});
  instance.options.k = 5;
  const Problem problem = instance.problem();
  const Partition start = mdav(problem.space, 5, ticker);
  const auto searched = [&](double scale) {
    return sse(problem.space, search_on(problem, start, Effort::fast, ticker, scale).partition);
  };
  EXPECT_LT(searched(0.1), sse(problem.space, start));
  EXPECT_LT(searched(1), searched(0.1));
}

TEST(NestedSizes, TheLadderHasAFewSizesADecade) {
  Record k = 1;
  for (const Record next : {5, 10, 20, 50, 100, 200}) {
    EXPECT_EQ(next_class_size(k), next);
    k = next;
  }
  EXPECT_EQ(next_class_size(7), 10);
}

TEST(NestedSizes, OfManyRecordsAreForSlowSearches) {
  std::vector<double> values;
  std::vector<std::vector<std::int32_t>> ranks(1);
  for (int i = 0; i < 40; ++i) {
    values.push_back(i);
    ranks[0].push_back(i % 2);
  }
  const OwnedTable owned = table_of(std::move(values));
  Table table = owned.view();
  add_sensitive(table, ranks);
  Options options;
  options.k = 3;
  options.promises.l = 2;
  SilentTicker ticker;
  const std::vector<Record> order = canonical_order(table, 0, ticker);
  const auto scales = scales_of(table, order, Standardize::zscore, ticker);
  const std::vector<std::size_t> columns = {0};
  const Space space = space_of(table, order, columns, scales, ticker);
  const auto sensitive = sensitive_attributes(table, order, options.promises);
  // The sizes for which classes are formed: always two classes of twenty.
  const auto formed = [&](Effort effort, Record table_records) {
    std::vector<Record> sizes;
    const auto form = [&](const Problem& problem) {
      sizes.push_back(problem.options.k);
      Classification halves;
      for (Record i = 0; i < 40; ++i) halves.partition.class_of.push_back(i / 20);
      halves.partition.classes = 2;
      return halves;
    };
    form_nested({table, order, columns, space, sensitive, options, {}, table_records}, effort, form,
                ticker);
    return sizes;
  };
  const std::vector<Record> ladder = {3, 5, 10, 20};
  EXPECT_EQ(formed(Effort::fast, 40), ladder);
  EXPECT_EQ(formed(Effort::fast, 100001), std::vector<Record>{3});
  EXPECT_EQ(formed(Effort::thorough, 100001), ladder);
}

}  // namespace
}  // namespace anonkit
