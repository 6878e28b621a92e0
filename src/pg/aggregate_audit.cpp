#include "aggregate_audit.hpp"

#include "error.hpp"
#include "partition/aggregate/aggregate_method.hpp"

#include "backend_ticker.hpp"
#include "range_reader.hpp"
#include "run.hpp"
#include "session.hpp"

namespace anonkit::pg {
namespace {

PublishedRanges ranges_of(const PublishedNumbers& published, const PublishedNumbers* source) {
  PublishedRanges ranges;
  ranges.records = static_cast<std::int32_t>(published.rows);
  ranges.attributes = published.attributes;
  ranges.low = published.low;
  ranges.high = published.high;
  ranges.sensitive = published.codes;
  if (source != nullptr) ranges.original = source->low;
  return ranges;
}

AggregateLevel level_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge) {
  BackendTicker ticker;
  return aggregate_level(ranges, aggregate_functions(knowledge), knowledge.d,
                         guarantee_of(knowledge), ticker);
}

double width_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge, int i) {
  BackendTicker ticker;
  return mean_interval_width(ranges, aggregate_functions(knowledge)[static_cast<std::size_t>(i)],
                             ticker);
}

/// The masked numbers of every published row, in the order in which the source was read. Plain
/// data.
PublishedNumbers numbers_of(const Run& run) {
  const int m = run.source.quasi_identifiers;
  const Masked& masked = run.anonymized->masked;
  PublishedNumbers numbers = {0, run.loaded.rows, m, nullptr, nullptr, nullptr};
  numbers.low = allocate<double>(numbers.capacity * m);
  numbers.high = allocate<double>(numbers.capacity * m);
  const std::vector<double>& high = masked.high.empty() ? masked.low : masked.high;
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(row));
    if (at == kSuppressed) continue;
    std::copy_n(masked.low.data() + int64{at} * m, m, numbers.low + numbers.rows * m);
    std::copy_n(high.data() + int64{at} * m, m, numbers.high + numbers.rows * m);
    ++numbers.rows;
  }
  return numbers;
}

}  // namespace

const char* aggregate_model(const AggregateKnowledge& knowledge) {
  return knowledge.d > 0 ? "k^(f,d)-anonymity" : "k^f-anonymity";
}

const char* aggregate_attribute(const AggregateKnowledge& knowledge) {
  if (knowledge.functions == nullptr) return "sum";
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < knowledge.count; ++i)
    appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", knowledge.functions[i]);
  return list.data;
}

AggregateLevel audit_aggregates(Oid relation, const Names& qi, const char* sensitive, Oid source,
                                const AggregateKnowledge& knowledge, double* widths) {
  const PublishedNumbers published = read_published_numbers(relation, qi, sensitive);
  PublishedNumbers originals = {};
  if (OidIsValid(source)) {
    originals = read_published_numbers(source, qi, nullptr);
    if (originals.rows != published.rows)
      ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                      errmsg("source and release have different numbers of rows"),
                      errdetail("There are " INT64_FORMAT " and " INT64_FORMAT ".", originals.rows,
                                published.rows)));
  }
  const PublishedRanges ranges = ranges_of(published, OidIsValid(source) ? &originals : nullptr);
  for (int i = 0; widths != nullptr && i < knowledge.count; ++i)
    widths[i] = width_of(ranges, knowledge, i);
  return level_of(ranges, knowledge);
}

void verify_aggregates(const Run& run) {
  PublishedNumbers published = numbers_of(run);
  const Options& promised = run.spec.options;
  if (promised.promises.p > 0) published.codes = run.loaded.ranks[0].ranks;
  PublishedRanges ranges = ranges_of(published, nullptr);
  ranges.original = run.loaded.quasi_identifiers.values;
  const AggregateLevel found = level_of(ranges, promised.aggregate);
  if (found.k >= promised.k && found.distinct >= promised.promises.p) return;
  throw Error(ErrorKind::guarantee_broken,
              std::string("the masked records violate ") + aggregate_model(promised.aggregate),
              "The fewest records that cannot be told apart are " + std::to_string(found.k) + ".");
}

double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i) {
  for (int j = 0; j < run.source.quasi_identifiers; ++j)
    if (run.source.columns[j].number_type == nullptr) return kNull;
  return width_of(ranges_of(numbers_of(run), nullptr), knowledge, i);
}

}  // namespace anonkit::pg
