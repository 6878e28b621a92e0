#include <algorithm>
#include <functional>
#include <numeric>

#include "promise/promise.hpp"

namespace anonkit {
namespace {

ClassModel model_of_recursive_diversity(const SensitiveAttribute&, const Promises& promises) {
  return [c = promises.c, l = promises.l, counts = std::vector<std::int32_t>()](
             const Emd::Runs& runs, std::int32_t) mutable {
    if (distinct(runs) < l) return false;
    counts.clear();
    for (const Emd::Run& run : runs) counts.push_back(run.count);
    std::sort(counts.begin(), counts.end(), std::greater<>());
    // Only the quotient is rounded, so a quotient of exactly c is not below c.
    return counts.front() / std::accumulate(counts.begin() + (l - 1), counts.end(), 0.0) < c;
  };
}

/// Recursive (c,l)-diversity (Machanavajjhala et al. 2006): r_1 < c (r_l + ... + r_m) in every
/// class, where r_i is the frequency of its i-th most frequent value. A class with fewer than l
/// values fails.
constexpr Promise row_of_recursive_diversity() {
  Promise row;
  row.name = "recursive (c,l)-diversity";
  row.parameters[0] = {"c", ParameterDomain::positive, nullptr, &Promises::c};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.c; },
                   "recursively diverse with c = %g"};
  row.is_made = [](const Promises& p) { return p.c > 0; };
  row.lacks = [](const Promises& p) { return p.l > 0 ? nullptr : "l beside c"; };
  row.implied_values = [](const Promises& p) -> double { return p.l; };
  row.model = model_of_recursive_diversity;
  return row;
}

}  // namespace

constexpr Promise kRecursiveDiversity = row_of_recursive_diversity();

}  // namespace anonkit
