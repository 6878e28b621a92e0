// The body of anon_publish_set: a linked release of related tables.
//
//   prepare   read, form and judge (set_work.hpp)
//   beside    other releases of the same tables (set_beside.hpp)
//   write     a schema with the tables, and its description
//   audit     the written tables, as anon_assert_set does
//
// All in one transaction: a set that fails at any step does not exist.

#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/context.hpp"
#include "pg/release/other_readers.hpp"
#include "pg/release/replacement.hpp"
#include "pg/set/set_beside.hpp"
#include "pg/set/set_persons.hpp"
#include "pg/spec/arguments.hpp"

extern "C" {
#include "access/xact.h"
#include "parser/scansup.h"
}

namespace anonkit::pg {
namespace {

/// The arguments. Plain data.
struct SetArguments {
  char* name;
  Jsonb* tables;
  SetPromises promises;
  Beside beside;
  Jsonb* context;  ///< null: none
  Names key;       ///< of the persons of a set that grows; empty for another one
};

SetArguments read_arguments(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"name", "tables"});
  SetArguments asked = {};
  asked.name = text_argument(fcinfo, "name");
  if (asked.name[0] == '\0')
    ereport(ERROR, (errcode(ERRCODE_INVALID_NAME), errmsg("name must not be empty"),
                    errhint("It names the schema of the set's tables.")));
  truncate_identifier(asked.name, static_cast<int>(std::strlen(asked.name)), true);
  asked.tables = PG_GETARG_JSONB_P(argument_place(fcinfo, "tables"));
  asked.promises.m = m_of_word(text_argument(fcinfo, "m"));
  asked.promises.k = count_argument(fcinfo, "k", 1);
  asked.promises.alpha = number_argument(fcinfo, "alpha", 0, 1, 2);
  asked.promises.l = static_cast<int32>(number_argument(fcinfo, "l", 1, INT_MAX, 0));
  asked.beside = beside_argument(fcinfo);
  asked.context = context_argument(fcinfo);
  asked.key = names_argument(fcinfo, "key", 0);
  if (OidIsValid(get_namespace_oid(asked.name, true)))
    ereport(ERROR,
            (errcode(ERRCODE_DUPLICATE_SCHEMA), errmsg("schema \"%s\" already exists", asked.name),
             errhint("A set of tables is released as a schema of its own: use anon_refresh_set to "
                     "build it again, or anon_drop_set first.")));
  return asked;
}

/// Tables have the names of their sources.
const char* const* source_names(const SetTables& tables) {
  auto* names = allocate<const char*>(tables.count);
  for (int t = 0; t < tables.count; ++t) names[t] = relation_name(tables.tables[t].relation);
  return names;
}

/// Other roles have no right to the tables, but a publication sends them to its subscribers.
void look_for_readers(const SetQuery& set) {
  List* tables = list_make1_oid(find_companion(set.description));
  require_left(tables);
  for (int t = 0; t < set.released.count; ++t) tables = lappend_oid(tables, set.released.tables[t]);
  warn_of_publications(set.schema, tables);
}

SetQuery write(const SetArguments& asked, const SetWork& work, SetQuery set) {
  const char* const* names = source_names(work.tables);
  const PreparedSet prepared = prepared_set(work, names);
  set.schema = write_set(asked.name, prepared);
  for (int t = 0; t < work.tables.count; ++t)
    set.released.tables[t] = made_table(prepared, t, set.schema);
  audit_written(work, set.released.tables, names, asked.promises);
  for (int t = 0; t < work.tables.count; ++t)
    require_untouched(set.released.tables[t], static_cast<uint64>(work.published[t]), names[t]);
  create_description(set);
  note_set(set, work, asked.promises);
  if (asked.key.count > 0) note_persons(set, work);
  return set;
}

void publish(const SetArguments& asked, ReturnSetInfo* result) {
  // Names in the description are looked up in the caller's search path.
  const KnownPersons nobody = no_known_persons(asked.key);
  const SetWork work = prepare_set(read_published_tables(asked.tables), asked.promises,
                                   asked.key.count > 0 ? &nobody : nullptr);
  const SetQuery described = new_description(work, asked.promises);
  const OwnSettings settings = begin_own_settings();
  judge_set_beside({asked.name, InvalidOid}, work, asked.promises, asked.beside);
  const SetQuery set = write(asked, work, described);
  look_for_readers(set);
  PopActiveSnapshot();
  keep_context(set.description, asked.context);
  warn_of_past_dates(context_of(asked.context), psprintf("set \"%s\"", asked.name));
  end_own_settings(settings);
  return_table_rows(work, source_names(work.tables), result);
}

Datum publish_set(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  require_writable("anon_publish_set()");
  const Session session = open_session();
  publish(read_arguments(fcinfo), reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_publish_set) {
  return anonkit::pg::publish_set(fcinfo);
}
