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
                                       const TableCounts& table_counts) {
  std::vector<SensitiveAttribute> part;
  for (std::size_t a = 0; a < all.size(); ++a) {
    part.push_back({chosen(all[a].ranks, records), all[a].distance, all[a].t, all[a].taxonomy,
                    all[a].numbers, all[a].lifted, all[a].values, table_counts[a]});
  }
  return part;
}

}  // namespace

TableCounts table_counts_of(const Problem& whole) {
  TableCounts table_counts;
  for (const SensitiveAttribute& attribute : whole.sensitive)
    table_counts.push_back(counts_of_table(attribute));
  return table_counts;
}

PartProblem::PartProblem(const Problem& whole, const std::vector<Record>& records,
                         const TableCounts& table_counts, std::function<double()> clock)
    : rows_(chosen(whole.rows, records)),
      space_(whole.space.of_rows(records, {})),
      sensitive_(chosen(whole.sensitive, records, table_counts)),
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
