#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/at.hpp"
#include "base/error.hpp"
#include "fixture/attacks.hpp"
#include "fixture/random_cells.hpp"
#include "fixture/trials.hpp"
#include "risk/agreement.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"
#include "risk/population_classes.hpp"
#include "risk/record_linkage.hpp"

namespace anonkit {
namespace {

/// Squared distances, scaled by the deviations of the original records.
double distance(const CellsPair& pair, std::int32_t original, std::int32_t masked) {
  double sum = 0;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j) {
    const CellColumn& before = pair.original.columns[j];
    const CellColumn& after = pair.masked.columns[j];
    if (!before.numeric()) {
      sum += before.codes[original] == after.codes[masked] ? 0 : 1;
      continue;
    }
    double mean = 0;
    double squares = 0;
    for (std::int32_t i = 0; i < pair.original.rows; ++i) mean += before.middle(i);
    mean /= pair.original.rows;
    for (std::int32_t i = 0; i < pair.original.rows; ++i)
      squares += (before.middle(i) - mean) * (before.middle(i) - mean);
    const double difference = before.middle(original) - after.middle(masked);
    if (squares > 0) sum += difference * difference / squares * (pair.original.rows - 1);
  }
  return sum;
}

/// The masked records at the least distance, ties counted.
std::vector<std::int32_t> nearest(const CellsPair& pair, std::int32_t original) {
  std::vector<std::int32_t> found;
  double least = 1e300;
  for (std::int32_t i = 0; i < pair.masked.rows; ++i)
    least = std::min(least, distance(pair, original, i));
  for (std::int32_t i = 0; i < pair.masked.rows; ++i)
    if (distance(pair, original, i) <= least + 1e-9 * least + 1e-18) found.push_back(i);
  return found;
}

void expect_linkage(const Linkage& found, const CellsPair& pair,
                    const std::vector<std::vector<std::int32_t>>& candidates) {
  double expected = 0;
  double count = 0;
  std::int64_t single = 0;
  std::int64_t correct = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto n = static_cast<double>(candidates[i].size());
    const bool own = std::count(candidates[i].begin(), candidates[i].end(), pair.image[i]) > 0;
    count += n;
    expected += own ? 1 / n : 0;
    single += n == 1 ? 1 : 0;
    correct += n == 1 && own ? 1 : 0;
  }
  ASSERT_EQ(found.single, single);
  ASSERT_EQ(found.correct, correct);
  ASSERT_NEAR(found.expected, expected, 1e-9);
  ASSERT_NEAR(found.candidates, count / static_cast<double>(candidates.size()), 1e-9);
  ASSERT_EQ(found.records, pair.original.rows);
  const auto with_image =
      std::count_if(pair.image.begin(), pair.image.end(), [](std::int32_t i) { return i >= 0; });
  ASSERT_DOUBLE_EQ(found.by_chance, static_cast<double>(with_image) / pair.masked.rows);
}

TEST(RecordLinkage, ByDistanceIsThatOfAllPairs) {
  Random random(1);
  SilentTicker ticker;
  for (int round = 0; round < 300; ++round) {
    RandomPair made;
    const int numeric = static_cast<int>(random.below(3));
    fill_random_pair(made, random, 1 + static_cast<int>(random.below(40)), numeric,
                     numeric == 0 ? 2 : static_cast<int>(random.below(2)),
                     1 + static_cast<int>(random.below(4)), random.below(2) == 1);
    std::vector<std::vector<std::int32_t>> candidates;
    for (std::int32_t i = 0; i < made.pair.original.rows; ++i)
      candidates.push_back(nearest(made.pair, i));
    expect_linkage(link_by_distance(made.pair, 2, ticker), made.pair, candidates);
  }
}

TEST(RecordLinkage, ABlindGuessFindsOnlyThoseWhoAreThere) {
  Random random(25);
  SilentTicker ticker;
  RandomPair made;
  fill_random_pair(made, random, 8, 2, 0, 3, false);
  EXPECT_EQ(link_by_distance(made.pair, 2, ticker).by_chance, 1);
  made.pair.image[0] = made.pair.image[5] = -1;
  EXPECT_EQ(link_by_distance(made.pair, 2, ticker).by_chance, 0.75);
  made.pair.image.clear();
  EXPECT_EQ(link_by_distance(made.pair, 2, ticker).by_chance, 1);
}

TEST(RecordLinkage, ByDistanceTakesTheExtremesOfDoubles) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  const std::vector<double> original = {-kLargest, kLargest, kLargest, 0, 1};
  // Ranges that are open below, above, on both sides; numbers.
  const std::vector<double> low = {-kOpen, kLargest, 1, -kOpen, 0};
  const std::vector<double> high = {0, kLargest, kOpen, kOpen, 0};
  CellsPair pair;
  pair.original = {5, {{original.data(), original.data(), nullptr, 0}}};
  pair.masked = {5, {{low.data(), high.data(), nullptr, 0}}};
  pair.image = {0, 1, 2, 3, 4};
  SilentTicker ticker;
  const Linkage found = link_by_distance(pair, 2, ticker);
  EXPECT_EQ(found.records, 5);
  EXPECT_GE(found.candidates, 1);
  EXPECT_GE(found.expected, 1) << "the largest number is found where it is";
  pair.masked.rows = 0;
  pair.image = {-1, -1, -1, -1, -1};
  EXPECT_EQ(link_by_distance(pair, 2, ticker).single, 0);
}

/// EM over the list of all pairs.
std::vector<Agreement> plain_em(const std::vector<std::vector<bool>>& pairs, double matches) {
  const std::size_t d = pairs[0].size();
  std::vector<Agreement> now(d);
  const auto n = static_cast<double>(pairs.size());
  for (std::size_t j = 0; j < d; ++j) {
    double agree = 0;
    for (const auto& pair : pairs) agree += pair[j] ? 1 : 0;
    now[j] = {0.9, std::min(std::max(agree / n, 1e-9), 1 - 1e-9)};
  }
  double p = matches / n;
  for (int round = 0; round < 1000; ++round) {
    double matched = 0;
    std::vector<double> m(d, 0);
    std::vector<double> u(d, 0);
    for (const auto& pair : pairs) {
      double if_match = p;
      double if_not = 1 - p;
      for (std::size_t j = 0; j < d; ++j) {
        if_match *= pair[j] ? now[j].if_match : 1 - now[j].if_match;
        if_not *= pair[j] ? now[j].if_no_match : 1 - now[j].if_no_match;
      }
      const double share = if_match / (if_match + if_not);
      matched += share;
      for (std::size_t j = 0; j < d; ++j) {
        m[j] += pair[j] ? share : 0;
        u[j] += pair[j] ? 1 - share : 0;
      }
    }
    double moved = std::fabs(matched / n - p) / p;
    p = matched / n;
    const auto within = [](double x) { return std::min(std::max(x, 1e-9), 1 - 1e-9); };
    for (std::size_t j = 0; j < d; ++j) {
      const Agreement next = {within(m[j] / matched), within(u[j] / (n - matched))};
      moved = std::max({moved, std::fabs(next.if_match - now[j].if_match),
                        std::fabs(next.if_no_match - now[j].if_no_match)});
      now[j] = next;
    }
    if (moved < 1e-10) break;
  }
  return now;
}

TEST(RecordLinkage, ByProbabilityIsFellegiAndSunterOverAllPairs) {
  Random random(2);
  SilentTicker ticker;
  for (int round = 0; round < trials(100); ++round) {
    RandomPair made;
    fill_random_pair(made, random, 10 + static_cast<int>(random.below(20)), 1, 2,
                     1 + static_cast<int>(random.below(3)), random.below(2) == 1);
    const CellsPair& pair = made.pair;
    const auto agrees = [&](std::int32_t i, std::int32_t k, std::size_t j) {
      if (!pair.original.columns[j].numeric())
        return pair.original.columns[j].codes[i] == pair.masked.columns[j].codes[k];
      const double x = pair.original.columns[j].low[i];
      return pair.masked.columns[j].low[k] <= x && x <= pair.masked.columns[j].high[k];
    };
    std::vector<std::vector<bool>> pairs;
    for (std::int32_t i = 0; i < pair.original.rows; ++i)
      for (std::int32_t k = 0; k < pair.masked.rows; ++k)
        pairs.push_back({agrees(i, k, 0), agrees(i, k, 1), agrees(i, k, 2)});
    const ProbabilisticLinkage found = link_by_probability(pair, ticker);
    const std::vector<Agreement> plain = plain_em(pairs, pair.original.rows);
    for (std::size_t j = 0; j < 3; ++j) {
      ASSERT_NEAR(found.agreements[j].if_match, plain[j].if_match, 1e-4);
      ASSERT_NEAR(found.agreements[j].if_no_match, plain[j].if_no_match, 1e-4);
    }
    std::vector<std::vector<std::int32_t>> candidates;
    for (std::int32_t i = 0; i < pair.original.rows; ++i) {
      std::vector<double> weights;
      for (std::int32_t k = 0; k < pair.masked.rows; ++k) {
        double weight = 0;
        for (std::size_t j = 0; j < 3; ++j) {
          const auto [m, u] = found.agreements[j];
          if (m > u) weight += agrees(i, k, j) ? std::log(m / u) : std::log((1 - m) / (1 - u));
        }
        weights.push_back(weight);
      }
      const double best = *std::max_element(weights.begin(), weights.end());
      candidates.emplace_back();
      for (std::int32_t k = 0; k < pair.masked.rows; ++k)
        if (std::fabs(weights[at(k)] - best) <= 1e-9 * std::max(1.0, std::fabs(best)))
          candidates.back().push_back(k);
    }
    expect_linkage(found.linkage, pair, candidates);
  }
}

/// The probability of picking `truth` among the most frequent values of some masked records.
double pick(const std::vector<std::int32_t>& records, const std::vector<std::int32_t>& values,
            std::int32_t truth) {
  std::map<std::int32_t, int> counts;
  int most = 0;
  for (const std::int32_t i : records) most = std::max(most, ++counts[values[at(i)]]);
  double best = 0;
  for (const auto& [value, n] : counts) best += n == most ? 1 : 0;
  return counts[truth] == most ? 1 / best : 0;
}

TEST(Inference, GuessesTheMostFrequentValueOfTheNearestClass) {
  Random random(4);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    RandomPair made;
    fill_random_pair(made, random, 5 + static_cast<int>(random.below(30)), 2, 1, 3, false);
    const CellsPair& pair = made.pair;
    std::vector<std::int32_t> original;
    std::vector<std::int32_t> masked(at(pair.masked.rows));
    for (std::int32_t i = 0; i < pair.original.rows; ++i) {
      original.push_back(static_cast<std::int32_t>(random.below(3)));
      masked[at(pair.image[at(i)])] = original.back();
    }
    double base = 0;
    double by_class = 0;
    std::vector<std::int32_t> everybody;
    for (std::int32_t i = 0; i < pair.masked.rows; ++i) everybody.push_back(i);
    for (std::int32_t i = 0; i < pair.original.rows; ++i) {
      base += pick(everybody, masked, original[at(i)]) / pair.original.rows;
      by_class += pick(nearest(pair, i), masked, original[at(i)]) / pair.original.rows;
    }
    const PublishedPoints points(pair, 2, ticker);
    const GuessedRight found =
        guess(pair, points, {{original.data(), masked.data(), 3}}, 1, 2, ticker)[0];
    ASSERT_NEAR(found.base, base, 1e-9);
    ASSERT_NEAR(found.by_class, by_class, 1e-9);
    ASSERT_NEAR(found.by_nearest, by_class, 1e-9);
    const GuessedRight all =
        guess(pair, points, {{original.data(), masked.data(), 3}}, pair.masked.rows, 2, ticker)[0];
    ASSERT_NEAR(all.by_nearest, base, 1e-9);
  }
}

// A category equal to the sensitive value reveals it.
TEST(Inference, BayesLearnsWhatDependsOnACategory) {
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 30; ++i) codes.push_back(i % 3);
  const CellColumn column = categories(codes, 3);
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 30;
  pair.original.columns = pair.masked.columns = {column};
  SilentTicker ticker;
  const PublishedPoints points(pair, 2, ticker);
  EXPECT_DOUBLE_EQ(guess(pair, points, {{codes.data(), codes.data(), 3}}, 1, 2, ticker)[0].by_bayes,
                   1);
}

/// The share that naive Bayes guesses right of two sensitive values.
double by_bayes(const CellsPair& pair, const std::vector<std::int32_t>& original,
                const std::vector<std::int32_t>& masked) {
  SilentTicker ticker;
  const PublishedPoints points(pair, 2, ticker);
  return guess(pair, points, {{original.data(), masked.data(), 2}}, 1, 2, ticker)[0].by_bayes;
}

TEST(Inference, BayesLearnsNothingFromAConstant) {
  const std::vector<double> known = {1, 2, 30, 400}, published(4, 0.1);
  const std::vector<std::int32_t> codes = {0, 1, 0, 1};
  CellsPair pair;
  pair.original = {4, {points(known), categories(codes, 2)}};
  pair.masked = {4, {points(published), categories(codes, 2)}};
  EXPECT_DOUBLE_EQ(by_bayes(pair, codes, codes), 1);
}

// Both values have the same numbers, in another order of the rows.
TEST(Inference, BayesCannotTellEqualValuesApart) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers;
    for (int i = 0; i < 9; ++i) numbers.push_back(random.below(1000) / 700.0);
    std::vector<double> published = numbers;
    shuffle(numbers, random);
    published.insert(published.end(), numbers.begin(), numbers.end());
    std::vector<std::int32_t> codes(9, 0);
    codes.resize(18, 1);
    CellsPair pair;
    pair.original = {9, {points(numbers)}};
    pair.masked = {18, {points(published)}};
    ASSERT_DOUBLE_EQ(by_bayes(pair, codes, codes), 0.5) << round;
  }
}

TEST(Inference, CodesManyNumbersByDecile) {
  std::vector<double> masked(200), original(50);
  std::iota(masked.begin(), masked.end(), 0);
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = 4 * static_cast<double>(i) - 10;
  const Tenths coded = tenths(original.data(), 50, masked.data(), 200);
  EXPECT_EQ(coded.values, 10);
  for (std::size_t i = 0; i < masked.size(); ++i)
    ASSERT_EQ(coded.masked[i], static_cast<std::int32_t>(i / 20)) << i;
  for (std::size_t i = 0; i < original.size(); ++i)
    ASSERT_EQ(coded.original[i], std::clamp(static_cast<std::int32_t>(original[i]) / 20, 0, 9));
}

TEST(Inference, CodesFewNumbersByValue) {
  const std::vector<double> original = {5, 7, 9}, masked = {6, 6, 9};
  const Tenths coded = tenths(original.data(), 3, masked.data(), 3);
  EXPECT_EQ(coded.values, 4);
  EXPECT_EQ(coded.original, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(coded.masked, (std::vector<std::int32_t>{1, 1, 3}));
}

TEST(Exposure, OfRangesAndCentroids) {
  const std::vector<double> values = {1, 2, 4, 10, 10, 13};
  const std::vector<double> low = {1, 1, 1, 11, 11, 11};
  const std::vector<double> high = {4, 4, 4, 11, 11, 11};
  CellColumn original;
  original.low = original.high = values.data();
  CellColumn masked;
  masked.low = low.data();
  masked.high = high.data();
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 6;
  pair.original.columns = {original};
  pair.masked.columns = {masked};
  pair.image = {0, 1, 2, 3, 4, 5};
  SilentTicker ticker;
  const Exposure found = exposures(pair, {0, 0, 0, 1, 1, 1}, ticker)[0];
  EXPECT_DOUBLE_EQ(found.range_ends, 2.0 / 6);
  EXPECT_DOUBLE_EQ(found.lonely_ends, 2.0 / 6);
  EXPECT_DOUBLE_EQ(found.solved, 3.0 / 6);
}

TEST(PopulationClasses, CountThoseWhoFit) {
  Random random(9);
  SilentTicker ticker;
  for (int round = 0; round < 300; ++round) {
    RandomPair made;
    fill_random_pair(made, random, 1 + static_cast<int>(random.below(30)), 2, 1,
                     1 + static_cast<int>(random.below(4)), true);
    const CellsPair& pair = made.pair;
    const PopulationClasses found = population_classes(pair, ticker);
    std::multiset<std::pair<std::int64_t, std::int64_t>> listed;
    for (std::size_t c = 0; c < found.sizes.size(); ++c)
      for (std::int64_t i = 0; i < found.sizes[c]; ++i)
        listed.insert({found.sizes[c], found.crowds[c]});
    std::multiset<std::pair<std::int64_t, std::int64_t>> plain;
    for (std::int32_t k = 0; k < pair.masked.rows; ++k) {
      std::int64_t size = 0;
      std::int64_t crowd = 0;
      for (std::int32_t i = 0; i < pair.original.rows; ++i) {
        bool fits = true;
        bool equal = true;
        for (std::size_t j = 0; j < 3; ++j) {
          const CellColumn& before = pair.original.columns[j];
          const CellColumn& after = pair.masked.columns[j];
          if (before.numeric()) {
            fits = fits && after.low[k] <= before.low[i] && before.low[i] <= after.high[k];
            equal = equal && after.low[k] == after.low[i];
          } else {
            fits = fits && after.codes[k] == before.codes[i];
            equal = equal && after.codes[k] == after.codes[i];
          }
        }
        size += equal ? 1 : 0;
        crowd += fits ? 1 : 0;
      }
      plain.insert({size, crowd});
    }
    ASSERT_EQ(listed, plain);
    const double asked = static_cast<double>(1 + random.below(6));
    std::int64_t classes_short = 0;
    std::int64_t records_short = 0;
    for (std::size_t c = 0; c < found.sizes.size(); ++c) {
      if (found.sizes[c] == 0 || static_cast<double>(found.crowds[c]) >= asked) continue;
      ++classes_short;
      records_short += found.sizes[c];
    }
    // Another table may be no population of this one.
    if (std::any_of(plain.begin(), plain.end(), [](auto c) { return c.second < c.first; }))
      continue;
    const PresenceLevel level = presence_level(found, PresenceModel::k_map, asked);
    std::int64_t fewest = pair.original.rows;
    for (const auto& [size, crowd] : plain) fewest = std::min(fewest, crowd);
    ASSERT_EQ(level.level, static_cast<double>(fewest));
    ASSERT_EQ(level.classes_short, classes_short);
    ASSERT_EQ(level.records_short, records_short);
    ASSERT_GE(found.example[static_cast<std::size_t>(level.worst_class)], 0);
  }
}

TEST(PopulationClasses, WithoutAnyNobodyIsPresent) {
  for (const auto model : {PresenceModel::k_map, PresenceModel::least, PresenceModel::largest}) {
    const PresenceLevel level = presence_level({}, model, 1);
    EXPECT_EQ(level.level, 0);
    EXPECT_EQ(level.worst_class, 0);
    EXPECT_EQ(level.classes_short, 0);
    EXPECT_EQ(level.records_short, 0);
  }
}

TEST(PopulationClasses, TheWorstIsTheFirstOfEquals) {
  const PopulationClasses classes{{2, 1, 1, 0}, {4, 2, 2, 3}, {0, 1, 2, -1}};
  const PresenceLevel matched = presence_level(classes, PresenceModel::k_map, 3);
  EXPECT_EQ(matched.level, 2);
  EXPECT_EQ(matched.worst_class, 1);
  EXPECT_EQ(matched.classes_short, 2);
  const PresenceLevel likeliest = presence_level(classes, PresenceModel::largest, 1);
  EXPECT_EQ(likeliest.level, 0.5);
  EXPECT_EQ(likeliest.worst_class, 0);
}

TEST(PopulationClasses, HoldTheRelation) {
  EXPECT_THROW(presence_level({{2}, {1}, {0}}, PresenceModel::k_map, 1), Error);
}

// A suppressed column agrees with the nulls of the original as often in pairs that match as in
// others, but for rounding.
TEST(RecordLinkage, ByProbabilityCountsNoPairTwice) {
  Random random(6);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    const auto rows = static_cast<std::int32_t>(3 + random.below(30));
    std::vector<std::int32_t> names(at(rows)), nulls, suppressed(at(rows), 0);
    std::iota(names.begin(), names.end(), 0);
    for (std::int32_t i = 0; i < rows; ++i)
      nulls.push_back(static_cast<std::int32_t>(random.below(2)));
    CellsPair pair;
    pair.original = {rows, {categories(names, rows), categories(nulls, 2)}};
    pair.masked = {rows, {categories(names, rows), categories(suppressed, 2)}};
    ASSERT_DOUBLE_EQ(link_by_probability(pair, ticker).linkage.candidates, 1) << round;
  }
}

TEST(RecordLinkage, ByProbabilityTakesTwelveColumnsOfDisjointRanges) {
  const std::vector<double> low = {1, 2}, high = {2, 3}, overlapping = {3, 3};
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 2;
  pair.original.columns.assign(12, points(low));
  pair.masked.columns = pair.original.columns;
  for (CellColumn& column : pair.masked.columns) column.high = high.data();
  SilentTicker ticker;
  EXPECT_NO_THROW(link_by_probability(pair, ticker));
  pair.masked.columns[7].high = overlapping.data();
  EXPECT_THROW(link_by_probability(pair, ticker), Error);
  pair.masked.columns[7].high = high.data();
  pair.original.columns.push_back(pair.original.columns[0]);
  pair.masked.columns.push_back(pair.masked.columns[0]);
  EXPECT_THROW(link_by_probability(pair, ticker), Error);
}

}  // namespace
}  // namespace anonkit
