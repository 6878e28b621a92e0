-- Figures describe the published relation. Plain SQL recounts loss and classes from the release. A look shows the
-- cells of a release. The listed order of columns and rows has no effect.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
CREATE TYPE grade AS ENUM ('low', 'middle', 'high', 'top');
CREATE TABLE person AS
SELECT i AS id, (i * 7 % 5)::smallint AS small, i * i % 11 AS whole, (i * 13 % 97 / 7.0)::numeric(6,1) AS dec,
       date '2020-01-01' + i * 31 % 17 AS day, timestamp '2020-01-01' + i * 37 % 23 * interval '1 hour' AS stamp,
       (i * 3 % 19 / 7.0)::real AS single, (i * 5 % 29 / 7.0)::float8 AS double,
       (enum_range(NULL::grade))[1 + i * 11 % 4] AS grade, 'city ' || i * 3 % 4 AS city,
       'illness ' || i * i % 7 AS illness, 'job ' || i * i * i % 5 AS job
FROM generate_series(1, 240) AS i;
CREATE TABLE person_shuffled AS SELECT * FROM person ORDER BY md5(id::text);

CREATE FUNCTION pg_temp.number(alias text, name text, type regtype) RETURNS text LANGUAGE sql AS $$
  SELECT CASE type WHEN 'date'::regtype THEN format('(%s.%I - date ''2000-01-01'')::float8', alias, name)
    WHEN 'timestamp'::regtype THEN format('extract(epoch FROM %s.%I)::float8', alias, name)
    ELSE format('%s.%I::float8', alias, name) END
$$;
-- The standardized difference of one column, source s and release r.
CREATE FUNCTION pg_temp.difference(name text, type regtype) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN type = 'grade'::regtype THEN format(
      '((array_position(enum_range(NULL::grade), s.%1$I) - array_position(enum_range(NULL::grade), r.%1$I)) / 4.0) ^ 2', name)
    WHEN type = 'text'::regtype THEN format('(s.%1$I IS DISTINCT FROM r.%1$I)::int', name)
    ELSE format('(((%2$s) - (%3$s)) / (SELECT stddev_samp(%4$s) FROM person AS x)) ^ 2', name,
      pg_temp.number('s', name, type), pg_temp.number('r', name, type), pg_temp.number('x', name, type))
  END
$$;
CREATE FUNCTION pg_temp.recounted(release text, qi text[]) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE answer float8;
BEGIN
  EXECUTE format('SELECT sum(%s) FROM person AS s JOIN %I AS r USING (id)',
    (SELECT string_agg(pg_temp.difference(attname, atttypid::regtype), ' + ') FROM pg_attribute
     WHERE attrelid = 'person'::regclass AND attname = ANY (qi)), release) INTO answer;
  RETURN answer;
END $$;

CREATE TEMP TABLE wish (nr int, qi text[], method text, params jsonb);
INSERT INTO wish VALUES
  (1, '{small,whole}', 'mdav', '{}'), (2, '{small,whole}', 'microaggregate', '{}'), (3, '{dec,day}', 'microaggregate', '{}'),
  (4, '{stamp,single,double}', 'microaggregate', '{}'), (5, '{grade,city}', 'microaggregate', '{}'),
  (6, '{small,day,grade,city}', 'vmdav', '{}'), (7, '{whole,dec,stamp,grade}', 'microaggregate', '{"l": 3}'),
  (8, '{small,whole}', 'microaggregate', '{"t": 0.3}'), (9, '{small,day}', 'microaggregate', '{"p": 2, "q": 0.15, "r": 0.1}'),
  (10, '{whole}', 'univariate', '{}'), (11, '{small,grade}', 'mdav', '{"duplicates": "divide"}'),
  (12, '{small,dec,day}', 'microaggregate', '{"recode": "median"}'),
  (13, '{whole,double,grade,city}', 'vmdav', '{"recode": "median"}'),
  (14, '{stamp}', 'univariate', '{"recode": "median"}'), (15, '{dec,single}', 'mondrian', '{"recode": "median", "l": 3}');

CREATE FUNCTION pg_temp.check_release(nr int, qi text[], method text, params jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  release text := 'published_' || nr;
  sensitive text[] := CASE WHEN params ?| '{l,t,q}' THEN '{illness}' ELSE '{}' END;
  figures record;
  evaluated float8;
  classes bigint;
BEGIN
  SELECT * INTO figures FROM anon_publish(release, 'person', qi, 4, method => method, sensitive => sensitive, keep => '{id}',
                                          params => params);
  SELECT value INTO evaluated FROM anon_evaluate('person', qi, 4, method => method, sensitive => sensitive, params => params)
  WHERE measure = 'SSE';
  RETURN NEXT ok(abs(evaluated - pg_temp.recounted(release, qi)) <= 1e-9 * (1 + evaluated),
                 format('%s: SSE is that of the release', nr));
  EXECUTE format('SELECT count(*) FROM (SELECT DISTINCT %s FROM %I) AS d',
                 (SELECT string_agg(quote_ident(name), ', ') FROM unnest(qi) AS name), release) INTO classes;
  RETURN NEXT is(figures.classes, classes, format('%s: classes are those of GROUP BY', nr));
END $$;
SELECT plan(37);
SELECT pg_temp.check_release(nr, qi, method, params) FROM wish ORDER BY nr;

SELECT is_empty($$ SELECT r.small, r.dec, r.day FROM published_12 AS r JOIN person AS s USING (id) GROUP BY 1, 2, 3
  HAVING (r.small, r.dec, r.day) IS DISTINCT FROM (percentile_disc(0.5) WITHIN GROUP (ORDER BY s.small),
    percentile_disc(0.5) WITHIN GROUP (ORDER BY s.dec), percentile_disc(0.5) WITHIN GROUP (ORDER BY s.day)) $$,
  'medians are those of PostgreSQL');
SELECT is_empty($$ SELECT stamp FROM published_14 EXCEPT SELECT stamp FROM person $$, 'and values of the source');

-- Looking numbers the published classes, and shows the rows of the release.
SELECT is_empty($$
  SELECT masked - 'id' FROM anon_mdav('person', '{small,whole}', 4, keep => '{id}')
  GROUP BY masked - 'id' HAVING count(DISTINCT class_id) > 1 OR count(*) <> min(class_size) $$,
  'class_id and class_size are of the published classes');
SELECT anon_publish('looked', 'person', '{whole,small}', 4, sensitive => '{illness}', keep => '{id}', params => '{"l": 3}') \g /dev/null
SELECT set_eq($$ SELECT to_jsonb(r) FROM looked AS r $$,
  $$ SELECT masked FROM anon_microaggregate('person', '{small,whole}', 4, keep => '{id}', sensitive => '{illness}', l => 3) $$,
  'a look with the same arguments, in another order of columns, shows the rows of the release');
SELECT set_eq($$ SELECT to_jsonb(r) FROM looked AS r $$,
  $$ SELECT masked FROM anon_microaggregate('person_shuffled', '{small,whole}', 4, keep => '{id}', sensitive => '{illness}', l => 3) $$,
  'and in another order of rows');
SELECT set_eq($$ SELECT masked FROM anon_microaggregate('person', '{day,grade}', 4, sensitive => '{illness,job}', l => 2) $$,
  $$ SELECT masked FROM anon_microaggregate('person', '{grade,day}', 4, sensitive => '{job,illness}', l => 2) $$,
  'the order of sensitive columns changes nothing');

-- Rounding joins classes that (k,p,q,r)-anonymity does not hold for once they are one: they are united with others.
CREATE TABLE few AS SELECT i % 3 AS x, i % 2 AS y, CASE WHEN i % 13 = 0 THEN 100 + i % 4 ELSE i % 6 END AS income
FROM generate_series(1, 120) AS i;
SELECT lives_ok($$ SELECT anon_publish('few_public', 'few', '{x,y}', 3, sensitive => '{income}',
  params => '{"p": 2, "q": 0.05, "r": 0.3, "variance_of": "rare"}') $$, 'few values: (k,p,q,r)-anonymity is published');
SELECT * FROM finish();
ROLLBACK;
