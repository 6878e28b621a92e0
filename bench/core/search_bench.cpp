// The search against its start, MDAV, on the reference data: loss in % of SST, and what it is asked
// to reach. Then t-closeness from a dealt start, and large tables. Counters are the table's
// columns:
//   start, loss   100*SSE/SST before and after       target  the loss that must be reached
//   lower         % below the start                  tried   changes evaluated, millions
//   mdav_s        what MDAV takes, in seconds        ns      per change evaluated

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "constraint/t_closeness.hpp"
#include "partition/mdav.hpp"
#include "reference_data.hpp"
#include "search/random.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double sst(const Space& space) {
  return (space.size() - 1.0) * space.dimension();
}

void report(benchmark::State& state, const Space& space, const RefineResult& result,
            double seconds) {
  state.counters["start"] = 100 * result.loss_before / sst(space);
  state.counters["loss"] = 100 * result.loss_after / sst(space);
  state.counters["lower"] = 100 * (1 - result.loss_after / result.loss_before);
  state.counters["tried"] = static_cast<double>(result.tried) / 1e6;
  state.counters["ns"] = seconds * 1e9 / static_cast<double>(result.tried);
}

void refine_mdav(benchmark::State& state, const Space& space, Record k, Effort effort) {
  SilentTicker ticker;
  RefineOptions options;
  options.effort = effort;
  for (auto _ : state) {
    state.PauseTiming();
    const auto before = std::chrono::steady_clock::now();
    const Partition start = mdav(space, k, ticker);
    state.counters["mdav_s"] = seconds_since(before);
    state.ResumeTiming();
    const auto begin = std::chrono::steady_clock::now();
    const RefineResult result = refine(space, start, k, {}, options, ticker);
    report(state, space, result, seconds_since(begin));
  }
}

struct Reference {
  const char* file;
  std::vector<std::string> columns;
  double lower[3];   ///< 'fast': % below MDAV
  double target[3];  ///< 'thorough'
};

void reference(benchmark::State& state, const Reference& set, int at, Effort effort) {
  const auto records = read_records(set.file, set.columns);
  if (records.empty()) {
    state.SkipWithError("reference data not found; set ANONKIT_DATA");
    return;
  }
  const Record sizes[] = {3, 5, 10};
  refine_mdav(state, standardized(records), sizes[at], effort);
  state.counters["target"] =
      effort == Effort::fast ? state.counters["start"] * (1 - set.lower[at] / 100) : set.target[at];
}

/// The confidential values' places among the distinct ones.
std::vector<std::int32_t> ranks_of(const std::vector<double>& values) {
  std::vector<double> distinct(values);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::int32_t> ranks;
  for (const double v : values)
    ranks.push_back(static_cast<std::int32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), v) - distinct.begin()));
  return ranks;
}

bool all_allowed(const Constraint& constraint, const Partition& partition) {
  const Members members = members_of(partition);
  for (std::size_t c = 0; c + 1 < members.begin.size(); ++c)
    if (!constraint.allows(Group(members.records.data() + members.begin[c],
                                 members.begin[c + 1] - members.begin[c])))
      return false;
  return true;
}

/// The records dealt in the order of their confidential values, into as many classes as t allows.
Partition deal(const std::vector<std::int32_t>& ranks, const Constraint& constraint, Record k) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  Partition partition{std::vector<ClassId>(ranks.size()), static_cast<ClassId>(ranks.size()) / k};
  for (;; --partition.classes) {
    for (std::size_t at = 0; at < order.size(); ++at)
      partition.class_of[order[at]] =
          static_cast<ClassId>(at % static_cast<std::size_t>(partition.classes));
    if (partition.classes == 1 || all_allowed(constraint, partition)) return partition;
  }
}

void t_close(benchmark::State& state, const std::string& confidential, double t, double target) {
  std::vector<double> values;
  auto records = read_records("census.csv", {"TAXINC", "POTHVAL", confidential});
  if (records.empty()) {
    state.SkipWithError("reference data not found; set ANONKIT_DATA");
    return;
  }
  for (auto& record : records) {
    values.push_back(record.back());
    record.pop_back();
  }
  const Space space = standardized(records);
  const std::vector<std::int32_t> ranks = ranks_of(values);
  TCloseness closeness(ranks, GroundDistance::ordered, t);
  const Partition start = deal(ranks, closeness, 2);
  RefineOptions options;
  options.effort = Effort::thorough;
  SilentTicker ticker;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const RefineResult result = refine(space, start, 2, {&closeness}, options, ticker);
    report(state, space, result, seconds_since(begin));
    state.counters["classes"] = result.partition.classes;
  }
  state.counters["target"] = target;
}

void large(benchmark::State& state, Record n, int d, Effort effort) {
  Random random(1);
  std::vector<std::vector<double>> records(static_cast<std::size_t>(n));
  for (auto& record : records)
    for (int j = 0; j < d; ++j) {
      double bell = 0;
      for (int i = 0; i < 6; ++i) bell += static_cast<double>(random.next()) * 0x1p-64;
      record.push_back(bell);
    }
  std::sort(records.begin(), records.end());
  refine_mdav(state, standardized(std::move(records)), 5, effort);
}

const char* name_of(Effort effort) {
  return effort == Effort::fast ? "fast" : "thorough";
}

template <class Function>
void add(const std::string& name, Function function) {
  benchmark::RegisterBenchmark(("search/" + name).c_str(), function)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

bool register_all() {
  const Reference sets[] = {
      {"census.csv", {}, {7, 9, 12}, {4.80, 7.45, 11.55}},
      {"tarragona.csv", {}, {10, 7, 7}, {14.9, 20.6, 30.5}},
      {"eia.csv", eia_columns(), {12, 20, 25}, {0.375, 0.79, 2.0}},
  };
  for (const Effort effort : {Effort::fast, Effort::thorough})
    for (const Reference& set : sets)
      for (int at = 0; at < 3; ++at)
        add(std::string(name_of(effort)) + "/" + set.file +
                "/k:" + std::to_string(at == 0 ? 3 : 5 * at),
            [=](benchmark::State& state) { reference(state, set, at, effort); });
  const double levels[] = {0.05, 0.13, 0.21, 0.25};
  const double targets[2][4] = {{56, 44.5, 27.5, 24.5}, {32, 15.5, 5.6, 4.0}};
  for (const int which : {0, 1})
    for (int at = 0; at < 4; ++at) {
      const std::string attribute = which == 0 ? "FEDTAX" : "FICA";
      const double t = levels[at], target = targets[which][at];
      add("t_close/" + attribute + "/t:" + std::to_string(t).substr(0, 4),
          [=](benchmark::State& state) { t_close(state, attribute, t, target); });
    }
  for (const Record n : {4999, 100000, 1000000})
    for (const int d : {2, 7, 12})
      if (n <= 100000 || d == 2)
        add("fast/normal/n:" + std::to_string(n) + "/d:" + std::to_string(d),
            [=](benchmark::State& state) { large(state, n, d, Effort::fast); });
  add("thorough/normal/n:100000/d:2",
      [](benchmark::State& state) { large(state, 100000, 2, Effort::thorough); });
  return true;
}

const bool registered = register_all();

}  // namespace
}  // namespace anonkit
