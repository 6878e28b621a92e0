
-- ---- Publish: a release is a materialized view over anon_release ----------------------------------

CREATE FUNCTION anon_release(tbl regclass, spec jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb) IS
'The masked and verified rows of a release; the query behind the materialized views that anon_publish '
'makes. Raises check_violation if the masked rows do not satisfy what the spec promises.';

-- With the tables that hierarchies of the spec are in: constants of the query, on which it depends.
CREATE FUNCTION anon_release(tbl regclass, spec jsonb, tables regclass[])
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb, regclass[]) IS
'The same of a release with hierarchies in tables: the spec names them by their places in tables.';

CREATE FUNCTION anon_publish(
  release text,
  tbl regclass,
  qi text[],
  k int,
  method text DEFAULT 'microaggregate',
  sensitive text[] DEFAULT '{}',
  keep text[] DEFAULT '{}',
  params jsonb DEFAULT '{}',
  grant_to text[] DEFAULT '{}',
  lower_bound anyelement DEFAULT false,
  unit text[] DEFAULT NULL)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_publish'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_publish(text, regclass, text[], int, text, text[], text[], jsonb, text[],
  anyelement, text[]) IS
'Makes the materialized view release out of the table: masked quasi-identifiers, the sensitive and the '
'kept columns as they are, nothing else. Verifies it, grants SELECT to the roles in grant_to, and '
'returns its figures; loss is 100*SSE/SST on the standardized columns. Publishes nothing on failure. '
'unit names the columns that say whose a row is: k and what else is promised count persons.';

CREATE FUNCTION anon_refresh(release regclass)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_refresh'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_refresh(regclass) IS
'Builds and verifies a release again from what its source holds now. The old release stays if that '
'fails.';

CREATE FUNCTION anon_drop(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_drop'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_drop(regclass) IS
'Drops a release. Refuses any relation that is not one.';

CREATE FUNCTION anon_release_info(release regclass)
RETURNS TABLE (
  source regclass, spec jsonb, built timestamptz, current boolean,
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_release_info'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 ROWS 1;

COMMENT ON FUNCTION anon_release_info(regclass) IS
'Source, spec and figures of a release; no row for any other relation.';

-- A release depends on anon_release, so that no other materialized view need be looked at.
CREATE VIEW anon_releases AS
SELECT c.oid::pg_catalog.regclass AS release, info.*
FROM (
  SELECT DISTINCT r.ev_class
  FROM pg_catalog.pg_depend AS d
  JOIN pg_catalog.pg_rewrite AS r ON r.oid OPERATOR(pg_catalog.=) d.objid
  WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
  AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY[
    '@extschema@.anon_release(regclass, jsonb)'::pg_catalog.regprocedure,
    '@extschema@.anon_release(regclass, jsonb, regclass[])'::pg_catalog.regprocedure]::pg_catalog.oid[])
) AS caller(oid)
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) caller.oid
 AND c.relkind OPERATOR(pg_catalog.=) 'm',
LATERAL @extschema@.anon_release_info(c.oid::pg_catalog.regclass) AS info;

COMMENT ON VIEW anon_releases IS
'Every release of this database: where it comes from, how it was asked for, when it was built, and '
'its figures then. current is false if REFRESH MATERIALIZED VIEW wrote other rows since, and null while '
'another session builds the release. Only source and spec are known of a release that holds no data.';

GRANT SELECT ON anon_releases TO PUBLIC;
