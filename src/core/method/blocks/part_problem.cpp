#include "method/blocks/part_problem.hpp"

#include <utility>

#include "base/at.hpp"

namespace anonkit {
namespace {

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<Record>& records) {
  std::vector<T> part;
  if (all.empty()) return part;
  part.reserve(records.size());
  for (const Record i : records) part.push_back(all[at(i)]);
  return part;
}

std::vector<SensitiveAttribute> chosen(const std::vector<SensitiveAttribute>& all,
                                       const std::vector<Record>& records,
                                       const Distributions& distributions) {
  std::vector<SensitiveAttribute> part;
  for (std::size_t a = 0; a < all.size(); ++a) {
    part.push_back({chosen(all[a].ranks, records), all[a].distance, all[a].t, all[a].taxonomy,
                    all[a].numbers, all[a].lifted, all[a].values, distributions[a]});
  }
  return part;
}

}  // namespace

Distributions distributions_of(const Problem& whole) {
  Distributions distributions;
  for (const SensitiveAttribute& attribute : whole.sensitive) {
    distributions.push_back(attribute.whole);
    std::vector<std::int64_t>& counts = distributions.back();
    if (!counts.empty()) continue;
    counts.resize(at(attribute.values), 0);
    for (const std::int32_t rank : attribute.ranks) {
      if (at(rank) >= counts.size()) counts.resize(at(rank) + 1, 0);
      ++counts[at(rank)];
    }
  }
  return distributions;
}

PartProblem::PartProblem(const Problem& whole, const std::vector<Record>& records,
                         const Distributions& distributions, std::function<double()> clock)
    : rows_(chosen(whole.rows, records)),
      space_(whole.space.of_rows(records, {})),
      sensitive_(chosen(whole.sensitive, records, distributions)),
      problem_{whole.table,
               rows_,
               whole.columns,
               space_,
               sensitive_,
               whole.options,
               std::move(clock),
               whole.table_records,
               chosen(whole.units, records)} {}

}  // namespace anonkit
