#include "promise/distinct_values.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// Extended p-sensitivity counts values below a protected label as one.
ClassModel model_of_p_sensitivity(const SensitiveAttribute& attribute, const Promises& promises) {
  const std::int32_t p = promises.p;
  if (attribute.lifted.empty())
    return [p](const Emd::Runs& runs, std::int32_t) { return distinct(runs) >= p; };
  return [p, lifted = attribute.lifted, seen = std::vector<std::int32_t>()](const Emd::Runs& runs,
                                                                            std::int32_t) mutable {
    seen.clear();
    for (const Emd::Run& run : runs) seen.push_back(lifted[static_cast<std::size_t>(run.rank)]);
    return count_distinct(&seen) >= p;
  };
}

/// p-sensitivity (Truta and Vinay 2006): in every class each sensitive attribute has at least p
/// distinct values, which belong to p persons.
constexpr Promise row_of_p_sensitivity() {
  Promise row;
  row.name = "p-sensitivity";
  row.kind = kPromiseP;
  row.parameters[0] = {"p", ParameterDomain::positive_integer, &Promises::p};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) -> double { return p.p; },
                   "%g-sensitive"};
  row.levels[1] = {"extended p-sensitivity", row.levels[0].promised, "extended %g-sensitive"};
  row.is_made = [](const Promises& p) { return p.p > 0 && !p.kpqr(); };
  row.measured_by = MeasuredBy::distinct_values;
  row.upward_closed = row.lifted = row.limits_are_exact = true;
  row.implied_values = [](const Promises& p) -> double { return p.p; };
  row.limits = [](const Promises& p) { return ValueLimits{1, p.p}; };
  row.model = model_of_p_sensitivity;
  return row;
}

}  // namespace

constexpr Promise kPSensitivity = row_of_p_sensitivity();

}  // namespace anonkit
