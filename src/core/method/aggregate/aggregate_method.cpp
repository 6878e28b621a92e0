#include "method/aggregate/aggregate_method.hpp"

#include <cstring>
#include <numeric>

#include "base/error.hpp"
#include "method/aggregate/masked_class.hpp"

namespace anonkit {
namespace {

AggregateAlgorithm algorithm_of(const Options& options) {
  if (options.algorithm == nullptr || std::strcmp(options.algorithm, "optimal") == 0)
    return AggregateAlgorithm::optimal;
  if (std::strcmp(options.algorithm, "greedy") == 0) return AggregateAlgorithm::greedy;
  if (std::strcmp(options.algorithm, "best") == 0) return AggregateAlgorithm::best;
  throw Error(ErrorKind::invalid_parameter, "unknown algorithm of method \"aggregate\"", "",
              "Choose one of 'optimal', 'greedy' and 'best'.");
}

AggregateOptions aggregate_options(const Options& options) {
  AggregateOptions how;
  how.k = options.k;
  how.functions = aggregate_functions(options.aggregate);
  how.d = options.aggregate.d;
  how.guarantee = guarantee_of(options.aggregate);
  how.algorithm = algorithm_of(options);
  how.domain = options.aggregate.common_domain ? NcpDomain::common : NcpDomain::attribute;
  how.p = std::max(options.promises.p, 1);
  return how;
}

/// The records' numbers in canonical order.
std::vector<double> numbers_of(const Problem& problem, Ticker& ticker) {
  const std::size_t m = problem.table.columns.size();
  std::vector<double> values;
  values.reserve(problem.rows.size() * m);
  for (const Record row : problem.rows) {
    ticker.step(static_cast<std::int64_t>(m));
    for (std::size_t j = 0; j < m; ++j) values.push_back(problem.table.value(row, j));
  }
  return values;
}

/// The cells of every record: the range of its class where that is generalised, else [v, v].
Masked cells_of(const std::vector<double>& values, const AggregateRelease& release,
                Ticker& ticker) {
  const std::size_t m = release.low.size() / static_cast<std::size_t>(release.partition.classes);
  Masked masked;
  masked.low = values;
  masked.high = values;
  masked.sets.resize(values.size());
  for (std::size_t i = 0; i < release.partition.class_of.size(); ++i) {
    ticker.step(static_cast<std::int64_t>(m));
    const auto c = static_cast<std::size_t>(release.partition.class_of[i]);
    for (std::size_t j = 0; j < m; ++j) {
      if (!contains(release.generalised[c], j)) continue;
      masked.low[i * m + j] = release.low[c * m + j];
      masked.high[i * m + j] = release.high[c * m + j];
    }
  }
  return masked;
}

}  // namespace

std::vector<AggregateFunction> aggregate_functions(const AggregateKnowledge& knowledge) {
  if (knowledge.functions == nullptr) return {AggregateFunction{}};
  std::vector<double> weights;
  if (knowledge.weights != nullptr)
    weights.assign(knowledge.weights, knowledge.weights + knowledge.attributes);
  std::vector<AggregateFunction> functions;
  for (std::int32_t i = 0; i < knowledge.count; ++i)
    functions.push_back(aggregate_function(knowledge.functions[i], knowledge.attributes, weights));
  return functions;
}

AggregateGuarantee guarantee_of(const AggregateKnowledge& knowledge) {
  return knowledge.identical ? AggregateGuarantee::identical : AggregateGuarantee::candidates;
}

void check_aggregate(const Options& options) {
  aggregate_options(options);
  const AggregateKnowledge& knowledge = options.aggregate;
  if (knowledge.functions != nullptr && knowledge.count == 0)
    throw Error(ErrorKind::invalid_parameter, "at least one aggregate function is needed");
  if (!(knowledge.d >= 0 && knowledge.d < 1))
    throw Error(ErrorKind::invalid_parameter, "d must be at least 0 and less than 1");
  if (knowledge.attributes < 2)
    throw Error(ErrorKind::invalid_parameter, "an aggregate needs at least two quasi-identifiers",
                "", "With one, use method 'univariate'.");
}

Classification form_aggregate(const Problem& problem, Ticker& ticker) {
  if (problem.sensitive.size() > 1)
    throw Error(ErrorKind::invalid_parameter,
                "method \"aggregate\" keeps p for one sensitive column only");
  const std::vector<double> values = numbers_of(problem, ticker);
  AggregateRecords records;
  records.size = static_cast<Record>(problem.rows.size());
  records.attributes = static_cast<int>(problem.table.columns.size());
  records.values = values.data();
  if (!problem.sensitive.empty()) records.sensitive = problem.sensitive.front().ranks.data();
  AggregateRelease release =
      anonymize_aggregate(records, aggregate_options(problem.options), ticker);
  Classification formed;
  formed.masked = cells_of(values, release, ticker);
  formed.cells_of.resize(problem.rows.size());
  std::iota(formed.cells_of.begin(), formed.cells_of.end(), 0);
  formed.partition = std::move(release.partition);
  formed.exact = release.exact;
  return formed;
}

}  // namespace anonkit
