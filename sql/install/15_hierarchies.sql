-- ---- Hierarchies: values, or tables of their owners
-- -----------------------------------------------
--
-- A hierarchy is a JSON object in the arguments of a function. These functions build and check one.
-- A steward who wants named hierarchies keeps them in a table; the extension stores none.

CREATE FUNCTION anon_hierarchy_prefix(length int, step int DEFAULT 1, mask text DEFAULT '*')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_prefix'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_prefix(int, int, text) IS
'A hierarchy of texts of at most length characters, such as postal codes: each level masks step more of them, '
'from the end. Shorter texts are filled up with the mask; longer ones have no leaf.';

CREATE FUNCTION anon_hierarchy_range(
  widths numeric[],
  origin numeric DEFAULT 0,
  low numeric DEFAULT NULL,
  high numeric DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_range'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_range(numeric[], numeric, numeric, numeric) IS
'A hierarchy of numbers: at each level intervals of a width, one of which begins at origin. Each width is a '
'multiple of the one before. Numbers below low, or not below high, have no leaf. Published as range values.';

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
'A hierarchy of dates and timestamps: levels of day, week, month, quarter, year and decade, in that order; a week '
'can only be the last, since none of the others is made of weeks. Timestamps with time zone are in UTC. '
'Published as range values.';

CREATE FUNCTION anon_hierarchy_auto(tbl regclass, column_name text, fanout int DEFAULT 2, levels int DEFAULT 4)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_auto'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_hierarchy_auto(regclass, text, int, int) IS
'A hierarchy of a column of numbers, dates or timestamps, out of what it holds now: at the lowest level '
'fanout to the power of levels intervals of like frequency, at each level fanout of them together. The '
'outermost are open, so it can also be used when the column holds other values. Its cuts are values of the '
'column, and are published with the spec and the labels of a release. Published as range values.';

CREATE FUNCTION anon_hierarchy_table(tbl regclass, columns text[] DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_table'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION anon_hierarchy_table(regclass, text[]) IS
'A hierarchy in a table, view or materialized view with a row for each value and a column for each level, the value '
'first; columns names them if not all. The table is read, with the rights of the caller or of the owner of a release, '
'whenever the hierarchy is used. A last level of several labels gets one above it, *. Labels are published as texts; '
'numbers find their row however they are spelled.';

-- ---- Labels of values
-- -----------------------------------------------------------------------------

CREATE FUNCTION anon_generalize(value anyelement, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(anyelement, jsonb, int) IS
'What a value is called at a level of a hierarchy: itself at 0. Null stays null; a value without a leaf is an '
'error, and so is a level that the hierarchy does not have.';

-- For literals of unknown type.
CREATE FUNCTION anon_generalize(value text, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(text, jsonb, int) IS
'The same of a text.';

CREATE FUNCTION anon_hierarchy_labels(hierarchy jsonb, vals anyarray)
RETURNS TABLE (place bigint, labels text[])
AS 'MODULE_PATHNAME', 'anon_hierarchy_labels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 1000;

COMMENT ON FUNCTION anon_hierarchy_labels(jsonb, anyarray) IS
'Of each of the values: its labels from level 0, itself, to the top. A null and a value without a leaf have no '
'row. Numbers are compared as numbers, anything else as texts, points in time are in UTC.';

CREATE FUNCTION anon_hierarchy_levels(hierarchy jsonb)
RETURNS TABLE (level int, description text, labels bigint)
AS 'MODULE_PATHNAME', 'anon_hierarchy_levels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 10;

COMMENT ON FUNCTION anon_hierarchy_levels(jsonb) IS
'The levels of a hierarchy, from the values to the top, and how many labels each has where that is known.';

