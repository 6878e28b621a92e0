#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// Distinct l-diversity (Machanavajjhala et al. 2006): in every class each sensitive attribute has
/// at least l distinct values. Beside c, l is a parameter of (c,l)-diversity.
constexpr Promise row_of_distinct_diversity() {
  Promise row;
  row.name = "distinct l-diversity";
  row.parameters[0] = {"l", ParameterDomain::positive_integer, &Promises::l};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) -> double { return p.l; },
                   "%g-diverse"};
  row.is_made = [](const Promises& p) { return p.l > 0 && !(p.c > 0); };
  row.measured_by = MeasuredBy::distinct_values;
  row.upward_closed = row.limits_are_exact = true;
  row.implied_values = [](const Promises& p) -> double { return p.l; };
  row.limits = [](const Promises& p) { return ValueLimits{1, p.l}; };
  row.model = [](const SensitiveAttribute&, const Promises& promises) -> ClassModel {
    return [l = promises.l](const Emd::Runs& runs, std::int32_t) { return distinct(runs) >= l; };
  };
  return row;
}

}  // namespace

constexpr Promise kDistinctDiversity = row_of_distinct_diversity();

}  // namespace anonkit
