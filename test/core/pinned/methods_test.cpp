// Every method with every promise that it keeps, and every recoding that it has.

#include <gtest/gtest.h>

#include "base/keyed_random.hpp"
#include "pinned/pinned.hpp"
#include "pinned/promised_cases.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// A search takes a hundred times as long as the methods without one.
Record rows_for(const Method& method) {
  return method.searches ? 40 : 120;
}

/// The promises without which a method forms no classes.
Promises needed_by(const Method& method) {
  const std::string name = method.name;
  Promises promises;
  if (name == "tclose") promises.t = 0.3;
  if (name == "psensitive") promises.p = 2;
  if (name == "kpqr") {
    promises.p = 2;
    promises.q = 0.08;
  }
  return promises;
}

std::vector<Recode> recodings_of(const Method& method, Quasi quasi) {
  if (method.recode == Recode::hierarchy) return {Recode::hierarchy};
  if (method.of_aggregates) return {Recode::range};
  if (method.searches && quasi == Quasi::mixed) return {Recode::centroid, Recode::range};
  if (method.searches && (quasi == Quasi::small || quasi == Quasi::ties)) return {Recode::centroid};
  if (method.searches) return {Recode::hierarchy, Recode::median};
  return {Recode::centroid, Recode::range, Recode::hierarchy, Recode::median, Recode::swap};
}

std::vector<Quasi> tables_of(const Method& method) {
  if (method.recode == Recode::hierarchy) return {Quasi::hierarchies};
  if (std::string(method.name) == "univariate") return {Quasi::number};
  if (method.of_aggregates) return {Quasi::numbers};
  return {Quasi::mixed, Quasi::partly, Quasi::small, Quasi::ties};
}

/// A promise of persons is tried with units, and any other with units as well where a method counts
/// them and publishes its usual cells.
void pin(Pins& pins, const Method& method, const PinnedTable& made, const std::string& name,
         const PromisedCase& promised, Recode recode) {
  Options options;
  options.k = 4;
  options.seed = 5;
  options.recode = recode;
  options.promises = needed_by(method);
  promised.set(options.promises);
  options.aggregate.attributes = 3;
  Table table = (made.*promised.table)();
  const bool without_values = table.sensitive.empty() && options.promises.any();
  if (without_values) table = made.with_pay();
  if (!promised.of_units) pins.add(name, table, method.name, options);
  if ((method.keeps & kPromisePersons) == 0 || recode != method.recode) return;
  table.units = made.units().data();
  options.counts_units = true;
  options.k = 3;
  pins.add(name + ", persons", table, method.name, options);
}

/// Small tables of few distinct values in one line: where many costs are equal, the rule for ties
/// decides.
void pin_ties(Pins& pins, const Method& method, Quasi quasi, const PromisedCase& promised) {
  if ((method.keeps & kPromisePersons) == 0 && promised.of_units) return;
  PinDigest digest;
  std::string figures;
  const std::uint64_t tables = method.searches ? 4 : 12;
  for (std::uint64_t seed = 1; seed <= tables; ++seed) {
    const PinnedTable made(quasi, method.searches ? 18 : 30, seed);
    Options options = seeded_options(seed % 2 == 0 ? 2 : 3, seed);
    options.recode = method.recode;
    options.promises = needed_by(method);
    promised.set(options.promises);
    options.aggregate.attributes = 3;
    Table table = (made.*promised.table)();
    if (table.sensitive.empty() && options.promises.any()) table = made.with_pay();
    if ((method.keeps & kPromisePersons) != 0 && (promised.of_units || seed % 3 == 0)) {
      table.units = made.units().data();
      options.counts_units = true;
    }
    figures = digest.add(table, method.name, options, pins.ticker());
  }
  pins.add("ties, " + promised.name, digest, figures);
}

class PinnedMethods : public testing::TestWithParam<Method> {};

TEST_P(PinnedMethods, ReleaseTheSameOnEveryMachine) {
  const Method& method = GetParam();
  Pins pins(std::string("methods-") + method.name);
  for (const Quasi quasi : tables_of(method)) {
    const PinnedTable made(quasi, rows_for(method), 11);
    for (const PromisedCase& promised : promised_cases()) {
      if (!can_keep(method, promised, needed_by(method))) continue;
      for (const Recode recode : recodings_of(method, quasi))
        pin(pins, method, made,
            std::string(name_of(quasi)) + ", " + promised.name + ", " + recoding(recode).name,
            promised, recode);
    }
  }
  for (const PromisedCase& promised : promised_cases())
    if (can_keep(method, promised, needed_by(method)))
      pin_ties(pins, method, tables_of(method).back(), promised);
  pins.check();
}

std::vector<Method> all_methods() {
  return {methods().begin(), methods().end()};
}

INSTANTIATE_TEST_SUITE_P(Methods, PinnedMethods, testing::ValuesIn(all_methods()),
                         [](const auto& method) { return std::string(method.param.name); });

TEST(PinnedMethods, CalibrateTheSameOnEveryMachine) {
  Pins pins("calibrated");
  for (const char* name : {"mdav", "microaggregate", "mondrian", "psensitive", "tclose"}) {
    const Method& method = *find_method(name);
    for (const Quasi quasi : {Quasi::mixed, Quasi::small, Quasi::ties}) {
      const PinnedTable made(quasi, rows_for(method), 12);
      for (const PromisedCase& promised : promised_cases())
        if (can_keep(method, promised, needed_by(method)))
          pin(pins, method, made,
              name + (", " + std::string(name_of(quasi))) + ", " + promised.name, promised,
              Recode::calibrated);
    }
  }
  pins.check();
}

}  // namespace
}  // namespace anonkit
