-- ---- Hierarchies: value generalisation hierarchies as data ----------------------------------------
--
-- One name, one hierarchy in the database, as with schemas. It belongs to a role, the one that made it;
-- that role, and whoever has its rights, may read and change it, and the roles that it is shared with
-- may read it: cut points and leaves can tell something of the data that they were made from.
--
-- All functions run with the caller's rights, and the tables are closed. What a role may see or change
-- of them, it sees and changes through the four views below, whose conditions are also those of what
-- is written (WITH CHECK OPTION). There is no row-level security: pg_dump by a database owner who is
-- no superuser would refuse to read such tables. It reads and restores these by the rights of
-- pg_database_owner.

CREATE TABLE anon_hierarchy (
  name text NOT NULL CHECK (name OPERATOR(pg_catalog.<>) '') PRIMARY KEY,
  owner text NOT NULL,
  readers text[] NOT NULL DEFAULT '{}',
  kind text NOT NULL CHECK (kind IN ('table', 'prefix', 'range', 'date', 'auto')),
  height int NOT NULL CHECK (height OPERATOR(pg_catalog.>=) 1),
  rule jsonb NOT NULL DEFAULT '{}');

COMMENT ON TABLE anon_hierarchy IS
'Value generalisation hierarchies. height is the level at which every value is suppressed; rule says how '
'labels are made, for the kinds whose labels are made and not listed. See the view anon_hierarchies.';

-- Values are texts; number is the same in one spelling, where the text is a number that no other leaf
-- spells. Kept apart by row, so that one value is looked up without reading the others.
CREATE TABLE anon_hierarchy_leaf (
  hierarchy text NOT NULL REFERENCES anon_hierarchy ON DELETE CASCADE,
  leaf text COLLATE "C" NOT NULL,
  number text COLLATE "C",
  labels text[] NOT NULL,
  PRIMARY KEY (hierarchy, leaf));

CREATE UNIQUE INDEX anon_hierarchy_leaf_number ON anon_hierarchy_leaf (hierarchy, number);

COMMENT ON TABLE anon_hierarchy_leaf IS
'The values of hierarchies of kind table, each with its labels from level 1 upwards.';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.anon_hierarchy', '');
SELECT pg_catalog.pg_extension_config_dump('@extschema@.anon_hierarchy_leaf', '');

GRANT SELECT, INSERT, UPDATE, DELETE ON anon_hierarchy, anon_hierarchy_leaf TO pg_database_owner;

-- A hierarchy whose role is gone falls to the owner of the database.
CREATE VIEW anon_hierarchy_own WITH (security_barrier) AS
SELECT h.name, h.owner, h.readers, h.kind, h.height, h.rule
FROM @extschema@.anon_hierarchy AS h
WHERE coalesce(pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(h.owner)), 'USAGE'),
  pg_catalog.pg_has_role('pg_database_owner', 'USAGE'))
WITH CASCADED CHECK OPTION;

COMMENT ON VIEW anon_hierarchy_own IS
'The hierarchies that the current role may change. Use the functions: they check what is written.';

CREATE VIEW anon_hierarchy_own_leaf WITH (security_barrier) AS
SELECT l.hierarchy, l.leaf, l.number, l.labels
FROM @extschema@.anon_hierarchy_leaf AS l
WHERE EXISTS (SELECT FROM @extschema@.anon_hierarchy_own AS h WHERE h.name OPERATOR(pg_catalog.=) l.hierarchy)
WITH CASCADED CHECK OPTION;

COMMENT ON VIEW anon_hierarchy_own_leaf IS
'The leaves of the hierarchies that the current role may change.';

CREATE VIEW anon_hierarchies WITH (security_barrier) AS
SELECT h.name, h.owner, h.readers, h.kind, h.height AS levels,
  (SELECT pg_catalog.count(*) FROM @extschema@.anon_hierarchy_leaf AS l
   WHERE h.kind OPERATOR(pg_catalog.=) 'table' AND l.hierarchy OPERATOR(pg_catalog.=) h.name) AS leaves,
  h.rule
FROM @extschema@.anon_hierarchy AS h
WHERE coalesce(pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(h.owner)), 'USAGE'),
    pg_catalog.pg_has_role('pg_database_owner', 'USAGE'))
  OR 'public' OPERATOR(pg_catalog.=) ANY (h.readers)
  OR EXISTS (SELECT FROM pg_catalog.unnest(h.readers) AS reader
    WHERE pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(reader)), 'USAGE'));

COMMENT ON VIEW anon_hierarchies IS
'The hierarchies that the current role may use: whose they are, with whom they are shared, their kind, the '
'number of levels above the values, of listed leaves, and the rule by which labels are made.';

CREATE VIEW anon_hierarchy_leaves WITH (security_barrier) AS
SELECT l.hierarchy, l.leaf, l.number, l.labels
FROM @extschema@.anon_hierarchy_leaf AS l
WHERE EXISTS (SELECT FROM @extschema@.anon_hierarchies AS h WHERE h.name OPERATOR(pg_catalog.=) l.hierarchy);

COMMENT ON VIEW anon_hierarchy_leaves IS
'The leaves of the hierarchies that the current role may use, each with its labels from level 1 upwards.';

GRANT SELECT ON anon_hierarchies, anon_hierarchy_leaves TO PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON anon_hierarchy_own TO PUBLIC;
GRANT SELECT, INSERT ON anon_hierarchy_own_leaf TO PUBLIC;

CREATE FUNCTION anon_hierarchy_drop(name text)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM @extschema@.anon_hierarchy_own AS h WHERE h.name = anon_hierarchy_drop.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('there is no hierarchy "%s" of yours', name);
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_drop(text) IS
'Drops a hierarchy. Releases that use it stay, and cannot be refreshed until there is one of that name again.';

CREATE FUNCTION anon_hierarchy_share(name text, roles text[])
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY coalesce(roles, '{NULL}') LOOP
    IF role IS NULL THEN
      RAISE null_value_not_allowed USING MESSAGE = 'roles must not be null';
    ELSIF role <> 'public' AND to_regrole(quote_ident(role)) IS NULL THEN
      RAISE undefined_object USING MESSAGE = format('role "%s" does not exist', role);
    END IF;
  END LOOP;
  UPDATE @extschema@.anon_hierarchy_own AS h SET readers = roles WHERE h.name = anon_hierarchy_share.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('there is no hierarchy "%s" of yours', name);
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_share(text, text[]) IS
'Lets these roles use a hierarchy, beside its owner, and no others; public is everybody.';

-- ---- What becomes of values -----------------------------------------------------------------------

-- How values of an element type can be generalised: integer, number, date, timestamp, timestamptz, text.
CREATE FUNCTION anon_value_class(type oid)
RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  base oid := type;
BEGIN
  WHILE EXISTS (SELECT FROM pg_type AS t WHERE t.oid = base AND t.typtype = 'd') LOOP
    base := (SELECT t.typbasetype FROM pg_type AS t WHERE t.oid = base);
  END LOOP;
  RETURN CASE
    WHEN base IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
    WHEN base IN ('numeric'::regtype, 'float4'::regtype, 'float8'::regtype) THEN 'number'
    WHEN base IN ('date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype) THEN (
      SELECT t.typname::text FROM pg_type AS t WHERE t.oid = base)
    ELSE 'text'
  END;
END $$;

COMMENT ON FUNCTION anon_value_class(oid) IS
'How hierarchies see values of a type; used by anon_hierarchy_labels.';

-- Which values a hierarchy is about; an error if it is not about these.
CREATE FUNCTION anon_hierarchy_check(hierarchy text, kind text, rule jsonb, class text)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wanted text := CASE kind
    WHEN 'prefix' THEN 'text'
    WHEN 'range' THEN CASE WHEN (rule->>'whole')::boolean THEN 'integer' ELSE 'number' END
    WHEN 'date' THEN 'date'
    WHEN 'auto' THEN rule->>'class'
  END;
BEGIN
  -- Bounds that suit integers suit any number, and whole days any point in time.
  IF kind = 'table' OR class = wanted OR (wanted = 'integer' AND class = 'number')
      OR (wanted = 'date' AND class IN ('timestamp', 'timestamptz')) THEN
    RETURN;
  END IF;
  RAISE datatype_mismatch USING
    MESSAGE = format('hierarchy "%s" is not about values of this type', hierarchy),
    DETAIL = format('It is of kind %s, about values of class %s; these are of class %s.', kind, wanted, class),
    HINT = 'Use another hierarchy, or cast the values.';
END $$;

COMMENT ON FUNCTION anon_hierarchy_check(text, text, jsonb, text) IS
'An error unless a hierarchy can generalise values of that class; used by anon_hierarchy_labels.';

-- The labels from level 1 upwards of numbers: intervals of each level's width, or between its cuts; a
-- number outside of the bounds, or not finite, has none.
CREATE FUNCTION anon_number_labels(kind text, rule jsonb, vals numeric[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  origin numeric := rule->>'origin';
  lowest numeric := coalesce((rule->>'low')::numeric, '-Infinity');
  highest numeric := coalesce((rule->>'high')::numeric, 'Infinity');
BEGIN
  RETURN QUERY
  WITH level AS MATERIALIZED (
    SELECT l.nr,
      CASE kind WHEN 'range' THEN l.given::numeric END AS width,
      CASE kind WHEN 'auto' THEN ARRAY(SELECT jsonb_array_elements_text(l.given)::numeric) END AS cuts
    FROM jsonb_array_elements(rule->'levels') WITH ORDINALITY AS l(given, nr)
  ), part AS (
    SELECT v.place, level.nr, b.low, b.high
    FROM unnest(vals) WITH ORDINALITY AS v(number, place) CROSS JOIN level,
      -- mod has the sign of the dividend.
      LATERAL (SELECT v.number - mod(mod(v.number - origin, level.width) + level.width, level.width) AS low) AS step,
      LATERAL (SELECT width_bucket(v.number, level.cuts) AS nr) AS bucket,
      LATERAL (SELECT CASE kind WHEN 'range' THEN step.low ELSE level.cuts[bucket.nr] END AS low,
        CASE kind WHEN 'range' THEN step.low + level.width ELSE level.cuts[bucket.nr + 1] END AS high) AS b
    WHERE v.number > '-Infinity' AND v.number < 'Infinity' AND v.number >= lowest
      AND v.number < highest
  )
  SELECT part.place, array_agg(CASE WHEN part.low IS NULL THEN '(' ELSE '[' END
    || format('%s,%s)', trim_scale(part.low), trim_scale(part.high)) ORDER BY part.nr) || '(,)'::text
  FROM part GROUP BY part.place;
END $$;

COMMENT ON FUNCTION anon_number_labels(text, jsonb, numeric[]) IS
'The labels of numbers by a rule; used by anon_hierarchy_labels.';

-- The same of points in time, in UTC: days, weeks and so on, or between cuts. Bounds are written as class
-- says, as dates or as timestamps.
CREATE FUNCTION anon_time_labels(kind text, rule jsonb, class text, vals timestamp[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  WITH level AS MATERIALIZED (
    SELECT l.nr, l.given#>>'{}' AS unit,
      CASE l.given#>>'{}' WHEN 'quarter' THEN '3 months' WHEN 'decade' THEN '10 years'
        ELSE CASE kind WHEN 'date' THEN '1 ' || (l.given#>>'{}') END END::interval AS length,
      CASE kind WHEN 'auto' THEN ARRAY(SELECT jsonb_array_elements_text(l.given)::timestamp) END AS cuts
    FROM jsonb_array_elements(rule->'levels') WITH ORDINALITY AS l(given, nr)
  ), part AS (
    SELECT v.place, level.nr, b.low, b.high
    FROM unnest(vals) WITH ORDINALITY AS v(moment, place) CROSS JOIN level,
      LATERAL (SELECT CASE kind WHEN 'date' THEN date_trunc(level.unit, v.moment) END AS low) AS step,
      LATERAL (SELECT width_bucket(v.moment, level.cuts) AS nr) AS bucket,
      LATERAL (SELECT CASE kind WHEN 'date' THEN step.low ELSE level.cuts[bucket.nr] END AS low,
        CASE kind WHEN 'date' THEN step.low + level.length ELSE level.cuts[bucket.nr + 1] END AS high) AS b
    WHERE isfinite(v.moment)
  )
  SELECT part.place, array_agg(CASE WHEN part.low IS NULL THEN '(' ELSE '[' END || CASE class
      WHEN 'date' THEN format('%s,%s)', part.low::date, part.high::date)
      WHEN 'timestamp' THEN format('%s,%s)', part.low, part.high)
      ELSE format('%s,%s)', part.low::timestamptz, part.high::timestamptz)
    END ORDER BY part.nr) || '(,)'::text
  FROM part GROUP BY part.place;
END $$;

COMMENT ON FUNCTION anon_time_labels(text, jsonb, text, timestamp[]) IS
'The labels of points in time by a rule; used by anon_hierarchy_labels.';

-- The labels from level 1 upwards of listed leaves. One is looked up in the index, several are matched
-- with all leaves at once.
CREATE FUNCTION anon_leaf_labels(hierarchy text, numbers boolean, keys text[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF cardinality(keys) > 1 THEN
    RETURN QUERY
    SELECT k.place, l.labels
    FROM unnest(keys) WITH ORDINALITY AS k(key, place) JOIN @extschema@.anon_hierarchy_leaves AS l
      ON k.key = CASE WHEN numbers THEN l.number ELSE l.leaf END
    WHERE l.hierarchy = anon_leaf_labels.hierarchy;
  ELSIF numbers THEN
    RETURN QUERY SELECT 1::bigint, l.labels FROM @extschema@.anon_hierarchy_leaves AS l
    WHERE l.hierarchy = anon_leaf_labels.hierarchy AND l.number = keys[1];
  ELSE
    RETURN QUERY SELECT 1::bigint, l.labels FROM @extschema@.anon_hierarchy_leaves AS l
    WHERE l.hierarchy = anon_leaf_labels.hierarchy AND l.leaf = keys[1];
  END IF;
END $$;

COMMENT ON FUNCTION anon_leaf_labels(text, boolean, text[]) IS
'The labels of listed leaves, given as texts or as numbers in one spelling; used by anon_hierarchy_labels.';

-- DateStyle and TimeZone are pinned: what a release publishes depends on nothing but the data.
CREATE FUNCTION anon_hierarchy_labels(hierarchy text, vals anyarray)
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  kind text;
  rule jsonb;
  height int;
  class text := @extschema@.anon_value_class((SELECT t.typelem FROM pg_type AS t WHERE t.oid = pg_typeof(vals)));
  numeric_class boolean := class IN ('integer', 'number');
BEGIN
  SELECT h.kind, h.rule, h.levels INTO kind, rule, height
  FROM @extschema@.anon_hierarchies AS h WHERE h.name = hierarchy;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('hierarchy "%s" does not exist', hierarchy),
      HINT = 'The view anon_hierarchies lists those that you may use.';
  END IF;
  PERFORM @extschema@.anon_hierarchy_check(hierarchy, kind, rule, class);

  IF kind = 'prefix' THEN
    RETURN QUERY
    SELECT v.place, ARRAY[t.value] || ARRAY(
      SELECT rpad(left(t.value, greatest(r.length - level * r.step, 0)), r.length, r.mask)
      FROM generate_series(1, height) AS level ORDER BY level)
    FROM jsonb_to_record(rule) AS r(length int, step int, mask text),
      unnest(vals) WITH ORDINALITY AS v(value, place), LATERAL (SELECT format('%s', v.value) AS value) AS t
    WHERE v.value IS NOT NULL AND char_length(t.value) <= r.length;
  ELSIF kind = 'table' AND numeric_class THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_leaf_labels(hierarchy, true, ARRAY(SELECT trim_scale(number)::text
      FROM unnest(vals::numeric[]) WITH ORDINALITY AS n(number, nr) ORDER BY nr)) AS l ON l.place = v.place;
  ELSIF kind = 'table' THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_leaf_labels(hierarchy, false, ARRAY(SELECT format('%s', value)
      FROM unnest(vals) WITH ORDINALITY AS n(value, nr) ORDER BY nr)) AS l ON l.place = v.place
    WHERE v.value IS NOT NULL;
  ELSIF numeric_class THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_number_labels(kind, rule, vals::numeric[]) AS l ON l.place = v.place;
  ELSE
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_time_labels(kind, rule, class, vals::timestamp[]) AS l ON l.place = v.place;
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_labels(text, anyarray) IS
'Of each of the values: its labels from level 0, itself, to the top. A null and a value without a leaf have no '
'row. Numbers are compared as numbers, anything else as texts, points in time are in UTC.';

CREATE FUNCTION anon_label(vals anyarray, hierarchy text, level int)
RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  labels text[];
BEGIN
  SELECT l.labels INTO labels FROM @extschema@.anon_hierarchy_labels(hierarchy, vals) AS l;
  IF NOT FOUND THEN
    RAISE data_exception USING MESSAGE = format('a value has no leaf in hierarchy "%s"', hierarchy);
  ELSIF level NOT BETWEEN 0 AND cardinality(labels) - 1 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('hierarchy "%s" has no level %s', hierarchy, level),
      DETAIL = format('Its levels are 0, the values themselves, to %s.', cardinality(labels) - 1);
  END IF;
  RETURN labels[level + 1];
END $$;

COMMENT ON FUNCTION anon_label(anyarray, text, int) IS
'The label of the only value of the array; used by anon_generalize.';

CREATE FUNCTION anon_generalize(value anyelement, hierarchy text, level int)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS 'SELECT @extschema@.anon_label(ARRAY[value], hierarchy, level)';

COMMENT ON FUNCTION anon_generalize(anyelement, text, int) IS
'What a value is called at a level of a hierarchy: itself at 0. Null stays null; a value without a leaf is an '
'error, and so is a level that the hierarchy does not have.';

-- For literals, whose type is not known.
CREATE FUNCTION anon_generalize(value text, hierarchy text, level int)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS 'SELECT @extschema@.anon_label(ARRAY[value], hierarchy, level)';

COMMENT ON FUNCTION anon_generalize(text, text, int) IS
'The same of a text.';

CREATE FUNCTION anon_hierarchy_levels(name text)
RETURNS TABLE (level int, description text, labels bigint)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
BEGIN
  SELECT k.kind, k.rule, k.levels INTO h FROM @extschema@.anon_hierarchies AS k
  WHERE k.name = anon_hierarchy_levels.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('hierarchy "%s" does not exist', name),
      HINT = 'The view anon_hierarchies lists those that you may use.';
  END IF;
  RETURN QUERY
  SELECT l.nr,
    CASE
      WHEN l.nr = 0 THEN 'the values'
      WHEN l.nr = h.levels THEN 'suppressed'
      WHEN h.kind = 'prefix' THEN format('the first %s characters',
        (h.rule->>'length')::int - l.nr * (h.rule->>'step')::int)
      WHEN h.kind = 'range' THEN format('intervals of %s', h.rule->'levels'->>(l.nr - 1))
      WHEN h.kind = 'date' THEN h.rule->'levels'->>(l.nr - 1)
      WHEN h.kind = 'auto' THEN 'intervals of like frequency'
      ELSE 'labels'
    END,
    CASE
      WHEN l.nr = h.levels THEN 1
      WHEN h.kind = 'table' AND l.nr = 0 THEN (
        SELECT count(*) FROM @extschema@.anon_hierarchy_leaves AS leaf
        WHERE leaf.hierarchy = anon_hierarchy_levels.name)
      WHEN h.kind = 'table' THEN (
        SELECT count(DISTINCT leaf.labels[l.nr]) FROM @extschema@.anon_hierarchy_leaves AS leaf
        WHERE leaf.hierarchy = anon_hierarchy_levels.name)
      WHEN h.kind = 'auto' AND l.nr > 0 THEN jsonb_array_length(h.rule->'levels'->(l.nr - 1)) + 1
    END
  FROM generate_series(0, h.levels) AS l(nr);
END $$;

COMMENT ON FUNCTION anon_hierarchy_levels(text) IS
'The levels of a hierarchy, from the values to the top, and how many labels each has where that is known.';
