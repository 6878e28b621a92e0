-- The levels of a relation, counted in plain SQL from the models' definitions, without any call of
-- anonkit.
--
--   SELECT * FROM recount.broken('release', '{qi,...}', '{sensitive,...}', '{"k": 5, "l": 2, ...}');
--
-- returns one row per broken promise. Promises have the names of the methods' arguments. "taxonomy"
-- names, for a sensitive column, a table of labels: the first column holds the values, and one
-- column follows per level. "protected" refers to such columns. With "transparent", classes without any
-- sensitive value withhold theirs, and promises are about the others. With "unit", promises are to persons
-- (docs/guide/persons.md); without, each row is a person.

CREATE SCHEMA recount;

-- The cells of the column at hand are in a temporary table that is made while they are counted.
SET check_function_bodies = off;

-- Numbers and points in time have a distance; enums an order; all else neither. Domains count as their base.
CREATE FUNCTION recount.scale_of(rel regclass, attribute text) RETURNS text LANGUAGE sql STABLE AS $$
  WITH RECURSIVE base(oid, typtype) AS (
    SELECT t.oid, t.typtype FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    WHERE a.attrelid = rel AND a.attname = attribute
    UNION ALL
    SELECT t.oid, t.typtype FROM base JOIN pg_type AS d ON d.oid = base.oid
      JOIN pg_type AS t ON t.oid = d.typbasetype WHERE base.typtype = 'd')
  SELECT CASE WHEN oid = 'date'::regtype THEN 'days' WHEN typtype = 'e' THEN 'ordered'
    WHEN oid IN ('timestamp'::regtype, 'timestamptz'::regtype) THEN 'seconds'
    WHEN oid = ANY ('{int2,int4,int8,float4,float8,numeric}'::regtype[]) THEN 'number'
    ELSE 'nominal' END
  FROM base WHERE typtype <> 'd'
$$;

-- The number that (k,e)-anonymity and variances see of a value.
CREATE FUNCTION recount.number_of(scale text, expression text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE scale
    WHEN 'days' THEN format('CASE WHEN isfinite(%1$s) THEN (%1$s - date ''2000-01-01'')::numeric END', expression)
    WHEN 'seconds' THEN format('extract(epoch FROM %s)::numeric', expression)
    WHEN 'number' THEN format('%s::numeric', expression)
    ELSE 'NULL::numeric' END
$$;

-- By record, its class, its person, its groups by all prefixes of qi, and its sensitive value by rank, as text and as
-- number. A person weighs 1, divided among their rows of the class, or of the table. Null is the last value. Without a
-- column all records have one value.
CREATE FUNCTION recount.load(rel regclass, qi text[], attribute text, unit text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text := (SELECT coalesce(string_agg(format('r.%I', q), ', '), '1') FROM unnest(qi) AS q);
  groups text;
  cell text := CASE WHEN attribute IS NULL THEN '1' ELSE format('r.%I', attribute) END;
  person text := CASE WHEN unit = '{}' THEN 'row_number() OVER ()'
    ELSE (SELECT format('dense_rank() OVER (ORDER BY %s)', string_agg(format('r.%I', u), ', ')) FROM unnest(unit) AS u) END;
BEGIN
  DROP TABLE IF EXISTS recount_cells;
  groups := (SELECT coalesce(string_agg(
      format('dense_rank() OVER (ORDER BY %s)', (SELECT string_agg(format('r.%I', b), ', ')
                                                 FROM unnest(qi[1:j]) AS b)), ', ' ORDER BY j), '')
    FROM generate_series(1, cardinality(qi) - 1) AS j);
  EXECUTE format('CREATE TEMP TABLE recount_cells AS
    SELECT *, 1.0 / count(*) OVER (PARTITION BY class, person) AS weight, 1.0 / count(*) OVER (PARTITION BY person) AS weight_in_table
    FROM (SELECT dense_rank() OVER (ORDER BY %s) AS class, %s AS person, ARRAY[%s]::bigint[] AS groups,
        dense_rank() OVER (ORDER BY %s) AS value, %s::text AS label, %s AS number, %s IS NULL AS is_null
      FROM %s AS r) AS c',
    names, person, groups, cell, cell, coalesce(recount.number_of(recount.scale_of(rel, attribute), cell), 'NULL::numeric'),
    cell, rel);
END $$;

CREATE FUNCTION recount.k() RETURNS numeric LANGUAGE sql AS $$
  SELECT min(n) FROM (SELECT count(DISTINCT person) AS n FROM pg_temp.recount_cells GROUP BY class) AS c $$;

-- By record 1 / the persons of its class.
CREATE FUNCTION recount.risks() RETURNS SETOF numeric LANGUAGE sql AS $$
  SELECT 1.0 / (SELECT count(DISTINCT o.person) FROM pg_temp.recount_cells AS o WHERE o.class = c.class)
  FROM pg_temp.recount_cells AS c $$;
CREATE FUNCTION recount.mean_risk() RETURNS numeric LANGUAGE sql AS $$ SELECT avg(r) FROM recount.risks() AS r $$;
CREATE FUNCTION recount.at_risk(threshold numeric) RETURNS numeric LANGUAGE sql AS $$
  SELECT avg((r > threshold)::int) FROM recount.risks() AS r $$;

CREATE FUNCTION recount.dominance() RETURNS numeric LANGUAGE sql AS $$
  SELECT max(share) FROM (SELECT count(*) / sum(count(*)) OVER (PARTITION BY class) AS share
    FROM pg_temp.recount_cells GROUP BY class, person) AS s $$;

-- By class and value: its persons, all persons of the class, and the weight of the value.
CREATE FUNCTION recount.holders(OUT class bigint, OUT value bigint, OUT n bigint, OUT persons bigint, OUT weight numeric)
RETURNS SETOF record LANGUAGE sql AS $$
  SELECT c.class, c.value, count(DISTINCT c.person), p.n, sum(c.weight)
  FROM pg_temp.recount_cells AS c
    JOIN (SELECT class, count(DISTINCT person) AS n FROM pg_temp.recount_cells GROUP BY class) AS p ON p.class = c.class
  GROUP BY c.class, c.value, p.n $$;

-- l values, and l - 1 persons without any one of them.
CREATE FUNCTION recount.p() RETURNS numeric LANGUAGE sql AS $$
  SELECT min(least(n, 1 + without)) FROM (SELECT count(*) AS n, min(persons - n) AS without FROM recount.holders() GROUP BY class) AS c $$;

CREATE FUNCTION recount.entropy_l() RETURNS numeric LANGUAGE sql AS $$
  SELECT min(least(level, 1 + without))
  FROM (SELECT exp(-sum(weight / persons * ln(weight / persons))) AS level, min(persons - n) AS without
    FROM recount.holders() GROUP BY class) AS c $$;

CREATE FUNCTION recount.alpha() RETURNS numeric LANGUAGE sql AS $$
  SELECT max(n::numeric / persons) FROM recount.holders() $$;

-- By value of the table and class: its shares p and q.
CREATE FUNCTION recount.shares(OUT p numeric, OUT q numeric) RETURNS SETOF record LANGUAGE sql AS $$
  WITH cells AS (SELECT class, value FROM pg_temp.recount_cells),
  in_table AS (SELECT value, count(*) / sum(count(*)) OVER () AS p FROM cells GROUP BY value)
  SELECT t.p, (SELECT avg((c.value = t.value)::int) FROM cells AS c WHERE c.class = k.class)
  FROM in_table AS t CROSS JOIN (SELECT DISTINCT class FROM cells) AS k $$;

CREATE FUNCTION recount.beta() RETURNS numeric LANGUAGE sql AS $$
  SELECT max(CASE WHEN q / p - 1 > -ln(p) + 1e-9 THEN 'Infinity' ELSE greatest(q / p - 1, 0) END) FROM recount.shares() $$;

CREATE FUNCTION recount.delta() RETURNS numeric LANGUAGE sql AS $$
  SELECT max(CASE WHEN q = 0 THEN 'Infinity' ELSE abs(ln(q / p)) END) FROM recount.shares() $$;

-- The least upper bound for c; null if no c holds.
CREATE FUNCTION recount.c(l int) RETURNS numeric LANGUAGE sql AS $$
  WITH counts AS (SELECT class, n, persons - n AS without, row_number() OVER (PARTITION BY class ORDER BY n DESC) AS i
    FROM recount.holders()),
  classes AS (SELECT max(n) AS first, sum(n) FILTER (WHERE i >= l) AS rest, min(without) AS without FROM counts GROUP BY class)
  SELECT CASE WHEN bool_or(rest IS NULL OR without < l - 1) THEN NULL ELSE max(first / rest) END FROM classes $$;

-- The largest distance between the numbers of two persons.
CREATE FUNCTION recount.e() RETURNS numeric LANGUAGE sql AS $$
  SELECT min(range) FROM (SELECT (SELECT coalesce(max(a.number - b.number), 0) FROM pg_temp.recount_cells AS a, pg_temp.recount_cells AS b
      WHERE a.class = c.class AND b.class = c.class AND a.person <> b.person) AS range
    FROM (SELECT DISTINCT class FROM pg_temp.recount_cells) AS c) AS r $$;

-- The distance of each class from each population. Population 0 is all records, population j the group of the first j
-- quasi-identifiers, if it has the records that a superset needs; supersets are of records, and no unit has any.
CREATE FUNCTION recount.t(scale text, superset int) RETURNS numeric LANGUAGE sql AS $$
  WITH populations AS (
    SELECT DISTINCT class, j, CASE WHEN j = 0 THEN 0 ELSE groups[j] END AS id
    FROM pg_temp.recount_cells, generate_series(0, CASE WHEN superset > 0 THEN cardinality(groups) ELSE 0 END) AS j
  ), members AS (
    SELECT j, CASE WHEN j = 0 THEN 0 ELSE groups[j] END AS id, value,
      sum(CASE WHEN j = 0 THEN weight_in_table ELSE 1 END) AS n
    FROM pg_temp.recount_cells, generate_series(0, CASE WHEN superset > 0 THEN cardinality(groups) ELSE 0 END) AS j
    GROUP BY 1, 2, 3
  ), sizes AS (SELECT j, id, sum(n) AS n FROM members GROUP BY j, id
  ), own AS (SELECT class, value, weight AS n, persons AS size FROM recount.holders()
  ), domain AS (SELECT DISTINCT value FROM pg_temp.recount_cells
  ), differences AS (
    SELECT p.class, p.j, d.value, coalesce(own.n / own.size, 0) - coalesce(m.n / s.n, 0) AS difference
    FROM populations AS p JOIN sizes AS s USING (j, id) CROSS JOIN domain AS d
      LEFT JOIN own ON own.class = p.class AND own.value = d.value
      LEFT JOIN members AS m ON m.j = p.j AND m.id = p.id AND m.value = d.value
    WHERE p.j = 0 OR s.n >= superset
  ), moved AS (
    SELECT class, j, abs(difference) AS difference,
      abs(sum(difference) OVER (PARTITION BY class, j ORDER BY value)) AS carried FROM differences
  ), distances AS (
    SELECT class, j, CASE WHEN scale = 'nominal' THEN sum(difference) / 2
      ELSE sum(carried) / greatest((SELECT count(*) FROM domain) - 1, 1) END AS distance
    FROM moved GROUP BY class, j
  )
  SELECT max(least) FROM (SELECT min(distance) AS least FROM distances GROUP BY class) AS c $$;

-- The hierarchical distance: each node moves the surplus of its children to others, at the cost of
-- its height over the tree's.
CREATE FUNCTION recount.t_tree(taxonomy regclass) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  names text[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = taxonomy AND attnum > 0 ORDER BY attnum);
  labels text := (SELECT string_agg(format('t.%I::text', n), ', ' ORDER BY nr)
    FROM unnest(names) WITH ORDINALITY AS u(n, nr));
  distance numeric;
BEGIN
  EXECUTE format('WITH nodes AS (SELECT ARRAY[%s] AS path, t.%I::text AS label FROM %s AS t
    ), extras AS (SELECT c.class, n.path,
        (SELECT coalesce(sum(o.weight) FILTER (WHERE o.label = n.label), 0) / sum(o.weight)
          FROM pg_temp.recount_cells AS o WHERE o.class = c.class)
        - (SELECT coalesce(sum(o.weight_in_table) FILTER (WHERE o.label = n.label), 0) / sum(o.weight_in_table)
          FROM pg_temp.recount_cells AS o) AS extra
      FROM nodes AS n, (SELECT DISTINCT class FROM pg_temp.recount_cells) AS c
    ), levels AS (SELECT h FROM generate_series(2, %s + 1) AS h
    ), tops AS (SELECT class, CASE WHEN h > %s THEN ''*'' ELSE path[h] END AS parent, h, path[h - 1] AS child, sum(extra) AS extra
      FROM extras, levels GROUP BY 1, 2, 3, 4
    ), costs AS (SELECT class, h, parent, (h - 1)::numeric / %s * least(sum(greatest(extra, 0)), sum(greatest(-extra, 0))) AS cost
      FROM tops GROUP BY class, h, parent)
    SELECT max(total) FROM (SELECT sum(cost) AS total FROM costs GROUP BY class) AS c',
    labels, names[1], taxonomy, cardinality(names) - 1, cardinality(names), cardinality(names) - 1) INTO distance;
  RETURN distance;
END $$;

-- Values below a protected label count as the highest such label.
CREATE FUNCTION recount.extended_p(taxonomy regclass, labels jsonb) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  names text[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = taxonomy AND attnum > 0 ORDER BY attnum);
BEGIN
  EXECUTE format('WITH tree AS (SELECT t.%I::text AS label, ARRAY[%s] AS path FROM %s AS t),
    lifted AS (SELECT label, (SELECT path[h] FROM generate_subscripts(path, 1) AS h WHERE $1 ? path[h] ORDER BY h DESC LIMIT 1) AS as_label FROM tree),
    ranked AS (SELECT label, dense_rank() OVER (ORDER BY as_label) AS rank FROM lifted WHERE as_label IS NOT NULL)
    UPDATE pg_temp.recount_cells AS c SET value = -ranked.rank FROM ranked WHERE ranked.label = c.label',
    names[1], (SELECT string_agg(format('t.%I::text', n), ', ' ORDER BY nr) FROM unnest(names) WITH ORDINALITY AS u(n, nr)),
    taxonomy) USING labels;
  RETURN recount.p();
END $$;

-- (k,p,q,r)-anonymity: of the classes with a rare value the fewest distinct values, and the least share of the
-- variance that r is about.
CREATE FUNCTION recount.kpqr(scale text, q float8, variance_of text, OUT p numeric, OUT r numeric)
LANGUAGE sql AS $$
  WITH all_values AS (SELECT value, count(*) AS n FROM pg_temp.recount_cells GROUP BY value),
  cells AS (SELECT c.class, c.value, CASE WHEN scale = 'ordered' THEN c.value ELSE c.number END AS number,
      v.n < q::numeric * (SELECT count(*) FROM pg_temp.recount_cells) AS rare
    FROM pg_temp.recount_cells AS c JOIN all_values AS v USING (value)),
  -- Half the share of pairs that differ is the variance of names.
  reference AS (SELECT CASE WHEN scale <> 'nominal' THEN var_samp(number)
      ELSE (SELECT 0.5 - sum(n * (n - 1)) / nullif(sum(n) * (sum(n) - 1), 0) / 2 FROM (
        SELECT count(*)::numeric AS n FROM cells WHERE variance_of = 'all' OR rare GROUP BY value) AS g) END AS v
    FROM cells WHERE variance_of = 'all' OR rare),
  bound AS (SELECT class, count(DISTINCT value) AS p, var_samp(number) AS v, count(*)::numeric AS n
    FROM cells GROUP BY class HAVING bool_or(rare)),
  spreads AS (SELECT b.class, b.p, CASE WHEN scale <> 'nominal' THEN coalesce(b.v, 0)
      ELSE (SELECT 0.5 - sum(g.n * (g.n - 1)) / nullif(b.n * (b.n - 1), 0) / 2 FROM (
        SELECT count(*)::numeric AS n FROM cells AS c WHERE c.class = b.class GROUP BY value) AS g) END AS v
    FROM bound AS b)
  SELECT min(s.p), min(coalesce(s.v, 0) / nullif((SELECT v FROM reference), 0)) FROM spreads AS s $$;

-- The level of each class under one promise, or null if the promise does not concern this column.
CREATE FUNCTION recount.found(promise text, attribute text, scale text, promises jsonb) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
  tree regclass := promises->'taxonomy'->>attribute;
  variance_of text := coalesce(promises->>'variance_of', 'rare');
BEGIN
  RETURN CASE promise
    WHEN 'p' THEN CASE WHEN promises ? 'q'
      THEN (SELECT k.p FROM recount.kpqr(scale, (promises->>'q')::float8, variance_of) AS k) ELSE recount.p() END
    WHEN 'r' THEN (SELECT k.r FROM recount.kpqr(scale, (promises->>'q')::float8, variance_of) AS k)
    WHEN 'l' THEN CASE WHEN NOT promises ? 'c' THEN recount.p() END
    WHEN 'c' THEN coalesce(recount.c((promises->>'l')::int), 'Infinity')
    WHEN 'entropy_l' THEN recount.entropy_l()
    WHEN 'alpha' THEN recount.alpha()
    WHEN 'beta' THEN recount.beta()
    WHEN 'delta' THEN recount.delta()
    WHEN 'e' THEN CASE WHEN scale IN ('number', 'days', 'seconds') THEN recount.e() END
    WHEN 't' THEN CASE WHEN tree IS NULL THEN recount.t(scale, (promises->>'n')::int) ELSE recount.t_tree(tree) END
    WHEN 'protected' THEN CASE WHEN promises->'protected' ? attribute
      THEN recount.extended_p(tree, promises->'protected'->attribute) END
  END;
END $$;

-- The promises that concern the place-th sensitive column, with t and protected in one form.
CREATE FUNCTION recount.wanted(promises jsonb, place int) RETURNS TABLE (promise text, level numeric)
LANGUAGE sql AS $$
  SELECT key, value::numeric FROM jsonb_each_text(promises)
  WHERE key IN ('p', 'r', 'l', 'c', 'entropy_l', 'alpha', 'e', 't', 'beta', 'delta')
  UNION ALL SELECT 't', (promises->'t_each'->>(place - 1))::numeric WHERE promises ? 't_each'
  UNION ALL SELECT 'protected', (promises->>'p')::numeric WHERE promises ? 'protected' $$;

-- Leaves the classes that have a sensitive value.
CREATE FUNCTION recount.leave_shown(rel regclass, qi text[], sensitive text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DELETE FROM pg_temp.recount_cells AS c USING (
      SELECT class FROM (SELECT dense_rank() OVER (ORDER BY %s) AS class, num_nonnulls(%s) AS shown FROM %s AS r) AS s
      GROUP BY class HAVING sum(shown) = 0) AS withheld WHERE c.class = withheld.class',
    (SELECT string_agg(format('r.%I', q), ', ') FROM unnest(qi) AS q),
    (SELECT string_agg(format('r.%I', s), ', ') FROM unnest(sensitive) AS s), rel);
END $$;

-- Every broken promise, with the level found. Levels that are not integers are compared within
-- 1e-9.
CREATE FUNCTION recount.broken(rel regclass, qi text[], sensitive text[], promises jsonb) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  slack CONSTANT numeric := 1e-9;
  place int;
  wanted record;
  found numeric;
  unit text[] := ARRAY(SELECT jsonb_array_elements_text(promises->'unit'));
BEGIN
  PERFORM recount.load(rel, qi, NULL, unit);
  IF recount.k() < (promises->>'k')::numeric THEN
    RETURN NEXT format('k is %s', recount.k());
  END IF;
  IF recount.mean_risk() > (promises->>'risk_mean')::numeric + slack THEN
    RETURN NEXT format('mean risk is %s', recount.mean_risk());
  END IF;
  IF recount.at_risk(coalesce((promises->>'risk_threshold')::numeric, 0.09)) > (promises->>'risk_above')::numeric THEN
    RETURN NEXT 'too many records are at risk';
  END IF;
  IF recount.dominance() > (promises->>'dominance')::numeric + slack THEN
    RETURN NEXT format('dominance is %s', recount.dominance());
  END IF;
  FOR place IN 1 .. cardinality(sensitive) LOOP
    PERFORM recount.load(rel, qi, sensitive[place], unit);
    IF (promises->>'transparent')::boolean THEN
      PERFORM recount.leave_shown(rel, qi, sensitive);
    END IF;
    -- The last one unites values.
    FOR wanted IN SELECT * FROM recount.wanted(promises, place) ORDER BY promise = 'protected' LOOP
      found := recount.found(wanted.promise, sensitive[place], recount.scale_of(rel, sensitive[place]), promises);
      IF (CASE WHEN wanted.promise IN ('t', 'alpha', 'c', 'beta', 'delta') THEN found > wanted.level + slack
          ELSE found < wanted.level * (1 - slack) END) THEN
        RETURN NEXT format('%s of column %s is %s', wanted.promise, place, found);
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- Against attackers who know the sum, mean, least or greatest of a record's columns within d of its magnitude. Counts
-- the fewest published records that match the known value of an original one.
CREATE FUNCTION recount.k_f(rel regclass, source regclass, qi text[], functions text[], d numeric)
RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  least numeric;
  found numeric;
  function text;
  lower_of text;
  upper_of text;
  known text;
BEGIN
  FOREACH function IN ARRAY functions LOOP
    SELECT string_agg(format('(%L, lower(r.%I)::numeric)', nr, q), ', '),
      -- A range of integers ends before its upper bound.
      string_agg(format('(%2$L, CASE WHEN upper_inc(r.%1$I) THEN upper(r.%1$I) ELSE upper(r.%1$I) - 1 END::numeric)', q, nr), ', '),
      string_agg(format('(%L, o.%I::numeric)', nr, q), ', ')
    INTO lower_of, upper_of, known FROM unnest(qi) WITH ORDINALITY AS u(q, nr);
    EXECUTE format('WITH published AS (SELECT (SELECT %1$s(v) FROM (VALUES %2$s) AS c(nr, v)) AS low,
        (SELECT %1$s(v) FROM (VALUES %3$s) AS c(nr, v)) AS high FROM %5$s AS r),
      originals AS (SELECT (SELECT %1$s(v) FROM (VALUES %4$s) AS c(nr, v)) AS known FROM %6$s AS o)
      SELECT min((SELECT count(*) FROM published WHERE low <= known + %7$L * abs(known)
        AND high >= known - %7$L * abs(known))) FROM originals',
      function, lower_of, upper_of, known, rel, source, d) INTO found;
    least := least(least, found);
  END LOOP;
  RETURN least;
END $$;
