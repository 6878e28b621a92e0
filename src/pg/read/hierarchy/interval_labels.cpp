#include "pg/read/hierarchy/interval_labels.hpp"

#include "pg/read/hierarchy/value_text.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

using Binary = Datum (*)(FunctionCallInfo);

Numeric calculate(Binary function, Numeric a, Numeric b) {
  return DatumGetNumeric(DirectFunctionCall2(function, NumericGetDatum(a), NumericGetDatum(b)));
}

bool less(Numeric a, Numeric b) {
  return DatumGetBool(DirectFunctionCall2(numeric_lt, NumericGetDatum(a), NumericGetDatum(b)));
}

/// Null stands for an open bound.
const char* range_literal(const char* low, const char* high) {
  return psprintf("%c%s,%s)", low != nullptr ? '[' : '(', low != nullptr ? low : "",
                  high != nullptr ? high : "");
}

/// The text of a bound within the type's domain, or null.
const char* number_text(Oid type, Numeric bound) {
  if (bound == nullptr) return nullptr;
  const bool small = type == INT2OID || type == INT4OID;
  if ((small || type == INT8OID) &&
      (less(bound, int64_to_numeric(small ? PG_INT32_MIN : PG_INT64_MIN)) ||
       less(int64_to_numeric(small ? PG_INT32_MAX : PG_INT64_MAX), bound)))
    return nullptr;
  return number_spelling(bound);
}

const char* width_label(Oid type, Numeric value, Numeric origin, Numeric width) {
  Numeric above = calculate(numeric_mod, calculate(numeric_sub, value, origin), width);
  // The remainder has the sign of the dividend.
  if (less(above, int64_to_numeric(0))) above = calculate(numeric_add, above, width);
  const Numeric low = calculate(numeric_sub, value, above);
  return range_literal(number_text(type, low),
                       number_text(type, calculate(numeric_add, low, width)));
}

/// The number of cuts up to the value.
template <class Value, class Less>
int place_among(const Value* cuts, int count, const Value& value, Less less) {
  int low = 0;
  for (int high = count; low < high;) {
    const int middle = low + (high - low) / 2;
    if (less(value, cuts[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

const char* number_cut_label(Oid type, const Cuts& cuts, Numeric value) {
  const int place = place_among(cuts.numbers, cuts.count, value, less);
  return range_literal(place > 0 ? number_text(type, cuts.numbers[place - 1]) : nullptr,
                       place < cuts.count ? number_text(type, cuts.numbers[place]) : nullptr);
}

const char* time_cut_label(Oid type, const Cuts& cuts, const Moment& value) {
  const int place = place_among(cuts.moments, cuts.count, value,
                                [](const Moment& a, const Moment& b) { return a < b; });
  return range_literal(place > 0 ? moment_text(type, cuts.moments[place - 1]) : nullptr,
                       place < cuts.count ? moment_text(type, cuts.moments[place]) : nullptr);
}

const char* unit_label(Oid type, TimeUnit unit, const Moment& value) {
  const Interval interval = unit_of(unit, value);
  return range_literal(moment_text(type, interval.low), moment_text(type, interval.high));
}

bool number_labels(const HierarchyRule& rule, Oid type, Datum value, const char** labels) {
  const Numeric number = exact_numeric(type, value);
  if (number == nullptr || (rule.low != nullptr && less(number, rule.low)) ||
      (rule.high != nullptr && !less(number, rule.high)))
    return false;
  for (int l = 0; l + 1 < rule.levels; ++l)
    labels[l] = rule.kind == HierarchyKind::range
                    ? width_label(type, number, rule.origin, rule.widths[l])
                    : number_cut_label(type, rule.cuts[l], number);
  return true;
}

bool time_labels(const HierarchyRule& rule, Oid type, Datum value, const char** labels) {
  Moment moment;
  if (!moment_of(type, value, moment)) return false;
  for (int l = 0; l + 1 < rule.levels; ++l)
    labels[l] = rule.kind == HierarchyKind::date ? unit_label(type, rule.units[l], moment)
                                                 : time_cut_label(type, rule.cuts[l], moment);
  return true;
}

}  // namespace

bool interval_labels(const HierarchyRule& rule, Oid base_type, Datum value, const char** labels) {
  labels[rule.levels - 1] = "(,)";
  return is_time_type(base_type) ? time_labels(rule, base_type, value, labels)
                                 : number_labels(rule, base_type, value, labels);
}

}  // namespace anonkit::pg
