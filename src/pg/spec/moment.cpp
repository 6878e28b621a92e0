#include "pg/spec/moment.hpp"

#include <cctype>
#include <cstring>

extern "C" {
#include "utils/date.h"
#include "utils/datetime.h"
}

namespace anonkit::pg {
namespace {

constexpr int64 kNoDay = PG_INT64_MAX;

/// Reads `least` to `most` digits; -1 if they are missing.
int read_digits(const char*& text, int least, int most) {
  int number = 0;
  int count = 0;
  for (; count < most && std::isdigit(static_cast<unsigned char>(*text)) != 0; ++count)
    number = 10 * number + (*text++ - '0');
  return count >= least ? number : -1;
}

bool skip(const char*& text, const char* expected) {
  const std::size_t length = std::strlen(expected);
  if (std::strncmp(text, expected, length) != 0) return false;
  text += length;
  return true;
}

/// The microseconds of hh:mm:ss with an optional fraction; -1 for any other text.
int64 read_time(const char*& text) {
  const int hour = read_digits(text, 2, 2);
  if (hour < 0 || hour > 23 || !skip(text, ":")) return -1;
  const int minute = read_digits(text, 2, 2);
  if (minute < 0 || minute > 59 || !skip(text, ":")) return -1;
  const int second = read_digits(text, 2, 2);
  if (second < 0 || second > 59) return -1;
  int64 fraction = 0;
  if (skip(text, ".")) {
    const char* begin = text;
    fraction = read_digits(text, 1, 6);
    if (fraction < 0) return -1;
    for (std::ptrdiff_t digits = text - begin; digits < 6; ++digits) fraction *= 10;
  }
  return ((hour * int64{60} + minute) * 60 + second) * USECS_PER_SEC + fraction;
}

/// The day since 2000-01-01; year 0 is 1 BC. kNoDay if PostgreSQL has no such date.
int64 day_of(int year, int month, int day) {
  if (year < -4713 || year > 5874897 || month < 1 || month > 12 || day < 1 ||
      day > day_tab[isleap(year)][month - 1])
    return kNoDay;
  const int64 julian = date2j(year, month, day);
  return julian >= 0 && julian < DATE_END_JULIAN ? julian - POSTGRES_EPOCH_JDATE : kNoDay;
}

/// The first day of a month. Outside PostgreSQL's years, a day outside its range.
int64 month_begin(int year, int month) {
  if (year < -4713) return -int64{POSTGRES_EPOCH_JDATE} - 1;
  if (year > 5874897) return int64{DATE_END_JULIAN} - POSTGRES_EPOCH_JDATE;
  return int64{date2j(year, month, 1)} - POSTGRES_EPOCH_JDATE;
}

int floor_to(int number, int unit) {
  return number - ((number % unit) + unit) % unit;
}

/// Months are counted from year 0.
Interval months(int64 first, int count) {
  const auto begin = [](int64 month) {
    const auto year = static_cast<int>((month - ((month % 12) + 12) % 12) / 12);
    return Moment{month_begin(year, static_cast<int>(((month % 12) + 12) % 12) + 1), 0};
  };
  return {begin(first), begin(first + count)};
}

}  // namespace

bool is_time_type(Oid type) {
  return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

bool moment_of(Oid type, Datum value, Moment& moment) {
  if (type == DATEOID) {
    moment = {DatumGetDateADT(value), 0};
    return !DATE_NOT_FINITE(DatumGetDateADT(value));
  }
  const int64 microseconds = DatumGetTimestamp(value);
  int64 time = microseconds % USECS_PER_DAY;
  if (time < 0) time += USECS_PER_DAY;
  moment = {microseconds / USECS_PER_DAY - (microseconds % USECS_PER_DAY < 0 ? 1 : 0), time};
  return !TIMESTAMP_NOT_FINITE(microseconds);
}

bool read_moment(const char* text, Moment& moment) {
  int year = read_digits(text, 4, 7);
  if (year < 1 || !skip(text, "-")) return false;
  const int month = read_digits(text, 2, 2);
  if (!skip(text, "-")) return false;
  const int day = read_digits(text, 2, 2);
  moment.time = 0;
  if ((*text == ' ' || *text == 'T') && text[1] != 'B') {
    ++text;
    moment.time = read_time(text);
    if (moment.time < 0) return false;
    skip(text, "+00");
  }
  if (skip(text, " BC")) year = 1 - year;
  moment.day = day_of(year, month, day);
  return *text == '\0' && moment.day != kNoDay;
}

char* moment_text(Oid type, const Moment& moment) {
  const int64 julian = moment.day + POSTGRES_EPOCH_JDATE;
  if (julian < 0 || julian >= (type == DATEOID ? DATE_END_JULIAN : TIMESTAMP_END_JULIAN))
    return nullptr;
  char text[MAXDATELEN + 1];
  pg_tm tm = {};
  j2date(static_cast<int>(julian), &tm.tm_year, &tm.tm_mon, &tm.tm_mday);
  if (type == DATEOID) {
    EncodeDateOnly(&tm, USE_ISO_DATES, text);
  } else {
    const int64 seconds = moment.time / USECS_PER_SEC;
    tm.tm_hour = static_cast<int>(seconds / 3600);
    tm.tm_min = static_cast<int>(seconds / 60 % 60);
    tm.tm_sec = static_cast<int>(seconds % 60);
    EncodeDateTime(&tm, static_cast<fsec_t>(moment.time % USECS_PER_SEC), type == TIMESTAMPTZOID, 0,
                   nullptr, USE_ISO_DATES, text);
  }
  return pstrdup(text);
}

Interval unit_of(TimeUnit unit, const Moment& moment) {
  const auto julian = static_cast<int>(moment.day + POSTGRES_EPOCH_JDATE);
  int year;
  int month;
  int day;
  j2date(julian, &year, &month, &day);
  const int64 month_number = int64{year} * 12 + month - 1;
  switch (unit) {
    case TimeUnit::day:
      return {{moment.day, 0}, {moment.day + 1, 0}};
    case TimeUnit::week: {
      const int64 monday = moment.day - (j2day(julian) + 6) % 7;
      return {{monday, 0}, {monday + 7, 0}};
    }
    case TimeUnit::month:
      return months(month_number, 1);
    case TimeUnit::quarter:
      return months(month_number - (month - 1) % 3, 3);
    case TimeUnit::year:
      return months(int64{year} * 12, 12);
    case TimeUnit::decade:
      return months(int64{floor_to(year, 10)} * 12, 120);
  }
  return {};
}

}  // namespace anonkit::pg
