-- ---- Hierarchies: values, or tables of their owners ---------------------------------------------
--
-- A hierarchy is a JSON object in the arguments of a function. These functions build and check one.
-- A steward who wants named hierarchies keeps them in a table; the extension stores none.

CREATE FUNCTION anon_hierarchy_prefix(length int, step int DEFAULT 1, mask text DEFAULT '*')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_prefix'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_prefix(int, int, text) IS
'A hierarchy of texts of at most length characters, such as postal codes: each level masks step more of them,'
' from the end. Shorter texts are padded with the mask; longer ones have no leaf.';

CREATE FUNCTION anon_hierarchy_range(
  widths numeric[],
  origin numeric DEFAULT 0,
  low numeric DEFAULT NULL,
  high numeric DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_range'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_range(numeric[], numeric, numeric, numeric) IS
'A hierarchy of numbers: each level has intervals of one width, one of which begins at origin. Each width is '
'a multiple of the previous one. Numbers below low, or not below high, have no leaf. Published as range '
'values.';

CREATE FUNCTION anon_hierarchy_fanout(low numeric, high numeric, width numeric, fanout int DEFAULT 2)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_fanout'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_fanout(numeric, numeric, numeric, int) IS
'A hierarchy of the numbers from low to below high: intervals of width, then fanout of them together, and so '
'on. Published as range values.';

CREATE FUNCTION anon_hierarchy_date(levels text[] DEFAULT '{month,quarter,year,decade}')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_date'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_date(text[]) IS
'A hierarchy of dates and timestamps: levels of day, week, month, quarter, year and decade, in that order. A '
'week can only be the last level, since weeks do not divide the longer units. Timestamps with time zone are '
'in UTC. Published as range values.';

CREATE FUNCTION anon_hierarchy_auto(tbl regclass, column_name text, fanout int DEFAULT 2, levels int DEFAULT 4)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_auto'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_hierarchy_auto(regclass, text, int, int) IS
'A hierarchy from the present values of a column of numbers, dates or timestamps. The lowest level has fanout'
' to the power of levels intervals of similar frequency; each level unites fanout of them. The outermost '
'intervals are open, so other values of the column have a label, too. Its cuts are values of the column, and '
'are published with the spec and the labels of a release. Published as range values.';

CREATE FUNCTION anon_hierarchy_table(tbl regclass, columns text[] DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_table'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION anon_hierarchy_table(regclass, text[]) IS
'A hierarchy in a table, view or materialized view with a row for each value and a column for each level, the'
' value first; columns names them if not all. Every use reads the table, with the rights of the caller or of '
'the owner of a release. A last level of several labels gets one above it, *. Labels are published as texts; '
'numbers find their row in any spelling.';

-- ---- Labels of values ---------------------------------------------------------------------------

CREATE FUNCTION anon_generalize(value anyelement, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(anyelement, jsonb, int) IS
'The label of a value at a level of a hierarchy: the value itself at 0. Null stays null. A value without a '
'leaf is an error, and so is a level that the hierarchy does not have.';

-- For literals of unknown type.
CREATE FUNCTION anon_generalize(value text, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(text, jsonb, int) IS
'The label of a text, which needs no cast, at a level of a hierarchy.';

CREATE FUNCTION anon_hierarchy_labels(hierarchy jsonb, vals anyarray)
RETURNS TABLE (place bigint, labels text[])
AS 'MODULE_PATHNAME', 'anon_hierarchy_labels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 1000;

COMMENT ON FUNCTION anon_hierarchy_labels(jsonb, anyarray) IS
'The labels of each value from level 0, the value itself, to the top. A null and a value without a leaf have '
'no row. Numbers are compared as numbers, other values as text; points in time are in UTC.';

CREATE FUNCTION anon_hierarchy_levels(hierarchy jsonb)
RETURNS TABLE (level int, description text, labels bigint)
AS 'MODULE_PATHNAME', 'anon_hierarchy_levels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 10;

COMMENT ON FUNCTION anon_hierarchy_levels(jsonb) IS
'The levels of a hierarchy, from the values to the top, with the number of labels of each if it is known.';

