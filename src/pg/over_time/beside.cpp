// Other releases of the same persons: found by the tables that sources share.

#include "pg/over_time/beside.hpp"

#include <cmath>
#include <cstring>

#include "base/at.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/spec/arguments.hpp"
#include "pg/spec/promised_levels.hpp"

extern "C" {
#include "utils/builtins.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

bool has_columns(Oid source, const Names& names) {
  for (int i = 0; i < names.count; ++i)
    if (get_attnum(source, names.names[i]) == InvalidAttrNumber) return false;
  return true;
}

bool all_have(const JoinedRelease* releases, int count, const Names& names) {
  for (int r = 0; r < count; ++r)
    if (!has_columns(releases[r].source, names)) return false;
  return names.count > 0;
}

/// True if all releases without a key are of one table, whose rows identify themselves.
bool share_rows(const JoinedRelease* releases, int count) {
  for (int r = 0; r < count; ++r)
    if (releases[r].source != releases[0].source || !releases[r].columns.has_tid ||
        OidIsValid(releases[r].over_time.relation))
      return false;
  return true;
}

Names primary_key(const JoinedRelease* releases, int count) {
  Oid* sources = allocate<Oid>(count);
  for (int r = 0; r < count; ++r) sources[r] = releases[r].source;
  return shared_primary_key(sources, count);
}

}  // namespace

Link link_of(const JoinedRelease* releases, int count, const Names& key) {
  Link link = {};
  for (int r = 0; r < count && link.unit.count == 0; ++r) link.unit = releases[r].spec.unit;
  if (!all_have(releases, count, link.unit)) link.unit = {nullptr, 0};
  link.key = key;
  for (int r = 0; r < count && link.key.count == 0; ++r)
    if (all_have(releases, count, releases[r].spec.over_time.key))
      link.key = releases[r].spec.over_time.key;
  link.by_tid = link.key.count == 0 && share_rows(releases, count);
  if (link.by_tid || link.key.count > 0) return link;
  link.key = primary_key(releases, count);
  if (!all_have(releases, count, link.key))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("no columns identify a row in the sources of all releases"),
                    errhint("Name them in key of anon_audit_releases.")));
  return link;
}

namespace {

bool has_same_column(Oid a, Oid b, const char* name) {
  const AttrNumber in_a = get_attnum(a, name), in_b = get_attnum(b, name);
  return in_a != InvalidAttrNumber && in_b != InvalidAttrNumber &&
         get_atttype(a, in_a) == get_atttype(b, in_b);
}

/// True if a source has the key, the quasi-identifiers and the sensitive columns of a release: it
/// may be a copy of its source, or that under another name.
bool resembles(Oid source, const Neighbour& other) {
  ReleaseQuery query;
  if (!read_any_release(other.relation, query)) return false;
  const Spec spec = read_spec(query.spec);
  for (const Names& names : {spec.over_time.key, spec.qi, spec.sensitive})
    for (int i = 0; i < names.count; ++i)
      if (!has_same_column(source, query.source, names.names[i])) return false;
  return spec.over_time.key.count > 0;
}

/// A source and a release that may be of a copy of it. Plain data.
struct Comparison {
  Oid source;
  const Neighbour* other;
  bool resembles;
};

void compare(void* state) {
  auto& comparison = *static_cast<Comparison*>(state);
  comparison.resembles = resembles(comparison.source, *comparison.other);
}

/// False for a release that cannot be read, too: it says nothing about a copy.
bool may_be_of_a_copy(Oid source, const Neighbour& other) {
  Comparison comparison = {source, &other, false};
  return is_own(other) && relation_exists(other.relation) && relation_exists(other.source) &&
         attempt_beside(compare, &comparison) == nullptr && comparison.resembles;
}

/// Warns of own releases of tables of the same columns: a source that was renamed and made again
/// holds the same persons.
void warn_of_copies(Oid source, const Neighbour* others, int count) {
  for (int i = 0; i < count; ++i)
    if (may_be_of_a_copy(source, others[i]))
      ereport(NOTICE,
              (errmsg("release \"%s\" may be of the same persons", others[i].name),
               errdetail("Its source \"%s\" has the same key, quasi-identifiers and sensitive "
                         "columns.",
                         get_rel_name(others[i].source)),
               errhint("anon_audit_releases measures what both tell together.")));
}

/// A joint audit in a subtransaction. Plain data.
struct Measuring {
  const Oid* relations;
  int count;
  JoinedRelease* releases;
  JointRows rows;
  const JointAudit* audit;
};

void link(Measuring& measuring, Link& link) {
  measuring.releases = allocate<JoinedRelease>(measuring.count);
  for (int r = 0; r < measuring.count; ++r)
    measuring.releases[r] = joined_release(measuring.relations[r]);
  link = link_of(measuring.releases, measuring.count, {nullptr, 0});
}

void find_link(void* state) {
  Link found;
  link(*static_cast<Measuring*>(state), found);
}

void measure(void* state) {
  auto& measuring = *static_cast<Measuring*>(state);
  Link found;
  link(measuring, found);
  measuring.audit = &audit_jointly(measuring.releases, measuring.count, found, measuring.rows);
}

/// "a" and "b", of the releases after the first one.
const char* names_of_others(const Oid* relations, int count) {
  StringInfoData names;
  initStringInfo(&names);
  for (int r = 1; r < count; ++r)
    appendStringInfo(&names, "%s\"%s\"", r > 1 ? ", " : "", get_rel_name(relations[r]));
  return names.data;
}

/// The figures in a sentence for each.
const char* figures_in_words(const Measuring& measuring) {
  const JointAudit& audit = *measuring.audit;
  const JointLevel& k = joint_k(audit);
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "Together they keep a k of %g, where each keeps", k.level);
  for (std::size_t r = 0; r < k.alone.size(); ++r)
    appendStringInfo(&text, "%s %g", r > 0 ? "," : "", k.alone[r]);
  appendStringInfoChar(&text, '.');
  for (int r = 0; r < measuring.count; ++r)
    if (is_swapped(measuring.releases[r].spec))
      appendStringInfo(&text, " The k of \"%s\" is of probabilistic k-anonymity.",
                       get_rel_name(measuring.relations[r]));
  for (int a = 0; a < measuring.rows.attribute_count; ++a) {
    const RemainingValues& values = audit.values[at(a)];
    if (values.places == 0) continue;
    appendStringInfo(
        &text,
        " Column \"%s\": at least %.3g %% of the values determined, at most " INT64_FORMAT
        " possible for somebody.",
        measuring.rows.attributes[a].name,
        100.0 * static_cast<double>(values.determined) / static_cast<double>(values.places),
        static_cast<int64>(values.fewest));
  }
  return text.data;
}

/// True if a promise of a release is about a level: that of classes, or of a column that the
/// release shows and the promise names.
bool concerns(const Measuring& measuring, int r, const AskedLevel& promised,
              const JointLevel& level) {
  if (level.model != promised.model) return false;
  if (level.attribute == kAnyAttribute) return true;
  if (std::isnan(level.alone[at(r)])) return false;
  if (promised.attribute == kAnyAttribute) return true;
  const Source& source = measuring.releases[r].columns;
  return promised.attribute < source.sensitive_count &&
         std::strcmp(source.sensitive[promised.attribute].name,
                     measuring.rows.attributes[level.attribute].name) == 0;
}

/// The first level that breaks a promise of a release, or null.
const JointLevel* broken_level(const Measuring& measuring, int r, const AskedLevel& promised) {
  for (const JointLevel& level : measuring.audit->levels)
    if (concerns(measuring, r, promised, level) &&
        !promised.model->keeps(promised.level, level.level))
      return &level;
  return nullptr;
}

/// An error if the joint classes break a promise of one of the releases.
void refuse_together(const Measuring& measuring, const char* figures) {
  for (int r = 0; r < measuring.count; ++r) {
    const PromisedLevels promised = promised_by(measuring.releases[r].spec);
    for (int i = 0; i < promised.count; ++i) {
      const AskedLevel& asked = promised.list[i];
      const JointLevel* level = broken_level(measuring, r, asked);
      if (level == nullptr) continue;
      ereport(ERROR,
              (errcode(ERRCODE_CHECK_VIOLATION),
               errmsg("release \"%s\" and %s together violate %s%s",
                      get_rel_name(measuring.relations[0]),
                      names_of_others(measuring.relations, measuring.count), asked.promise(),
                      level->attribute == kAnyAttribute
                          ? ""
                          : psprintf(" of column \"%s\"",
                                     measuring.rows.attributes[level->attribute].name)),
               errdetail("\"%s\" promises %s %g, and together they keep %.6g. %s",
                         get_rel_name(measuring.relations[r]), words_of(asked.model->comparison),
                         asked.level, level->level, figures),
               errhint("Publish one release for all purposes, or drop the others first.")));
    }
  }
}

/// Says why releases were not measured, or raises the error if that was asked for.
void tell_failure(ErrorData* error, const Oid* relations, int count, Beside beside) {
  if (beside == Beside::refuse || error->sqlerrcode == ERRCODE_QUERY_CANCELED) ReThrowError(error);
  ereport(NOTICE,
          (errmsg("release \"%s\" is of the same persons as %s", get_rel_name(relations[0]),
                  names_of_others(relations, count)),
           errdetail("What they tell together could not be measured: %s.", public_message(*error)),
           errhint("anon_audit_releases measures it by a key.")));
}

/// Null if something links the rows of two releases.
ErrorData* link_error(Oid release, Oid other) {
  const Oid both[] = {release, other};
  Measuring measuring = {};
  measuring.relations = both;
  measuring.count = 2;
  return attempt_beside(find_link, &measuring);
}

/// Measures the new release, the first one, with those beside it.
void judge_together(const Oid* relations, int count, Beside beside) {
  Measuring measuring = {};
  measuring.relations = relations;
  measuring.count = count;
  if (ErrorData* error = attempt(measure, &measuring)) {
    tell_failure(error, relations, count, beside);
    return;
  }
  const char* figures = figures_in_words(measuring);
  if (beside == Beside::refuse) refuse_together(measuring, figures);
  ereport(NOTICE,
          (errmsg("release \"%s\" is of the same persons as %s", get_rel_name(relations[0]),
                  names_of_others(relations, count)),
           errdetail("%s", figures),
           errhint("anon_audit_releases has all figures; beside => 'refuse' refuses a release that "
                   "breaks a promise so.")));
}

}  // namespace

Beside beside_argument(FunctionCallInfo fcinfo) {
  const char* text = text_argument(fcinfo, "beside");
  const char* const choices[] = {"notice", "refuse", "ignore"};
  if (text == nullptr) return Beside::notice;
  for (int i = 0; i < static_cast<int>(lengthof(choices)); ++i)
    if (std::strcmp(text, choices[i]) == 0) return static_cast<Beside>(i);
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("beside must be one of 'notice', 'refuse', 'ignore'")));
  pg_unreachable();
}

void judge_beside(Oid release, Beside beside) {
  if (beside == Beside::ignore) return;
  ReleaseQuery query;
  if (!read_any_release(release, query)) elog(ERROR, "the new release was not found");
  const Neighbours others = all_others(release);
  const Neighbours near = sharing(query.source, others);
  warn_of_copies(query.source, others.list + near.count, others.count - near.count);
  Oid* relations = allocate<Oid>(int64{near.count} + 1);
  Oid* unlinked = allocate<Oid>(int64{near.count} + 1);
  int count = 0;
  int unlinked_count = 0;
  ErrorData* first_error = nullptr;
  relations[count++] = unlinked[unlinked_count++] = release;
  for (int i = 0; i < near.count; ++i) {
    const Oid other = near.list[i].relation;
    if (near.list[i].is_set || !is_own(near.list[i])) {
      tell_unmeasured(get_rel_name(release), near.list[i], beside);
      continue;
    }
    ErrorData* error = link_error(release, other);
    if (error == nullptr) {
      relations[count++] = other;
      continue;
    }
    unlinked[unlinked_count++] = other;
    if (first_error == nullptr) first_error = error;
  }
  if (first_error != nullptr) tell_failure(first_error, unlinked, unlinked_count, beside);
  if (count > 1) judge_together(relations, count, beside);
}

void tell_unmeasured(const char* made, const Neighbour& other, Beside beside) {
  const char* kind = other.is_set ? "set" : "release";
  const char* detail = "What both tell together was not measured.";
  if (beside == Beside::refuse && is_own(other))
    ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION),
                    errmsg("\"%s\" and %s \"%s\" are of the same table", made, kind, other.name),
                    errdetail("%s", detail),
                    errhint("Publish one release for all purposes, or drop the others first.")));
  ereport(NOTICE, (errmsg("%s \"%s\"%s is of the same table", kind, other.name,
                          is_own(other) ? "" : " of another role"),
                   errdetail("%s", detail)));
}

}  // namespace anonkit::pg
