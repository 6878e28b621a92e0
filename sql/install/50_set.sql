
-- ---- Related tables -----------------------------------------------------------------------------

CREATE FUNCTION anon_audit_set(
  schema regnamespace,
  tables jsonb,
  k int DEFAULT 5,
  largest_m int DEFAULT 3)
RETURNS TABLE (
  m text, level int, persons int, persons_alone bigint, persons_below bigint, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_set'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 6;

COMMENT ON FUNCTION anon_audit_set(regnamespace, jsonb, int, int) IS
'Measures what pseudonyms protect: the risk of persons in related tables, joined by their keys. One row for each'
' m: the adversary knows the quasi-identifiers of the root table and of m other rows of a person, and which of '
'these rows belong together; m = all is the whole record, counts the numbers of rows in each table. level is the'
' fewest persons who share such a fact (P(k,m)), persons_alone those with a fact that nobody shares, and '
'persons_below those with a fact that fewer than k persons share. detail has, by sensitive column, the largest '
'share of the persons who share a fact that have the same value (alpha), also for facts without links, and the '
'fewest values (l), of which any single one is lacked by l - 1 persons at least. tables has a member for each '
'table: qi, sensitive; parent, parent_key and key where foreign keys do not tell; person_key, the columns that '
'refer to the root where there is no parent; person, the columns of the root that identify a person.';

CREATE FUNCTION anon_assert_set(
  schema regnamespace,
  tables jsonb,
  k int DEFAULT NULL,
  m text DEFAULT 'all',
  alpha float8 DEFAULT NULL,
  l int DEFAULT NULL,
  counts boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert_set'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert_set(regnamespace, jsonb, int, text, float8, int, boolean) IS
'Raises check_violation unless related tables keep P(k,m), A(alpha,m), with and without links, and linked '
'l-diversity for facts of up to m rows, 0 to 3 or all; with counts also k by the numbers of rows. The tables are '
'described as for anon_audit_set.';

CREATE FUNCTION anon_publish_set(
  name text,
  tables jsonb,
  k int,
  m text DEFAULT 'all',
  alpha float8 DEFAULT NULL,
  l int DEFAULT NULL)
RETURNS TABLE (table_name text, rows bigint, withheld bigint, loss float8)
AS 'MODULE_PATHNAME', 'anon_publish_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 5;

COMMENT ON FUNCTION anon_publish_set(text, jsonb, int, text, float8, int) IS
'Publishes related tables with their links, as a new schema: at least k persons have equal trees of published '
'rows (P(k,all)). Quasi-identifiers become ranges and labels of their hierarchies, keys become random numbers that '
'join the tables, and a row that fewer than k similar persons have is withheld with all that hangs on it. alpha is '
'the largest share of such persons who have the same value of a sensitive column; l the fewest values, of which any '
'single one is lacked by l - 1 of them. The written tables are audited, and the schema exists only if they keep the '
'promises. It belongs to the caller, and nobody else has a right to it. One row for each table: published and '
'withheld rows, and the loss of its cells (NCP, where a withheld cell is 1). tables are described as for '
'anon_audit_set; names may have a schema. A table may also have keep, the columns to publish unchanged, hierarchies '
'and coarsen, as anon_publish has them.';
