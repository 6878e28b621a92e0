
-- ---- Publish: a release is a materialized view over anon_release ----------------------------------

CREATE FUNCTION anon_release(tbl regclass, spec jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb) IS
'Internal: the masked and verified rows of a release; the query behind the materialized views of anon_publish. Raises '
'check_violation if the masked rows break a promise of the spec.';

-- For hierarchies by table: the tables are constants of the query, which depends on them.
CREATE FUNCTION anon_release(tbl regclass, spec jsonb, tables regclass[])
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb, regclass[]) IS
'Internal: anon_release for hierarchies in tables: the spec refers to them by their positions in tables.';

CREATE FUNCTION anon_publish(${arguments})
RETURNS TABLE (
  verdict text, rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint,
  changed bigint, outside bigint, coverage float8, least_coverage float8, seconds float8)
AS 'MODULE_PATHNAME', 'anon_publish'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_publish(${types}) IS
'Creates the materialized view release from the table: masked quasi-identifiers, and the sensitive and kept '
'columns unchanged. Verifies it, grants SELECT to the roles in grant_to, and returns a verdict in words and its figures, to four digits; loss is '
'100*SSE/SST on the standardized columns. Publishes nothing on failure. Promises are named as in the methods '
'(see anon_microaggregate); params is an object of the method''s other arguments. unit names the columns that'
' identify the person of a row; then k and all promises count persons. key names the columns that identify a '
'record over time, and makes a release over time: a view whose versions keep every promise together. Its '
'state is in two tables beside it. Newcomers wait until they form a class that loses at most wait_loss (5) times '
'as much as the first version, or until one has waited max_wait (14) refreshes, and only at every so many refreshes '
'as every (1) says. Nobody waits for a value: a class of newcomers that breaks a promise withholds its sensitive values for ever, and so do decoys. Column weight is the '
'share of a class that is still in the table. '
'With transparent, sensitive values of classes that break a promise are withheld, see anon_microaggregate: an '
'adversary who knows the code learns nothing more. Other promises on values draw a notice.';

CREATE FUNCTION anon_release_places(release regclass)
RETURNS regclass
AS 'MODULE_PATHNAME', 'anon_release_places'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_release_places(regclass) IS
'The table of all places of a release over time, compared with its seal; null for any other relation. Only for roles '
'that may read the places.';

CREATE FUNCTION anon_release_spec(source regclass, spec jsonb)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_release_spec'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION anon_release_spec(regclass, jsonb) IS
'Internal: always true. It is a part of the query of a release over time, and names its source.';

CREATE FUNCTION anon_release_spec(source regclass, spec jsonb, waiting regclass, secret regclass)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_release_spec'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION anon_release_spec(regclass, jsonb, regclass, regclass) IS
'Internal: always true. It is a part of the query of a release over time that version 0.2.0 made; the next refresh replaces it.';

CREATE FUNCTION anon_set_spec(sources regclass[], tables regclass[], spec jsonb)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_set_spec'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION anon_set_spec(regclass[], regclass[], jsonb) IS
'Internal: always true. A view in the schema of a set calls it, and so names the set''s sources and tables.';

CREATE FUNCTION anon_distributed_spec(source regclass, spec jsonb, layout jsonb)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_distributed_spec'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION anon_distributed_spec(regclass, jsonb, jsonb) IS
'Internal: always true. It is a part of the query of a distributed release, and names its source.';

CREATE FUNCTION anon_refresh(release regclass, concurrently boolean DEFAULT false)
RETURNS TABLE (
  verdict text, rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint,
  changed bigint, outside bigint, coverage float8, least_coverage float8, seconds float8)
AS 'MODULE_PATHNAME', 'anon_refresh'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_refresh(regclass, boolean) IS
'Rebuilds and verifies a release from the present rows of its source. The old release stays if that fails. '
'The new rows are computed, written and verified beside the old ones. Readers wait only while they are exchanged '
'and indexes are rebuilt. With concurrently readers never wait; that requires a unique index on a kept column. For '
'a release with a key, makes the next version, and readers never wait.';

CREATE FUNCTION anon_withdraw_class(release regclass, key text[])
RETURNS bigint
AS 'MODULE_PATHNAME', 'anon_withdraw_class'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 100000;

COMMENT ON FUNCTION anon_withdraw_class(regclass, text[]) IS
'Makes the next version of a release with a key, without the class of one person, and erases the sensitive and kept '
'values of that class from the state. key has the person''s values in the key columns, then those in other columns '
'of the unit. The other members of the class stay out of all later versions. Returns the number of rows of the class, '
'which may be withdrawn already.';

CREATE FUNCTION anon_drop(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_drop'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_drop(regclass) IS
'Drops a release. Refuses any relation that is not one.';

CREATE FUNCTION anon_release_info(release regclass)
RETURNS TABLE (
  source regclass, spec jsonb, built timestamptz, current boolean, changes bigint, rebuilt boolean,
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint,
  changed bigint, outside bigint, coverage float8, least_coverage float8, seconds float8,
  owner regrole, last_success timestamptz, last_failure timestamptz, schedule text, promises text,
  valid_until date, review_due date)
AS 'MODULE_PATHNAME', 'anon_release_info'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 1;

COMMENT ON FUNCTION anon_release_info(regclass) IS
'Source, spec, owner, time and sizes of a release; no row for any other relation. Roles with the privileges of its '
'owner also see its figures and its state; for others they are null. changes counts the rows that were written in '
'the source since the release was built, as the server''s statistics know, or is null; rebuilt tells that REFRESH '
'MATERIALIZED VIEW wrote other rows since; current, that neither happened, and no run of anon_refresh_job failed. '
'valid_until and review_due are those of its context.';

CREATE FUNCTION anon_context(release regclass, context jsonb)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_context'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_context(regclass, jsonb) IS
'Writes what no figure of a release, or of a set by the view that describes it, can tell, and returns it. context is an '
'object of texts, or arrays of texts: recipient, purpose, legal_basis, controls, additional_data, population, time_span, '
'reviewer, decision; and of dates: valid_until, review_due. It replaces the one before; an empty object removes it. '
'Only for the owner. Reports print it with its fingerprint, refreshes keep it, and warn after its dates.';

CREATE FUNCTION anon_context(release regclass)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_context'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_context(regclass) IS
'The context of a release or a set, for roles with the privileges of its owner; null for others.';

-- A release depends on one of these functions, so all other views can be skipped. to_char leaves four digits.
CREATE VIEW anon_releases AS
SELECT c.oid::pg_catalog.regclass AS release, info.source, info.built,
  pg_catalog.date_trunc('second', pg_catalog.now() OPERATOR(pg_catalog.-) info.built) AS age,
  info.current, info.changes, info.rebuilt, info.last_success, info.last_failure, info.schedule,
  info.rows, info.classes, info.smallest_class,
  pg_catalog.trim_scale(pg_catalog.to_char(info.mean_class, '9.999EEEE')::pg_catalog.numeric) AS mean_class,
  pg_catalog.trim_scale(pg_catalog.to_char(info.loss, '9.999EEEE')::pg_catalog.numeric) AS loss,
  pg_catalog.trim_scale(pg_catalog.to_char(info.ncp, '9.999EEEE')::pg_catalog.numeric) AS ncp,
  pg_catalog.trim_scale(pg_catalog.to_char(info.prec, '9.999EEEE')::pg_catalog.numeric) AS prec,
  pg_catalog.trim_scale(pg_catalog.to_char(info.il, '9.999EEEE')::pg_catalog.numeric) AS il,
  info.dm,
  pg_catalog.trim_scale(pg_catalog.to_char(info.avg, '9.999EEEE')::pg_catalog.numeric) AS avg,
  pg_catalog.trim_scale(pg_catalog.to_char(info.lower_bound, '9.999EEEE')::pg_catalog.numeric) AS lower_bound, info.suppressed, info.suppressed_cells,
  pg_catalog.trim_scale(pg_catalog.to_char(info.saved, '9.999EEEE')::pg_catalog.numeric) AS saved, info.coarsened_cells, info.reproducible,
  info.version, info.waiting, info.vacant, info.stale, info.withheld,
  pg_catalog.trim_scale(pg_catalog.to_char(info.seconds, '9.999EEEE')::pg_catalog.numeric) AS seconds, info.spec, info.owner,
  info.changed, info.outside,
  pg_catalog.trim_scale(pg_catalog.to_char(info.coverage, '9.999EEEE')::pg_catalog.numeric) AS coverage,
  pg_catalog.trim_scale(pg_catalog.to_char(info.least_coverage, '9.999EEEE')::pg_catalog.numeric) AS least_coverage,
  info.promises, info.valid_until, info.review_due
FROM (
  SELECT DISTINCT r.ev_class
  FROM pg_catalog.pg_depend AS d
  JOIN pg_catalog.pg_rewrite AS r ON r.oid OPERATOR(pg_catalog.=) d.objid
  WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
  AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY[
    '@extschema@.anon_release(regclass, jsonb)'::pg_catalog.regprocedure,
    '@extschema@.anon_release(regclass, jsonb, regclass[])'::pg_catalog.regprocedure,
    '@extschema@.anon_release_spec(regclass, jsonb)'::pg_catalog.regprocedure,
    '@extschema@.anon_release_spec(regclass, jsonb, regclass, regclass)'::pg_catalog.regprocedure,
    '@extschema@.anon_set_spec(regclass[], regclass[], jsonb)'::pg_catalog.regprocedure,
    '@extschema@.anon_distributed_spec(regclass, jsonb, jsonb)'::pg_catalog.regprocedure]::pg_catalog.oid[])
) AS caller(oid)
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) caller.oid
 AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['m', 'v']::pg_catalog."char"[]),
LATERAL @extschema@.anon_release_info(c.oid::pg_catalog.regclass) AS info;

COMMENT ON VIEW anon_releases IS
'Every release and every set of this database (a set by the view that describes it): where it comes from, its owner, when it was built, how it was asked for, its promises in words, and what a '
'reader of it can count. Roles with the privileges of its owner also see its figures then, to four digits, and its '
'state: current is false if the source has changed since (changes counts the rows written), if REFRESH MATERIALIZED '
'VIEW wrote other rows (rebuilt), or if a run of anon_refresh_job failed since. The server''s statistics tell of '
'changes, seconds later; current is null where they do not know, and while another session builds the release. '
'last_success, last_failure and schedule are those of scheduled refreshes; valid_until and review_due those of '
'anon_context.';

GRANT SELECT ON anon_releases TO PUBLIC;
