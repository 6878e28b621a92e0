// Attacks and the propensity score in threads: more records than one chunk.

#include <gtest/gtest.h>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "fixture/attacks.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_cells.hpp"
#include "utility/propensity.hpp"

namespace anonkit {
namespace {

class ThreadsOfAttacks : public testing::Test {
 protected:
  ThreadsOfAttacks() {
    Random random(5);
    fill_random_pair(made_, random, static_cast<int>(kChunk) + 1000, 3, 1, 3, false);
    for (std::int32_t i = 0; i < made_.pair.original.rows; ++i)
      illness_.push_back(static_cast<std::int32_t>(random.below(5)));
  }

  const CellsPair& pair() const { return made_.pair; }
  SensitivePair illness() const { return {illness_.data(), illness_.data(), 5}; }

  SilentTicker ticker_;

 private:
  RandomPair made_;
  std::vector<std::int32_t> illness_;
};

TEST_F(ThreadsOfAttacks, LinkAsOneDoes) {
  const Linkage one = link_by_distance(pair(), 1, ticker_);
  const Linkage three = link_by_distance(pair(), 3, ticker_);
  EXPECT_EQ(three.records, pair().original.rows);
  EXPECT_EQ(three.single, one.single);
  EXPECT_EQ(three.correct, one.correct);
  EXPECT_EQ(three.candidates, one.candidates);
  EXPECT_EQ(three.expected, one.expected);
}

TEST_F(ThreadsOfAttacks, GuessAsOneDoesEachColumnByItself) {
  const PublishedPoints points(pair(), 2, ticker_);
  constexpr std::int32_t kVoters = 50;
  const SensitivePair column = {pair().original.columns[3].codes, pair().masked.columns[3].codes,
                                3};
  const std::vector<GuessedRight> both =
      guess(pair(), points, {illness(), column}, kVoters, 3, ticker_);
  ASSERT_EQ(both.size(), 2U);
  for (std::size_t a = 0; a < 2; ++a) {
    const GuessedRight alone =
        guess(pair(), points, {a == 0 ? illness() : column}, kVoters, 1, ticker_)[0];
    EXPECT_EQ(both[a].base, alone.base);
    EXPECT_EQ(both[a].by_class, alone.by_class);
    EXPECT_EQ(both[a].by_nearest, alone.by_nearest);
    EXPECT_EQ(both[a].by_bayes, alone.by_bayes);
  }
  EXPECT_TRUE(guess(pair(), points, {}, kVoters, 3, ticker_).empty());
}

TEST_F(ThreadsOfAttacks, LinkAndGuessByOneSearchAsByTwo) {
  const PublishedPoints points(pair(), 2, ticker_);
  const NearestAttack both = attack_by_nearest(pair(), points, {illness()}, 1, 3, ticker_);
  const Linkage alone = link_by_distance(pair(), 1, ticker_);
  EXPECT_EQ(both.linkage.single, alone.single);
  EXPECT_EQ(both.linkage.expected, alone.expected);
  EXPECT_EQ(both.linkage.by_chance, alone.by_chance);
  const GuessedRight known = guess(pair(), points, {illness()}, 1, both, 3, ticker_)[0];
  const GuessedRight guessed = guess(pair(), points, {illness()}, 1, 1, ticker_)[0];
  EXPECT_EQ(known.by_class, guessed.by_class);
  EXPECT_EQ(known.by_nearest, guessed.by_nearest);
}

TEST_F(ThreadsOfAttacks, FitAsOneDoes) {
  EXPECT_EQ(propensity_mse(pair().original, pair().masked, 3, ticker_),
            propensity_mse(pair().original, pair().masked, 1, ticker_));
}

TEST_F(ThreadsOfAttacks, EndWithTheHost) {
  for (const int threads : {1, 3}) {
    ImpatientTicker host(1);
    EXPECT_THROW(link_by_distance(pair(), threads, host), Error);
  }
}

}  // namespace
}  // namespace anonkit
