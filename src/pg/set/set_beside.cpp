// Releases beside a set: measured on rows whose labels are pairs of classes.

#include "pg/set/set_beside.hpp"

#include <algorithm>
#include <cstring>

#include "base/at.hpp"
#include "model/row_classes.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/verify.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {
namespace {

/// A release beside the set, linked with one of its tables, in a subtransaction. Plain data.
struct LinkedRelease {
  const SetWork* work;
  const char* name;
  Oid relation;
  int table;
  int32 k;          ///< that the release promises
  int32* class_of;  ///< by row of the table, from 1; 0: in no class
  int32 classes;    ///< one more than the last
};

/// Errors: a source that is not linked with the table by columns which the set has read.
const int* places_of(const Run& run, const Link& link) {
  int* places = allocate<int>(link.key.count);
  for (int i = 0; i < link.key.count; ++i) {
    places[i] = 0;
    while (places[i] < run.source.spooled_count() &&
           std::strcmp(run.source.spooled()[places[i]].name, link.key.names[i]) != 0)
      ++places[i];
    if (places[i] == run.source.spooled_count())
      ereport(ERROR,
              (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
               errmsg("column \"%s\" identifies rows, and is neither a key of the set nor kept",
                      link.key.names[i])));
  }
  return places;
}

void take_classes_of(LinkedRelease& linked, const ByRelease& class_of, int64 rows) {
  linked.class_of = allocate<int32>(rows);
  std::fill_n(linked.class_of, rows, 0);
  linked.classes = 1;
  for (std::size_t record = 0; record < class_of[1].size(); ++record) {
    const int32 row = class_of[1][record];
    if (row == kNowhere) continue;
    linked.class_of[row] = class_of[0][record] + 1;
    linked.classes = std::max(linked.classes, linked.class_of[row] + 1);
  }
}

void find_classes(void* state) {
  auto& linked = *static_cast<LinkedRelease*>(state);
  const Run& run = linked.work->runs[linked.table];
  JoinedRelease joined[] = {joined_release(linked.relation), {}};
  joined[1].relation = joined[1].source = run.source.relation;
  Link link = link_of(joined, 2, {nullptr, 0});
  link.unit = {nullptr, 0};
  const int* places = places_of(run, link);
  JointRows rows = make_joint_rows(joined, 2, link);
  read_joint_rows(rows, joined[0], 0);
  read_spooled_rows(rows, run.loaded.spool, run.loaded.spool_descriptor, places, 1);
  linked.k = joined[0].spec.options.k;
  take_classes_of(linked, classes_of_records(rows, 2), run.loaded.rows);
}

/// The releases that are linked with the set. Plain data.
struct LinkedReleases {
  LinkedRelease* list;
  int count;
};

/// By row of a table its class as published by the set, from 1; 0: it is withheld. Returns their
/// number.
int32 take_set_classes(const SetWork& work, int t, int32* class_of) {
  Run& run = work.runs[t];
  const bool has_cells = run.source.quasi_identifiers > 0;
  if (has_cells) form_published_classes(run);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    class_of[row] = work.withheld[t][row] ? 0 : 1 + (has_cells ? run.published_class_of(row) : 0);
  }
  return has_cells ? run.published_classes : 1;
}

/// By row of a table the number of its cells and its classes in the releases of the table; kNone:
/// it is in none of them, nor in the set. Null without such releases.
int32* labels_of(const SetWork& work, const LinkedReleases& linked, int t) {
  const int64 rows = work.runs[t].loaded.rows;
  const bool is_alone = std::none_of(linked.list, linked.list + linked.count,
                                     [t](const LinkedRelease& one) { return one.table == t; });
  if (is_alone || rows == 0) return nullptr;
  int32* own = allocate<int32>(rows);
  int32* labels = allocate<int32>(rows);
  const int32 classes = take_set_classes(work, t, own);
  BackendTicker ticker;
  std::vector<CodedColumn> columns = {{own, classes + 1}};
  for (int i = 0; i < linked.count; ++i)
    if (linked.list[i].table == t)
      columns.push_back({linked.list[i].class_of, linked.list[i].classes});
  std::vector<std::int32_t*> class_of(columns.size(), nullptr);
  class_of.back() = labels;
  number_classes(columns, rows, class_of, ticker);
  for (int64 row = 0; row < rows; ++row) {
    ticker.step(4);
    const bool is_seen =
        std::any_of(columns.begin(), columns.end(),
                    [row](const CodedColumn& column) { return column.codes[row] > 0; });
    if (!is_seen || !work.takes_part(work.rows.tables[t].person[row])) labels[row] = kNone;
  }
  return labels;
}

SetRows joint_rows(const SetWork& work, const LinkedReleases& linked) {
  auto** labels = allocate<int32*>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) labels[t] = labels_of(work, linked, t);
  return rows_by_group(work, labels);
}

/// The rows that somebody knows of whom a release shows one row: that of a root is the person.
int known_rows(const SetWork& work, const LinkedRelease& linked) {
  return linked.table == 0 && work.rows.root_has_persons ? 0 : 1;
}

const char* quoted_names(const LinkedReleases& linked) {
  StringInfoData names;
  initStringInfo(&names);
  for (int i = 0; i < linked.count; ++i)
    appendStringInfo(&names, "%s\"%s\"", i > 0 ? ", " : "", linked.list[i].name);
  return names.data;
}

/// An error if the releases break a promise of the set, or of one of them, together.
void refuse_joint(const NamedSet& set, const SetWork& work, const LinkedReleases& linked,
                  const SetRows& rows, const LinkedLevels& levels, const SetPromises& promises) {
  const char* name = set.name;
  const char* subject =
      psprintf("\"%s\" and release %s together violate", name, quoted_names(linked));
  require_kept(rows, levels, promises, subject);
  for (int i = 0; i < linked.count; ++i) {
    const LinkedLevel& level = levels.by_m[at(known_rows(work, linked.list[i]))];
    SetPromises own = {};
    own.m = known_rows(work, linked.list[i]);
    own.k = linked.list[i].k;
    own.alpha = 2;
    if (level.k < own.k) require_kept(rows, levels, own, subject);
  }
}

/// Measures the set with all linked releases.
void judge_jointly(const NamedSet& set, const SetWork& work, const LinkedReleases& linked,
                   const SetPromises& promises, Beside beside) {
  const SetRows rows = joint_rows(work, linked);
  LinkedQuestion question;
  question.largest_m = promises.m > kLargestM ? 1 : std::max(promises.m, 1);
  question.k = promises.k;
  question.all = promises.m > kLargestM;
  question.counts = promises.counts;
  const LinkedLevels& levels = measure_levels(rows, question);
  if (beside == Beside::refuse) refuse_joint(set, work, linked, rows, levels, promises);
  const LinkedLevel& level = promised_level(levels, promises);
  ereport(NOTICE,
          (errmsg("set \"%s\" is of the same persons as %s", set.name, quoted_names(linked)),
           errdetail("Together they keep P(%d,%s), where the set promises P(%d,%s). Persons "
                     "alone: " INT64_FORMAT "; with fewer than %d candidates: " INT64_FORMAT ".",
                     level.k, word_of_m(promises.m), promises.k, word_of_m(promises.m),
                     static_cast<int64>(level.alone), promises.k, static_cast<int64>(level.below)),
           errhint("beside => 'refuse' refuses a set that breaks a promise so.")));
}

/// Says why a release was not measured, or raises the error if that was asked for.
void tell_unlinked(const NamedSet& set, const Neighbour& other, ErrorData* error, Beside beside) {
  if (beside == Beside::refuse) ReThrowError(error);
  ereport(NOTICE, (errmsg("set \"%s\" is of the same persons as \"%s\"", set.name, other.name),
                   errdetail("What they tell together could not be measured: %s.",
                             public_message(*error))));
}

/// The releases and sets that share a table with one of the set's, once for each such table.
struct Near {
  Neighbour* list;
  int* tables;
  int count;
};

Near near_set(const NamedSet& set, const SetWork& work) {
  const Neighbours others = all_others(set.description);
  const int64 most = int64{others.count} * work.tables.count;
  Near near = {allocate<Neighbour>(most), allocate<int>(most), 0};
  for (int t = 0; t < work.tables.count; ++t) {
    const Neighbours sharing_it = sharing(work.tables.tables[t].relation, others);
    for (int i = 0; i < sharing_it.count; ++i) {
      CHECK_FOR_INTERRUPTS();
      near.tables[near.count] = t;
      near.list[near.count++] = sharing_it.list[i];
    }
  }
  return near;
}

/// Links a release with the first table by which that can be done. Returns the error of the first
/// one if there is none.
ErrorData* link_with_tables(const SetWork& work, const Near& near, int first,
                            LinkedRelease& linked) {
  ErrorData* error = nullptr;
  for (int i = first; i < near.count; ++i) {
    if (near.list[i].relation != near.list[first].relation) continue;
    linked = {&work, near.list[i].name, near.list[i].relation, near.tables[i], 0, nullptr, 0};
    ErrorData* own = attempt_beside(find_classes, &linked);
    if (own == nullptr) return nullptr;
    if (error == nullptr) error = own;
  }
  return error;
}

}  // namespace

void judge_set_beside(const NamedSet& set, const SetWork& work, const SetPromises& promises,
                      Beside beside) {
  if (beside == Beside::ignore) return;
  const Near near = near_set(set, work);
  LinkedReleases linked = {allocate<LinkedRelease>(near.count), 0};
  List* told = NIL;
  for (int i = 0; i < near.count; ++i) {
    const Neighbour& other = near.list[i];
    if (list_member_oid(told, other.relation)) continue;
    told = lappend_oid(told, other.relation);
    if (other.is_set || !is_own(other)) {
      tell_unmeasured(set.name, other, beside);
      continue;
    }
    ErrorData* error = link_with_tables(work, near, i, linked.list[linked.count]);
    if (error == nullptr)
      ++linked.count;
    else
      tell_unlinked(set, other, error, beside);
  }
  if (linked.count > 0) judge_jointly(set, work, linked, promises, beside);
}

}  // namespace anonkit::pg
