// Plans of suppression that keep promises, without the exact search: their repairs are greedy.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/at.hpp"
#include "base/random.hpp"
#include "pinned/pinned.hpp"
#include "table/nulls/kept_patterns.hpp"

namespace anonkit {
namespace {

enum class Kept { distinct, frequent, nothing };

/// Records with nulls in some of the columns, and an illness and a city each.
struct PlanCase {
  std::vector<RecordKind> kinds;
  std::vector<std::vector<std::int32_t>> codes;  ///< by example

  PlanCase(std::uint64_t seed, int records, std::size_t columns) {
    Random random(seed);
    std::map<std::vector<std::int32_t>, RecordKind> found;
    for (int i = 0; i < records; ++i) {
      NullPattern pattern = no_nulls(columns);
      std::vector<std::int32_t> key;
      for (std::size_t j = 0; j < columns; ++j) {
        key.push_back(random.below(4) == 0 ? 1 : 0);
        if (key.back() == 1) set_null(pattern, j);
      }
      // Patterns differ in their frequent values.
      const auto illness =
          static_cast<std::int32_t>(random.below(2) == 0 ? at(key.front()) : random.below(4));
      const std::vector<std::int32_t> of_record = {illness,
                                                   static_cast<std::int32_t>(random.below(3))};
      key.insert(key.end(), of_record.begin(), of_record.end());
      const auto place = found.try_emplace(
          key, RecordKind{pattern, of_record, static_cast<Record>(codes.size()), 0});
      if (place.second) codes.push_back(of_record);
      ++place.first->second.records;
    }
    for (const auto& [key, kind] : found) kinds.push_back(kind);
  }

  bool keeps(const std::vector<Record>& records, Kept kept, std::int64_t k) const {
    std::map<std::int32_t, std::int64_t> counts;
    for (const Record i : records) ++counts[codes[at(i)].front()];
    if (kept == Kept::nothing || static_cast<std::int64_t>(records.size()) < k) return false;
    std::int64_t most = 0;
    for (const auto& [illness, count] : counts) most = std::max(most, count);
    return kept == Kept::distinct ? counts.size() >= 3
                                  : 5 * most <= 3 * static_cast<std::int64_t>(records.size());
  }
};

TEST(PinnedKeptPlans, AreTheSameOnEveryMachine) {
  Pins pins("kept_plans");
  for (const std::size_t columns : {2, 3, 10})
    for (const int records : {40, 150})
      for (const Kept kept : {Kept::distinct, Kept::frequent, Kept::nothing})
        for (const std::int64_t effort : {0, 400, 8000}) {
          // Many patterns have no end of plans.
          if ((kept == Kept::nothing && effort > 0) || (columns > 3 && records > 40)) continue;
          PinDigest digest;
          std::int64_t cells = 0;
          bool least = true;
          for (std::uint64_t seed = 1; seed <= (columns > 3 ? 2 : 4); ++seed) {
            const PlanCase one(seed, records, columns);
            const std::int64_t k = seed % 2 == 0 ? 2 : 5;
            const KeptPlan plan = plan_kept_blanking(
                one.kinds, [&](const std::vector<Record>& of) { return one.keeps(of, kept, k); }, k,
                pins.ticker(), effort);
            for (const KindBlanking& blanking : plan.blankings)
              digest.add(static_cast<double>(blanking.kind))
                  .add(static_cast<double>(null_count(blanking.to)))
                  .add(static_cast<double>(blanking.records));
            cells += plan.cells;
            least = least && plan.least;
          }
          const char* const names[] = {"distinct", "frequent", "nothing"};
          pins.add(std::to_string(columns) + " columns, records " + std::to_string(records) +
                       ", effort " + std::to_string(effort) + ", " + names[static_cast<int>(kept)],
                   digest, "cells " + std::to_string(cells) + (least ? ", least" : ""));
        }
  pins.check();
}

}  // namespace
}  // namespace anonkit
