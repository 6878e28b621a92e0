#include "pg/audit/aggregate_audit.hpp"

#include "method/aggregate/aggregate_method.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {

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

AggregateLevel audit_aggregates(Oid relation, const Names& qi, const char* sensitive,
                                const Originals& originals, const AggregateKnowledge& knowledge,
                                double* widths) {
  const PublishedNumbers published = read_published_numbers(relation, qi, sensitive);
  PublishedNumbers source = {};
  const bool known = OidIsValid(originals.relation);
  if (known) {
    source = read_published_numbers(originals.relation, originals.columns, nullptr);
    if (source.rows != published.rows)
      ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                      errmsg("source and release have different numbers of rows"),
                      errdetail("There are " INT64_FORMAT " and " INT64_FORMAT ".", source.rows,
                                published.rows)));
  }
  const PublishedRanges ranges = ranges_of(published, known ? &source : nullptr);
  for (int i = 0; widths != nullptr && i < knowledge.count; ++i)
    widths[i] = width_of(ranges, knowledge, i);
  return level_of(ranges, knowledge);
}

void require_aggregates(const char* subject, const Spec& spec, int k, const AggregateLevel& found) {
  const AggregateKnowledge& knowledge = spec.options.aggregate;
  const char* aggregates = aggregate_attribute(knowledge);
  const auto require = [&](const char* model, const char* column, int promised, int level) {
    if (level < promised)
      refuse_broken({subject, model, column, aggregates, Comparison::at_least,
                     static_cast<double>(promised), static_cast<double>(level)});
  };
  require(aggregate_model(knowledge), nullptr, k, found.k);
  require("p-sensitivity", spec.sensitive.count > 0 ? spec.sensitive.names[0] : nullptr,
          spec.options.promises.p, found.distinct);
}

}  // namespace anonkit::pg
