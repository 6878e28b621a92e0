// The search, printed as tables, each figure beside its target. Figures are loss on the reference
// data and under t-closeness, and CPU time relative to MDAV, from a thousand to a million records.
// Asserts nothing.
//
//   search_bench [figures] [bound] [closeness] [ties] [sizes] [cost] [million]
//   ANONKIT_DATA            folder of the reference data (default ../shared/data)

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "fixture/income_data.hpp"
#include "fixture/reference_data.hpp"
#include "fixture/tied_table.hpp"
#include "method/growing/mdav.hpp"
#include "method/method.hpp"
#include "metric/lower_bound.hpp"
#include "metric/sse.hpp"
#include "pipeline.hpp"
#include "promise/distinct_values.hpp"
#include "promise/table_closeness.hpp"
#include "search/refine.hpp"
#include "sections.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

const char* verdict(bool reached) {
  return reached ? "ok" : "MISSED";
}

/// A search from MDAV's classes, and the times of both.
struct Run {
  double mdav_seconds = 0, seconds = 0;
  RefineResult result;

  double loss_of_mdav(const Space& space) const { return percent(space, result.loss_before); }
  double loss(const Space& space) const { return percent(space, result.loss_after); }
  /// % below MDAV.
  double gain() const { return 100 * (1 - result.loss_after / result.loss_before); }

 private:
  static double percent(const Space& space, double sse) {
    return 100 * sse / ((space.size() - 1.0) * space.dimension());
  }
};

Run run(const Space& space, Record k, const RefineOptions& options) {
  SilentTicker ticker;
  Run run;
  const double start = cpu_seconds();
  const Partition classes = mdav(space, k, ticker);
  const double formed = cpu_seconds();
  run.result = refine(space, classes, k, {}, options, ticker);
  run.mdav_seconds = formed - start;
  run.seconds = cpu_seconds() - formed;
  return run;
}

RefineOptions with(Effort effort) {
  RefineOptions options;
  options.effort = effort;
  return options;
}

/// The least times of several identical runs.
Run best_of(int rounds, const Space& space, Record k, Effort effort) {
  Run best = run(space, k, with(effort));
  for (int round = 1; round < rounds; ++round) {
    const Run other = run(space, k, with(effort));
    best.mdav_seconds = std::min(best.mdav_seconds, other.mdav_seconds);
    best.seconds = std::min(best.seconds, other.seconds);
  }
  return best;
}

bool is_missing(const std::vector<std::vector<double>>& records, const char* file) {
  if (records.empty())
    std::printf("%s: skipped, it is not there; set ANONKIT_DATA\n", reference_file(file).c_str());
  return records.empty();
}

/// The certified bound, its gap to a loss in % of that loss, and the time of the ascent.
void show_bound(const Space& space, Record k, double loss) {
  SilentTicker ticker;
  const double start = cpu_seconds();
  const double bound = 100 * sse_lower_bound(space, {k}, {}, ticker).value / sst(space);
  std::printf("%8.4f %6.1f %7.1f\n", bound, 100 * (1 - bound / loss), cpu_seconds() - start);
}

void show_figures() {
  struct Reference {
    const char* file;
    std::vector<std::string> columns;
    double lower[3];   ///< 'fast': % below MDAV
    double target[3];  ///< 'thorough'
  };
  const Reference sets[] = {
      {"census.csv", {}, {7, 9, 12}, {4.80, 7.45, 11.55}},
      {"tarragona.csv", {}, {10, 7, 7}, {14.9, 20.6, 30.5}},
      {"eia.csv", eia_columns(), {12, 20, 25}, {0.375, 0.79, 2.0}},
  };
  std::printf(
      "\nLoss, 100*SSE/SST: 'fast' is to be so many %% below MDAV, 'thorough' to reach a loss\n");
  std::printf("%-14s %3s %9s | %8s %7s %6s %7s %-6s | %8s %8s %7s %-6s | %8s %6s %7s\n", "", "k",
              "MDAV", "fast", "% below", "asked", "CPU ms", "", "thorough", "asked", "CPU s", "",
              "bound", "gap %", "CPU s");
  for (const Reference& set : sets) {
    const auto records = read_records(set.file, set.columns);
    if (is_missing(records, set.file)) continue;
    const Space space = standardized(records);
    const Record sizes[] = {3, 5, 10};
    for (int at = 0; at < 3; ++at) {
      const Run fast = best_of(3, space, sizes[at], Effort::fast);
      std::printf("%-14s %3d %9.4f | %8.4f %7.2f %6.0f %7.1f %-6s | ", set.file, sizes[at],
                  fast.loss_of_mdav(space), fast.loss(space), fast.gain(), set.lower[at],
                  1e3 * fast.seconds, verdict(fast.gain() >= set.lower[at]));
      const Run thorough = run(space, sizes[at], with(Effort::thorough));
      std::printf("%8.4f %8.3f %7.1f %-6s | ", thorough.loss(space), set.target[at],
                  thorough.seconds, verdict(thorough.loss(space) <= set.target[at]));
      show_bound(space, sizes[at], thorough.loss(space));
    }
  }
}

bool all_allowed(const Constraint& constraint, const Partition& partition) {
  const Members members = members_of(partition);
  for (const RecordSpan of_class : members)
    if (!constraint.allows(of_class)) return false;
  return true;
}

/// Distributes the records in the order of their sensitive values over as many classes as t allows.
Partition round_robin(const std::vector<std::int32_t>& ranks, const Constraint& constraint,
                      Record k) {
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

void show_bound_under(const Space& space, const char* name, const std::vector<std::int32_t>& values,
                      std::int32_t l, Record k) {
  DistinctValues diverse({values}, l);
  SilentTicker ticker;
  const double found =
      refine(space, round_robin(values, diverse, k), k, {&diverse}, with(Effort::thorough), ticker)
          .loss_after;
  std::printf("%-10s %3d %3d %9.4f |", name, k, l, 100 * found / sst(space));
  SensitiveAttribute attribute;
  attribute.ranks = values;
  Promises promises;
  for (promises.l = 1; promises.l <= l; promises.l += l - 1) {
    const double start = cpu_seconds();
    const double bound =
        sse_lower_bound(space, implied_constraints(k, {attribute}, promises), {}, ticker).value;
    std::printf(" %9.4f %6.1f %7.1f |", 100 * bound / sst(space), 100 * (1 - bound / found),
                cpu_seconds() - start);
  }
  std::printf("\n");
}

/// census.csv with one column, in tenths, as the sensitive attribute and all others as
/// quasi-identifiers.
void show_bound_of(const char* sensitive) {
  std::vector<std::string> columns = {sensitive,  "AFNLWGT",  "AGI",     "EMCONTRB", "FEDTAX",
                                      "PTOTVAL",  "STATETAX", "TAXINC",  "POTHVAL",  "INTVAL",
                                      "PEARNVAL", "FICA",     "WSALVAL", "ERNVAL"};
  columns.erase(std::find(columns.begin() + 1, columns.end(), sensitive));
  auto records = read_records("census.csv", columns);
  if (is_missing(records, "census.csv")) return;
  std::vector<double> values;
  for (auto& record : records) {
    values.push_back(record.front());
    record.erase(record.begin());
  }
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int32_t> tenths;
  for (const double v : values)
    tenths.push_back(static_cast<std::int32_t>(
        10 * (std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin()) /
        static_cast<std::ptrdiff_t>(sorted.size())));
  const Space space = standardized(records);
  for (const std::int32_t l : {3, 5})
    for (const Record k : {3, 5}) show_bound_under(space, sensitive, tenths, l, k);
}

void show_bounds() {
  std::printf("\nLoss under l, thorough; the certified bound for k alone, and for k and l\n");
  std::printf("%-10s %3s %3s %9s | %9s %6s %7s | %9s %6s %7s\n", "", "k", "l", "loss", "bound",
              "gap %", "CPU s", "bound", "gap %", "CPU s");
  for (const char* sensitive : {"FEDTAX", "FICA"}) show_bound_of(sensitive);
}

/// The sensitive values' ranks among the distinct ones.
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

void show_closeness_of(const char* sensitive, const double* levels, const double* targets) {
  auto records = read_records("census.csv", {"TAXINC", "POTHVAL", sensitive});
  if (is_missing(records, "census.csv")) return;
  std::vector<double> values;
  for (auto& record : records) {
    values.push_back(record.back());
    record.pop_back();
  }
  const Space space = standardized(records);
  const std::vector<std::int32_t> ranks = ranks_of(values);
  for (int at = 0; at < 4; ++at) {
    TClosenessConstraint closeness(ranks, GroundDistance::ordered, levels[at]);
    const Partition start = round_robin(ranks, closeness, 2);
    SilentTicker ticker;
    const double before = cpu_seconds();
    const RefineResult result =
        refine(space, start, 2, {&closeness}, with(Effort::thorough), ticker);
    const double loss = 100 * result.loss_after / ((space.size() - 1.0) * space.dimension());
    std::printf("%-10s %5.2f %8d %8.3f %7.1f %7.1f %s\n", sensitive, levels[at],
                result.partition.classes, loss, targets[at], cpu_seconds() - before,
                verdict(loss <= targets[at]));
  }
}

void show_closeness() {
  std::printf("\nLoss under t-closeness, k = 2, census.csv, 'thorough' from a round robin\n");
  std::printf("%-10s %5s %8s %8s %7s %7s\n", "", "t", "classes", "loss", "asked", "CPU s");
  const double levels[] = {0.05, 0.13, 0.21, 0.25};
  const double of_fedtax[] = {56, 44.5, 27.5, 24.5}, of_fica[] = {32, 15.5, 5.6, 4.0};
  show_closeness_of("FEDTAX", levels, of_fedtax);
  show_closeness_of("FICA", levels, of_fica);
}

/// Normal numbers around 0, or in 50 clusters.
Space normal_data(Record n, int d, bool clustered) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> middles(clustered ? 50 : 1);
  for (auto& middle : middles)
    for (int j = 0; j < d; ++j) middle.push_back(10 * normal(random));
  std::vector<std::vector<double>> records(static_cast<std::size_t>(n));
  for (auto& record : records)
    for (const double middle : middles[random() % middles.size()])
      record.push_back(middle + normal(random));
  std::sort(records.begin(), records.end());
  return standardized(std::move(records));
}

// 'fast' anneals up to kMany records for so long. From kSmall records on it has multiples of MDAV's
// time for all else.
constexpr Record kSmall = 5000, kMany = 100000;
constexpr double kAnnealedSeconds = 0.1, kTimesMdav = 6, kTimesMdavOfMore = 3;

void show_cost_of(const char* what, const Space& space) {
  const Record n = space.size();
  for (const Record k : {3, 5, 10}) {
    const Run fast = best_of(n <= 100000 ? 5 : 2, space, k, Effort::fast);
    const double times = n <= kMany ? kTimesMdav : kTimesMdavOfMore;
    const double allowed =
        (n <= kMany ? kAnnealedSeconds : 0) + (n < kSmall ? 0 : times * fast.mdav_seconds);
    std::printf("%-10s %8d %3d %3d %9.1f %9.1f %9.1f %7.2f %8.2f  %s\n", what, n, space.dimension(),
                k, 1e3 * fast.mdav_seconds, 1e3 * fast.seconds, 1e3 * allowed,
                fast.seconds / fast.mdav_seconds, fast.gain(), verdict(fast.seconds <= allowed));
  }
}

void show_cost() {
  std::printf(
      "\nCPU ms of 'fast': below %d records %.0f ms are allowed, up to %d as many and %.0f times "
      "MDAV, above %.0f times\n",
      kSmall, 1e3 * kAnnealedSeconds, kMany, kTimesMdav, kTimesMdavOfMore);
  std::printf("%-10s %8s %3s %3s %9s %9s %9s %7s %8s\n", "", "n", "d", "k", "MDAV", "fast",
              "allowed", "/ MDAV", "% below");
  const Record sizes[] = {1000, 4999, 5000, 20000, 100000, 1000000};
  for (const Record n : sizes)
    for (const int d : {2, 7})
      for (const bool clustered : {false, true})
        show_cost_of(clustered ? "clustered" : "normal", normal_data(n, d, clustered));
  std::vector<std::vector<double>> incomes = income_records();
  if (is_missing(incomes, "ato_sample_2010_2011.csv.gz")) return;
  std::mt19937_64 random(1);
  std::shuffle(incomes.begin(), incomes.end(), random);
  for (const std::size_t n : {std::size_t{4999}, std::size_t{20000}, incomes.size()})
    for (const std::size_t d : {2, 7}) {
      std::vector<std::vector<double>> some(incomes.begin(),
                                            incomes.begin() + static_cast<std::ptrdiff_t>(n));
      for (auto& record : some) record.resize(d);
      std::sort(some.begin(), some.end());
      show_cost_of("ato_sample", standardized(std::move(some)));
    }
}

struct Promised {
  const char* name;
  bool pay;  ///< of pay, else of the occupation
  Promises promises;
};

std::vector<Promised> promised() {
  std::vector<Promised> all = {{"nothing", false, {}},    {"l = 3", false, {}},
                               {"l = 6", false, {}},      {"alpha = 0.5", false, {}},
                               {"t = 0.3", false, {}},    {"t = 0.2, pay", true, {}},
                               {"t = 0.1, pay", true, {}}};
  all[1].promises.l = 3;
  all[2].promises.l = 6;
  all[3].promises.alpha = 0.5;
  all[4].promises.t = 0.3;
  all[5].promises.t = 0.2;
  all[6].promises.t = 0.1;
  return all;
}

/// The least time of three runs of the pipeline, and the loss of the published cells in %.
std::pair<double, double> anonymized(const Table& table, const char* method,
                                     const Promises& promises) {
  SilentTicker ticker;
  Options options;
  options.k = 5;
  options.promises = promises;
  double loss = 0;
  double seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; ++run)
    seconds = std::min(seconds, seconds_of([&] {
                         loss =
                             anonymize(table, *find_method(method), options, ticker).loss.percent();
                       }));
  return {seconds, loss};
}

void show_ties_of(const char* what, Ties ties, Record n) {
  const TiedTable data(n, ties, 1);
  const auto [mdav_seconds, mdav_loss] = anonymized(data.without_promises(), "mdav", {});
  std::printf("%-10s %7d %-13s %8.2f %9s %7s %9.4f\n", what, n, "MDAV", mdav_seconds, "", "",
              mdav_loss);
  double without = 0;
  for (const Promised& one : promised()) {
    const Table table = one.pay       ? data.with_pay()
                        : without > 0 ? data.with_occupation()
                                      : data.without_promises();
    const auto [seconds, loss] = anonymized(table, "microaggregate", one.promises);
    if (without == 0) without = seconds;
    std::printf("%-10s %7d %-13s %8.2f %9.1f %7.1f %9.4f\n", what, n, one.name, seconds,
                seconds / without, seconds / mdav_seconds, loss);
  }
}

void show_ties() {
  std::printf(
      "\nThe pipeline with 'microaggregate', k = 5, and MDAV: CPU s, times those without a "
      "promise,\n"
      "times MDAV's, and the loss of the published cells in %%\n");
  std::printf("%-10s %7s %-13s %8s %9s %7s %9s\n", "", "n", "promised", "CPU s", "/ nothing",
              "/ MDAV", "loss");
  show_ties_of("census", Ties::census, 100000);
  show_ties_of("continuous", Ties::continuous, 20000);
  show_ties_of("continuous", Ties::continuous, 100000);
}

void show_sizes_of(const char* what, Ties ties, Record n, Effort effort, const Promised& one) {
  const TiedTable data(n, ties, 1);
  const Table table = one.pay ? data.with_pay() : data.with_occupation();
  std::printf("%-10s %7d %-13s %-8s", what, n, one.name,
              effort == Effort::fast ? "fast" : "thorough");
  for (const Record k : {3, 5, 10, 20, 50}) {
    SilentTicker ticker;
    Options options;
    options.k = k;
    options.effort = effort;
    options.promises = one.promises;
    double loss = 0;
    const double seconds = seconds_of([&] {
      loss = anonymize(table, *find_method("microaggregate"), options, ticker).loss.percent();
    });
    std::printf(" %8.3f %6.2f |", loss, seconds);
  }
  std::printf("\n");
}

void show_sizes() {
  std::printf("\nThe pipeline with 'microaggregate' by k: loss in %%, and CPU s\n%-40s", "");
  for (const Record k : {3, 5, 10, 20, 50}) std::printf(" %6s %2d %6s |", "k =", k, "");
  std::printf("\n");
  for (const Promised& one : promised()) {
    show_sizes_of("census", Ties::census, 10000, Effort::fast, one);
    show_sizes_of("few values", Ties::few_values, 10000, Effort::fast, one);
    show_sizes_of("continuous", Ties::continuous, 10000, Effort::fast, one);
    show_sizes_of("dates", Ties::dates, 1000, Effort::fast, one);
    if (one.promises.t_close()) show_sizes_of("census", Ties::census, 1000, Effort::thorough, one);
  }
}

void show_million_of(const char* what, const Space& space, const RefineOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Run found = run(space, 5, options);
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%-26s %8.2f %8.2f %8.2f %8.2f  %s\n", what, found.mdav_seconds, found.seconds, wall,
              found.gain(), found.result.reproducible ? "yes" : "no");
}

void show_million() {
  std::printf(
      "\n1,000,000 x 2 normal numbers, k = 5: CPU s, both on the clock, and %% below MDAV\n");
  std::printf("%-26s %8s %8s %8s %8s  %s\n", "", "MDAV", "search", "clock", "% below",
              "reproducible");
  const Space space = normal_data(1000000, 2, false);
  show_million_of("fast", space, with(Effort::fast));
  show_million_of("thorough", space, with(Effort::thorough));
  RefineOptions hurried = with(Effort::thorough);
  const auto start = std::chrono::steady_clock::now();
  hurried.clock = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 20;
  };
  show_million_of("thorough, stopped at 20 s", space, hurried);
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (anonkit::is_wanted("figures", argc, argv)) anonkit::show_figures();
  if (anonkit::is_wanted("bound", argc, argv)) anonkit::show_bounds();
  if (anonkit::is_wanted("closeness", argc, argv)) anonkit::show_closeness();
  if (anonkit::is_wanted("ties", argc, argv)) anonkit::show_ties();
  if (anonkit::is_wanted("sizes", argc, argv)) anonkit::show_sizes();
  if (anonkit::is_wanted("cost", argc, argv)) anonkit::show_cost();
  if (anonkit::is_wanted("million", argc, argv)) anonkit::show_million();
}
