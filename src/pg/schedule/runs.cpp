#include "pg/schedule/runs.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/attempt.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/schedule/content.hpp"
#include "pg/schedule/listed.hpp"

extern "C" {
#include "storage/lmgr.h"
}

namespace anonkit::pg {
namespace {

constexpr char kRun[] = "run";
constexpr char kSuccess[] = "success", kFailure[] = "failure";
constexpr double kMicroseconds = 1e6;

void keep_number(int64 number, const CompanionRow&, void* last) {
  *static_cast<int64*>(last) = number;
}

int64 next_number(Oid companion) {
  int64 last = 0;
  for_each_companion_row(companion, kRun, keep_number, &last);
  if (last == PG_INT64_MAX)
    ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                    errmsg("the history of a release has no number left"),
                    errdetail("The last run in table \"%s\" has the largest number.",
                              get_rel_name(companion))));
  return last + 1;
}

/// The start of a run, whose row was written at its end; the end if the seconds are unsound.
TimestampTz start_of(const CompanionRow& row) {
  constexpr double kMost = 1e15;
  const double microseconds = number_at(row.content, "seconds") * kMicroseconds;
  if (TIMESTAMP_NOT_FINITE(row.at) || !(microseconds >= 0 && microseconds < kMost)) return row.at;
  const TimestampTz start = row.at - static_cast<int64>(microseconds);
  return IS_VALID_TIMESTAMP(start) ? start : row.at;
}

/// Puts columns into a row, from left to right; what is absent is null.
class RowOfRun {
 public:
  void text(const char* words) {
    put(words != nullptr, words != nullptr ? CStringGetTextDatum(words) : 0);
  }
  void whole(int64 number) { put(true, Int64GetDatum(number)); }
  void count(double number) {
    constexpr double kMost = 9e18;
    const bool sound = std::fabs(number) < kMost;
    put(sound, sound ? Int64GetDatum(static_cast<int64>(number)) : 0);
  }
  void number(double value) { put(!std::isnan(value), Float8GetDatum(value)); }
  void time(TimestampTz value) { put(true, TimestampTzGetDatum(value)); }
  void json(Jsonb* value) { put(value != nullptr, PointerGetDatum(value)); }

  Datum values[12] = {};
  bool nulls[12] = {};

 private:
  void put(bool known, Datum value) {
    nulls[next_] = !known;
    values[next_++] = value;
  }
  int next_ = 0;
};

void put_run(int64 number, const CompanionRow& run, void* state) {
  auto* result = static_cast<ReturnSetInfo*>(state);
  Jsonb* figures = object_at(run.content, "figures");
  RowOfRun row;
  row.whole(number);
  row.time(start_of(run));
  row.number(number_at(run.content, "seconds"));
  row.text(text_at(run.content, "by"));
  row.text(text_at(run.content, "status"));
  row.text(text_at(run.content, "sqlstate"));
  row.text(text_at(run.content, "message"));
  row.count(number_at(figures, "version"));
  row.count(number_at(figures, "rows"));
  row.json(figures);
  row.text(text_at(run.content, "spec_fingerprint"));
  row.count(number_at(run.content, "withdrawn"));
  tuplestore_putvalues(result->setResult, result->setDesc, row.values, row.nulls);
}

/// Runs come by number, so a later one replaces an earlier one whatever the clock said.
void keep_last(int64 number, const CompanionRow& run, void* state) {
  auto& last = *static_cast<LastRuns*>(state);
  last.number = number;
  const char* status = text_at(run.content, "status");
  if (status == nullptr) return;
  if (std::strcmp(status, kSuccess) == 0) last.success = start_of(run);
  if (std::strcmp(status, kFailure) != 0) return;
  last.failed = number;
  last.failure = start_of(run);
}

}  // namespace

void await_turn(Oid companion) {
  LockRelationOid(companion, ShareRowExclusiveLock);
}

void record_run(Oid companion, const JobRun& run) {
  JsonObject content;
  content.add("seconds", seconds_since(run.started));
  content.add("by", GetUserNameFromId(GetSessionUserId(), false));
  content.add("status", run.error == nullptr ? kSuccess : kFailure);
  if (run.error != nullptr) {
    content.add("sqlstate", unpack_sql_state(run.error->sqlerrcode));
    content.add("message", public_message(*run.error));
  }
  if (run.figures != nullptr) content.add_datum("figures", JsonbPGetDatum(run.figures), JSONBOID);
  content.add("spec_fingerprint", run.fingerprint);
  if (run.withdrawn > 0) content.add("withdrawn", static_cast<int64>(run.withdrawn));
  write_companion(companion, kRun, next_number(companion), content.finish(), nullptr);
}

void put_runs(Oid companion, ReturnSetInfo* result) {
  for_each_companion_row(companion, kRun, put_run, result);
}

LastRuns read_last_runs(Oid companion) {
  LastRuns last = {0, 0, DT_NOBEGIN, DT_NOBEGIN};
  for_each_companion_row(companion, kRun, keep_last, &last);
  return last;
}

}  // namespace anonkit::pg
