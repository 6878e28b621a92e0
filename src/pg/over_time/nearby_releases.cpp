#include "pg/over_time/nearby_releases.hpp"

#include <algorithm>
#include <iterator>

#include "pg/backend/attempt.hpp"
#include "pg/backend/output_settings.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/distributed_query.hpp"

extern "C" {
#include "utils/builtins.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// A source in $1, and a relation whose rows it reads, through views and down to partitions.
#define ANONKIT_BEHIND                                                                          \
  "WITH RECURSIVE behind(root, oid) AS ("                                                       \
  " SELECT source, source FROM unnest($1) AS source"                                            \
  " UNION SELECT behind.root, further.oid FROM behind CROSS JOIN LATERAL ("                     \
  "  SELECT d.refobjid AS oid FROM pg_class AS c JOIN pg_rewrite AS r ON r.ev_class = c.oid"    \
  "  JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid"             \
  "   AND d.refclassid = 'pg_class'::regclass WHERE c.oid = behind.oid AND c.relkind IN ('v', " \
  "'m')"                                                                                        \
  "  UNION ALL SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = behind.oid"          \
  " ) AS further),"                                                                             \
  " stored AS (SELECT behind.root, behind.oid FROM behind JOIN pg_class AS c USING (oid)"       \
  "  WHERE c.relkind <> 'v' AND c.relnamespace <> 'pg_catalog'::regnamespace)"

/// The sources that share a table with the first one.
constexpr char kSharing[] = ANONKIT_BEHIND
    " SELECT DISTINCT other.root FROM stored AS own JOIN stored AS other USING (oid)"
    " WHERE own.root = $1[1]";

/// The columns of a primary key of a table that all sources read.
constexpr char kPrimaryKey[] = ANONKIT_BEHIND
    " SELECT a.attname::text FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid"
    "  AND a.attnum = ANY (i.indkey) WHERE i.indisprimary AND i.indrelid = (SELECT p.indrelid"
    "   FROM pg_index AS p WHERE p.indisprimary AND p.indrelid IN (SELECT oid FROM stored GROUP BY"
    "    oid HAVING count(*) = (SELECT count(DISTINCT source) FROM unnest($1) AS source))"
    "   ORDER BY p.indrelid LIMIT 1) ORDER BY a.attnum";

/// All views and materialized views that call the functions of releases and sets.
constexpr char kCallers[] =
    "SELECT DISTINCT r.ev_class FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid"
    " JOIN pg_proc AS p ON p.oid = d.refobjid WHERE d.classid = 'pg_rewrite'::regclass"
    " AND d.refclassid = 'pg_proc'::regclass AND p.prosrc IN ('anon_release', 'anon_release_spec', "
    "'anon_set_spec')"
    " AND $1 <> ALL ('{}'::oid[]) ORDER BY 1";

/// Values of the first column of a query, in the caller's memory context. Plain data.
struct Found {
  Datum* values;
  int count;
};

/// Runs one of the queries above, with relations as its argument.
Found query_catalog(const char* query, Oid element, Datum argument) {
  MemoryContext context = CurrentMemoryContext;
  SPI_connect();
  const OwnSettings settings = begin_own_settings();
  // The planner takes a recursion for so long that it would compile these queries, which takes half
  // a second; with hundreds of releases they run for milliseconds.
  set_in_nest("jit", "off");
  Oid type = element;
  const int result = SPI_execute_with_args(query, 1, &type, &argument, nullptr, true, 0);
  if (result != SPI_OK_SELECT) elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  Found found = {nullptr, static_cast<int>(SPI_processed)};
  found.values = static_cast<Datum*>(
      MemoryContextAlloc(context, sizeof(Datum) * static_cast<std::size_t>(found.count + 1)));
  const bool texts = SPI_gettypeid(SPI_tuptable->tupdesc, 1) == TEXTOID;
  for (int i = 0; i < found.count; ++i) {
    bool null;
    const Datum value = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &null);
    found.values[i] =
        texts ? PointerGetDatum(MemoryContextStrdup(context, TextDatumGetCString(value))) : value;
  }
  end_own_settings(settings);
  SPI_finish();
  return found;
}

Datum oid_array(const Oid* oids, int count) {
  Datum* values = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) values[i] = ObjectIdGetDatum(oids[i]);
  return PointerGetDatum(construct_array(values, count, OIDOID, sizeof(Oid), true, TYPALIGN_INT));
}

/// A neighbour from the catalogs alone, without its source's code. Plain data.
struct LookedUp {
  Oid relation;
  Oid owner;
  const char* name;
  Oid source;  ///< of a release; InvalidOid if it is none
  SetQuery set;
  bool is_set;
};

void look_up(void* state) {
  auto& found = *static_cast<LookedUp*>(state);
  ReleaseQuery query;
  found.owner = owner_of(found.relation);
  found.name = get_rel_name(found.relation);
  if (found.name == nullptr) return;
  // The classes of a distributed release could only be formed again where its rows are.
  DistributedQuery distributed;
  if (read_distributed(found.relation, distributed)) return;
  if (read_any_release(found.relation, query))
    found.source = query.source;
  else
    found.is_set = read_set_query(found.relation, found.set);
}

void add_neighbours(const LookedUp& found, Neighbours& others) {
  const int added = found.is_set ? found.set.sources.count : OidIsValid(found.source) ? 1 : 0;
  if (added == 0) return;
  const int64 count = int64{others.count} + added;
  if (others.list == nullptr)
    others.list = allocate<Neighbour>(count);
  else
    resize(others.list, count);
  for (int i = 0; i < added; ++i)
    others.list[others.count++] = {
        found.relation, found.is_set ? get_namespace_name(found.set.schema) : found.name,
        found.owner, found.is_set ? found.set.sources.tables[i] : found.source, found.is_set};
}

}  // namespace

ErrorData* attempt_beside(void (*work)(void* state), void* state) {
  ErrorData* error = attempt(work, state);
  if (error != nullptr && error->sqlerrcode == ERRCODE_QUERY_CANCELED) ReThrowError(error);
  return error;
}

namespace {

/// True for an error about the server's state, such as a lack of memory or a file that cannot be
/// read.
bool is_of_server(const ErrorData& error) {
  static constexpr int kClasses[] = {
      ERRCODE_TO_CATEGORY(ERRCODE_TRANSACTION_ROLLBACK),
      ERRCODE_TO_CATEGORY(ERRCODE_INSUFFICIENT_RESOURCES),
      ERRCODE_TO_CATEGORY(ERRCODE_OPERATOR_INTERVENTION),
      ERRCODE_TO_CATEGORY(ERRCODE_SYSTEM_ERROR),
  };
  if (error.sqlerrcode == ERRCODE_DATA_CORRUPTED || error.sqlerrcode == ERRCODE_INDEX_CORRUPTED)
    return true;
  const int found = ERRCODE_TO_CATEGORY(error.sqlerrcode);
  return std::find(std::begin(kClasses), std::end(kClasses), found) != std::end(kClasses);
}

/// False for a relation that is no neighbour. An own one must not be missed because a catalog could
/// not be read; a stranger's must not fail a publication, whatever it is.
bool looked_up(LookedUp& found) {
  ErrorData* error = attempt_beside(look_up, &found);
  if (error == nullptr) return true;
  const bool of_stranger = OidIsValid(found.owner) && found.owner != GetUserId();
  if (!of_stranger && is_of_server(*error)) ReThrowError(error);
  return false;
}

}  // namespace

bool relation_exists(Oid relation) {
  return SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation));
}

Neighbours all_others(Oid release) {
  const Found callers = query_catalog(kCallers, OIDOID, ObjectIdGetDatum(release));
  Neighbours others = {};
  for (int i = 0; i < callers.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    LookedUp found = {};
    found.relation = DatumGetObjectId(callers.values[i]);
    if (found.relation != release && relation_exists(found.relation) && looked_up(found))
      add_neighbours(found, others);
  }
  return others;
}

bool is_own(const Neighbour& other) {
  return other.owner == GetUserId();
}

Neighbours sharing(Oid source, const Neighbours& others) {
  Oid* sources = allocate<Oid>(int64{others.count} + 1);
  sources[0] = source;
  for (int i = 0; i < others.count; ++i) sources[i + 1] = others.list[i].source;
  const Found found = query_catalog(kSharing, OIDARRAYOID, oid_array(sources, others.count + 1));
  Datum* end = found.values + found.count;
  std::sort(found.values, end);
  const auto shares = [&](const Neighbour& other) {
    return std::binary_search(found.values, end, ObjectIdGetDatum(other.source));
  };
  auto* last = std::stable_partition(others.list, others.list + others.count, shares);
  return {others.list, static_cast<int>(last - others.list)};
}

Names shared_primary_key(const Oid* sources, int count) {
  const Found found = query_catalog(kPrimaryKey, OIDARRAYOID, oid_array(sources, count));
  Names names = {allocate<char*>(found.count), found.count};
  for (int i = 0; i < found.count; ++i) names.names[i] = DatumGetCString(found.values[i]);
  return names;
}

}  // namespace anonkit::pg
