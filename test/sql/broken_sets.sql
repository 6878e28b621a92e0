-- Sixty sets broken in one place each: anon_assert_set refuses them, and agrees with a count in plain SQL on each.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE SCHEMA ward;
CREATE TABLE ward.patients AS SELECT i AS id, i % 2 AS sex, 1930 + i * i % 23 AS born FROM generate_series(1, 200) AS i;
CREATE TABLE ward.stays AS SELECT i AS stay, 1 + i * 7 % 190 AS patient, i * i % 5 AS days FROM generate_series(1, 300) AS i;
CREATE TABLE ward.codes AS SELECT i AS nr, 1 + i * 11 % 290 AS stay, 'c' || i * i % 7 AS code FROM generate_series(1, 350) AS i;
ALTER TABLE ward.patients ADD PRIMARY KEY (id);
ALTER TABLE ward.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES ward.patients ON DELETE CASCADE;
ALTER TABLE ward.codes ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES ward.stays ON DELETE CASCADE;
CREATE FUNCTION described() RETURNS jsonb LANGUAGE sql AS $$
  SELECT '{"patients": {"qi": ["sex", "born"]}, "stays": {"qi": ["days"]}, "codes": {"qi": ["code"]}}'::jsonb $$;
CREATE FUNCTION publish(name text, m text) RETURNS void LANGUAGE sql AS $$
  SELECT anon_publish_set(name, (SELECT jsonb_object_agg('ward.' || key, value) FROM jsonb_each(described())), k => 3, m => m, beside => 'ignore') $$;
SELECT publish('all', 'all'), publish('one', '1'), publish('two', '2') \g /dev/null

-- Every key of a release leads to a row: 100 % of the links are valid.
SELECT is(count(*) FILTER (WHERE p.id IS NULL), 0::bigint, 'each stay of "' || s.of || '" has its patient') FROM (SELECT 'all' AS of, patient FROM "all".stays UNION ALL SELECT 'one', patient FROM one.stays
  UNION ALL SELECT 'two', patient FROM two.stays) AS s LEFT JOIN (SELECT 'all' AS of, id FROM "all".patients UNION ALL SELECT 'one', id FROM one.patients UNION ALL SELECT 'two', id FROM two.patients) AS p
  ON p.of = s.of AND p.id = s.patient GROUP BY s.of;
SELECT is(count(*) FILTER (WHERE s.stay IS NULL), 0::bigint, 'each code of "' || c.of || '" has its stay') FROM (SELECT 'all' AS of, stay FROM "all".codes UNION ALL SELECT 'one', stay FROM one.codes
  UNION ALL SELECT 'two', stay FROM two.codes) AS c LEFT JOIN (SELECT 'all' AS of, stay FROM "all".stays UNION ALL SELECT 'one', stay FROM one.stays UNION ALL SELECT 'two', stay FROM two.stays) AS s
  ON s.of = c.of AND s.stay = c.stay GROUP BY c.of;

-- The plain judges of P(k,all), P(k,1) and P(k,2): persons by fact.
CREATE FUNCTION facts(name text) RETURNS TABLE (m text, person bigint, fact text) LANGUAGE plpgsql AS $$ BEGIN
  RETURN QUERY EXECUTE format($q$
    WITH p AS (SELECT id, row(sex, born)::text AS root FROM %1$I.patients),
      s AS (SELECT stay, patient, days::text AS days FROM %1$I.stays),
      r AS (SELECT patient AS id, 's' || days AS label, stay, NULL::bigint AS nr FROM s UNION ALL SELECT patient, 'c' || code, stay, nr FROM s JOIN %1$I.codes USING (stay)),
      pairs AS (SELECT a.id, CASE WHEN a.stay <> b.stay THEN 'apart' WHEN a.nr IS NULL OR b.nr IS NULL THEN 'above' ELSE 'beside' END AS link,
        least(a.label, b.label) AS x, greatest(a.label, b.label) AS y FROM r a JOIN r b ON a.id = b.id AND (a.stay, coalesce(a.nr, 0)) < (b.stay, coalesce(b.nr, 0)))
    SELECT 'all', id, row(root, (SELECT array_agg(row(days, codes)::text ORDER BY row(days, codes)::text) FROM
      (SELECT days, (SELECT array_agg(code ORDER BY code) FROM %1$I.codes c WHERE c.stay = s.stay) AS codes FROM s WHERE patient = id) AS t))::text FROM p
    UNION ALL SELECT m, id, root FROM p, unnest('{1,2}'::text[]) AS m
    UNION ALL SELECT m, id, row(root, label)::text FROM p JOIN r USING (id), unnest('{1,2}'::text[]) AS m
    UNION ALL SELECT '2', id, row(root, link, x, y)::text FROM p JOIN pairs USING (id)$q$, name);
END $$;
CREATE FUNCTION level(name text, asked text) RETURNS bigint LANGUAGE sql AS $$
  SELECT min(n) FROM (SELECT count(DISTINCT person) AS n FROM facts(name) WHERE m = asked GROUP BY fact) AS f $$;
CREATE FUNCTION audited(name text, asked text) RETURNS int LANGUAGE sql AS $$
  SELECT level FROM anon_audit_set(name::regnamespace, described(), largest_m => 2) WHERE m = asked $$;
SELECT is(audited(name, m)::bigint, level(name, m), 'both judges agree on ' || name) FROM (VALUES ('all', 'all'), ('one', '1'), ('two', '2')) AS s (name, m);
SELECT cmp_ok(level(name, m), '>=', 3::bigint, 'P(3,' || m || ')') FROM (VALUES ('all', 'all'), ('one', '1'), ('two', '2')) AS s (name, m);

-- One change, and both judges; it is undone.
CREATE FUNCTION judged(name text, m text, change text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE plain bigint; said text; BEGIN
  BEGIN
    EXECUTE format('SET LOCAL search_path = %I, public', name);
    EXECUTE change;
    plain := level(name, m);
    IF plain <> audited(name, m) THEN RAISE EXCEPTION 'the judges disagree' USING ERRCODE = 'ZZ000'; END IF;
    BEGIN
      PERFORM anon_assert_set(name::regnamespace, described(), k => 3, m => m);
      said := 'passes';
    EXCEPTION WHEN check_violation THEN said := 'refused';
    END;
    IF said = 'passes' AND plain < 3 THEN said := 'passes wrongly'; ELSIF said = 'refused' AND plain >= 3 THEN said := 'refused wrongly'; END IF;
    RAISE EXCEPTION '%', said USING ERRCODE = 'ZZ001';
  EXCEPTION WHEN SQLSTATE 'ZZ001' THEN RETURN SQLERRM; WHEN SQLSTATE 'ZZ000' THEN RETURN SQLERRM;
  END;
END $$;
CREATE TABLE changes (kind text, change text);
INSERT INTO changes VALUES
  ('a label that nobody has', 'UPDATE stays SET days = int4range(100 + %1$s, 200) WHERE stay = (SELECT stay FROM stays ORDER BY stay OFFSET %1$s * 13 LIMIT 1)'),
  ('a code that nobody has', 'UPDATE codes SET code = ''x%1$s'' WHERE nr = (SELECT nr FROM codes ORDER BY nr OFFSET %1$s * 17 LIMIT 1)'),
  ('a cell of the root', 'UPDATE patients SET born = int4range(1800 + %1$s, 1900) WHERE id = (SELECT id FROM patients ORDER BY id OFFSET %1$s * 11 LIMIT 1)'),
  ('rows of one person', 'INSERT INTO stays SELECT 100000 + i, (SELECT id FROM patients ORDER BY id OFFSET %1$s * 7 LIMIT 1), int4range(50 + %1$s, 99) FROM generate_series(1, 5) AS i'),
  ('pseudonyms given to one person', 'WITH c AS (SELECT sex, born, min(id) AS one, row_number() OVER (ORDER BY min(id)) - 1 AS nr, count(*) OVER () AS all FROM patients WHERE id IN (SELECT patient FROM stays) GROUP BY sex, born)
    UPDATE stays SET patient = c.one FROM c, patients AS p WHERE c.nr = %1$s %% c.all AND p.id = stays.patient AND p.sex = c.sex AND p.born = c.born');
SELECT is(string_agg(DISTINCT judged(name, m, format(change, i)), ','), 'refused', format('%s, 12 times for m = %s', kind, m))
FROM (VALUES ('all', 'all'), ('one', '1'), ('two', '2')) AS s (name, m), changes, generate_series(0, 11) AS i GROUP BY kind, m;
SELECT is(count(*), 60::bigint, 'sixty broken sets for each m') FROM changes, generate_series(0, 11);

-- A row that moves to another parent, or leaves with all that hangs on it, may keep the promise: the judges agree.
SELECT ok(bool_and(said IN ('passes', 'refused')), format('rows that move or leave, for m = %s', m)) FROM (
  SELECT m, judged(name, m, format(change, i)) AS said FROM (VALUES ('all', 'all'), ('one', '1'), ('two', '2')) AS s (name, m), generate_series(0, 7) AS i,
    (VALUES ('UPDATE codes SET stay = (SELECT stay FROM stays ORDER BY stay OFFSET %1$s * 19 LIMIT 1) WHERE nr = (SELECT nr FROM codes ORDER BY nr OFFSET %1$s * 5 LIMIT 1)'),
      ('WITH gone AS (SELECT stay FROM stays ORDER BY stay OFFSET %1$s * 19 LIMIT 1), codes AS (DELETE FROM codes USING gone WHERE codes.stay = gone.stay) DELETE FROM stays USING gone WHERE stays.stay = gone.stay')) AS c (change)) AS j GROUP BY m;

SELECT finish();
ROLLBACK;
