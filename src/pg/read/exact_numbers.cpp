#include "pg/read/exact_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "pg/backend/session.hpp"
#include "pg/read/number_type.hpp"

extern "C" {
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"
}

namespace anonkit::pg {
namespace {

/// Integers below it are doubles, and no other integer has the same double.
constexpr double kFirstLost = 9007199254740992;
/// Any two decimals of so many digits have different doubles.
constexpr int kDigitsOfDouble = 15;

/// The share of e by which a spread may be wrong.
constexpr double kShareOfSpread = 1e-9;

/// Half of the distance between two doubles of that size.
double half_step(double number) {
  return std::ldexp(std::fabs(number), -53);
}

}  // namespace

bool may_lose_digits(Oid base_type, int32 typmod) {
  switch (base_type) {
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return true;
    case NUMERICOID:
      return typmod < VARHDRSZ || ((typmod - VARHDRSZ) >> 16 & 0xffff) > kDigitsOfDouble;
    default:
      return false;
  }
}

NumbersLoss loss_of_numbers(Oid base_type, const ValueRanks& ranks, const double* numbers) {
  NumbersLoss loss;
  for (int32 v = 0; v < values_of(ranks); ++v) {
    CHECK_FOR_INTERRUPTS();
    loss.apart = loss.apart && (v == 0 || numbers[v] > numbers[v - 1]);
    if (!is_exact(base_type, ranks.values[v], numbers[v]))
      loss.error = std::max(loss.error, 2 * half_step(numbers[v]));
  }
  return loss;
}

ExactNumbers exact_numbers(const FormData_pg_attribute& attribute) {
  ExactNumbers numbers = {};
  numbers.column = pstrdup(NameStr(attribute.attname));
  int32 typmod = attribute.atttypmod;
  const Oid type = getBaseTypeAndTypmod(attribute.atttypid, &typmod);
  if (!may_lose_digits(type, typmod)) return numbers;
  numbers.type = type;
  numbers.values = make_value_ranks(&attribute, kFirstCapacity, nullptr);
  return numbers;
}

void note_number(ExactNumbers& numbers, Datum value, double number) {
  if (!OidIsValid(numbers.type)) return;
  if (numbers.type != NUMERICOID && std::fabs(number) < kFirstLost) return;
  if (numbers.count == numbers.values.capacity) grow_ranks(numbers.values, 2 * numbers.count);
  add_value(numbers.values, numbers.count++, value, false);
}

void require_apart(ExactNumbers& numbers) {
  if (!OidIsValid(numbers.type)) return;
  settle_ranks(numbers.values, numbers.count);
  const int32 values = values_of(numbers.values);
  double* doubles = allocate<double>(values);
  for (int32 v = 0; v < values; ++v) {
    CHECK_FOR_INTERRUPTS();
    bool finite;
    doubles[v] = number_of(numbers.type, numbers.values.values[v], &finite);
  }
  numbers.loss = loss_of_numbers(numbers.type, numbers.values, doubles);
  if (!numbers.loss.apart)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION),
             errmsg("column \"%s\" has different values that are the same in double precision",
                    numbers.column),
             errhint("Round them in a view, to 15 digits at most, or cast them to text.")));
}

void require_spread(const char* column, Oid base_type, const NumbersLoss& loss, double e) {
  if (loss.error == 0 || loss.error <= kShareOfSpread * e * reporting_unit(base_type)) return;
  ereport(ERROR,
          (errcode(ERRCODE_DATA_EXCEPTION),
           errmsg("numbers of column \"%s\" have too many digits for (k,e)-anonymity", column),
           errdetail("In double precision, some of their differences are wrong by more than a "
                     "billionth of e."),
           errhint("Round them in a view, or subtract a number from all.")));
}

}  // namespace anonkit::pg
