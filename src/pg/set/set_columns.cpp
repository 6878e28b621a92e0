#include "pg/set/set_columns.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/spec/moment.hpp"

namespace anonkit::pg {
namespace {

/// The quasi-identifier of that name; an error that says which option needs one.
SourceColumn& column_named(Run& run, const SetTable& table, const char* name, const char* option) {
  Relation relation = open_relation(table.relation);
  const AttrNumber number = find_column(RelationGetDescr(relation), name, table.name);
  relation_close(relation, NoLock);
  SourceColumn* const end = run.source.columns + run.source.quasi_identifiers;
  SourceColumn* found = std::find_if(
      run.source.columns, end, [&](const SourceColumn& column) { return column.number == number; });
  if (found == end)
    refuse_table(
        table.name,
        psprintf("has column \"%s\" in \"%s\", which is not a quasi-identifier", name, option),
        "Name it in \"qi\", too.");
  if (found->hierarchy != nullptr)
    refuse_table(table.name,
                 psprintf("has column \"%s\" in \"%s\", which has a hierarchy", name, option),
                 "Its labels are published, or its numbers: choose one of them.");
  return *found;
}

void require_date(const SourceColumn& column) {
  if (column.number_type != nullptr && is_time_type(column.base_type)) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("column \"%s\" of type %s is no date", column.name,
                         format_type_be(column.declared_type)),
                  errhint("Days are counted between dates and timestamps.")));
}

void require_number(const SourceColumn& column) {
  if (column.number_type != nullptr) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("column \"%s\" of type %s has no mean", column.name,
                         format_type_be(column.declared_type)),
                  errhint("Means are of numbers, dates and timestamps.")));
}

/// Sets the released type after a change of the column's numbers.
void release_numbers(SourceColumn& column) {
  column.released_type = column.mean ? column.base_type : column.number_type->range;
  column.released_typmod = column.mean ? column.base_typmod : -1;
  column.released_collation = InvalidOid;
}

/// The places of the dates among a table's quasi-identifiers.
int* places_of_dates(const Run& run, int* count) {
  int* places = allocate<int>(run.source.quasi_identifiers);
  *count = 0;
  for (int j = 0; j < run.source.quasi_identifiers; ++j)
    if (run.source.columns[j].since_first) places[(*count)++] = j;
  return places;
}

Moment moment_of_number(const SourceColumn& column, double number) {
  Moment moment;
  moment_of(column.base_type, number_datum(column.base_type, column.base_typmod, number), moment);
  return moment;
}

/// By person the first moment; `known` is false for persons without a date.
struct FirstMoments {
  Moment* moments;
  bool* known;
};

void find_first(const SetWork& work, int t, FirstMoments& first) {
  const Run& run = work.runs[t];
  int count;
  const int* places = places_of_dates(run, &count);
  for (int64 row = 0; count > 0 && row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 person = work.rows.tables[t].person[row];
    for (int i = 0; i < count; ++i) {
      const double number = run.loaded.quasi_identifiers.value(row, places[i]);
      if (is_null(number)) continue;
      const Moment moment = moment_of_number(run.source.columns[places[i]], number);
      if (!first.known[person] || moment < first.moments[person]) first.moments[person] = moment;
      first.known[person] = true;
    }
  }
}

/// Whole days from one moment to a later one.
double days_between(const Moment& from, const Moment& to) {
  return static_cast<double>(to.day - from.day - (to.time < from.time ? 1 : 0));
}

void count_days(SetWork& work, int t, const FirstMoments& first) {
  Run& run = work.runs[t];
  int count;
  const int* places = places_of_dates(run, &count);
  for (int64 row = 0; count > 0 && row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    for (int i = 0; i < count; ++i) {
      double& number = run.loaded.quasi_identifiers.value(row, places[i]);
      if (is_null(number)) continue;
      number = days_between(first.moments[work.rows.tables[t].person[row]],
                            moment_of_number(run.source.columns[places[i]], number));
    }
  }
  for (int i = 0; i < count; ++i) {
    SourceColumn& column = run.source.columns[places[i]];
    column.base_type = INT4OID;
    column.base_typmod = -1;
    column.number_type = number_type(INT4OID);
    run.loaded.quasi_identifiers.exact[places[i]] = true;
    release_numbers(column);
  }
}

/// An error for a table with means if a person may have several published rows.
void require_one_row(const SetWork& work, int t) {
  const SetTable& table = work.tables.tables[t];
  if (table.means.count == 0 || table.max_rows == 1) return;
  auto* seen = allocate<bool>(work.rows.persons);
  std::memset(seen, 0, sizeof(bool) * static_cast<std::size_t>(work.rows.persons));
  for (int64 row = 0; row < work.rows.tables[t].rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    bool& known = seen[work.rows.tables[t].person[row]];
    if (known)
      refuse_table(table.name, "has means, and several rows of a person",
                   "Means of classes are equations, which other rows of a person help to solve. "
                   "Publish ranges, or one row a person: \"max_rows\": 1.");
    known = true;
  }
  pfree(seen);
}

}  // namespace

void check_columns(SetWork& work) {
  for (int t = 0; t < work.tables.count; ++t) {
    const SetTable& table = work.tables.tables[t];
    Run& run = work.runs[t];
    for (int i = 0; i < table.since_first.count; ++i) {
      SourceColumn& column = column_named(run, table, table.since_first.names[i], "since_first");
      require_date(column);
      column.since_first = true;
    }
    for (int i = 0; i < table.means.count; ++i) {
      SourceColumn& column = column_named(run, table, table.means.names[i], "means");
      require_number(column);
      column.mean = true;
      release_numbers(column);
    }
  }
}

void take_columns(SetWork& work) {
  FirstMoments first = {allocate<Moment>(work.rows.persons), allocate<bool>(work.rows.persons)};
  std::memset(first.known, 0, sizeof(bool) * static_cast<std::size_t>(work.rows.persons));
  for (int t = 0; t < work.tables.count; ++t) require_one_row(work, t);
  for (int t = 0; t < work.tables.count; ++t) find_first(work, t, first);
  for (int t = 0; t < work.tables.count; ++t) count_days(work, t, first);
  pfree(first.moments);
  pfree(first.known);
}

}  // namespace anonkit::pg
