#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A point in time, in UTC, by which dates and timestamps can be compared. Plain data.
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

/// Reads 2024-02-29 or 2024-02-29 23:30:00, with a fraction of a second, +00 and BC as PostgreSQL
/// writes them. No setting of the session has a say. False for any other text.
bool read_moment(const char* text, Moment& moment);

/// The moment as the type is written in ISO style, timestamptz with +00; null if the type has no
/// such value.
char* moment_text(Oid type, const Moment& moment);

/// The units of time that levels can have, in the order of their length.
enum class TimeUnit : uint8 { day, week, month, quarter, year, decade };
constexpr const char* kTimeUnits[] = {"day", "week", "month", "quarter", "year", "decade"};

/// The beginning of the unit that a moment lies in, and of the next one. They may lie outside of
/// what a type can hold.
struct Interval {
  Moment low;
  Moment high;
};
Interval unit_of(TimeUnit unit, const Moment& moment);

}  // namespace anonkit::pg
