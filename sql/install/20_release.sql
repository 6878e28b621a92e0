
-- ---- Publish: a release is a materialized view over anon_release ----------------------------------

CREATE FUNCTION anon_release(tbl regclass, spec jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb) IS
'The masked and verified rows of a release; the query behind the materialized views that anon_publish '
'makes. Raises check_violation if the masked rows do not satisfy what the spec promises.';
