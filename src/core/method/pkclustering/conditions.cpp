#include "method/pkclustering/conditions.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace anonkit {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::invalid_parameter, what);
}

}  // namespace

std::vector<std::vector<Record>> sensitive_classes(const SensitiveCodes& sensitive, std::size_t i,
                                                   Record records) {
  std::vector<std::vector<Record>> classes(static_cast<std::size_t>(sensitive.values(i)));
  for (Record record = 0; record < records; ++record)
    classes[static_cast<std::size_t>(sensitive.value(record, i))].push_back(record);
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return classes;
}

AttributeCapacity capacity_of(const std::vector<std::vector<Record>>& classes, std::int32_t p,
                              Record records) {
  AttributeCapacity capacity;
  auto left = static_cast<std::size_t>(records);  // n - cf of the p-i most frequent
  for (std::int32_t i = 1; i < p; ++i) left -= classes[static_cast<std::size_t>(i) - 1].size();
  for (std::int32_t i = 1; i <= p; ++i) {
    const auto clusters = static_cast<Record>(left / static_cast<std::size_t>(i));
    if (i == 1 || clusters < capacity.max_clusters) capacity = {clusters, i};
    if (i < p) left += classes[static_cast<std::size_t>(p - i) - 1].size();
  }
  return capacity;
}

void check_options(const Table& table, const std::vector<Record>& rows,
                   const std::vector<SensitiveAttribute>& sensitive, const PkOptions& options) {
  const std::vector<double>& weights = options.weights;
  if (sensitive.empty()) refuse("p-sensitivity needs a sensitive attribute");
  if (options.p < 1) refuse("p must be at least 1");
  if (options.k < 1 || static_cast<std::size_t>(options.k) > rows.size())
    refuse("k must be at least 1, and at most the number of records");
  if (!weights.empty() && weights.size() != sensitive.size())
    refuse("weights need one number for each sensitive attribute");
  if (!std::all_of(weights.begin(), weights.end(),
                   [](double w) { return std::isfinite(w) && w > 0; }))
    refuse("weights of sensitive attributes must be above 0");
  if (!table.sensitive.empty() && table.sensitive.size() != sensitive.size())
    throw Error(ErrorKind::internal, "the sensitive attributes are not those of the table");
}

void check_condition_1(const Table& table, const SensitiveCodes& sensitive) {
  std::size_t poorest = 0;
  for (std::size_t i = 1; i < sensitive.attributes(); ++i)
    if (sensitive.values(i) < sensitive.values(poorest)) poorest = i;
  const std::int32_t most = sensitive.values(poorest);
  if (most >= sensitive.p()) return;
  const std::string name = table.sensitive.empty()
                               ? "sensitive attribute " + std::to_string(poorest + 1)
                               : "sensitive column \"" + table.sensitive[poorest].name + "\"";
  throw Error(
      ErrorKind::infeasible, name + " has too few distinct values for p-sensitivity",
      "It has " + std::to_string(most) + ", and p is " + std::to_string(sensitive.p()) + ".",
      "Choose a p of at most " + std::to_string(most) + ".");
}

}  // namespace anonkit
