#include "table/table.hpp"

#include <cstdio>
#include <cstdlib>

namespace anonkit {
namespace {

/// The nearest double to `value` among those with 15 significant decimal digits, which conversions
/// to a decimal type preserve.
double fifteen_digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", value);
  return std::strtod(text, nullptr);
}

double to_decimal(double value, int digits) {
  // Beyond 1e15, fifteen digits have none after the point.
  if (digits > 300 || std::fabs(value) >= 1e15) return fifteen_digits(value);
  if (digits < 0) {
    double unit = 1;
    for (int i = digits; i < 0; ++i) unit *= 10;
    return fifteen_digits(std::nearbyint(value / unit) * unit);
  }
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return fifteen_digits(std::strtod(text, nullptr));
}

}  // namespace

bool equal_quasi_identifiers(const Table& table, Record a, Record b) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (bits_of_cell(table.value(a, j)) != bits_of_cell(table.value(b, j))) return false;
  return true;
}

double round_to(const Rounding& rounding, double value) {
  switch (rounding.to) {
    case Rounding::To::none:
      return value + 0.0;  // -0 becomes 0
    case Rounding::To::integer:
      return std::nearbyint(value) + 0.0;
    case Rounding::To::decimal:
      return to_decimal(value, rounding.digits) + 0.0;
    case Rounding::To::single:
      return static_cast<double>(static_cast<float>(value)) + 0.0;
  }
  return value;
}

double unit_of(const Rounding& rounding) {
  if (rounding.to == Rounding::To::integer) return 1;
  if (rounding.to != Rounding::To::decimal || std::abs(rounding.digits) > 15) return 0;
  double unit = 1;
  for (int i = std::abs(rounding.digits); i > 0; --i) unit *= 10;
  return rounding.digits > 0 ? 1 / unit : unit;
}

}  // namespace anonkit
