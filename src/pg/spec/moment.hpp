#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A point in time in UTC, for comparing dates and timestamps. Plain data.
struct Moment {
  int64 day;   ///< since 2000-01-01
  int64 time;  ///< microseconds of the day
};

inline bool operator<(const Moment& a, const Moment& b) {
  return a.day != b.day ? a.day < b.day : a.time < b.time;
}
inline bool operator==(const Moment& a, const Moment& b) {
  return a.day == b.day && a.time == b.time;
}

/// True for date, timestamp and timestamptz.
bool is_time_type(Oid type);

/// A value of a time type; false if it is infinite.
bool moment_of(Oid type, Datum value, Moment& moment);

/// Reads 2024-02-29 or 2024-02-29 23:30:00, with a fraction of a second, +00 and BC in PostgreSQL's
/// format, independent of settings. False for any other text.
bool read_moment(const char* text, Moment& moment);

/// The moment in the ISO format of the type, timestamptz with +00; null if the type has no such
/// value.
char* moment_text(Oid type, const Moment& moment);

/// The units of time for levels, in ascending order of length.
enum class TimeUnit : uint8 { day, week, month, quarter, year, decade };
constexpr const char* kTimeUnits[] = {"day", "week", "month", "quarter", "year", "decade"};

/// The beginnings of the unit that contains a moment and of the next unit. They may exceed the
/// type's range.
struct Interval {
  Moment low;
  Moment high;
};
Interval unit_of(TimeUnit unit, const Moment& moment);

}  // namespace anonkit::pg
