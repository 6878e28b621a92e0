#include "space/tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace anonkit {
namespace {

// By definition: the records in order, and the first of the largest counts.
TEST(Tally, FindsMediansAndModesOfRecordsThatComeAndGo) {
  std::mt19937_64 random(1);
  for (const std::int32_t codes : {1, 2, 3, 7, 8, 9, 100}) {
    Tally ordered(codes, Tally::Of::median), frequent(codes, Tally::Of::mode);
    std::vector<std::int32_t> counts(static_cast<std::size_t>(codes), 0);
    for (int step = 0; step < 500; ++step) {
      const auto code = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(codes));
      std::int32_t& count = counts[static_cast<std::size_t>(code)];
      const auto records = static_cast<std::int32_t>(random() % 5) - std::min(count, 2);
      count += records;
      ordered.add(code, records);
      frequent.add(code, records);
      std::vector<std::int32_t> sorted;
      for (std::int32_t c = 0; c < codes; ++c)
        sorted.insert(sorted.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(c)]),
                      c);
      EXPECT_EQ(frequent.most_frequent(),
                std::max_element(counts.begin(), counts.end()) - counts.begin());
      if (sorted.empty()) continue;
      const std::size_t place = random() % sorted.size();
      EXPECT_EQ(ordered.code_of_record(static_cast<std::int32_t>(place) + 1), sorted[place]);
    }
  }
}

}  // namespace
}  // namespace anonkit
