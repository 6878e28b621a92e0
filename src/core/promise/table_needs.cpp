#include "promise/table_needs.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"

namespace anonkit {
namespace {

// Above the rounding of shares and of the models' own limits.
constexpr double kShareMargin = 1e-9;
constexpr std::int64_t kAnyValues = 1000000000;

/// l - 1 and the least number above 1 / c: its reciprocal is below c, as doubles are compared.
/// implied_values has only l of them, since it also counts members, and l persons may have them
/// all.
std::int32_t values_by_recursion(const Promises& promises) {
  if (!kRecursiveDiversity.is_made(promises)) return 1;
  auto tail = static_cast<std::int64_t>(
      std::max(1.0, std::min(1 / promises.c, static_cast<double>(kAnyValues)) - 1));
  while (tail < kAnyValues && 1 / static_cast<double>(tail) >= promises.c) ++tail;
  return static_cast<std::int32_t>(std::min(promises.l - 1 + tail, kAnyValues));
}

/// The largest share that a value with share p of the table may have of a class.
double largest_share_promised(double p, const SensitiveAttribute& attribute,
                              const Promises& promises) {
  double share = 1;
  for (const Promise* promise : kPromiseTable)
    if (promise->largest_share != nullptr && promise->is_made(promises))
      share = std::min(share, promise->largest_share(p, attribute, promises));
  return share;
}

std::int32_t values_that_fill(std::vector<double> shares, Ticker& ticker) {
  std::sort(shares.begin(), shares.end(), [&](double a, double b) {
    ticker.step(4);
    return a > b;
  });
  double sum = 0;
  std::int32_t values = 0;
  while (at(values) < shares.size() && sum < 1 - kShareMargin) sum += shares[at(values++)];
  return values;
}

bool table_is_recursive(const SensitiveAttribute& attribute,
                        const std::vector<std::int64_t>& counts, const Promises& promises) {
  std::vector<Emd::Run> runs;
  std::int32_t records = 0;
  for (const std::int64_t count : counts) {
    runs.push_back({static_cast<std::int32_t>(runs.size()), static_cast<std::int32_t>(count)});
    records += runs.back().count;
  }
  return kRecursiveDiversity.model(attribute, promises)({runs.data(), runs.data() + runs.size()},
                                                        records);
}

/// The sum over records of 1 / s, for the least class size s that the record's value allows.
std::int64_t classes_by_size(const std::vector<std::int64_t>& counts,
                             const std::vector<double>& shares, std::int32_t least) {
  double classes = 0;
  for (std::size_t v = 0; v < counts.size(); ++v)
    classes += static_cast<double>(counts[v]) /
               std::max<double>(least, std::ceil((1 - kShareMargin) / shares[v]));
  return static_cast<std::int64_t>(std::floor(classes * (1 + kShareMargin)));
}

}  // namespace

TableNeeds needs_of_table(const SensitiveAttribute& attribute, const Promises& promises,
                          bool of_persons, Ticker& ticker) {
  const auto records = static_cast<std::int64_t>(attribute.ranks.size());
  TableNeeds needs{values_by_recursion(promises), records};
  if (of_persons) return needs;
  std::vector<std::int64_t> counts = counts_of_table(attribute);
  counts.erase(std::remove(counts.begin(), counts.end(), 0), counts.end());
  std::int32_t least = 1;
  for (const Promise* promise : kPromiseTable) {
    if (promise->implied_by_table == nullptr || !promise->is_made(promises)) continue;
    const ImpliedByTable implied = promise->implied_by_table(attribute);
    needs.values = std::max(needs.values, implied.values);
    least = std::max(least, implied.records);
  }
  std::vector<double> shares;
  for (const std::int64_t count : counts)
    shares.push_back(largest_share_promised(
        static_cast<double>(count) / static_cast<double>(records), attribute, promises));
  needs.values = std::max(needs.values, values_that_fill(shares, ticker));
  needs.classes = classes_by_size(counts, shares, std::max(least, needs.values));
  if (kRecursiveDiversity.is_made(promises) && !table_is_recursive(attribute, counts, promises))
    needs.classes = 0;
  return needs;
}

}  // namespace anonkit
