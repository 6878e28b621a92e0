#include "method/aggregate/aggregate.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "method/aggregate/free_classes.hpp"
#include "method/aggregate/grouping.hpp"
#include "method/aggregate/optimal.hpp"

namespace anonkit {
namespace {

void check(const AggregateRecords& records, const AggregateOptions& options) {
  const auto refuse = [](const char* message, const std::string& detail = "") {
    throw Error(ErrorKind::invalid_parameter, message, detail);
  };
  if (options.k < 1) refuse("k must be at least 1");
  if (!(options.d >= 0 && options.d < 1)) refuse("d must be at least 0 and less than 1");
  if (options.p < 1) refuse("p must be at least 1");
  if (options.p > 1 && records.sensitive == nullptr) refuse("p needs a sensitive attribute");
  if (options.functions.empty()) refuse("at least one aggregate function is needed");
  if (records.attributes < 2)
    refuse("an aggregate needs at least two quasi-identifiers",
           "The aggregate of a single attribute is the attribute itself.");
  if (records.attributes > kMostAttributes)
    refuse("an aggregate takes at most 64 quasi-identifiers");
  if (records.size == 0) throw Error(ErrorKind::invalid_data, "there are no rows to anonymize");
  if (records.size < options.k)
    throw Error(ErrorKind::invalid_parameter, "k is larger than the number of rows",
                "k is " + std::to_string(options.k) + ", but there are only " +
                    std::to_string(records.size) + " rows.",
                "Choose a k of at most the number of rows.");
}

/// Sets the ranges of the classes.
void widen(AggregateRelease& release, const AggregateRecords& records, Ticker& ticker) {
  const auto m = static_cast<std::size_t>(records.attributes);
  const double infinity = std::numeric_limits<double>::infinity();
  release.low.assign(release.generalised.size() * m, infinity);
  release.high.assign(release.generalised.size() * m, -infinity);
  for (std::size_t i = 0; i < release.partition.class_of.size(); ++i) {
    ticker.step(static_cast<std::int64_t>(2 * m));
    const std::size_t c = static_cast<std::size_t>(release.partition.class_of[i]) * m;
    for (std::size_t j = 0; j < m; ++j) {
      release.low[c + j] = std::min(release.low[c + j], records.values[i * m + j]);
      release.high[c + j] = std::max(release.high[c + j], records.values[i * m + j]);
    }
  }
}

/// Computes both versions of NCP from the published ranges.
void measure(AggregateRelease& release, const AggregateRecords& records) {
  const auto m = static_cast<std::size_t>(records.attributes);
  const auto n = release.partition.class_of.size();
  std::vector<double> low(release.low.begin(), release.low.begin() + records.attributes);
  std::vector<double> high(release.high.begin(), release.high.begin() + records.attributes);
  std::vector<double> width(m, 0);
  std::vector<double> size(release.generalised.size(), 0);
  for (const ClassId c : release.partition.class_of) size[static_cast<std::size_t>(c)] += 1;
  for (std::size_t i = 0; i < release.low.size(); ++i) {
    low[i % m] = std::min(low[i % m], release.low[i]);
    high[i % m] = std::max(high[i % m], release.high[i]);
    if (contains(release.generalised[i / m], i % m))
      width[i % m] += size[i / m] * (release.high[i] - release.low[i]);
  }
  const double common =
      *std::max_element(high.begin(), high.end()) - *std::min_element(low.begin(), low.end());
  const double cells = static_cast<double>(n) * static_cast<double>(m);
  for (std::size_t j = 0; j < m; ++j) {
    if (width[j] == 0) continue;
    release.ncp += width[j] / (high[j] - low[j]) / cells;
    release.ncp_common += width[j] / common / cells;
  }
}

void number_classes(AggregateRelease& release, const SortedRecords& records,
                    const MaskedRuns& runs) {
  Partition& partition = release.partition;
  partition.classes = static_cast<ClassId>(runs.size());
  partition.class_of.resize(static_cast<std::size_t>(records.size()));
  Record place = 0;
  std::vector<Record> a_record;
  for (std::size_t c = 0; c < runs.size(); ++c) {
    a_record.push_back(records.record(place));
    for (; place < runs[c].last; ++place)
      partition.class_of[static_cast<std::size_t>(records.record(place))] = static_cast<ClassId>(c);
  }
  number_by_first_record(partition);
  release.generalised.resize(runs.size());
  for (std::size_t c = 0; c < runs.size(); ++c) {
    const ClassId number = partition.class_of[static_cast<std::size_t>(a_record[c])];
    release.generalised[static_cast<std::size_t>(number)] = runs[c].generalised;
  }
}

double loss_of(const MaskedRuns& runs) {
  double loss = 0;
  for (const MaskedRun& run : runs) loss += run.loss;
  return loss;
}

void take_better(AggregateRelease& release, const SortedRecords& sorted, const MaskedRuns& runs,
                 const FreeClasses& free) {
  const bool better = loss_of(free.runs) < loss_of(runs);
  if (better) release.exact = true;
  number_classes(release, better ? free.records : sorted, better ? free.runs : runs);
}

}  // namespace

AggregateRelease anonymize_aggregate(const AggregateRecords& records,
                                     const AggregateOptions& options, Ticker& ticker) {
  check(records, options);
  ticker.begin("aggregate", records.size);
  const SortedRecords sorted(records, options, ticker);
  const std::vector<Record> classes = equivalence_classes(sorted, options, ticker);
  MaskedRuns runs = greedy_generalisation(sorted, options, classes, ticker);
  AggregateRelease release;
  if (options.algorithm != AggregateAlgorithm::greedy) {
    OptimalRuns best = optimal_runs(sorted, options, runs, ticker);
    runs = std::move(best.runs);
    release.exact = best.exact;
  }
  if (options.algorithm == AggregateAlgorithm::best)
    take_better(release, sorted, runs, free_classes(records, options, ticker));
  else
    number_classes(release, sorted, runs);
  widen(release, records, ticker);
  measure(release, records);
  return release;
}

}  // namespace anonkit
