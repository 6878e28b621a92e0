#include "pg/release/aggregate_run.hpp"

#include <algorithm>

#include "pg/audit/aggregate_audit.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

/// The masked numbers of every published row, in the order of the source's rows. Plain data.
PublishedNumbers numbers_of(const Run& run) {
  const int m = run.source.quasi_identifiers;
  const Masked& masked = run.anonymized->masked;
  PublishedNumbers numbers = {0, run.loaded.rows, m, nullptr, nullptr, nullptr};
  numbers.low = allocate<double>(numbers.capacity * m);
  numbers.high = allocate<double>(numbers.capacity * m);
  const std::vector<double>& high = masked.high.empty() ? masked.low : masked.high;
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(row));
    if (at == kNone) continue;
    std::copy_n(masked.low.data() + int64{at} * m, m, numbers.low + numbers.rows * m);
    std::copy_n(high.data() + int64{at} * m, m, numbers.high + numbers.rows * m);
    ++numbers.rows;
  }
  return numbers;
}

}  // namespace

void verify_aggregates(const Run& run) {
  PublishedNumbers published = numbers_of(run);
  const Options& promised = run.spec.options;
  if (promised.promises.p > 0) published.codes = run.loaded.ranks[0].ranks;
  PublishedRanges ranges = ranges_of(published, nullptr);
  ranges.original = run.loaded.quasi_identifiers.values;
  require_aggregates("the masked records violate", run.spec, promised.k,
                     level_of(ranges, promised.aggregate));
}

double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i) {
  for (int j = 0; j < run.source.quasi_identifiers; ++j)
    if (run.source.columns[j].number_type == nullptr) return kNull;
  return width_of(ranges_of(numbers_of(run), nullptr), knowledge, i);
}

}  // namespace anonkit::pg
