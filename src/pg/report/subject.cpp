#include "pg/report/subject.hpp"

#include <algorithm>
#include <cstring>

#include "recode/recoding.hpp"

#include "pg/audit/audit.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/over_time/view_query.hpp"
#include "pg/read/counted_rows.hpp"
#include "pg/read/distributed_query.hpp"
#include "pg/read/range_reader.hpp"
#include "pg/release/release_query.hpp"
#include "pg/risk/arguments.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "storage/lmgr.h"
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

const char* recoding_of(const SourceColumn& column, const Spec& spec) {
  if (column.pseudonym) return "random pseudonym";
  if (column.role != Role::quasi_identifier) return "as it is";
  const Recoding& how = recoding(spec.options.recode);
  if (column.hierarchy != nullptr && how.of_hierarchies != nullptr) return how.of_hierarchies;
  return column.number_type != nullptr ? how.of_numbers : how.of_categories;
}

/// The columns of a release of anon_publish, which its owner may have renamed.
void describe_release(Subject& subject, const Spec& spec) {
  const Source source = resolve_source(subject.source, spec);
  const SourceColumn** released = columns_of_release(source, subject.relation);
  subject.columns = allocate<ReportColumn>(source.count);
  for (const Role role : {Role::quasi_identifier, Role::sensitive, Role::keep})
    for (int i = 0; i < source.count; ++i) {
      const SourceColumn& column = *released[i];
      if (column.role != role) continue;
      char* name = get_attname(subject.relation, static_cast<AttrNumber>(i + 1), false);
      subject.renamed = subject.renamed || std::strcmp(name, column.name) != 0;
      subject.columns[subject.count++] = {name,
                                          role,
                                          format_type_with_typemod(column.declared_type, -1),
                                          format_type_with_typemod(column.released_type, -1),
                                          recoding_of(column, spec),
                                          !column.pseudonym,
                                          type_is_range(getBaseType(column.released_type))};
    }
  subject.spec = as_released(spec, source, subject.relation);
  subject.readers = spec_of_readers(subject.spec);
  subject.promised = promised_by(subject.spec);
}

/// The caller's description of a relation of another tool.
Jsonb* described_spec(FunctionCallInfo fcinfo) {
  const int asked = argument_place(fcinfo, "asked");
  JsonObject json;
  json.add_array("qi", PG_GETARG_ARRAYTYPE_P(argument_place(fcinfo, "qi")));
  const int sensitive = argument_place(fcinfo, "sensitive");
  if (!PG_ARGISNULL(sensitive)) json.add_array("sensitive", PG_GETARG_ARRAYTYPE_P(sensitive));
  if (!PG_ARGISNULL(asked)) json.add_datum("asked", PG_GETARG_DATUM(asked), JSONBOID);
  return with_asked_options(json.finish());
}

void describe_columns(Subject& subject, TupleDesc descriptor, Names& names, Role role) {
  for (int i = 0; i < names.count; ++i) {
    const Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, names.names[i]) - 1);
    names.names[i] = pstrdup(NameStr(attribute->attname));
    subject.columns[subject.count++] = {names.names[i],
                                        role,
                                        nullptr,
                                        format_type_be(attribute->atttypid),
                                        "not known",
                                        true,
                                        type_is_range(getBaseType(attribute->atttypid))};
  }
}

/// A relation of another tool: the requested levels replace the promised ones.
void describe_relation(Subject& subject, FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(argument_place(fcinfo, "qi")))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release", get_rel_name(subject.relation)),
                    errhint("Name the quasi-identifiers of another tool's relation in qi.")));
  subject.json = described_spec(fcinfo);
  Spec& spec = subject.spec = read_audit_spec(subject.json);
  subject.columns = allocate<ReportColumn>(spec.qi.count + spec.sensitive.count);
  Relation relation = open_relation(subject.relation);
  describe_columns(subject, RelationGetDescr(relation), spec.qi, Role::quasi_identifier);
  describe_columns(subject, RelationGetDescr(relation), spec.sensitive, Role::sensitive);
  relation_close(relation, NoLock);
  subject.readers = spec;
  subject.promised = {asked_by(spec), promised_by(spec).parameters};
  subject.source = optional_relation(fcinfo, "source");
}

void refuse_description(FunctionCallInfo fcinfo) {
  for (const char* name : {"qi", "sensitive", "source", "asked"})
    if (!PG_ARGISNULL(argument_place(fcinfo, name)))
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("a release states its \"%s\" itself", name)));
}

/// True for a source view of another owner. A release names its source, and a view's functions run
/// with the reader's rights: the caller must not run a stranger's code unknowingly.
bool is_strangers_view(const Subject& subject) {
  return subject.published && get_rel_relkind(subject.source) == RELKIND_VIEW &&
         owner_of(subject.source) != GetUserId() && owner_of(subject.relation) != GetUserId();
}

/// The reason that forbids a comparison of the source's rows with the release, or null.
const char* refusal(const Subject& subject) {
  if (is_strangers_view(subject)) return "the source is a view that belongs to another role";
  const Names all = subject.names({Role::quasi_identifier, Role::sensitive, Role::keep});
  const Rows rights =
      Arguments()
          .relation(subject.source)
          .names(all)
          .ask(
              "SELECT pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE') AND"
              " (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR NOT EXISTS (SELECT FROM"
              " pg_catalog.unnest($2) AS n WHERE NOT coalesce((SELECT"
              " pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') FROM "
              "pg_catalog.pg_attribute AS"
              " a WHERE a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attname "
              "OPERATOR(pg_catalog.=)"
              " n::pg_catalog.name AND NOT a.attisdropped), false))),"
              " pg_catalog.row_security_active(c.oid) FROM pg_catalog.pg_class AS c"
              " WHERE c.oid OPERATOR(pg_catalog.=) $1");
  if (rights.count == 0 || std::strcmp(rights.cells[0][0], "t") != 0)
    return "the caller may not read the source";
  return std::strcmp(rights.cells[0][1], "t") == 0
             ? "row-level security decides which rows of the source the caller sees"
             : nullptr;
}

/// Columns whose cells are checked one by one. Plain data.
struct Checked {
  NumberColumn* numbers;
  ReportColumn** columns;
  int count;
};

void check_row(TupleTableSlot* slot, void* state) {
  auto& checked = *static_cast<Checked*>(state);
  for (int j = 0; j < checked.count; ++j)
    if (checked.columns[j]->comparable)
      checked.columns[j]->comparable =
          slot->tts_isnull[j] || is_open_cell(checked.numbers[j], slot->tts_values[j]);
}

/// Finds numeric columns with cells that are neither numbers nor null, and columns that cannot be
/// sorted.
void check_cells(Subject& subject, Oid oid) {
  Checked checked = {allocate<NumberColumn>(subject.count), allocate<ReportColumn*>(subject.count),
                     0};
  UserQuery query = begin_user_query();
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int i = 0; i < subject.count; ++i) {
    ReportColumn& column = subject.columns[i];
    const Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, column.name) - 1);
    if (OidIsValid(number_or_end_type(attribute->atttypid))) {
      add_column(query, column.name);
      checked.numbers[checked.count] = number_column(attribute);
      checked.columns[checked.count++] = &column;
    } else if (!is_built_in_type(attribute->atttypid) ||
               !OidIsValid(lookup_type_cache(attribute->atttypid, TYPECACHE_LT_OPR)->lt_opr)) {
      column.comparable = false;
    }
  }
  relation_close(relation, NoLock);
  if (checked.count == 0) return;
  for_each_row_of(query, oid, nullptr, check_row, &checked);
}

/// A reason against the comparison if the source lacks columns of the relation, or null.
const char* missing_column(const Subject& subject) {
  const Names all = subject.names({Role::quasi_identifier, Role::sensitive, Role::keep});
  const Rows missing =
      Arguments()
          .relation(subject.source)
          .names(all)
          .ask(
              "SELECT FROM pg_catalog.unnest($2) AS n WHERE NOT EXISTS (SELECT FROM"
              " pg_catalog.pg_attribute AS a WHERE a.attrelid OPERATOR(pg_catalog.=) $1 AND"
              " a.attname OPERATOR(pg_catalog.=) n::pg_catalog.name AND NOT a.attisdropped)");
  return missing.count > 0 ? "the source lacks columns of that name" : nullptr;
}

/// The context of the argument, or the one that was kept. Another tool's relation has no companion:
/// its context is on the page alone.
void settle_context(Subject& subject, FunctionCallInfo fcinfo) {
  Jsonb* given = context_argument(fcinfo);
  subject.of_owner =
      subject.published && has_privs_of_role(GetUserId(), owner_of(subject.relation));
  if (given != nullptr && subject.published) set_context(subject.relation, given);
  subject.context =
      subject.of_owner ? read_context(find_companion(subject.relation)) : context_of(given);
  warn_of_past_dates(subject.context, psprintf("release \"%s\"", get_rel_name(subject.relation)));
}

/// The rows of a relation, and the values of its columns that are not null. Plain data.
struct Presence {
  int64 rows;
  int64* values;
  int columns;
};

void count_values(TupleTableSlot* slot, void* state) {
  auto& presence = *static_cast<Presence*>(state);
  ++presence.rows;
  for (int j = 0; j < presence.columns; ++j) presence.values[j] += slot->tts_isnull[j] ? 0 : 1;
}

Presence presence_in(Oid relation, const Names& columns) {
  Presence presence = {0, allocate<int64>(columns.count), columns.count};
  std::fill_n(presence.values, columns.count, 0);
  UserQuery query = begin_user_query();
  for (int j = 0; j < columns.count; ++j) add_column(query, columns.names[j]);
  for_each_row(end_user_query(query, relation), count_values, &presence);
  return presence;
}

/// A reason against the comparison on a public page, or null: a reader who subtracts the release
/// from the source has what the release leaves out.
const char* left_out(const Subject& subject) {
  const Names all = subject.names({Role::quasi_identifier, Role::sensitive, Role::keep});
  const Presence before = presence_in(subject.source, all);
  const Presence after = presence_in(subject.relation, all);
  const bool are_equal = before.rows == after.rows &&
                         std::equal(before.values, before.values + all.count, after.values);
  return are_equal ? nullptr
                   : "the release has other rows, or fewer values, and this page is public: the "
                     "difference would tell those";
}

void settle_comparison(Subject& subject) {
  const Rows hidden = Arguments()
                          .relation(subject.relation)
                          .ask("SELECT 1 WHERE pg_catalog.row_security_active($1)");
  subject.hidden_rows = hidden.count > 0;
  if (!OidIsValid(subject.source)) subject.not_compared = "no source was named";
  if (subject.layout != nullptr) subject.not_compared = "its rows are on several servers";
  if (subject.renamed) subject.not_compared = "columns of the release were renamed";
  if (subject.not_compared == nullptr) subject.not_compared = refusal(subject);
  if (subject.not_compared == nullptr) subject.not_compared = missing_column(subject);
  if (subject.not_compared == nullptr && !subject.internal)
    subject.not_compared = left_out(subject);
  check_cells(subject, subject.relation);
  if (subject.not_compared == nullptr) check_cells(subject, subject.source);
}

}  // namespace

int Subject::k() const {
  constexpr int kCustomary = 5;
  int least = spec.options.k;
  for (int i = 0; i < promised.count; ++i)
    if (std::strcmp(promised.list[i].model->name, "k-anonymity") == 0)
      least = static_cast<int>(promised.list[i].level);
  return least > 0 ? least : kCustomary;
}

Names Subject::names(std::initializer_list<Role> roles, Chosen chosen) const {
  Names found = {allocate<char*>(count), 0};
  for (int i = 0; i < count; ++i)
    if (std::find(roles.begin(), roles.end(), columns[i].role) != roles.end() &&
        (columns[i].comparable || chosen == Chosen::all))
      found.names[found.count++] = columns[i].name;
  return found;
}

Subject read_subject(FunctionCallInfo fcinfo) {
  Subject subject = {};
  subject.relation = relation_argument(fcinfo);
  // Before its companion, as a DROP locks them.
  hold_relation(subject.relation);
  const int internal = argument_place(fcinfo, "internal");
  subject.internal = !PG_ARGISNULL(internal) && PG_GETARG_BOOL(internal);
  subject.threshold = number_argument(fcinfo, "threshold", 0, 1, NAN);
  ReleaseQuery release = {};
  OverTimeQuery versions = {};
  DistributedQuery distributed = {};
  subject.over_time = read_over_time(subject.relation, versions);
  if (read_distributed(subject.relation, distributed)) subject.layout = distributed.layout;
  subject.published = read_any_release(subject.relation, release);
  if (subject.published) {
    refuse_description(fcinfo);
    subject.source = release.source;
    subject.json = release.spec;
    const Spec spec = read_spec(release.spec);
    subject.swapped = recoding(spec.options.recode).by_record;
    describe_release(subject, spec);
  } else {
    describe_relation(subject, fcinfo);
  }
  settle_context(subject, fcinfo);
  settle_comparison(subject);
  return subject;
}

}  // namespace anonkit::pg
