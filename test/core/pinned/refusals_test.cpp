// Options on both sides of their limits: which are refused, and in which words.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.hpp"
#include "method/blocks/blocks.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "suppression.hpp"

namespace anonkit {
namespace {

constexpr Record kFew = 24;

class Refusals {
 public:
  explicit Refusals(const char* area) : pins_(area) {}

  void add(const std::string& name, const std::function<std::string()>& run) {
    try {
      const std::string made = run();
      pins_.add(name, PinDigest().add(made), made);
    } catch (const Error& error) {
      pins_.add(name,
                PinDigest().add(static_cast<double>(error.kind)).add(error.detail).add(error.hint),
                error.what());
    }
  }
  void check() { pins_.check(); }

 private:
  Pins pins_;
};

std::string released(const Table& table, const char* method, const Options& options) {
  SilentTicker ticker;
  const Method& found = *find_method(method);
  if (found.check != nullptr) found.check(options);
  check_blocks(found, options);
  return figures_of(anonymize_within_budget(table, found, options, ticker));
}

struct Limit {
  const char* name;
  void (*set)(Options&);
};

const Limit kLimits[] = {
    {"k 0", [](Options& o) { o.k = 0; }},
    {"k of all", [](Options& o) { o.k = kFew; }},
    {"k of all and one", [](Options& o) { o.k = kFew + 1; }},
    {"no promise", [](Options& o) { o.promises = {}; }},
    {"t alone", [](Options& o) { o.promises = {}, o.promises.t = 0.4; }},
    {"p alone", [](Options& o) { o.promises = {}, o.promises.p = 1; }},
    {"p and q", [](Options& o) { o.promises = {}, o.promises.p = 1, o.promises.q = 0.05; }},
    {"q alone", [](Options& o) { o.promises = {}, o.promises.q = 0.05; }},
    {"n of all and one", [](Options& o) { o.promises.t = 0.3, o.promises.n = kFew + 1; }},
    {"n of all", [](Options& o) { o.promises.t = 0.3, o.promises.n = kFew; }},
    {"n and beta", [](Options& o) { o.promises.t = 0.3, o.promises.n = 9, o.promises.beta = 1; }},
    {"unknown algorithm", [](Options& o) { o.algorithm = "none"; }},
    {"gamma", [](Options& o) { o.gamma = 0.3; }},
    {"coins", [](Options& o) { o.grid.coins = 0.1; }},
    {"blocks of k", [](Options& o) { o.block_size = o.k; }},
    {"blocks below k", [](Options& o) { o.block_size = o.k - 1; }},
    {"blocks and n", [](Options& o) { o.block_size = 9, o.promises.t = 0.3, o.promises.n = 9; }},
    {"blocks and histories", [](Options& o) { o.block_size = 9, o.unit_rows_together = true; }},
    {"blocks and adapt", [](Options& o) { o.block_size = 9, o.transparency.adapt = 0.2; }},
    {"no local suppression", [](Options& o) { o.generalisation.complete = false; }},
    {"incomplete, of persons",
     [](Options& o) {
       o.generalisation.complete = false;
       o.counts_units = true;
       o.promises = {};
     }},
    {"suppression of more than all", [](Options& o) { o.generalisation.max_suppression = 1.1; }},
    {"suppression of all", [](Options& o) { o.generalisation.max_suppression = 1; }},
    {"k-map and local suppression",
     [](Options& o) { o.promises.k_map = 5, o.generalisation.local_suppression = true; }},
    {"k-map above the population", [](Options& o) { o.promises.k_map = 3 * kFew + 1; }},
    {"k-map of the population", [](Options& o) { o.promises.k_map = 3 * kFew; }},
    {"presence of none", [](Options& o) { o.promises.presence_largest = 0.01; }},
    {"presence of all",
     [](Options& o) { o.promises.presence_least = 0.9, o.promises.presence_largest = 1; }},
    {"impossible mean risk", [](Options& o) { o.promises.risk_mean = 1.0 / (kFew + 1); }},
    {"least mean risk", [](Options& o) { o.promises.risk_mean = 1.0 / kFew; }},
    {"risk threshold",
     [](Options& o) { o.promises.risk_above = 0.1, o.promises.risk_threshold = 0.03; }},
    {"alpha below a share", [](Options& o) { o.promises.alpha = 0.05; }},
    {"l above the values", [](Options& o) { o.promises.l = 25; }},
    {"entropy above the values", [](Options& o) { o.promises.entropy_l = 21; }},
    {"e above the range", [](Options& o) { o.promises.e = 1e6; }},
    {"transparent", [](Options& o) { o.transparency.wanted = true; }},
    {"transparent, all broken",
     [](Options& o) { o.transparency.wanted = true, o.promises.l = 19; }},
    {"histories of persons",
     [](Options& o) { o.counts_units = true, o.unit_rows_together = true; }},
    {"dominance", [](Options& o) { o.counts_units = true, o.promises.dominance = 0.03; }},
    {"l above the persons", [](Options& o) { o.counts_units = true, o.promises.l = kFew; }},
    {"p above the persons", [](Options& o) { o.counts_units = true, o.promises.p = kFew; }},
    {"strata", [](Options& o) { o.nulls = Nulls::stratify; }},
    {"strata and n",
     [](Options& o) { o.nulls = Nulls::stratify, o.promises.t = 0.3, o.promises.n = 9; }},
    {"strata and histories",
     [](Options& o) { o.nulls = Nulls::stratify, o.unit_rows_together = true; }},
};

/// The database layer asks no method for promises that it cannot keep.
bool is_asked_for(const Method& method, const Options& options) {
  unsigned kinds = kinds_of(options.promises);
  if (options.counts_units) kinds |= kPromisePersons;
  if (options.unit_rows_together) kinds |= kPromiseHistories;
  if (options.transparency.wanted) kinds |= kPromiseTransparent;
  return (kinds & ~method.keeps) == 0;
}

/// The needs of each method are given, unless the limit is about these.
Options accepted(const Method& method) {
  Options options;
  options.k = 3;
  options.recode = method.recode;
  options.aggregate.attributes = 3;
  const std::string name = method.name;
  if (name == "tclose") options.promises.t = 0.3;
  if (name == "psensitive") options.promises.p = 2;
  if (name == "kpqr") options.promises.p = 1, options.promises.q = 0.05;
  return options;
}

TEST(PinnedRefusals, LimitsOfOptionsAreTheSameOnEveryMachine) {
  Refusals refusals("refusals");
  const PinnedTable numbers(Quasi::numbers, kFew, 95), nulls(Quasi::nulls, kFew, 96),
      hierarchies(Quasi::hierarchies, kFew, 97), number(Quasi::number, kFew, 98);
  for (const Method& method : methods()) {
    for (const Limit& limit : kLimits) {
      Options options = accepted(method);
      limit.set(options);
      if (!is_asked_for(method, options)) continue;
      const bool null = options.nulls == Nulls::stratify && !method.of_aggregates;
      const PinnedTable& made = method.recode == Recode::hierarchy         ? hierarchies
                                : std::string(method.name) == "univariate" ? number
                                : null                                     ? nulls
                                                                           : numbers;
      Table table = options.promises.any() ? made.with_pay() : made.plain();
      if (options.counts_units) table.units = made.units().data();
      refusals.add(std::string(method.name) + ", " + limit.name,
                   [&] { return released(table, method.name, options); });
    }
  }
  refusals.check();
}

TEST(PinnedRefusals, LimitsOfGridsAndAggregatesAreTheSameOnEveryMachine) {
  Refusals refusals("refusals_of_algorithms");
  const PinnedTable numbers(Quasi::numbers, kFew, 99);
  for (const Limit& limit : kLimits) {
    Options options;
    options.k = 3;
    options.algorithm = "grid";
    options.recode = Recode::range;
    limit.set(options);
    const Table table = options.promises.any() ? numbers.with_pay() : numbers.plain();
    refusals.add(std::string("grid, ") + limit.name,
                 [&] { return released(table, "mondrian", options); });
  }
  const char* const functions[] = {"sum", "weighted_sum", "median"};
  const double weights[] = {1, std::numeric_limits<double>::infinity(), 1};
  for (const double d : {-0.01, 0.0, 0.99, 1.0})
    for (const std::int32_t attributes : {1, 2, 3})
      for (const std::int32_t count : {0, 1, 2, 3})
        for (const bool weighted : {false, true}) {
          Options options;
          options.k = 3;
          options.recode = Recode::range;
          options.aggregate = {functions, count, attributes, weighted ? weights : nullptr, d};
          refusals.add("aggregate, d " + pinned_number(d) + ", of " + std::to_string(attributes) +
                           ", functions " + std::to_string(count) + (weighted ? ", weights" : ""),
                       [&] { return released(numbers.plain(), "aggregate", options); });
        }
  refusals.check();
}

TEST(PinnedRefusals, DomainsOfParametersAreTheSameOnEveryMachine) {
  Refusals refusals("refusals_of_parameters");
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const Promise* promise : kPromiseTable)
    for (const Parameter& parameter : promise->parameters)
      for (const double value : {-1.0, 0.0, 0.5, 1.0, 1.5, 3.0, not_a_number}) {
        if (parameter.key == nullptr) continue;
        Promises promises;
        if (parameter.integer != nullptr && !is_null(value))
          promises.*parameter.integer = static_cast<std::int32_t>(value);
        if (parameter.number != nullptr) promises.*parameter.number = value;
        refusals.add(std::string(parameter.key) + " of " + pinned_number(value), [&] {
          check_parameters(promises);
          return "at least " + std::to_string(least_values(promises)) + " values, shares up to " +
                 pinned_number(limits_of(promises).share) + ", kinds " +
                 std::to_string(kinds_of(promises));
        });
      }
  refusals.check();
}

}  // namespace
}  // namespace anonkit
