-- ---- Hierarchies: how they are made ---------------------------------------------------------------
--
-- Each returns the number of levels above the values. The last of them suppresses: one label for all.

CREATE FUNCTION anon_hierarchy_define(name text, kind text, height int, rule jsonb)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF coalesce(name, '') = '' THEN
    RAISE null_value_not_allowed USING MESSAGE = 'a hierarchy needs a name';
  END IF;
  INSERT INTO @extschema@.anon_hierarchy_own (name, owner, readers, kind, height, rule)
  VALUES (anon_hierarchy_define.name, current_user, '{}', anon_hierarchy_define.kind,
    anon_hierarchy_define.height, anon_hierarchy_define.rule)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE duplicate_object USING MESSAGE = format('hierarchy "%s" already exists', name),
      HINT = 'Choose another name, or use anon_hierarchy_drop first.';
  END IF;
  RETURN height;
END $$;

COMMENT ON FUNCTION anon_hierarchy_define(text, text, int, jsonb) IS
'Enters a hierarchy of the current role; used by the functions that make hierarchies.';

-- The columns of a table, quoted, as texts: the named ones, or all.
CREATE FUNCTION anon_level_columns(tbl regclass, columns text[])
RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  missing text;
BEGIN
  IF columns IS NULL THEN
    RETURN ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute AS a
      WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum);
  END IF;
  SELECT c.name INTO missing FROM unnest(columns) AS c(name)
  WHERE NOT EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped AND a.attname = c.name);
  IF FOUND THEN
    RAISE undefined_column USING MESSAGE = format('column "%s" does not exist', missing),
      HINT = 'Columns are named as in the table, without quotes.';
  END IF;
  RETURN ARRAY(SELECT quote_ident(c.name) FROM unnest(columns) WITH ORDINALITY AS c(name, nr) ORDER BY c.nr);
END $$;

COMMENT ON FUNCTION anon_level_columns(regclass, text[]) IS
'The quoted columns of a table; used by anon_hierarchy_from_table.';

-- The rows of a table as arrays of texts: leaf first. They are read with the caller's rights.
CREATE FUNCTION anon_level_rows(tbl regclass, columns text[])
RETURNS SETOF text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
AS $$
BEGIN
  -- What format makes of null is no null.
  RETURN QUERY EXECUTE format('SELECT ARRAY[%s] FROM %s AS source', (
    SELECT string_agg(format('CASE WHEN source.%s IS NOT NULL THEN format(''%%s'', source.%s) END', c.name, c.name),
      ', ' ORDER BY c.nr)
    FROM unnest(columns) WITH ORDINALITY AS c(name, nr)), tbl);
END $$;

COMMENT ON FUNCTION anon_level_rows(regclass, text[]) IS
'The rows of a table as texts; used by anon_hierarchy_from_table.';

-- An error unless every row has a label at every level, every value is there once, and every label is part
-- of one label of the level above. Level 0 is the values. An error counts values and never shows one.
CREATE FUNCTION anon_check_levels(leaf_rows text[], columns int)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  failing record;
BEGIN
  WITH label AS MATERIALIZED (
    SELECT nr - 1 AS level, r.labels[nr] AS label, r.labels[nr + 1] AS above
    FROM (SELECT leaf_row::text[] AS labels FROM unnest(leaf_rows) AS leaf_row OFFSET 0) AS r,
      generate_series(1, columns) AS nr
  ), failure (level, message, detail, values) AS (
    SELECT level, 'a label of the hierarchy is null', 'Level %s is null for %s values.', count(*)
    FROM label WHERE label IS NULL GROUP BY level
    UNION ALL
    SELECT 0, 'the hierarchy has a value twice', 'Level %s has %s values more than once.', count(*)
    FROM (SELECT FROM label WHERE level = 0 GROUP BY label HAVING count(*) > 1) AS twice
    UNION ALL
    SELECT level, 'the hierarchy is not a tree',
      'At level %s, %s values have a label that is part of several labels of the level above.', sum(values)
    FROM (SELECT level, count(*) AS values FROM label GROUP BY level, label HAVING count(DISTINCT above) > 1) AS split
    GROUP BY level
  )
  SELECT f.message, format(f.detail, f.level, f.values) AS detail INTO failing
  FROM failure AS f WHERE f.values > 0 ORDER BY f.level, f.message LIMIT 1;
  IF FOUND THEN
    RAISE data_exception USING MESSAGE = failing.message, DETAIL = failing.detail,
      HINT = 'Columns are levels, leaf first, and each label belongs to one label of the next column.';
  END IF;
END $$;

COMMENT ON FUNCTION anon_check_levels(text[], int) IS
'An error unless rows of labels are a tree; used by anon_hierarchy_from_table.';

CREATE FUNCTION anon_hierarchy_from_table(name text, tbl regclass, columns text[] DEFAULT NULL)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  quoted text[] := @extschema@.anon_level_columns(tbl, columns);
  leaf_rows text[];
  top bigint;
  height int := cardinality(quoted) - 1;
BEGIN
  IF cardinality(quoted) = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = 'a hierarchy needs a column for its values';
  END IF;
  leaf_rows := ARRAY(SELECT leaf_row::text FROM @extschema@.anon_level_rows(tbl, quoted) AS leaf_row);
  IF cardinality(leaf_rows) = 0 THEN
    RAISE data_exception USING MESSAGE = 'a hierarchy needs values', DETAIL = 'The table has no rows.';
  END IF;
  PERFORM @extschema@.anon_check_levels(leaf_rows, cardinality(quoted));

  top := (SELECT count(DISTINCT (leaf_row::text[])[height + 1]) FROM unnest(leaf_rows) AS leaf_row);
  IF top > 1 OR height = 0 THEN
    height := height + 1;
  END IF;
  PERFORM @extschema@.anon_hierarchy_define(name, 'table', height, '{}');
  INSERT INTO @extschema@.anon_hierarchy_own_leaf (hierarchy, leaf, number, labels)
  SELECT anon_hierarchy_from_table.name, r.labels[1],
    CASE WHEN r.number IS NOT NULL AND count(*) OVER (PARTITION BY r.number) = 1 THEN r.number END,
    r.labels[2:] || CASE WHEN height = cardinality(r.labels) THEN ARRAY['*'] ELSE '{}' END
  FROM (
    SELECT leaf.labels, CASE WHEN leaf.labels[1] ~ '^[-+]?[0-9]{1,60}(\.[0-9]{0,60})?$'
      THEN trim_scale(leaf.labels[1]::numeric)::text END AS number
    FROM (SELECT leaf_row::text[] AS labels FROM unnest(leaf_rows) AS leaf_row OFFSET 0) AS leaf
  ) AS r;
  RETURN height;
END $$;

COMMENT ON FUNCTION anon_hierarchy_from_table(text, regclass, text[]) IS
'A hierarchy out of a table with a row for each value and a column for each level, the value first; columns '
'names them if not all. A last level of several labels gets one above it, *. Labels are published as texts; '
'numbers find their leaf however it is spelled.';

CREATE FUNCTION anon_hierarchy_prefix(name text, length int, step int DEFAULT 1, mask text DEFAULT '*')
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (length BETWEEN 1 AND 1000 AND step BETWEEN 1 AND length AND char_length(mask) = 1) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING
      MESSAGE = 'length must be 1 to 1000, step 1 to length, and mask a single character';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'prefix', (length + step - 1) / step,
    jsonb_build_object('length', length, 'step', step, 'mask', mask));
END $$;

COMMENT ON FUNCTION anon_hierarchy_prefix(text, int, int, text) IS
'A hierarchy of texts of at most length characters, such as postal codes: each level masks step more of them, '
'from the end. Shorter texts are filled up with the mask; longer ones have no leaf.';

CREATE FUNCTION anon_hierarchy_range(
  name text,
  widths numeric[],
  origin numeric DEFAULT 0,
  low numeric DEFAULT NULL,
  high numeric DEFAULT NULL)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wrong int;
BEGIN
  IF (cardinality(widths) BETWEEN 1 AND 100 AND array_ndims(widths) = 1 AND origin > '-Infinity' AND origin < 'Infinity') IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'widths must be an array of numbers, and origin a number';
  ELSIF EXISTS (SELECT FROM unnest(widths) AS width WHERE (width > 0 AND width < 'Infinity') IS NOT TRUE) THEN
    RAISE invalid_parameter_value USING MESSAGE = 'widths must be finite and above 0';
  ELSIF low >= high THEN
    RAISE invalid_parameter_value USING MESSAGE = 'low must be below high';
  END IF;
  SELECT level INTO wrong FROM generate_series(2, cardinality(widths)) AS level
  WHERE widths[level] <= widths[level - 1] OR mod(widths[level], widths[level - 1]) <> 0 ORDER BY level LIMIT 1;
  IF FOUND THEN
    RAISE invalid_parameter_value USING MESSAGE = 'the hierarchy is not a tree',
      DETAIL = format('The width of level %s is not a multiple of the one before.', wrong);
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'range', cardinality(widths) + 1, jsonb_build_object(
    'levels', (SELECT jsonb_agg(trim_scale(width) ORDER BY nr) FROM unnest(widths) WITH ORDINALITY AS w(width, nr)),
    'origin', trim_scale(origin), 'low', trim_scale(low), 'high', trim_scale(high),
    'whole', (SELECT bool_and(number % 1 = 0) FROM unnest(widths || origin) AS number)));
END $$;

COMMENT ON FUNCTION anon_hierarchy_range(text, numeric[], numeric, numeric, numeric) IS
'A hierarchy of numbers: at each level intervals of a width, one of which begins at origin. Each width is a '
'multiple of the one before. Numbers below low, or not below high, have no leaf. Published as range values.';

CREATE FUNCTION anon_hierarchy_fanout(name text, low numeric, high numeric, width numeric, fanout int DEFAULT 2)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  widths numeric[] := '{}';
  next_width numeric := width;
BEGIN
  IF (low < high AND low > '-Infinity' AND high < 'Infinity' AND width > 0 AND width < 'Infinity' AND fanout >= 2) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'low must be below high, width above 0, and fanout at least 2';
  END IF;
  WHILE cardinality(widths) = 0 OR next_width < high - low LOOP
    widths := widths || next_width;
    next_width := next_width * fanout;
  END LOOP;
  RETURN @extschema@.anon_hierarchy_range(name, widths, low, low, high);
END $$;

COMMENT ON FUNCTION anon_hierarchy_fanout(text, numeric, numeric, numeric, int) IS
'A hierarchy of the numbers from low to below high: intervals of width, then fanout of them together, and so '
'on. Published as range values.';

CREATE FUNCTION anon_hierarchy_date(name text, levels text[] DEFAULT '{month,quarter,year,decade}')
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  units constant text[] := '{day,week,month,quarter,year,decade}';
BEGIN
  IF (cardinality(levels) > 0 AND array_ndims(levels) = 1 AND array_position(levels, NULL) IS NULL
      AND levels <@ units) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'levels must be an array of units of time',
      HINT = format('Choose from %s.', array_to_string(units, ', '));
  ELSIF EXISTS (SELECT FROM generate_series(2, cardinality(levels)) AS level
      WHERE array_position(units, levels[level]) <= array_position(units, levels[level - 1])) THEN
    RAISE invalid_parameter_value USING MESSAGE = 'levels must be in the order of their length',
      DETAIL = format('The order is %s.', array_to_string(units, ', '));
  ELSIF 'week' = ANY (levels) AND levels[cardinality(levels)] <> 'week' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'the hierarchy is not a tree',
      DETAIL = 'A week can be part of two months, quarters, years or decades.',
      HINT = 'Leave week out, or make it the last.';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'date', cardinality(levels) + 1,
    jsonb_build_object('levels', levels));
END $$;

COMMENT ON FUNCTION anon_hierarchy_date(text, text[]) IS
'A hierarchy of dates and timestamps: levels of day, week, month, quarter, year and decade, in that order; a week '
'can only be the last, since none of the others is made of weeks. Timestamps with time zone are in UTC. '
'Published as range values.';

-- The values of a column, as numbers or as points in time in UTC, at which parts of like frequency begin:
-- the i-th of parts - 1 cuts. Nulls and values that are not finite do not count.
CREATE FUNCTION anon_frequency_cuts(tbl regclass, quoted_column text, class text, parts int)
RETURNS TABLE (nr int, cut text)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
AS $$
DECLARE
  numeric_class boolean := class IN ('integer', 'number');
BEGIN
  -- A cut at the lowest value would have nothing below it: it is at the second.
  RETURN QUERY EXECUTE format($query$
    WITH ranked AS (
      SELECT source.value, row_number() OVER (ORDER BY source.value) - 1 AS rank, count(*) OVER () AS n,
        min(source.value) OVER () AS lowest
      FROM (SELECT rel.%s::%s AS value FROM %s AS rel) AS source WHERE %s
    )
    SELECT i, %s FROM generate_series(1, $1 - 1) AS i
    JOIN ranked ON ranked.rank = (i * ranked.n) / $1
    CROSS JOIN (SELECT min(above.value) AS value FROM ranked AS above WHERE above.value > above.lowest) AS second,
    LATERAL (SELECT greatest(ranked.value, second.value) AS value) AS r
    WHERE second.value IS NOT NULL$query$,
    quoted_column, CASE WHEN numeric_class THEN 'numeric' ELSE 'timestamp' END, tbl,
    CASE WHEN numeric_class THEN $c$source.value > '-Infinity' AND source.value < 'Infinity'$c$
      ELSE 'isfinite(source.value)' END,
    CASE WHEN numeric_class THEN 'trim_scale(r.value)::text' ELSE 'r.value::text' END) USING parts;
END $$;

COMMENT ON FUNCTION anon_frequency_cuts(regclass, text, text, int) IS
'Quantiles of a column; used by anon_hierarchy_auto.';

CREATE FUNCTION anon_hierarchy_auto(
  name text,
  tbl regclass,
  column_name text,
  fanout int DEFAULT 2,
  levels int DEFAULT 4)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  quoted text := (@extschema@.anon_level_columns(tbl, ARRAY[column_name]))[1];
  class text := @extschema@.anon_value_class((SELECT a.atttypid FROM pg_attribute AS a
    WHERE a.attrelid = tbl AND quote_ident(a.attname) = quoted AND NOT a.attisdropped));
  cuts jsonb;
BEGIN
  IF class = 'text' THEN
    RAISE datatype_mismatch USING
      MESSAGE = format('column "%s" cannot have an automatic hierarchy', column_name),
      DETAIL = 'Its values are neither numbers nor dates.';
  ELSIF (fanout BETWEEN 2 AND 4096 AND levels BETWEEN 1 AND 12 AND fanout ^ levels <= 4096) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING
      MESSAGE = 'fanout must be at least 2, levels at least 1, and fanout to the power of levels at most 4096';
  END IF;
  -- The cuts of each level are some of those below. Where values are few, levels can be alike, or have no cut.
  WITH cut AS MATERIALIZED (
    SELECT c.nr, c.cut, dense_rank() OVER (ORDER BY c.cut COLLATE "C") AS same
    FROM @extschema@.anon_frequency_cuts(tbl, quoted, class, (fanout ^ levels)::int) AS c
  ), level AS (
    SELECT l.nr, (
      SELECT jsonb_agg(one.cut ORDER BY one.nr)
      FROM (SELECT DISTINCT ON (cut.same) cut.nr, cut.cut FROM cut
        WHERE cut.nr % (fanout ^ (l.nr - 1))::int = 0 ORDER BY cut.same, cut.nr) AS one) AS cuts
    FROM generate_series(1, levels) AS l(nr)
  )
  SELECT jsonb_agg(d.cuts ORDER BY d.nr) INTO cuts
  FROM (SELECT DISTINCT ON (level.cuts) level.nr, level.cuts FROM level WHERE level.cuts IS NOT NULL
    ORDER BY level.cuts, level.nr) AS d;
  IF cuts IS NULL THEN
    RAISE data_exception USING
      MESSAGE = format('column "%s" cannot have an automatic hierarchy', column_name),
      DETAIL = 'It has fewer than two distinct values.';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'auto', jsonb_array_length(cuts) + 1,
    jsonb_build_object('levels', cuts, 'class', class));
END $$;

COMMENT ON FUNCTION anon_hierarchy_auto(text, regclass, text, int, int) IS
'A hierarchy of a column of numbers, dates or timestamps, out of what it holds now: at the lowest level '
'fanout to the power of levels intervals of like frequency, at each level fanout of them together. The '
'outermost are open, so it can also be used when the column holds other values. Its cuts are values of the '
'column: share it with those who may know them. Published as range values.';
