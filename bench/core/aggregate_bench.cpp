// Aggregate knowledge, printed as tables: the losses and times of Figures 2 and 3 of O. Gkountouna,
// K. Lepenioti, M. Terrovitis (Privacy against aggregate knowledge attacks, 2013) over k, the
// number of records and d, on seven income columns. f is the sum. Asserts nothing.
//
//   aggregate_bench
//   ANONKIT_DATA        folder of ato_sample_2010_2011.csv.gz (default ../shared/data)

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/random.hpp"
#include "fixture/income_data.hpp"
#include "method/aggregate/aggregate.hpp"
#include "method/aggregate/grouping.hpp"
#include "method/mondrian/mondrian.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/search.hpp"
#include "timing.hpp"

namespace anonkit {
namespace {

constexpr int kAttributes = 7;
constexpr AggregateGuarantee kCandidates = AggregateGuarantee::candidates;
constexpr AggregateGuarantee kIdentical = AggregateGuarantee::identical;
constexpr AggregateAlgorithm kGreedy = AggregateAlgorithm::greedy;
constexpr AggregateAlgorithm kOptimal = AggregateAlgorithm::optimal;

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// The first `size` records of a random order, ascending by value. Smaller samples are drawn from
/// larger ones, as in the paper.
std::vector<double> sample(std::vector<std::vector<double>> records, std::size_t size) {
  Random random(1);
  for (std::size_t i = 0; i + 1 < records.size(); ++i)
    std::swap(records[i],
              records[i + random.below(static_cast<std::uint32_t>(records.size() - i))]);
  records.resize(std::min(size, records.size()));
  std::sort(records.begin(), records.end());
  std::vector<double> values;
  for (const auto& record : records) values.insert(values.end(), record.begin(), record.end());
  return values;
}

AggregateRecords view(const std::vector<double>& values) {
  return {static_cast<Record>(values.size() / kAttributes), kAttributes, values.data(), nullptr};
}

AggregateOptions options_of(int k, double d, AggregateGuarantee guarantee,
                            AggregateAlgorithm algorithm) {
  AggregateOptions options;
  options.k = k;
  options.d = d;
  options.functions = {AggregateFunction{}};
  options.guarantee = guarantee;
  options.algorithm = algorithm;
  options.domain = NcpDomain::common;
  return options;
}

struct Figure {
  double ncp, seconds;
};

Figure measure(const std::vector<double>& values, const AggregateOptions& options) {
  SilentTicker ticker;
  const double start = cpu_seconds();
  const AggregateRelease release = anonymize_aggregate(view(values), options, ticker);
  return {release.ncp_common, cpu_seconds() - start};
}

/// Mondrian, which ignores f: k-anonymous ranges, measured by the same domain.
Figure measure_mondrian(const std::vector<double>& values, int k) {
  SilentTicker ticker;
  const auto extremes = std::minmax_element(values.begin(), values.end());
  std::vector<double> coordinates;
  for (const double value : values)
    coordinates.push_back((value - *extremes.first) / (*extremes.second - *extremes.first));
  const GeneralisationSpace space(std::move(coordinates), std::vector<Domain>(kAttributes));
  const double start = cpu_seconds();
  const Partition classes = mondrian(space, k, {}, MondrianCut::strict, ticker);
  const double seconds = cpu_seconds() - start;
  return {total_loss(NcpLoss(space), classes, ticker) / static_cast<double>(values.size()),
          seconds};
}

/// The loss of the greedy's classes under full generalisation, or under the least set that
/// satisfies the guarantee.
double loss_of_classes(const std::vector<double>& values, bool everything) {
  SilentTicker ticker;
  const AggregateOptions options = options_of(10, 0, kCandidates, kGreedy);
  const SortedRecords sorted(view(values), options, ticker);
  MaskedClass masked(sorted, options);
  const AttributeSet all = all_attributes(kAttributes);
  double loss = 0;
  Record first = 0;
  for (const Record last : equivalence_classes(sorted, options, ticker)) {
    masked.turn_to(first, last);
    double least = masked.ncp(all);
    for (AttributeSet set = 0; set < all && !everything; ++set)
      if (masked.ncp(set) < least && masked.holds(set)) least = masked.ncp(set);
    loss += class_loss(last - first, least);
    first = last;
  }
  return loss / static_cast<double>(values.size());
}

void print_row(const char* name, const std::vector<double>& values, int k, double d) {
  std::printf("%-10s", name);
  for (const AggregateGuarantee guarantee : {kCandidates, kIdentical})
    for (const AggregateAlgorithm algorithm : {kGreedy, kOptimal, AggregateAlgorithm::best}) {
      const Figure figure = measure(values, options_of(k, d, guarantee, algorithm));
      std::printf("  %9.3e %6.2f s", figure.ncp, figure.seconds);
      std::fflush(stdout);
    }
  const Figure figure = measure_mondrian(values, k);
  std::printf("  %9.3e %6.2f s\n", figure.ncp, figure.seconds);
}

void print_head(const char* title, const char* column) {
  std::printf("\n%s\n%-10s", title, column);
  for (const char* name :
       {"candidates, greedy", "candid., optimal", "candidates, best", "identical, greedy",
        "identical, optimal", "identical, best", "Mondrian (no f, d)"})
    std::printf("  %-18s", name);
  std::printf("\n");
}

void print_default_setting(const std::vector<double>& values) {
  std::printf("k = 10, d = 0, NCP by one domain range for all attributes\n");
  std::printf("classes of k, everything generalised            %.3e\n",
              loss_of_classes(values, true));
  std::printf("classes of k, least attribute set (candidates)  %.3e\n",
              loss_of_classes(values, false));
}

void print_figures() {
  const std::vector<std::vector<double>> records = income_records();
  if (records.empty()) {
    std::printf("skipped: no ato_sample_2010_2011.csv.gz in the reference data\n");
    return;
  }
  const std::vector<double> all = sample(records, records.size());
  const double before = megabytes();
  print_default_setting(all);
  const auto named = [](double number, const char* format) {
    char name[32];
    std::snprintf(name, sizeof name, format, number);
    return std::string(name);
  };
  print_head("Figures 2 and 3 over n (k = 10, d = 0): NCP and CPU time", "n");
  for (const std::size_t n : {std::size_t{50000}, std::size_t{100000}, records.size()})
    print_row(named(static_cast<double>(n), "%.0f").c_str(), sample(records, n), 10, 0);
  print_head("Figures 2 and 3 over d (k = 10, all records)", "d");
  for (const double d : {0.0, 0.05, 0.1, 0.15, 0.2})
    print_row(named(100 * d, "%.0f %%").c_str(), all, 10, d);
  print_head("Figures 2 and 3 over k (d = 0, all records)", "k");
  for (const int k : {5, 10, 20, 50, 100}) print_row(named(k, "%.0f").c_str(), all, k, 0);
  std::printf("\npeak memory over that of the data and its copies: %.0f MB; the numbers: %.0f MB\n",
              megabytes() - before, static_cast<double>(all.size()) * 8 / (1 << 20));
}

}  // namespace
}  // namespace anonkit

int main() {
  anonkit::print_figures();
}
