#include "pg/release/release_query.hpp"

#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/stored_query.hpp"
#include "pg/release/set_query.hpp"

extern "C" {
#include "parser/parsetree.h"
#include "storage/lmgr.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kFunction[] = "anon_release";

/// The only item of a plain query, if it is a function; else null.
RangeTblFunction* only_function(const Query* query) {
  auto* item = static_cast<Node*>(linitial(query->jointree->fromlist));
  if (!IsA(item, RangeTblRef)) return nullptr;
  RangeTblEntry* entry = rt_fetch(reinterpret_cast<RangeTblRef*>(item)->rtindex, query->rtable);
  if (entry->rtekind != RTE_FUNCTION || entry->funcordinality || list_length(entry->functions) != 1)
    return nullptr;
  return linitial_node(RangeTblFunction, entry->functions);
}

/// Reads the tables that the call names beside its source.
bool read_labels(const List* arguments, NamedTables& tables) {
  tables = {nullptr, 0};
  return list_length(arguments) < 3 || tables_at(arguments, 2, tables);
}

void require_release(Oid relation, ReleaseQuery& query) {
  if (read_release(relation, query)) return;
  SetQuery set;
  const bool of_set = read_set_query(relation, set);
  ereport(
      ERROR,
      (errcode(ERRCODE_WRONG_OBJECT_TYPE),
       errmsg("\"%s\" is not a release", get_rel_name(relation)),
       errhint("%s", of_set ? "It describes a set of tables: anon_refresh_set and anon_drop_set "
                              "take the set's schema."
                            : "A release is a view or materialized view that anon_publish "
                              "made.")));
}

}  // namespace

bool read_release(Oid relation, ReleaseQuery& release) {
  const Query* query = stored_query(relation, RELKIND_MATVIEW);
  if (query == nullptr || !is_plain(query) || query->jointree->quals != nullptr) return false;
  const RangeTblFunction* function = only_function(query);
  if (function == nullptr || columns_in_order(query, 0) != function->funccolcount) return false;
  if (!IsA(function->funcexpr, FuncExpr)) return false;
  const auto* call = reinterpret_cast<const FuncExpr*>(function->funcexpr);
  if (!is_extension_function(call->funcid, kFunction)) return false;
  const Const* source = constant_at(call->args, 0, REGCLASSOID);
  const Const* spec = constant_at(call->args, 1, JSONBOID);
  NamedTables tables;
  if (source == nullptr || spec == nullptr || !read_labels(call->args, tables)) return false;
  release.source = DatumGetObjectId(source->constvalue);
  Jsonb* placed = DatumGetJsonbP(spec->constvalue);
  if (get_rel_name(release.source) == nullptr || !JB_ROOT_IS_OBJECT(placed) ||
      !names_all_tables(placed, tables))
    return false;
  release.spec = names_for_tables(placed, tables);
  return true;
}

namespace {

/// A refresh of another session, while it holds ExclusiveLock, will wait for all sessions that have
/// used the release. So they must not wait for it.
void take_turn(Oid relation) {
  if (!has_used(relation) || ConditionalLockRelationOid(relation, ExclusiveLock)) return;
  ereport(ERROR,
          (errcode(ERRCODE_LOCK_NOT_AVAILABLE),
           errmsg("another session refreshes release \"%s\"", get_rel_name(relation)),
           errdetail("It may wait for the end of this transaction, which has used the release."),
           errhint("Try again in a transaction that has not used the release.")));
}

}  // namespace

ReleaseQuery lock_release(Oid relation, LOCKMODE mode, void (*require_right)(Oid)) {
  const char* name = get_rel_name(relation);
  ReleaseQuery query;
  require_release(relation, query);
  require_right(relation);
  take_turn(relation);
  LockRelationOid(relation, mode);
  // Another session may have dropped it or changed its owner meanwhile.
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation)))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("release \"%s\" was dropped by another session", name)));
  require_right(relation);
  require_release(relation, query);
  return query;
}

namespace {

char* json_text(Jsonb* json) {
  return JsonbToCString(nullptr, &json->root, VARSIZE(json));
}

}  // namespace

void append_definition(StringInfo text, const char* name, Oid type, int32 typmod, Oid collation) {
  appendStringInfo(text, "%s %s", quote_identifier(name), format_type_with_typemod(type, typmod));
  if (OidIsValid(collation) && collation != get_typcollation(type))
    appendStringInfo(text, " COLLATE %s", generate_collation_name(collation));
}

void append_definition(StringInfo text, const SourceColumn& column) {
  append_definition(text, column.name, column.released_type, column.released_typmod,
                    column.released_collation);
}

namespace {

/// The tables of labels as constants, which make the view depend on them.
char* table_list(const NamedTables& tables) {
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < tables.count; ++i)
    appendStringInfo(&list, "%s%s::pg_catalog.regclass", i > 0 ? ", " : ", ARRAY[",
                     quote_literal_cstr(qualified_name_of(tables.tables[i])));
  if (tables.count > 0) appendStringInfoChar(&list, ']');
  return list.data;
}

}  // namespace

char* release_query(const Source& source, Jsonb* spec, const NamedTables& tables) {
  const Oid function = extension_function(kFunction);
  if (!OidIsValid(function)) elog(ERROR, "extension \"anonkit\" has no function %s", kFunction);
  const SourceColumn** columns = released_columns(source);
  StringInfoData names;
  StringInfoData definitions;
  initStringInfo(&names);
  initStringInfo(&definitions);
  for (int i = 0; i < source.count; ++i) {
    appendStringInfo(&names, "%srelease.%s", i > 0 ? ", " : "", quote_identifier(columns[i]->name));
    appendStringInfoString(&definitions, i > 0 ? ", " : "");
    append_definition(&definitions, *columns[i]);
  }
  if (source.class_column != nullptr) {
    const char* name = quote_identifier(source.class_column);
    appendStringInfo(&names, ", release.%s", name);
    appendStringInfo(&definitions, ", %s integer", name);
  }
  return psprintf(
      "SELECT %s FROM %s(%s::pg_catalog.regclass, %s::pg_catalog.jsonb%s) AS release(%s)",
      names.data,
      quote_qualified_identifier(get_namespace_name(get_func_namespace(function)),
                                 get_func_name(function)),
      quote_literal_cstr(source.qualified_name), quote_literal_cstr(json_text(spec)),
      table_list(tables), definitions.data);
}

namespace {

/// The names of source columns and their names in the release.
struct Renaming {
  TupleDesc source;
  const SourceColumn** columns;  ///< of the release, in its order
  int count;
  Oid release;

  char* of(char* name) const {
    const AttrNumber number = find_column(source, name);
    for (int i = 0; i < count; ++i)
      if (columns[i]->number == number)
        return get_attname(release, static_cast<AttrNumber>(i + 1), false);
    return name;
  }

  Names of(const Names& names) const {
    Names renamed = {
        static_cast<char**>(palloc0(sizeof(char*) * static_cast<std::size_t>(names.count + 1))),
        names.count};
    for (int i = 0; i < names.count; ++i) renamed.names[i] = of(names.names[i]);
    return renamed;
  }

  template <class Choices>
  void rename(Choices& choices) const {
    const std::size_t size = sizeof(*choices.list) * static_cast<std::size_t>(choices.count);
    if (size == 0) return;
    auto* list = static_cast<decltype(choices.list)>(palloc(size));
    for (int i = 0; i < choices.count; ++i) {
      list[i] = choices.list[i];
      list[i].column = of(choices.list[i].column);
    }
    choices.list = list;
  }
};

}  // namespace

List* names_at_publication(Oid release) {
  if (const Query* query = stored_query(release, RELKIND_MATVIEW)) {
    const RangeTblFunction* function = only_function(query);
    return function == nullptr ? NIL : function->funccolnames;
  }
  const Query* query = stored_query(release, RELKIND_VIEW);
  const Oid table = query == nullptr ? InvalidOid : only_table(query);
  List* names = NIL;
  for (int i = 0; OidIsValid(table) && i < list_length(query->targetList); ++i) {
    auto* target = list_nth_node(TargetEntry, query->targetList, i);
    if (!IsA(target->expr, Var)) return NIL;
    const AttrNumber number = reinterpret_cast<Var*>(target->expr)->varattno;
    names = lappend(names, makeString(get_attname(table, number, false)));
  }
  return names;
}

const SourceColumn** columns_of_release(const Source& source, Oid release) {
  const List* names = names_at_publication(release);
  return released_columns(source, [names](const char* name) {
    int place = 0;
    while (place < list_length(names) && std::strcmp(strVal(list_nth(names, place)), name) != 0)
      ++place;
    return place;
  });
}

Spec as_released(const Spec& spec, const Source& source, Oid release) {
  Relation relation = open_relation(source.relation);
  const Renaming renaming = {RelationGetDescr(relation), columns_of_release(source, release),
                             source.count, release};
  Spec released = spec;
  released.qi = renaming.of(spec.qi);
  released.sensitive = renaming.of(spec.sensitive);
  released.keep = renaming.of(spec.keep);
  released.pseudonym = {};  // its values are pseudonyms already
  released.unit = renaming.of(spec.unit);
  released.categories = renaming.of(spec.categories);
  renaming.rename(released.hierarchies);
  renaming.rename(released.protected_values);
  relation_close(relation, NoLock);
  return released;
}

}  // namespace anonkit::pg
