// (k,p,q,r)-anonymity and p-sensitive microaggregation, printed as tables. Tables 1 to 3 of J.
// Domingo-Ferrer, F. Sebe, A. Solanas (An anonymity model achievable via microaggregation, 2008)
// use census.csv without FEDTAX. The sensitive attribute is in a random order, and figures are
// means of 20 such orders. A further table has 1,000,000 records. Asserts nothing.
//
//   psensitive_bench [--seeds N] [tables | million]
//   ANONKIT_DATA        folder of census.csv (default ../shared/data)

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/random.hpp"
#include "fixture/reference_data.hpp"
#include "method/constrained.hpp"
#include "method/growing/mdav.hpp"
#include "method/growing/psensitive_microaggregation.hpp"
#include "method/kpqr.hpp"
#include "method/repair/merging.hpp"
#include "metric/sse.hpp"
#include "model/kpqr_anonymity.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

constexpr double kQ = 0.2;

Space census() {
  auto records =
      read_records("census.csv", {"AFNLWGT", "AGI", "EMCONTRB", "PTOTVAL", "STATETAX", "TAXINC",
                                  "POTHVAL", "INTVAL", "PEARNVAL", "FICA", "WSALVAL", "ERNVAL"});
  if (records.empty()) {
    std::printf("reference data not found; set ANONKIT_DATA\n");
    std::exit(0);
  }
  return standardized(std::move(records));
}

/// The integers 1 .. 10 in a random order: equally frequent, or 10 so frequent that the others are
/// rare.
SensitiveAttribute integers(Record n, bool skewed, std::uint64_t seed) {
  SensitiveAttribute attribute;
  for (Record i = 0; i < n; ++i) attribute.ranks.push_back(skewed ? std::min(i / 10, 9) : i % 10);
  Random random(seed);
  for (std::size_t i = attribute.ranks.size(); i > 1; --i)
    std::swap(attribute.ranks[i - 1], attribute.ranks[random.below(static_cast<std::uint32_t>(i))]);
  for (int x = 1; x <= 10; ++x) attribute.numbers.push_back(x);
  return attribute;
}

struct Setting {
  Record k;
  std::int32_t p;
  double r;
  bool skewed;
};

/// Losses and times, summed over the seeds.
struct Column {
  double loss = 0, seconds = 0;
  int runs = 0, broken = 0;

  void add(double lost, double took, bool kept) {
    loss += lost;
    seconds += took;
    ++runs;
    broken += kept ? 0 : 1;
  }
  double mean() const { return loss / runs; }
  double time() const { return seconds / runs; }
};

class Bench {
 public:
  explicit Bench(int seeds) : space_(census()), seeds_(seeds) {}

  void table_1() {
    std::printf(
        "Table 1: k 5, p 4, q 0.2; 100*SSE/SST, mean of %d\n"
        "    r   printed  heuristic   target     best   seconds\n",
        seeds_);
    const double r[] = {0.1, 0.3, 0.5, 0.7, 0.9}, printed[] = {11.98, 12.09, 13.01, 30.85, 68.518},
                 target[] = {8.1, 8.1, 8.1, 8.6, 9.9};
    for (int i = 0; i < 5; ++i) {
      const Setting setting = {5, 4, r[i], false};
      const Column heuristic = each_seed(setting, &Bench::heuristic),
                   best = each_seed(setting, &Bench::best);
      std::printf("%5.1f %9.2f %10.2f %8.1f %8.2f %9.1f\n", r[i], printed[i], heuristic.mean(),
                  target[i], best.mean(), best.time());
    }
  }

  void table_2_and_3(bool skewed) {
    const double printed[2][3][2] = {{{11.87, 7.24}, {11.58, 9.81}, {14.69, 14.42}},
                                     {{9.47, 16.42}, {12.13, 22.72}, {18.97, 30.42}}};
    const double target[2][3] = {{5.8, 6.8, 9.7}, {5.3, 7.6, 11.2}};
    const Setting settings[] = {{3, 2, 0.5, skewed}, {4, 3, 0.5, skewed}, {7, 5, 0.5, skewed}};
    std::printf(
        "\nTable %d: q 0.2, r 0.5; 100*SSE/SST, mean of %d\n"
        "             k-anonymity   p-sensitive           (k,p,q,r)\n"
        "    k    p          MDAV   printed   here        printed  heuristic   target     best"
        "   seconds\n",
        skewed ? 3 : 2, seeds_);
    SilentTicker ticker;
    for (int i = 0; i < 3; ++i) {
      const Setting& setting = settings[i];
      const Column psensitive = each_seed(setting, &Bench::psensitive),
                   heuristic = each_seed(setting, &Bench::heuristic),
                   best = each_seed(setting, &Bench::best);
      std::printf("%5d %4d %13.2f %9.2f %6.2f %14.2f %10.2f %8.1f %8.2f %9.1f\n", setting.k,
                  setting.p, percent(mdav(space_, setting.k, ticker)), printed[skewed][i][1],
                  psensitive.mean(), printed[skewed][i][0], heuristic.mean(), target[skewed][i],
                  best.mean(), best.time());
    }
  }

 private:
  using Form = Partition (Bench::*)(const SensitiveAttribute&, const Options&);

  static Options options_of(const Setting& setting, std::uint64_t seed) {
    Options options;
    options.k = setting.k;
    options.seed = seed;
    options.promises.p = setting.p;
    options.promises.q = kQ;
    options.promises.r = setting.r;
    return options;
  }

  Column each_seed(const Setting& setting, Form form) {
    Column column;
    for (int seed = 1; seed <= seeds_; ++seed) {
      const auto number = static_cast<std::uint64_t>(seed);
      const SensitiveAttribute attribute = integers(space_.size(), setting.skewed, number);
      const Options options = options_of(setting, number);
      const double begin = cpu_seconds();
      const Partition partition = (this->*form)(attribute, options);
      const double took = cpu_seconds() - begin;
      column.add(percent(partition), took,
                 form == &Bench::psensitive || keeps(partition, attribute, options));
    }
    if (column.broken > 0) std::printf("%d RELEASES BREAK THE MODEL\n", column.broken);
    return column;
  }

  Partition heuristic(const SensitiveAttribute& attribute, const Options& options) {
    return kpqr(space_, {attribute}, options.k, options.promises, options.seed, ticker_);
  }
  Partition psensitive(const SensitiveAttribute& attribute, const Options& options) {
    return psensitive_microaggregation(space_, {attribute}, options.k, options.promises.p,
                                       options.seed, ticker_);
  }
  Partition best(const SensitiveAttribute& attribute, const Options& options) {
    const Table table;
    const std::vector<Record> rows;
    const std::vector<std::size_t> columns;
    const std::vector<SensitiveAttribute> attributes = {attribute};
    return form_constrained({table, rows, columns, space_, attributes, options, {}, space_.size()},
                            Effort::thorough, ticker_)
        .partition;
  }

  double percent(const Partition& partition) const {
    return 100 * sse(space_, partition) / sst(space_);
  }

  /// The judge's verdict.
  bool keeps(const Partition& partition, const SensitiveAttribute& attribute,
             const Options& options) {
    const Promises& promises = options.promises;
    const ClassHistogram histogram(
        partition.class_of, {attribute.ranks, AttributeScale::numeric, attribute.numbers}, ticker_);
    const KpqrLevel found = kpqr_anonymity(histogram, promises.q, promises.variance_of, ticker_);
    Record least = space_.size();
    for (std::int32_t c = 0; c < histogram.classes(); ++c)
      least = std::min(least, histogram.class_size(c));
    return least >= options.k && found.p.level >= promises.p && found.r.level >= promises.r;
  }

  Space space_;
  int seeds_;
  SilentTicker ticker_;
};

void million() {
  const Record n = 1000000;
  Random random(1);
  std::vector<double> values;
  for (Record i = 0; i < 2 * n; ++i) {
    double sum = -6;  // approximately normal
    for (int j = 0; j < 12; ++j) sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
    values.push_back(sum);
  }
  const Space space(std::move(values), std::vector<Attribute>(2));
  SilentTicker ticker;
  std::printf(
      "\n1,000,000 x 2 normal numbers, k 5, p 4, q 0.2, r 0.5\n"
      "algorithm                    sensitive   seconds   100*SSE/SST\n");
  for (const bool skewed : {false, true}) {
    SensitiveAttribute attribute = integers(n, false, 2);
    if (skewed)
      for (std::int32_t& rank : attribute.ranks) rank = random.below(12) == 0 ? rank : 9;
    Promises promises;
    promises.p = 4;
    promises.q = kQ;
    promises.r = 0.5;
    for (const bool heuristic : {true, false}) {
      const double begin = cpu_seconds();
      const Partition found =
          heuristic ? kpqr(space, {attribute}, 5, promises, 1, ticker)
                    : psensitive_microaggregation(space, {attribute}, 5, 4, 1, ticker);
      std::printf("%-28s %-12s %9.1f %13.4f\n", heuristic ? "kpqr" : "p-sensitive microaggregation",
                  skewed ? "skewed" : "even", cpu_seconds() - begin,
                  100 * sse(space, found) / sst(space));
    }
  }
}

}  // namespace
}  // namespace anonkit

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int seeds = 20;
  bool tables = true, million = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) seeds = std::atoi(argv[++i]);
    if (std::strcmp(argv[i], "tables") == 0) million = false;
    if (std::strcmp(argv[i], "million") == 0) tables = false;
  }
  if (tables) {
    anonkit::Bench bench(seeds);
    bench.table_1();
    bench.table_2_and_3(false);
    bench.table_2_and_3(true);
  }
  if (million) anonkit::million();
}
