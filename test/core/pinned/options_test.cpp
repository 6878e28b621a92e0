// Every option of the methods, with the methods that it concerns.

#include <gtest/gtest.h>

#include <functional>

#include "base/at.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

Options usual_options(Record k) {
  return seeded_options(k, 3);
}

struct OptionCase {
  const char* name;
  void (*set)(Options&);
};

const OptionCase kPlainOptions[] = {
    {"usual", [](Options&) {}},
    {"k of 1", [](Options& o) { o.k = 1; }},
    {"k of 2", [](Options& o) { o.k = 2; }},
    {"k of 17", [](Options& o) { o.k = 17; }},
    {"divided duplicates", [](Options& o) { o.duplicates = Duplicates::divide; }},
    {"scaled by ranges", [](Options& o) { o.standardize = Standardize::range; }},
    {"not scaled", [](Options& o) { o.standardize = Standardize::none; }},
    {"blocks", [](Options& o) { o.block_size = 40; }},
    {"two blocks", [](Options& o) { o.block_size = 130; }},
    {"blocks and threads",
     [](Options& o) {
       o.block_size = 30;
       o.threads = 2;
     }},
    {"budget", [](Options& o) { o.generalisation.max_suppression = 0.06; }},
    {"gamma", [](Options& o) { o.gamma = 1.1; }},
    {"no gamma", [](Options& o) { o.gamma = 0; }},
};

TEST(PinnedOptions, OfPlainMethodsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("options");
  for (const Quasi quasi : {Quasi::numbers, Quasi::mixed, Quasi::ties}) {
    const PinnedTable made(quasi, 230, 21);
    for (const char* method : {"mdav", "vmdav", "mondrian"})
      for (const OptionCase& one : kPlainOptions) {
        Options options = usual_options(6);
        one.set(options);
        const std::string name = std::string(name_of(quasi)) + ", ";
        pins.add(name + method + ", " + one.name, made.plain(), method, options);
        options.promises.l = 3;
        options.promises.alpha = 0.6;
        if (method == std::string("mondrian"))
          pins.add(name + method + ", " + one.name + ", diverse", made.with_illness(), method,
                   options);
      }
  }
  pins.check();
}

TEST(PinnedOptions, BoundsAreTheSameOnEveryMachine) {
  Pins pins("bounds");
  for (const Quasi quasi : {Quasi::numbers, Quasi::mixed, Quasi::ties})
    for (const Record k : {2, 3, 6})
      for (const std::int32_t l : {0, 2}) {
        const PinnedTable made(quasi, 40, 34);
        Options options = usual_options(k);
        options.lower_bound = true;
        options.promises.l = l;
        pins.add(
            std::string(name_of(quasi)) + ", k " + std::to_string(k) + ", l " + std::to_string(l),
            made.with_illness(), l == 0 ? "mdav" : "mondrian", options);
      }
  for (const Quasi quasi : {Quasi::numbers, Quasi::ties})
    for (int promised = 0; promised < 4; ++promised) {
      const PinnedTable made(quasi, 30, 38);
      Options options = usual_options(3);
      options.lower_bound = true;
      if (promised == 0) options.promises.l = 3;
      if (promised == 1) options.promises.t = 0.3;
      if (promised == 2) options.promises.alpha = 0.4;
      if (promised == 3) options.promises.entropy_l = 2.5;
      pins.add(std::string(name_of(quasi)) + ", both, promise " + std::to_string(promised),
               made.with_both(), "mondrian", options);
    }
  const PinnedTable many(Quasi::mixed, 200, 35);
  Options options = usual_options(60);
  options.lower_bound = true;
  pins.add("large classes", many.plain(), "mdav", options);
  pins.check();
}

TEST(PinnedOptions, OfNullsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("nulls");
  for (const Quasi quasi : {Quasi::nulls, Quasi::tied_nulls}) {
    const PinnedTable made(quasi, quasi == Quasi::nulls ? 200 : 70, 22);
    for (const char* method : {"mdav", "vmdav", "mondrian"})
      for (const Record k : {2, 5, 12})
        for (const bool persons : {false, true}) {
          Options options = usual_options(k);
          options.nulls = Nulls::stratify;
          Table table = made.with_illness();
          if (persons) table.units = made.units().data();
          options.counts_units = persons;
          const std::string name = std::string(name_of(quasi)) + ", " + method + ", k " +
                                   std::to_string(k) + (persons ? ", persons" : "");
          pins.add(name, table, method, options);
          options.generalisation.max_suppression = 0.05;
          pins.add(name + ", budget", table, method, options);
          if (method != std::string("mondrian")) continue;
          options.generalisation.max_suppression = -1;
          options.promises.p = 2;
          pins.add(name + ", p", table, method, options);
          options.promises.p = 0;
          options.promises.t = 0.4;
          pins.add(name + ", t", table, method, options);
        }
  }
  pins.check();
}

TEST(PinnedOptions, OfSearchesMakeTheSameReleasesOnEveryMachine) {
  Pins pins("searches");
  const PinnedTable mixed(Quasi::mixed, 45, 23), nulls(Quasi::nulls, 60, 24);
  const auto add = [&](const char* name, const Table& table, const char* method,
                       const std::function<void(Options&)>& set) {
    Options options = usual_options(3);
    set(options);
    pins.add(name, table, method, options);
  };
  const char* const method = "microaggregate";
  add("divided duplicates", mixed.plain(), method,
      [](Options& o) { o.duplicates = Duplicates::divide; });
  add("blocks", mixed.plain(), method, [](Options& o) { o.block_size = 15; });
  add("nulls", nulls.with_illness(), method, [](Options& o) { o.nulls = Nulls::stratify; });
  add("nulls, l", nulls.with_illness(), method, [](Options& o) {
    o.nulls = Nulls::stratify;
    o.promises.l = 2;
  });
  add("budget", mixed.plain(), method, [](Options& o) { o.generalisation.max_suppression = 0.1; });
  add("other seed", mixed.with_illness(), method, [](Options& o) {
    o.seed = 4;
    o.promises.l = 3;
  });
  add("bounded, l", mixed.with_illness(), method, [](Options& o) {
    o.lower_bound = true;
    o.promises.l = 3;
  });
  add("thorough", PinnedTable(Quasi::mixed, 14, 25).with_illness(), method, [](Options& o) {
    o.effort = Effort::thorough;
    o.promises.p = 2;
  });
  for (const char* refined : {"mdav", "vmdav"})
    add(refined, mixed.plain(), refined, [](Options& o) { o.refine = Effort::fast; });
  add("mondrian, ranges", mixed.plain(), "mondrian", [](Options& o) {
    o.refine = Effort::fast;
    o.recode = Recode::range;
  });
  add("tclose", mixed.with_pay(), "tclose", [](Options& o) {
    o.refine = Effort::fast;
    o.promises.t = 0.2;
  });
  add("psensitive", mixed.with_illness(), "psensitive", [](Options& o) {
    o.refine = Effort::fast;
    o.recode = Recode::range;
    o.promises.p = 3;
  });
  pins.check();
}

TEST(PinnedOptions, AlgorithmsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("algorithms");
  struct Algorithms {
    const char* method;
    std::vector<const char*> names;
  };
  const Algorithms all[] = {{"tclose", {"t_first", "k_first", "merge", "sabre"}},
                            {"psensitive", {"enhanced", "greedy", "microaggregation"}},
                            {"mondrian", {"strict", "relaxed", "grid"}},
                            {"kpqr", {"heuristic"}}};
  for (const Quasi quasi : {Quasi::numbers, Quasi::partly, Quasi::ties}) {
    const PinnedTable made(quasi, 130, 26);
    for (const auto& [method, names] : all)
      for (const char* algorithm : names)
        for (const Recode recode : {Recode::centroid, Recode::range, Recode::hierarchy})
          for (const Record k : {2, 5, 9}) {
            Options options = usual_options(k);
            options.algorithm = algorithm;
            options.recode = recode;
            Promises& promises = options.promises;
            const std::string kind = method;
            if (kind == "tclose") promises.t = 0.03 * k;
            if (kind == "psensitive") promises.p = 2 + k / 4;
            if (kind == "kpqr") promises.p = 2, promises.q = 0.02 * k, promises.r = 0.1;
            const std::string name = std::string(name_of(quasi)) + ", " + kind + ", " + algorithm +
                                     ", k " + std::to_string(k) + ", recoding " +
                                     std::to_string(static_cast<int>(recode));
            const bool plain = kind == "mondrian";
            pins.add(name, plain ? made.plain() : made.with_pay(), method, options);
            if (kind == "tclose" || kind == "psensitive")
              pins.add(name + ", illness", made.with_illness_tree(), method, options);
          }
  }
  pins.check();
}

TEST(PinnedOptions, BestAlgorithmsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("best");
  const PinnedTable made(Quasi::partly, 16, 27);
  for (const char* method : {"tclose", "psensitive", "mondrian", "kpqr"})
    for (const Recode recode : {Recode::centroid, Recode::hierarchy}) {
      Options options = usual_options(3);
      options.algorithm = "best";
      options.refine = Effort::fast;
      options.recode = recode;
      if (method == std::string("tclose")) options.promises.t = 0.2;
      if (method == std::string("psensitive")) options.promises.p = 2;
      if (method == std::string("kpqr")) options.promises.p = 2, options.promises.q = 0.1;
      pins.add(std::string(method) + (recode == Recode::centroid ? "" : ", hierarchies"),
               made.with_pay(), method, options);
    }
  pins.check();
}

TEST(PinnedOptions, OfAggregatesMakeTheSameReleasesOnEveryMachine) {
  Pins pins("aggregates");
  const PinnedTable made(Quasi::numbers, 60, 28);
  const char* const functions[] = {"sum", "min", "max", "avg", "weighted_sum"};
  const double weights[] = {1, -2, 0.5};
  for (const char* algorithm : {"greedy", "optimal", "best"})
    for (const bool identical : {false, true})
      for (const bool common : {false, true})
        for (int f = 0; f < 6; ++f) {
          Options options = usual_options(f == 2 ? 7 : 4);
          options.recode = Recode::range;
          options.algorithm = algorithm;
          options.aggregate.functions = f < 5 ? functions + f : functions;
          options.aggregate.count = f < 5 ? 1 : 2;
          options.aggregate.attributes = 3;
          options.aggregate.weights = f == 4 ? weights : nullptr;
          options.aggregate.d = f % 2 == 0 ? 0 : 0.0625;
          options.aggregate.identical = identical;
          options.aggregate.common_domain = common;
          options.promises.p = f == 3 ? 3 : 0;
          pins.add(std::string(algorithm) + (identical ? ", identical" : "") +
                       (common ? ", common domain, " : ", ") + std::to_string(f),
                   f == 3 ? made.with_illness() : made.plain(), "aggregate", options);
        }
  // An attribute without a range is no reason to generalise it.
  std::vector<double> constant = made.values();
  for (std::size_t i = 0; i < constant.size(); i += 3) constant[i] = 7;
  Table table = made.plain();
  table.values = constant.data();
  for (const char* algorithm : {"greedy", "optimal", "best"}) {
    Options options = usual_options(4);
    options.recode = Recode::range;
    options.algorithm = algorithm;
    options.aggregate.attributes = 3;
    pins.add(std::string(algorithm) + ", one constant", table, "aggregate", options);
  }
  pins.check();
}

/// Ends of ranges on multiples of a width, and distances by the deviations of a larger table.
TEST(PinnedOptions, OfColumnsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("columns");
  const PinnedTable made(Quasi::numbers, 150, 29);
  const double scales[] = {3, 50, 200};
  for (const char* method : {"mdav", "mondrian", "psensitive"})
    for (const Recode recode : {Recode::centroid, Recode::range, Recode::median}) {
      Options options = usual_options(4);
      options.recode = recode;
      Table table = made.with_illness();
      if (method == std::string("psensitive")) options.promises.p = 2;
      const std::string name =
          std::string(method) + ", recoding " + std::to_string(static_cast<int>(recode));
      options.scales = scales;
      pins.add(name + ", scales", table, method, options);
      options.scales = nullptr;
      table.columns[0].deviation = 4;
      table.columns[1].extent = 5000;
      pins.add(name + ", of a larger table", table, method, options);
      table.columns[0].width = 7;
      table.columns[2].width = 20;
      pins.add(name + ", widths", table, method, options);
    }
  for (const double coins : {0.0, 0.05, 0.4})
    for (const bool wide : {false, true}) {
      Options options = usual_options(4);
      options.recode = Recode::range;
      options.algorithm = "grid";
      options.grid.coins = coins;
      Table table = made.plain();
      if (wide)
        for (Column& column : table.columns) column.width = 12;
      pins.add("grid, coins " + pinned_number(coins) + (wide ? ", wide" : ""), table, "mondrian",
               options);
    }
  pins.check();
}

/// Cells of many classes are equal when they are rounded, and their unions are published.
TEST(PinnedOptions, RoundedCellsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("rounded");
  for (const char* method : {"mdav", "tclose", "kpqr", "mondrian", "microaggregate"})
    for (const int digits : {-1, -2, -3, 0})
      for (int promised = 0; promised < 4; ++promised) {
        const bool searches = method == std::string("microaggregate");
        const PinnedTable made(Quasi::numbers, searches ? 40 : 120, 36);
        Options options = usual_options(3);
        Promises& promises = options.promises;
        if (promised == 0 || method == std::string("tclose")) promises.t = 0.12 * (promised + 1);
        if (promised == 1) promises.alpha = 0.35;
        if (promised == 2 || method == std::string("kpqr"))
          promises.p = 2, promises.q = 0.06, promises.r = 0.5 * promised;
        if (promised == 3) promises.e = 800;
        if ((kinds_of(promises) & ~find_method(method)->keeps) != 0) continue;
        Table table = promises.any() ? made.with_pay() : made.plain();
        for (Column& column : table.columns) column.rounding = {Rounding::To::decimal, digits};
        const std::string name = std::string(method) + ", digits " + std::to_string(digits) +
                                 ", promise " + std::to_string(promised);
        pins.add(name, table, method, options);
        if ((find_method(method)->keeps & kPromisePersons) == 0) continue;
        table.units = made.units().data();
        options.counts_units = true;
        pins.add(name + ", persons", table, method, options);
      }
  pins.check();
}

/// Searches where each person has four rows.
TEST(PinnedOptions, OfSearchesForPersonsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("searches_persons");
  for (const Quasi quasi : {Quasi::number, Quasi::mixed, Quasi::ties})
    for (int promised = 0; promised < 5; ++promised)
      for (const bool apart : {false, true}) {
        const PinnedTable made(quasi, 48, 37);
        std::vector<std::int32_t> units;
        for (std::int32_t i = 0; i < 48; ++i) units.push_back(apart ? i % 12 : i / 4);
        Options options = usual_options(3);
        options.counts_units = true;
        if (promised == 0) options.promises.l = 3;
        if (promised == 1) options.promises.t = 0.3;
        if (promised == 2) options.promises.dominance = 0.4;
        if (promised == 3) options.promises.e = 500, options.promises.alpha = 0.7;
        Table table = made.with_pay();
        table.units = units.data();
        pins.add(std::string(name_of(quasi)) + ", promise " + std::to_string(promised) +
                     (apart ? ", apart" : ""),
                 table, "microaggregate", options);
      }
  pins.check();
}

TEST(PinnedOptions, OfPersonsMakeTheSameReleasesOnEveryMachine) {
  Pins pins("persons");
  for (const Quasi quasi : {Quasi::numbers, Quasi::partly, Quasi::ties}) {
    const PinnedTable made(quasi, 150, 30);
    for (const char* method : {"mdav", "vmdav", "mondrian", "psensitive", "tclose"})
      for (const bool together : {false, true})
        for (const double dominance : {0.0, 0.2, 0.35}) {
          Options options = usual_options(4);
          options.counts_units = true;
          options.unit_rows_together = together;
          options.promises.dominance = dominance;
          if (method == std::string("psensitive")) options.promises.p = 3;
          if (method == std::string("tclose")) options.promises.t = 0.25;
          Table table = made.with_pay();
          table.units = made.units().data();
          const std::string name = std::string(name_of(quasi)) + ", " + std::string(method) +
                                   (together ? ", together" : "") +
                                   (dominance > 0 ? ", dominance " + pinned_number(dominance) : "");
          pins.add(name, table, method, options);
          options.duplicates = Duplicates::divide;
          pins.add(name + ", divided duplicates", table, method, options);
        }
  }
  pins.check();
}

}  // namespace
}  // namespace anonkit
