#include "recode/grid_ruler.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {
namespace {

// Up to here doubles count every whole number.
constexpr double kMostPlaces = 9007199254740992.0;
// From here on, numbers of 64 bits do not count the units of a width.
constexpr double kTooManyUnits = 9223372036854775808.0;

[[noreturn]] void refuse_width(const Column& column, const char* fault, const char* hint) {
  throw Error(ErrorKind::invalid_parameter,
              "the finest width of column \"" + column.name + "\" " + fault, "", hint);
}

/// The finest width: that of the options, or the smallest distance of two numbers.
double finest_width(const Column& column, double unit) {
  if (!(column.width > 0)) {
    if (unit > 0) return unit;
    refuse_width(column, "is missing",
                 "Numbers of its type have no smallest distance: give widths.");
  }
  if (!(unit > 0)) return column.width;
  const double units = column.width / unit;
  if (!(units < kTooManyUnits))
    refuse_width(column, "is too large", "Give a smaller one in widths.");
  if (std::round(units) < 1 || std::abs(units - std::round(units)) > 1e-9 * units)
    refuse_width(column, "is no multiple of the distance of its numbers",
                 "Give another one in widths.");
  return std::round(units) * unit;
}

std::int64_t floored(std::int64_t number, std::int64_t by) {
  const std::int64_t quotient = number / by;
  return quotient - (number % by < 0 ? 1 : 0);
}

}  // namespace

GridRuler::GridRuler(const Column& column)
    : column_(&column), unit_(unit_of(column.rounding)), width_(finest_width(column, unit_)) {}

std::int64_t GridRuler::place(double x) const {
  if (!(std::abs(x) / width_ < kMostPlaces / 2) ||
      (unit_ > 0 && !(std::abs(x) / unit_ < kMostPlaces)))
    refuse_width(*column_, "is too small for its largest numbers", "Give a larger one in widths.");
  if (unit_ > 0) return floored(std::llround(x / unit_), std::llround(width_ / unit_));
  auto place = static_cast<std::int64_t>(std::floor(x / width_));
  while (static_cast<double>(place) * width_ > x) --place;
  while (static_cast<double>(place + 1) * width_ <= x) ++place;
  return place;
}

double GridRuler::first(std::int64_t place) const {
  return round_to(column_->rounding, static_cast<double>(place) * width_);
}

double GridRuler::last(std::int64_t place) const {
  return round_to(column_->rounding, static_cast<double>(place + 1) * width_ - unit_);
}

bool has_outward_ends(const Table& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column& column) { return column.width > 0; });
}

void check_widths(const Table& table, Ticker& ticker) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (!(table.columns[j].width > 0)) continue;
    const GridRuler ruler(table.columns[j]);
    const Extent extent = extent_of(table, j, ticker);
    if (!(extent.low <= extent.high)) continue;
    ruler.place(extent.low);
    ruler.place(extent.high);
  }
}

}  // namespace anonkit
