// Tables of thousands of records, whose indexes, samples and blocks small ones have not.

#include <gtest/gtest.h>

#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"

namespace anonkit {
namespace {

Options large_options(Record k) {
  return seeded_options(k, 13);
}

TEST(PinnedLarge, PlainMethodsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("large");
  for (const Quasi quasi : {Quasi::numbers, Quasi::mixed, Quasi::partly})
    for (const Record rows : {1100, 3000}) {
      const PinnedTable made(quasi, rows, 91);
      for (const char* method : {"mdav", "vmdav", "mondrian"})
        for (const Record k : {5, 40}) {
          const std::string name = std::string(name_of(quasi)) + ", " + std::to_string(rows) +
                                   ", " + method + ", k " + std::to_string(k);
          Options options = large_options(k);
          pins.add(name, made.plain(), method, options);
          if (method != std::string("mondrian")) continue;
          options.recode = Recode::range;
          options.promises.t = 0.2;
          pins.add(name + ", t", made.with_pay(), method, options);
          options.promises.t = 0;
          options.promises.entropy_l = 2.5;
          pins.add(name + ", entropy l", made.with_illness(), method, options);
        }
    }
  pins.check();
}

TEST(PinnedLarge, PromisesMakeTheSameReleasesOnEveryMachine) {
  Pins pins("large_promises");
  for (const Quasi quasi : {Quasi::numbers, Quasi::mixed}) {
    const PinnedTable made(quasi, 700, 92);
    const std::string table = std::string(name_of(quasi));
    for (const char* algorithm : {"t_first", "k_first", "merge", "sabre"})
      for (const double t : {0.08, 0.2}) {
        Options options = large_options(4);
        options.algorithm = algorithm;
        options.promises.t = t;
        const std::string name = table + ", " + algorithm + ", t " + pinned_number(t);
        pins.add(name, made.with_pay(), "tclose", options);
        pins.add(name + ", illness", made.with_illness(), "tclose", options);
      }
    for (const char* algorithm : {"enhanced", "greedy", "microaggregation"}) {
      Options options = large_options(4);
      options.algorithm = algorithm;
      options.recode = Recode::range;
      options.promises.p = 3;
      pins.add(table + ", " + algorithm, made.with_illness(), "psensitive", options);
    }
    Options options = large_options(4);
    options.promises.p = 2;
    options.promises.q = 0.02;
    options.promises.r = 0.3;
    pins.add(table + ", kpqr", made.with_pay(), "kpqr", options);
  }
  pins.check();
}

/// Above 5000 records, searches neither anneal nor try every start.
TEST(PinnedLarge, SearchesOfManyRecordsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("large_searches");
  const PinnedTable made(Quasi::mixed, 5100, 93);
  Options options = large_options(10);
  options.refine = Effort::fast;
  pins.add("vmdav", made.plain(), "vmdav", options);
  options.promises.l = 3;
  options.recode = Recode::range;
  pins.add("mondrian, l", made.with_illness(), "mondrian", options);
  // So many that lists of neighbours hold a part of the records.
  const PinnedTable fewer(Quasi::mixed, 400, 94);
  options = large_options(4);
  options.promises.l = 4;
  pins.add("microaggregate, l", fewer.with_illness(), "microaggregate", options);
  options.promises.l = 0;
  options.promises.t = 0.3;
  pins.add("microaggregate, t", fewer.with_pay(), "microaggregate", options);
  pins.check();
}

}  // namespace
}  // namespace anonkit
