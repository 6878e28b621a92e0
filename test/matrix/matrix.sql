-- Every method with every promise, alone and in pairs, for every kind of sensitive column,
-- recoding, treatment of nulls and scale. A cell is one call of anon_publish. Either it publishes,
-- and a recount finds no broken promise, or it fails as documented (matrix.methods and
-- matrix.exceptions, which test/matrix/walk reads from the documents).

CREATE SCHEMA matrix;

-- ---- A small table of all kinds of columns --------------------------------------------------------

CREATE TYPE matrix.grade AS ENUM ('low', 'middle', 'high');

-- A number below m that looks random and is the same everywhere.
CREATE FUNCTION matrix.pick(i int, what text, m int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || left(md5(what || i), 7))::bit(28)::int % m $$;

CREATE TABLE matrix.persons AS
SELECT 20 + matrix.pick(i, 'age', 60) AS age, CASE WHEN i % 4 > 0 THEN 20 + matrix.pick(i, 'age', 60) END AS age_gaps,
  1000 + matrix.pick(i, 'income', 50) AS income, format('0%s', 2100 + matrix.pick(i, 'zip', 40)) AS zip,
  matrix.pick(i, 'number', 23) AS number, date '2020-01-01' + matrix.pick(i, 'day', 29) AS day,
  ('{low,middle,high}'::matrix.grade[])[1 + matrix.pick(i, 'grade', 3)] AS grade, disease AS name,
  i % 3 = 0 AS flag, CASE WHEN i % 8 <> 1 THEN matrix.pick(i, 'number', 23) END AS number_gaps,
  CASE WHEN i % 7 <> 1 THEN disease END AS name_gaps, disease, matrix.pick(i, 'person', 30) AS person
FROM generate_series(1, 48) AS i,
  LATERAL (SELECT ('{asthma,cough,flu,ulcer}'::text[])[1 + matrix.pick(i, 'disease', 4)] AS disease) AS d;

-- The population that the persons are a part of: as many again, elsewhere.
CREATE VIEW matrix.everybody AS
SELECT age, age_gaps, income, zip FROM matrix.persons
UNION ALL SELECT 20 + (age * 7) % 60, 20 + (age_gaps * 7) % 60, income, overlay(zip PLACING '9' FROM 5) FROM matrix.persons;

CREATE TABLE matrix.diseases (disease text, organ text);
INSERT INTO matrix.diseases VALUES ('asthma', 'lung'), ('cough', 'lung'), ('flu', 'lung'), ('ulcer', 'stomach');

-- ---- The dimensions -------------------------------------------------------------------------------

-- From the documents: the possible and the mandatory promises of methods, those to persons, and the refused ones.
CREATE TABLE matrix.methods (method text, can text[], must text[]);
CREATE TABLE matrix.to_persons (method text, can text[]);
CREATE TABLE matrix.exceptions (promise text, refused_with text);

CREATE TABLE matrix.promises (name text, params jsonb);
INSERT INTO matrix.promises VALUES
  ('t', '{"t": 0.5}'), ('t_each', '{"t_each": [0.5]}'), ('n', '{"n": 12, "t": 0.5}'), ('p', '{"p": 2}'), ('l', '{"l": 2}'),
  ('entropy_l', '{"entropy_l": 1.5}'), ('c', '{"c": 3, "l": 2}'), ('alpha', '{"alpha": 0.8}'), ('e', '{"e": 1}'),
  ('beta', '{"beta": 2}'), ('delta', '{"delta": 1.5}'), ('risk_mean', '{"risk_mean": 0.15}'),
  ('risk_above', '{"risk_above": 0.3, "risk_threshold": 0.2}'),
  ('k_map', '{"k_map": 8, "population": "matrix.everybody"}'),
  ('delta_presence', '{"delta_presence": [0.1, 0.7], "population": "matrix.everybody"}'),
  ('q', '{"q": 0.2, "p": 2, "r": 0.1}'), ('protected', '{"p": 2, "protected": {"disease": ["lung"]}}'),
  ('transparent', '{"transparent": true, "decoys": 0.2}'),
  ('dominance', '{"dominance": 0.5, "unit": ["person"]}');

CREATE TABLE matrix.kinds (kind text, sensitive text[]);
INSERT INTO matrix.kinds VALUES
  ('number', '{number}'), ('date', '{day}'), ('enum', '{grade}'), ('text', '{name}'), ('boolean', '{flag}'),
  ('number with nulls', '{number_gaps}'), ('text with nulls', '{name_gaps}'), ('text with a hierarchy', '{disease}'),
  ('number and text', '{number,name}');

CREATE VIEW matrix.pairs AS
SELECT '' AS name, '{}'::text[] AS names, '{}'::jsonb AS params
UNION ALL SELECT name, ARRAY[name], params FROM matrix.promises
UNION ALL SELECT a.name || '+' || b.name, ARRAY[a.name, b.name], a.params || b.params
FROM matrix.promises AS a JOIN matrix.promises AS b ON a.name < b.name;

CREATE FUNCTION matrix.quasi_identifiers(method text, gaps boolean) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[CASE WHEN gaps THEN 'age_gaps' ELSE 'age' END]
    || CASE method WHEN 'univariate' THEN '{}' WHEN 'aggregate' THEN '{income}' ELSE '{zip}' END::text[]
$$;

CREATE VIEW matrix.all_cells AS
SELECT row_number() OVER (ORDER BY method, p.name, kind, recode, nulls, gaps, standardize) AS nr,
  method, matrix.quasi_identifiers(method, gaps) AS qi, p.name AS promise, p.names, p.params AS promised, k.kind,
  k.sensitive, recode, nulls, gaps, standardize, NULL::text AS outcome, NULL::text AS message
FROM (SELECT DISTINCT substr(proname, 6) AS method FROM pg_proc
      WHERE proname LIKE 'anon\_%' AND proargnames @> '{tbl,qi,k,keep,class_id}') AS m CROSS JOIN matrix.pairs AS p CROSS JOIN matrix.kinds AS k
  CROSS JOIN unnest('{centroid,range,hierarchy,median,swap,calibrated}'::text[]) AS recode
  CROSS JOIN unnest('{error,stratify}'::text[]) AS nulls CROSS JOIN unnest('{false,true}'::bool[]) AS gaps
  CROSS JOIN unnest('{zscore,range,none}'::text[]) AS standardize;
CREATE TABLE matrix.cells AS SELECT * FROM matrix.all_cells;
ALTER TABLE matrix.cells ADD PRIMARY KEY (nr);

-- ---- One cell -------------------------------------------------------------------------------------

CREATE FUNCTION matrix.takes(method text, argument text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT argument = ANY ((SELECT proargnames FROM pg_proc WHERE proname = 'anon_' || method)::text[]) $$;

-- Every fifth cell works by blocks.
CREATE FUNCTION matrix.by_blocks(cell matrix.cells) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT cell.nr % 5 = 0 AND matrix.takes(cell.method, 'block_size') AND 'n' <> ALL (cell.names) $$;

CREATE FUNCTION matrix.swaps(cell matrix.cells) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT cell.recode = 'swap' AND matrix.takes(cell.method, 'recode') $$;

-- Every third cell has a budget of suppression, another third a number that is a category.
CREATE FUNCTION matrix.suppresses(cell matrix.cells) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT cell.nr % 3 = 0 AND matrix.takes(cell.method, 'max_suppression') AND 'transparent' <> ALL (cell.names)
    AND NOT matrix.swaps(cell) $$;
CREATE FUNCTION matrix.has_category(cell matrix.cells) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT cell.nr % 3 = 1 AND NOT cell.gaps AND matrix.takes(cell.method, 'categories') $$;

-- Hierarchies of quasi-identifiers beside a recode that publishes values are a contradiction, and refused.
CREATE FUNCTION matrix.labels(cell matrix.cells) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT (matrix.takes(cell.method, 'recode') AND coalesce(cell.recode NOT IN ('range', 'hierarchy'), false)) $$;

-- The arguments of a method that are no promises: those that it has.
CREATE FUNCTION matrix.arguments(cell matrix.cells) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_object_agg(a.name, a.value), '{}')
  FROM (VALUES ('block_size', CASE WHEN matrix.by_blocks(cell) THEN '16'::jsonb END), ('max_suppression', CASE WHEN matrix.suppresses(cell) THEN '0.1'::jsonb END),
      ('categories', CASE WHEN matrix.has_category(cell) THEN '["age"]'::jsonb END), ('recode', to_jsonb(cell.recode)), ('nulls', to_jsonb(cell.nulls)), ('standardize', to_jsonb(cell.standardize)),
      ('hierarchies', jsonb_strip_nulls(jsonb_build_object(
        'age', CASE WHEN NOT matrix.labels(cell) THEN NULL WHEN matrix.has_category(cell) THEN '{"prefix": 2}'::jsonb
          WHEN 'age' = ANY (cell.qi) THEN '{"range": [5, 10, 30]}' END,
        'age_gaps', CASE WHEN matrix.labels(cell) AND 'age_gaps' = ANY (cell.qi) THEN '{"range": [5, 10, 30]}'::jsonb END,
        'zip', CASE WHEN matrix.labels(cell) AND 'zip' = ANY (cell.qi) THEN '{"prefix": 5}'::jsonb END,
        'disease', CASE WHEN 'disease' = ANY (cell.sensitive) THEN '{"table": "matrix.diseases"}'::jsonb END)))) AS a(name, value)
  WHERE matrix.takes(cell.method, a.name) AND a.value IS NOT NULL
$$;

-- t_each has a level for each sensitive column, and takes the place of the t that n brings.
CREATE FUNCTION matrix.promised(cell matrix.cells) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN cell.promised ? 't_each'
    THEN CASE WHEN 't' = ANY (cell.names) THEN cell.promised ELSE cell.promised - 't' END || jsonb_build_object('t_each', array_fill(0.5, ARRAY[cardinality(cell.sensitive)]))
    ELSE cell.promised END
$$;

-- True, as SQL, if the cell of a release is a label of the population's value.
CREATE FUNCTION matrix.covers(q text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format(CASE WHEN EXISTS (SELECT FROM pg_attribute AS a JOIN pg_range AS g ON g.rngtypid = a.atttypid
      WHERE a.attrelid = 'matrix.release'::regclass AND a.attname = q)
    THEN 'p.%1$I <@ r.%1$I' ELSE 'p.%1$I::text LIKE translate(r.%1$I, ''*'', ''_'')' END, q)
$$;

-- k-map and delta-presence, by the cells of every class and the values of everybody.
CREATE FUNCTION matrix.broken_presence(cell matrix.cells) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  cells text := (SELECT string_agg(format('r.%I', q), ', ') FROM unnest(cell.qi) AS q);
  bounds jsonb := coalesce(cell.promised->'delta_presence', '[0, 1]');
  found record;
BEGIN
  IF NOT cell.promised ? 'population' THEN RETURN; END IF;
  EXECUTE format('SELECT min(crowd) AS k, min(n::numeric / crowd) AS least, max(n::numeric / crowd) AS largest, sum(crowd) AS crowds
    FROM (SELECT count(*) AS n, (SELECT count(*) FROM matrix.everybody AS p WHERE %s) AS crowd FROM matrix.release AS r GROUP BY %s) AS c',
    (SELECT string_agg(matrix.covers(q), ' AND ') FROM unnest(cell.qi) AS q), cells) INTO found;
  IF found.k < (cell.promised->>'k_map')::int THEN RETURN NEXT 'k-map'; END IF;
  IF found.largest > (bounds->>1)::numeric OR found.least < (bounds->>0)::numeric THEN RETURN NEXT 'delta-presence'; END IF;
  IF (bounds->>0)::numeric > 0 AND found.crowds <> (SELECT count(*) FROM matrix.everybody) THEN RETURN NEXT 'a class of others'; END IF;
END $$;

-- Swapped columns have the values of the source, and so have the records beside them. The private classes are the owner's to verify.
CREATE FUNCTION matrix.broken_swap(cell matrix.cells) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  q text;
  others bigint;
BEGIN
  FOREACH q IN ARRAY cell.qi || CASE WHEN 'transparent' = ANY (cell.names) THEN '{}' ELSE cell.sensitive END LOOP
    EXECUTE format('SELECT count(*) FROM (SELECT %1$I FROM matrix.release EXCEPT ALL SELECT %1$I FROM matrix.persons) AS o WHERE %1$I IS NOT NULL', q) INTO others;
    IF others > 0 THEN RETURN NEXT 'values of ' || q; END IF;
  END LOOP;
  IF (SELECT count(*) FROM matrix.release) <> (SELECT count(*) FROM matrix.persons) THEN RETURN NEXT 'records are missing'; END IF;
  PERFORM anon_assert_swap('matrix.release');
END $$;

CREATE FUNCTION matrix.broken(cell matrix.cells, suppressed bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  others bigint;
BEGIN
  IF matrix.swaps(cell) THEN
    RETURN QUERY SELECT b FROM matrix.broken_swap(cell) AS b;
    RETURN;
  END IF;
  IF cell.method = 'aggregate' THEN
    IF recount.k_f('matrix.release', 'matrix.persons', cell.qi, '{sum}', 0) < 3 THEN RETURN NEXT 'k^f'; END IF;
    RETURN QUERY SELECT b FROM recount.broken('matrix.release', '{}', cell.sensitive, cell.promised) AS b;
  ELSE
    RETURN QUERY SELECT b FROM recount.broken('matrix.release', cell.qi, cell.sensitive,
      matrix.promised(cell) || '{"k": 3}' || CASE WHEN 'disease' = ANY (cell.sensitive)
        THEN '{"taxonomy": {"disease": "matrix.diseases"}}'::jsonb ELSE '{}' END) AS b;
  END IF;
  RETURN QUERY SELECT b FROM matrix.broken_presence(cell) AS b;
  EXECUTE format('SELECT count(*) FROM (SELECT %1$s FROM matrix.release WHERE %2$L <> ALL ($1) OR num_nonnulls(%1$s) > 0
      EXCEPT ALL SELECT %1$s FROM matrix.persons) AS o',
    (SELECT string_agg(quote_ident(s), ', ') FROM unnest(cell.sensitive) AS s), 'transparent') INTO others USING cell.names;
  IF others > 0 THEN RETURN NEXT 'sensitive values that are not the source''s'; END IF;
  IF (SELECT count(*) FROM matrix.release) + suppressed <> (SELECT count(*) FROM matrix.persons) THEN
    RETURN NEXT 'records are missing';
  END IF;
END $$;

-- Sets outcome to 'published', to the promises broken, or to the error's SQLSTATE.
CREATE FUNCTION matrix.try(cell matrix.cells, OUT outcome text, OUT message text) LANGUAGE plpgsql AS $$
DECLARE
  left_out bigint;
BEGIN
  EXECUTE 'SELECT suppressed FROM anon_publish(''matrix.release'', ''matrix.persons'', $1, 3, method => $2,
    sensitive => $3, params => $4, keep => $5)' INTO left_out
  USING cell.qi, cell.method, cell.sensitive, matrix.arguments(cell) || matrix.promised(cell),
    coalesce(ARRAY(SELECT jsonb_array_elements_text(cell.promised->'unit')), '{}');
  message := (SELECT string_agg(b, ', ') FROM matrix.broken(cell, left_out) AS b);
  outcome := CASE WHEN message IS NULL THEN 'published' ELSE 'broken' END;
  RAISE EXCEPTION USING ERRCODE = 'MX000';
EXCEPTION WHEN SQLSTATE 'MX000' THEN
  NULL;
WHEN OTHERS THEN
  outcome := SQLSTATE;
  message := SQLERRM;
END $$;

CREATE PROCEDURE matrix.walk(every int, first int) LANGUAGE plpgsql AS $$
DECLARE
  cell matrix.cells;
  found record;
BEGIN
  FOR cell IN SELECT * FROM matrix.cells WHERE nr % every = first % every ORDER BY nr LOOP
    -- In the server's log, should it be the last.
    RAISE LOG 'cell %: % promises % of %, %, nulls %, gaps %, %', cell.nr, cell.method, cell.promise, cell.kind, cell.recode,
      cell.nulls, cell.gaps, cell.standardize;
    found := matrix.try(cell);
    UPDATE matrix.cells SET outcome = found.outcome, message = found.message WHERE nr = cell.nr;
    IF cell.nr / every % 200 = 0 THEN COMMIT; END IF;
  END LOOP;
END $$;

-- ---- The documented outcome of a cell -----------------------------------------------------------

-- True of the cells that an exception speaks of, beside its promise.
CREATE FUNCTION matrix.is_so(refused_with text, cell matrix.cells) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE refused_with
    WHEN 'nulls in a sensitive number, date or enum' THEN cell.kind = 'number with nulls'
    WHEN 'null strata' THEN cell.gaps AND cell.nulls = 'stratify'
    WHEN 'no sensitive number or date' THEN cell.kind NOT IN ('number', 'date', 'number with nulls', 'number and text')
    WHEN 'a column without a hierarchy' THEN cell.kind <> 'text with a hierarchy'
    WHEN 'aggregate with two sensitive columns' THEN cell.method = 'aggregate' AND cell.kind = 'number and text'
    WHEN 'mdav or vmdav without transparent' THEN cell.method IN ('mdav', 'vmdav') AND 'transparent' <> ALL (cell.names)
    ELSE CASE WHEN refused_with IN (SELECT name FROM matrix.promises) THEN refused_with = ANY (cell.names) END
  END;
END $$;

CREATE VIEW matrix.judged AS
SELECT c.*, NOT array_remove(c.names, 'dominance') <@ m.can OR 'dominance' = ANY (c.names) AND NOT c.names <@ u.can OR NOT (c.names && m.must OR m.must = '{}') OR (c.gaps AND c.nulls = 'error')
  -- Methods without this argument take no nulls.
  OR (c.gaps AND NOT matrix.arguments(c::matrix.cells) ? 'nulls')
  -- Full-domain methods, without nulls, suppress while they search.
  OR (c.gaps AND c.nulls = 'stratify' AND matrix.suppresses(c::matrix.cells) AND matrix.takes(c.method, 'nulls'))
  -- Swapping takes promises on values, of transparent releases only.
  OR matrix.swaps(c::matrix.cells) AND (c.names && '{t,t_each,n,q,beta,delta,risk_mean,risk_above,k_map,delta_presence,dominance}'
    OR c.names && '{p,l,entropy_l,c,alpha,e,protected}' AND 'transparent' <> ALL (c.names))
  OR EXISTS (SELECT FROM matrix.exceptions AS e
    WHERE e.promise = ANY (c.names) AND matrix.is_so(e.refused_with, c::matrix.cells)) AS refused
FROM matrix.cells AS c JOIN matrix.methods AS m USING (method) JOIN matrix.to_persons AS u USING (method)
WHERE c.outcome IS NOT NULL;

CREATE VIEW matrix.wrong AS
SELECT * FROM matrix.judged
WHERE outcome <> ALL (CASE WHEN refused THEN '{22023,22000}'::text[] ELSE '{published}' END);
