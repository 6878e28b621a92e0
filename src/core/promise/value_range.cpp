#include <memory>

#include "base/at.hpp"
#include "promise/person_values.hpp"
#include "promise/promise.hpp"
#include "promise/sorted_members.hpp"

namespace anonkit {
namespace {

ClassModel model_of_ke_anonymity(const SensitiveAttribute& attribute, const Promises& promises) {
  if (attribute.numbers.empty()) return {};
  return [numbers = attribute.numbers, e = promises.e](const Emd::Runs& runs, std::int32_t) {
    const Emd::Run* last = runs.last - 1;
    if (at(last->rank) >= numbers.size()) {  // null, the rank after the last number
      if (last == runs.first) return false;
      --last;
    }
    return numbers[at(last->rank)] - numbers[at(runs.first->rank)] >= e;
  };
}

void constrain_ke_anonymity(const std::vector<SensitiveAttribute>& attributes,
                            const Promises& promises, const std::vector<std::int32_t>& units,
                            Constraints* added) {
  for (const SensitiveAttribute& attribute : attributes) {
    if (attribute.numbers.empty()) continue;
    if (units.empty())
      added->push_back(std::make_unique<ValueFrequencies>(
          attribute.ranks, model_of_ke_anonymity(attribute, promises)));
    else
      added->push_back(std::make_unique<PersonRange>(facts_of(attribute.ranks, units),
                                                     attribute.numbers, promises.e));
  }
}

/// (k,e)-anonymity (Zhang et al. 2007): in every class the greatest and the least number of a
/// sensitive attribute are at least e apart, and so are the numbers of two persons. It concerns
/// numeric attributes. Nulls are not numbers; a class of nulls has range 0.
constexpr Promise row_of_ke_anonymity() {
  Promise row;
  row.name = "(k,e)-anonymity";
  row.parameters[0] = {"e", ParameterDomain::positive, nullptr, &Promises::e};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.e; },
                   "(k,e)-anonymous with e = %g"};
  row.is_made = [](const Promises& p) { return p.e > 0; };
  row.measured_by = MeasuredBy::numbers;
  row.order = ValueOrder::always;
  row.upward_closed = true;
  row.model = model_of_ke_anonymity;
  row.constrain = constrain_ke_anonymity;
  return row;
}

}  // namespace

constexpr Promise kKEAnonymity = row_of_ke_anonymity();

}  // namespace anonkit
