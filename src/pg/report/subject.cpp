#include "pg/report/subject.hpp"

#include <algorithm>
#include <cstring>

#include "promise/promise.hpp"
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
#include "pg/spec/arguments.hpp"
#include "pg/spec/needs.hpp"
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

[[noreturn]] void refuse_level(const char* model) {
  ereport(ERROR,
          (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
           errmsg("a report of another tool's relation cannot measure %s", model),
           errdetail("It takes no unit, no population, no protected values and no wildcards."),
           errhint("anon_audit measures it.")));
  pg_unreachable();
}

/// An error for options of promises that need others than a description has.
void check_options(Jsonb* described) {
  for (const Promise* promise : kPromiseTable)
    if ((rows_of_persons(*promise) || rows_of_population(*promise)) &&
        value_of_key(described, promise->parameters[0].key) != nullptr)
      refuse_level(promise->name);
  if (value_of_key(described, "unit_rows") != nullptr) refuse_level("k-anonymity of histories");
}

/// An error for a level that lacks an option.
void check_levels(const AskedLevels& levels, const Spec& spec) {
  for (int i = 0; i < levels.count; ++i) {
    const Model& model = *levels.list[i].model;
    require_one_relation(model);
    const Need* need = lacking(model, spec);
    if (need == nullptr) continue;
    if (!need->has_report) refuse_level(model.name);
    refuse_without(model.name, *need);
  }
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
  check_options(subject.json);
  Spec& spec = subject.spec = read_audit_spec(subject.json);
  subject.columns = allocate<ReportColumn>(spec.qi.count + spec.sensitive.count);
  Relation relation = open_relation(subject.relation);
  describe_columns(subject, RelationGetDescr(relation), spec.qi, Role::quasi_identifier);
  describe_columns(subject, RelationGetDescr(relation), spec.sensitive, Role::sensitive);
  relation_close(relation, NoLock);
  subject.readers = spec;
  subject.promised = {asked_by(spec), promised_by(spec).parameters};
  check_levels(subject.promised, spec);
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

/// The rows of a relation, and by column of the subject the values that are not null, if they are
/// counted, and whether these can be compared. Plain data.
struct Contents {
  int64 rows;
  int64* values;
  bool* comparable;
};

/// The columns of a query, by their places among those of the subject. Plain data.
struct Looking {
  Contents* found;
  int* columns;
  NumberColumn* numbers;
  bool* is_number;
  int count;
};

void look_at_row(TupleTableSlot* slot, void* state) {
  const auto& looking = *static_cast<const Looking*>(state);
  ++looking.found->rows;
  for (int i = 0; i < looking.count; ++i) {
    bool& comparable = looking.found->comparable[looking.columns[i]];
    if (slot->tts_isnull[i]) continue;
    ++looking.found->values[looking.columns[i]];
    if (looking.is_number[i] && comparable)
      comparable = is_open_cell(looking.numbers[i], slot->tts_values[i]);
  }
}

/// Finds numeric columns with cells that are neither numbers nor null, and columns that cannot be
/// sorted. Counts the values of all columns if that is asked for.
Contents contents_of(const Subject& subject, Oid oid, bool counted) {
  const int count = subject.count;
  Contents found = {0, allocate<int64>(count), allocate<bool>(count)};
  std::fill_n(found.values, count, 0);
  Looking looking = {&found, allocate<int>(count), allocate<NumberColumn>(count),
                     allocate<bool>(count), 0};
  UserQuery query = begin_user_query();
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int i = 0; i < count; ++i) {
    const char* name = subject.columns[i].name;
    const Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, name) - 1);
    const bool is_number = OidIsValid(number_or_end_type(attribute->atttypid));
    found.comparable[i] =
        is_number || (is_built_in_type(attribute->atttypid) &&
                      OidIsValid(lookup_type_cache(attribute->atttypid, TYPECACHE_LT_OPR)->lt_opr));
    if (!is_number && !counted) continue;
    add_column(query, name);
    if (is_number) looking.numbers[looking.count] = number_column(attribute);
    looking.is_number[looking.count] = is_number;
    looking.columns[looking.count++] = i;
  }
  relation_close(relation, NoLock);
  // Only numbers may be counted on other servers, by the equality of their types.
  if (counted)
    for_each_row(end_user_query(query, oid), look_at_row, &looking);
  else if (looking.count > 0)
    for_each_row_of(query, oid, nullptr, look_at_row, &looking);
  return found;
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
  const bool compared = subject.not_compared == nullptr;
  const bool counted = compared && !subject.internal;
  const Contents after = contents_of(subject, subject.relation, counted);
  const Contents before = compared ? contents_of(subject, subject.source, counted) : after;
  const bool are_equal = before.rows == after.rows &&
                         std::equal(before.values, before.values + subject.count, after.values);
  // A reader who subtracts the release from the source has what the release leaves out.
  if (counted && !are_equal)
    subject.not_compared =
        "the release has other rows, or fewer values, and this page is public: the difference "
        "would tell those";
  for (int i = 0; i < subject.count; ++i)
    subject.columns[i].comparable = subject.columns[i].comparable && after.comparable[i] &&
                                    (subject.not_compared != nullptr || before.comparable[i]);
}

}  // namespace

const char* word_of(Role role) {
  switch (role) {
    case Role::quasi_identifier:
      return "quasi-identifier";
    case Role::sensitive:
      return "sensitive";
    case Role::keep:
      break;
  }
  return "kept";
}

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
  subject.internal = truth_argument(fcinfo, "internal");
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
