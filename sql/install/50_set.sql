
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
'refer to the root where there is no parent; person, the columns of the root that identify a person; protected, by '
'sensitive column with a hierarchy in hierarchies the labels that alpha and l are about.';

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
  l int DEFAULT NULL,
  beside text DEFAULT 'notice',
  context jsonb DEFAULT NULL,
  key text[] DEFAULT NULL)
RETURNS TABLE (table_name text, rows bigint, withheld bigint, loss float8)
AS 'MODULE_PATHNAME', 'anon_publish_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 5;

COMMENT ON FUNCTION anon_publish_set(text, jsonb, int, text, float8, int, text, jsonb, text[]) IS
'Publishes related tables with their links, as a new schema: at least k persons have equal trees of published '
'rows (P(k,all)), or for m of 0 to 3 agree in the root''s row and in any m other rows with their links (P(k,m)), '
'which loses less. Quasi-identifiers become ranges and labels of their hierarchies, keys become random numbers that '
'join the tables, and a row that fewer than k similar persons have is withheld with all that hangs on it. alpha is '
'the largest share of such persons who have the same value of a sensitive column; l the fewest values, of which any '
'single one is lacked by l - 1 of them. The written tables are audited, and the schema exists only if they keep the '
'promises. It belongs to the caller, and nobody else has a right to it. One row for each table: published and '
'withheld rows, and the loss of its cells (NCP, where a withheld cell is 1). tables are described as for '
'anon_audit_set; names may have a schema. A table may also have keep, the columns to publish unchanged, hierarchies '
'and coarsen, as anon_publish has them; since_first, dates that are published as days since the first one of the '
'person in any table; max_rows, the rows of a person that are published at most; and with one row a person means, '
'numbers that are published as means. context is that of anon_context. With key, the column of the root that identifies '
'persons, the set grows: a refresh adds whole new persons.';

CREATE FUNCTION anon_grant_set(name regnamespace, role text)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_grant_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_grant_set(regnamespace, text) IS
'Lets a role, or public, read the tables of a set: USAGE on its schema and SELECT on its tables, and nothing else in '
'the schema. Only for the owner of the set. A refresh keeps these rights.';

CREATE FUNCTION anon_refresh_set(name regnamespace, beside text DEFAULT 'notice')
RETURNS TABLE (table_name text, rows bigint, withheld bigint, loss float8)
AS 'MODULE_PATHNAME', 'anon_refresh_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 10000 ROWS 5;

COMMENT ON FUNCTION anon_refresh_set(regnamespace, text) IS
'Builds a set again from the present rows of its sources, with new pseudonyms, as its owner in a security-restricted '
'operation. The new rows are written and audited beside the old ones and replace those of all tables at once; on a '
'failure the old set stays. Readers see one whole version, and wait only while files are exchanged and indexes are '
'rebuilt. Tables keep their privileges, keys and the owner''s indexes. A table with CHECK constraints, parents or '
'children, or with foreign keys from or to tables outside of the set, is refused. Returns the figures of '
'anon_publish_set. With a key, published rows stay, and persons whose keys are new are added: they keep the promises '
'among themselves, fewer than k wait for others, and the figures are theirs.';

CREATE FUNCTION anon_drop_set(name regnamespace)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_drop_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_drop_set(regnamespace) IS
'Drops the tables of a set, its description and its schema, for its owner. Refuses a schema that is not a set, and one '
'that others'' objects depend on or are in.';

CREATE FUNCTION anon_report_set(
  name regnamespace,
  largest_m int DEFAULT 3,
  context jsonb DEFAULT NULL,
  format text DEFAULT 'html')
RETURNS text
AS 'MODULE_PATHNAME', 'anon_report_set'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

COMMENT ON FUNCTION anon_report_set(regnamespace, int, jsonb, text) IS
'A set as one self-contained page of HTML: its promises, the levels measured on its tables for each number of rows that '
'an adversary knows, for whole records and for numbers of rows, its tree of tables, and for its owner the rows withheld, '
'the loss of cells and the links lost. It holds no cell of the sources and no count below k but 0. Needs the right to '
'read the tables. context is kept first, as by anon_context; with format ''json'' the same figures are a JSON object.';
