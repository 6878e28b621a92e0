#include "method/aggregate/grouping.hpp"

#include <string>

#include "base/error.hpp"

namespace anonkit {
std::vector<Record> equivalence_classes(const SortedRecords& records,
                                        const AggregateOptions& options, Ticker& ticker) {
  SensitiveCount sensitive(records);
  std::vector<Record> classes;
  Record first = 0;
  for (Record place = 0; place < records.size(); ++place) {
    ticker.step(4);
    sensitive.add(place);
    const bool enough = options.p <= 1 || sensitive.distinct() >= options.p;
    if (place + 1 - first < options.k || !enough) continue;
    first = place + 1;
    classes.push_back(first);
    sensitive.clear();
  }
  if (classes.empty())
    throw Error(ErrorKind::infeasible,
                "fewer than p distinct sensitive values: p is " + std::to_string(options.p),
                "The sensitive attribute has " + std::to_string(sensitive.distinct()) +
                    " distinct values.");
  classes.back() = records.size();
  return classes;
}

}  // namespace anonkit
