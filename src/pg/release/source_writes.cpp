#include "pg/release/source_writes.hpp"

#include "pg/backend/owners_work.hpp"

extern "C" {
#include "access/xlog.h"
#include "catalog/pg_namespace.h"
}

namespace anonkit::pg {
namespace {

constexpr char kQuery[] =
    "WITH RECURSIVE behind(oid) AS ("
    " SELECT $1 UNION SELECT further.oid FROM behind CROSS JOIN LATERAL ("
    "  SELECT d.refobjid AS oid FROM pg_class AS c JOIN pg_rewrite AS r ON r.ev_class = c.oid"
    "  JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid"
    "   AND d.refclassid = 'pg_class'::regclass WHERE c.oid = behind.oid AND c.relkind = 'v'"
    "  UNION ALL SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = behind.oid"
    " ) AS further),"
    " counted AS (SELECT c.oid, c.relkind,"
    "  pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid)"
    "   + pg_stat_get_tuples_deleted(c.oid) AS reported,"
    "  pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)"
    "   + pg_stat_get_xact_tuples_deleted(c.oid) AS own,"
    "  pg_stat_get_live_tuples(c.oid) AS live"
    "  FROM behind JOIN pg_class AS c ON c.oid = behind.oid)"
    " SELECT NOT bool_or(relkind = 'f' OR %s), sum(reported + own)::bigint,"
    "  sum(reported) > 0 AND sum(own) = 0 AND sum(live) = 0 FROM counted";

// Citus's tables are written on other servers.
constexpr char kDistributed[] =
    "EXISTS (SELECT FROM pg_catalog.pg_dist_partition AS d WHERE d.logicalrelid = counted.oid)";

char* query_of_writes() {
  const Oid citus = get_relname_relid("pg_dist_partition", PG_CATALOG_NAMESPACE);
  return psprintf(kQuery, OidIsValid(citus) ? kDistributed : "false");
}

}  // namespace

SourceWrites source_writes(Oid source) {
  SourceWrites writes = {};
  if (RecoveryInProgress()) return writes;
  SPI_connect();
  const OwnSettings settings = begin_own_settings();
  Oid type = OIDOID;
  Datum argument = ObjectIdGetDatum(source);
  const int result =
      SPI_execute_with_args(query_of_writes(), 1, &type, &argument, nullptr, true, 1);
  if (result != SPI_OK_SELECT || SPI_processed != 1)
    elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  const auto value = [](int column) {
    bool null;
    return SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &null);
  };
  writes = {DatumGetBool(value(1)), DatumGetInt64(value(2)), DatumGetBool(value(3))};
  end_own_settings(settings);
  SPI_finish();
  return writes;
}

SourceWrites writes_behind(const NamedTables& sources) {
  SourceWrites sum = {true, 0, false};
  for (int i = 0; i < sources.count; ++i) {
    const SourceWrites writes = source_writes(sources.tables[i]);
    sum = {sum.known && writes.known, sum.rows + writes.rows, sum.emptied || writes.emptied};
  }
  return sum;
}

}  // namespace anonkit::pg
