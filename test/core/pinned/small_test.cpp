// Many small tables in one line: where costs are equal, the rule for ties decides.

#include <gtest/gtest.h>

#include <cmath>

#include "base/at.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"

namespace anonkit {
namespace {

constexpr std::uint64_t kTables = 8;

TEST(PinnedSmall, GeneralisationsAreTheSameOnEveryMachine) {
  Pins pins("small_full_domain");
  for (const char* method : {"incognito", "mingen", "datafly", "argus", "topdown"})
    for (int metric = 0; metric < 5; ++metric)
      for (const bool local : {false, true}) {
        const bool optimises =
            method == std::string("incognito") || method == std::string("mingen");
        if (!optimises && (metric > 0 || local)) continue;
        PinDigest digest;
        std::string figures;
        for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
          const PinnedTable made(Quasi::hierarchies, 25, seed);
          Options options = seeded_options(seed % 3 == 0 ? 4 : 2, seed);
          options.recode = Recode::hierarchy;
          options.generalisation.metric = static_cast<RecodingMetric>(metric);
          options.generalisation.local_suppression = local;
          if (seed % 2 == 0) options.generalisation.max_suppression = 0.2;
          if (seed > 4) options.promises.l = 2;
          figures = digest.add(seed > 4 ? made.with_illness() : made.plain(), method, options,
                               pins.ticker());
        }
        pins.add(
            std::string(method) + ", metric " + std::to_string(metric) + (local ? ", local" : ""),
            digest, figures);
      }
  pins.check();
}

/// Numbers of few values.
std::vector<double> coarse(const PinnedTable& made) {
  std::vector<double> values = made.values();
  const double width[] = {20, 400, 300};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::floor(values[i] / width[i % 3]) - static_cast<double>(i % 3);
  return values;
}

TEST(PinnedSmall, AggregatesAreTheSameOnEveryMachine) {
  Pins pins("small_aggregates");
  const char* const functions[] = {"sum", "min", "max", "avg", "weighted_sum"};
  const double weights[] = {1, -2, 0.5};
  for (const char* algorithm : {"greedy", "optimal", "best"})
    for (const bool identical : {false, true})
      for (int f = 0; f < 5; ++f) {
        PinDigest digest;
        std::string figures;
        for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
          const PinnedTable made(Quasi::numbers, 24, seed);
          const std::vector<double> values = coarse(made);
          Options options = seeded_options(seed % 2 == 0 ? 2 : 3, seed);
          options.recode = Recode::range;
          options.algorithm = algorithm;
          options.aggregate.functions = functions + f;
          options.aggregate.count = 1;
          options.aggregate.attributes = 3;
          options.aggregate.weights = f == 4 ? weights : nullptr;
          options.aggregate.d = seed % 3 == 0 ? 0.25 : 0;
          options.aggregate.identical = identical;
          options.aggregate.common_domain = seed % 4 == 0;
          options.promises.p = seed > 4 ? 2 : 0;
          Table table = seed > 4 ? made.with_illness() : made.plain();
          table.values = values.data();
          figures = digest.add(table, "aggregate", options, pins.ticker());
        }
        pins.add(std::string(algorithm) + (identical ? ", identical, " : ", ") + functions[f],
                 digest, figures);
      }
  pins.check();
}

TEST(PinnedSmall, NullStrataAreTheSameOnEveryMachine) {
  Pins pins("small_nulls");
  for (const char* method : {"mdav", "mondrian"})
    for (int promised = 0; promised < 4; ++promised)
      for (const bool persons : {false, true}) {
        Options options = seeded_options(3, 1);
        options.nulls = Nulls::stratify;
        options.counts_units = persons;
        if (promised == 1) options.promises.p = 2;
        if (promised == 2) options.promises.alpha = 0.6;
        if (promised == 3) options.promises.t = 0.4;
        if (promised > 0 && method == std::string("mdav")) continue;
        PinDigest digest;
        std::string figures;
        for (std::uint64_t seed = 1; seed <= 2 * kTables; ++seed) {
          const PinnedTable made(Quasi::tied_nulls, 36, seed);
          options.k = seed % 2 == 0 ? 2 : 4;
          Table table = made.with_illness();
          if (persons) table.units = made.units().data();
          figures = digest.add(table, method, options, pins.ticker());
        }
        pins.add(std::string(method) + ", promise " + std::to_string(promised) +
                     (persons ? ", persons" : ""),
                 digest, figures);
      }
  pins.check();
}

}  // namespace
}  // namespace anonkit
