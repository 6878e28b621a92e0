-- anon_risk, anon_linkage, anon_infer and anon_utility against plain SQL.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();
SELECT setseed(0.4);

CREATE TABLE people AS
SELECT i AS id, (20 + 40 * random())::int AS age, (ARRAY['north', 'south', NULL])[ceil(3 * random() * random())] AS town,
  (1000 + 2000 * random())::numeric(8, 2) AS income, date '1980-01-01' + (9000 * random())::int AS born,
  (ARRAY['flu', 'cold', 'cancer'])[ceil(3 * random() * random())] AS illness
FROM generate_series(1, 400) AS i;
CREATE TABLE rounded AS
SELECT id, round(age, -1)::int AS age, town, int8range(income::int8 / 1000 * 1000, income::int8 / 1000 * 1000 + 1000) AS income,
  date_trunc('year', born)::date AS born, illness FROM people ORDER BY random();
CREATE VIEW sample AS SELECT * FROM rounded WHERE id % 4 = 0;

CREATE FUNCTION pg_temp.risk(measure text, attribute text DEFAULT NULL) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(r.value::numeric, 9) FROM anon_risk('sample', '{age,town,born}', '{illness}', 'rounded', threshold => 0.4) AS r
  WHERE r.measure = $1 AND r.attribute IS NOT DISTINCT FROM $2
$$;
CREATE VIEW classes AS SELECT age, town, born, count(*) AS n, count(DISTINCT illness) AS values FROM sample GROUP BY 1, 2, 3;
CREATE VIEW crowds AS
SELECT c.*, (SELECT count(*) FROM rounded AS r WHERE (r.age, r.town, r.born) IS NOT DISTINCT FROM (c.age, c.town, c.born)) AS crowd
FROM classes AS c;
SELECT is(pg_temp.risk(measure), round(value, 9), measure) FROM (
  SELECT max(1.0 / n), sum(1.0) / sum(n), sum(n) FILTER (WHERE 1.0 / n > 0.4) / sum(n), count(*) FILTER (WHERE n = 1)::numeric,
    max(1.0 / crowd), sum(n::numeric / crowd) / sum(n), sum(n) FILTER (WHERE 1.0 / crowd > 0.4) / sum(n),
    count(*) FILTER (WHERE crowd = 1)::numeric, min(crowd)::numeric, max(n::numeric / crowd) FROM crowds) AS c (a, b, c, d, e, f, g, h, i, j),
  LATERAL (VALUES ('prosecutor_max', a), ('prosecutor_mean', b), ('prosecutor_above_threshold', c), ('sample_uniques', d),
    ('journalist_max', e), ('journalist_mean', f), ('marketer', f), ('journalist_above_threshold', g), ('population_uniques', h),
    ('k_map', i), ('delta_presence_max', j), ('delta_presence_min', 0)) AS v (measure, value);
SELECT is(pg_temp.risk('homogeneous_classes', 'illness'), count(*)::numeric, 'homogeneous classes')
FROM (SELECT FROM sample GROUP BY age, town, born HAVING count(DISTINCT coalesce(illness, '?')) = 1) AS c;
SELECT is(pg_temp.risk('certain_inferences', 'illness'), round(sum(n) / 100.0, 9), 'certain inferences')
FROM (SELECT count(*) AS n FROM sample GROUP BY age, town, born HAVING count(DISTINCT illness) = 1) AS c;
SELECT is(pg_temp.risk('minimal_uniques_1'),
  ((SELECT count(*) FROM (SELECT FROM sample GROUP BY age HAVING count(*) = 1) AS a) +
   (SELECT count(*) FROM (SELECT FROM sample GROUP BY town HAVING count(*) = 1) AS a) +
   (SELECT count(*) FROM (SELECT FROM sample GROUP BY born HAVING count(*) = 1) AS a))::numeric, 'unique by one column');

-- A population before masking: its numbers are counted within the ranges.
SELECT is((SELECT round(value::numeric, 9) FROM anon_risk('sample', '{town,income}', population => 'people')
  WHERE measure = 'journalist_mean'),
  (SELECT round(avg(1.0 / (SELECT count(*) FROM people AS p WHERE p.town IS NOT DISTINCT FROM s.town AND p.income::numeric <@
    numrange(lower(s.income), upper(s.income) - 1, '[]'))), 9) FROM sample AS s), 'numbers within ranges')
WHERE NOT EXISTS (SELECT FROM people WHERE income::int8 <> floor(income) AND income::int8 / 1000 <> floor(income / 1000));
SELECT ok(value BETWEEN 0 AND 4000, measure) FROM anon_risk('sample', '{age,town,born}', population_size => 400)
WHERE measure LIKE 'population_uniques_%';
CREATE TABLE even AS
SELECT c FROM unnest('{1,2,2,2,2,2,3,3,3}'::int[]) WITH ORDINALITY AS s (size, c), generate_series(1, size);
SELECT is(round(value::numeric, 2), 5.72, 'the most likely model of Pitman''s has alpha = 0')
FROM anon_risk('even', '{c}', population_size => 1000000) WHERE measure = 'population_uniques_pitman';
-- Record i founds a class with probability theta / (theta + i), so the uniques give theta.
SELECT is(round(c.value::numeric, 9), round((SELECT sum(theta / (theta + i)) FROM generate_series(0, 999999) AS i)::numeric / 1000000, 9),
  'and as many classes as it founds')
FROM anon_risk('even', '{c}', population_size => 1000000) AS c, anon_risk('even', '{c}', population_size => 1000000) AS u,
  LATERAL (SELECT u.value * 999999 / (1000000 - u.value) AS theta) AS t
WHERE c.measure = 'journalist_mean_pitman' AND u.measure = 'population_uniques_pitman';
SELECT throws_ok($$SELECT * FROM anon_risk('rounded', '{age,town}', population => 'sample')$$, '22000',
  'the population lacks records of the relation', 'a population that is none');
SELECT throws_ok($$SELECT * FROM anon_risk('rounded', '{age}', population_size => 5)$$, '22023',
  'the population is smaller than the relation', 'a population too small');
SELECT throws_ok($$SELECT * FROM anon_risk('rounded', '{age}', threshold => 2)$$, '22023',
  'threshold must be between 0 and 1', 'a threshold that is no share');
SELECT throws_ok($$SELECT * FROM anon_risk('rounded', '{nobody}')$$, '42703', 'column "nobody" does not exist', 'no column');

-- Persons, not rows.
CREATE TABLE visits_of AS SELECT id % 150 AS person, age, town, illness FROM rounded;
SELECT is((SELECT round(value::numeric, 9) FROM anon_risk('visits_of', '{age,town}', '{illness}', unit => '{person}') AS r
    WHERE r.measure = v.measure), round(v.value, 9), 'persons: ' || v.measure)
FROM (SELECT max(1.0 / n), count(*)::numeric / sum(n), count(*) FILTER (WHERE n = 1)::numeric
  FROM (SELECT count(DISTINCT person) AS n FROM visits_of GROUP BY age, town) AS c) AS c (a, b, d),
LATERAL (VALUES ('prosecutor_max', a), ('prosecutor_mean', b), ('sample_uniques', d)) AS v (measure, value);
SELECT is((SELECT value FROM anon_risk('visits_of', '{age,town}', unit => '{person}') WHERE measure = 'special_uniques'),
  (SELECT coalesce(sum(n), 0)::float8 FROM (SELECT count(*) AS n FROM visits_of GROUP BY age, town HAVING count(DISTINCT person) = 1) AS c),
  'rows of a person who is alone');
-- A value is sure if every person of the class has it, whatever else they have.
CREATE TABLE wards (ward, person, illness) AS
VALUES (1, 1, 'HIV'), (1, 1, 'flu'), (1, 2, 'HIV'), (1, 3, 'asthma'), (1, 3, 'HIV'), (2, 1, 'flu'), (2, 4, 'cold'), (2, 4, 'flu'), (3, 5, 'cold'),
  (3, 6, 'flu'), (3, 6, 'cancer');
SELECT is((SELECT value::numeric FROM anon_risk('wards', '{ward}', '{illness}', unit => '{person}') AS r WHERE r.measure = v.measure), v.value,
  'persons: ' || v.measure)
FROM (VALUES ('homogeneous_classes', 2::numeric), ('unique_values', 2)) AS v (measure, value);
CREATE TABLE histories AS
SELECT i % 60 AS person, ceil(20 * random() * random())::int AS room, (ARRAY['flu', 'cold', 'cancer'])[ceil(3 * random() * random())] AS illness
FROM generate_series(1, 150) AS i;
SELECT is((SELECT round(value::numeric, 9) FROM anon_risk(t.name, t.qi, '{illness}', unit => '{person}') WHERE measure = 'certain_inferences'),
  round(t.share, 9), 'sure persons of ' || t.name)
FROM (VALUES ('wards'::regclass, '{ward}'::text[], 4 / 6.0), ('histories', '{room}',
  (SELECT (count(DISTINCT person) FILTER (WHERE sure))::numeric / count(DISTINCT person)
  FROM histories JOIN (SELECT room, count(DISTINCT person) AS n FROM histories GROUP BY room) AS c USING (room),
    LATERAL (SELECT bool_or(m = n) AS sure FROM (SELECT count(DISTINCT person) AS m FROM histories AS h WHERE h.room = c.room GROUP BY illness) AS v) AS s)))
  AS t (name, qi, share);
-- 3,000 random tables of persons with several rows, each against a count of persons by class and value.
CREATE TABLE many AS SELECT t, (random() * (2 + t % 8))::int AS person, (random() * (t % 4))::int AS room, (random() * (1 + t % 3))::int AS illness
FROM generate_series(1, 3000) AS t, generate_series(1, 4 + t % 9);
CREATE INDEX ON many (t);
CREATE VIEW one_of_many AS SELECT person, room, illness FROM many WHERE t = current_setting('test.t')::int;
CREATE FUNCTION pg_temp.sure(number int) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('test.t', number::text, true);
  RETURN (SELECT round(value::numeric, 9) FROM anon_risk('one_of_many', '{room}', '{illness}', unit => '{person}', largest_set => 0)
    WHERE measure = 'certain_inferences');
END $$;
CREATE TABLE sure AS
SELECT t, pg_temp.sure(t) AS measured, round((count(DISTINCT person) FILTER (WHERE sure))::numeric / count(DISTINCT person), 9) AS expected
FROM many JOIN (SELECT t, room, bool_or(m = n) AS sure FROM (SELECT t, room, illness, count(DISTINCT person) AS m,
    (SELECT count(DISTINCT person) FROM many AS c WHERE (c.t, c.room) = (h.t, h.room)) AS n FROM many AS h GROUP BY t, room, illness) AS v
  GROUP BY t, room) AS c USING (t, room) GROUP BY t;
SELECT is((SELECT count(*) FROM sure WHERE measured IS DISTINCT FROM expected), 0::bigint, 'sure persons of 3,000 tables');
SELECT cmp_ok((SELECT count(*) FROM sure WHERE expected > 0 AND expected < 1), '>', 1000::bigint, 'of which some are sure, and some are not');
-- A population of the relation's persons is sampled completely, however many classes a person is in.
SELECT is((SELECT value FROM anon_risk('visits_of', '{age,town}', unit => '{person}', population_size => 150) AS r WHERE r.measure = 'population_uniques_zayatz'),
  (SELECT value FROM anon_risk('visits_of', '{age,town}', unit => '{person}') AS r WHERE r.measure = 'sample_uniques'), 'the uniques of all persons');
SELECT throws_ok($$SELECT * FROM anon_risk('visits_of', '{age,town}', unit => '{person}', population_size => 149)$$, '22023',
  'the population is smaller than the relation', 'fewer persons than the relation has');
CREATE TABLE alone AS SELECT i % 10 AS person, i AS room FROM generate_series(1, 20) AS i;
SELECT is((SELECT value FROM anon_risk('alone', '{room}', unit => '{person}', population_size => 100) AS r WHERE r.measure = 'population_uniques_zayatz'),
  200::float8, 'two rooms each for a hundred persons, of whom ten are known');
SELECT throws_ok($$SELECT * FROM anon_risk('alone', '{room}', population_size => 1000000000000001)$$, '22023',
  'population_size must be between 1 and 1000000000000000', 'more persons than doubles count');
SELECT throws_ok($$SELECT * FROM anon_risk('visits_of', '{age}', population => 'rounded', unit => '{person}')$$, '0A000',
  'persons of a population cannot be counted', 'persons of a population');

CREATE TABLE spans AS
SELECT int4range(min(age), max(age), '[]') AS age FROM people GROUP BY id / 7 HAVING max(age) > min(age);

-- Linkage by distance: the cross join.
CREATE VIEW standard AS SELECT avg(age) AS a, stddev(age) AS sa, avg(i) AS i, stddev(i) AS si FROM (SELECT age, income AS i FROM people) AS p;
CREATE VIEW links AS
SELECT o.id, count(*) AS candidates, bool_or(m.id = o.id) AS own FROM (
  SELECT p.id AS original, r.id AS masked, round((((p.age - r.age) / s.sa) ^ 2 + ((p.income - (lower(r.income) + upper(r.income) - 1) / 2.0) / s.si) ^ 2
    + (p.town IS DISTINCT FROM r.town)::int)::numeric, 12) AS distance,
    min(round((((p.age - r.age) / s.sa) ^ 2 + ((p.income - (lower(r.income) + upper(r.income) - 1) / 2.0) / s.si) ^ 2
    + (p.town IS DISTINCT FROM r.town)::int)::numeric, 12)) OVER (PARTITION BY p.id) AS least
  FROM people AS p, rounded AS r, standard AS s) AS d, people AS o, rounded AS m
WHERE d.distance = d.least AND o.id = d.original AND m.id = d.masked GROUP BY o.id;
SELECT is((SELECT round(value::numeric, 9) FROM anon_linkage('people', 'rounded', '{age,income,town}', key => '{id}') AS l
    WHERE l.measure = v.measure), round(v.value, 9), 'distance: ' || v.measure)
FROM (SELECT avg(candidates), avg((candidates = 1)::int), avg((candidates = 1 AND own)::int), avg(own::int::numeric / candidates), 1 / 400.0
  FROM links) AS l (a, b, c, d, e),
LATERAL (VALUES ('candidates', a), ('single', b), ('correct', c), ('expected', d), ('by_chance', e)) AS v (measure, value);
SELECT ok((SELECT value FROM anon_linkage('people', 'rounded', '{age,income,town}') WHERE measure = 'expected') >=
  (SELECT value FROM anon_linkage('people', 'rounded', '{age,income,town}', key => '{id}') WHERE measure = 'expected'),
  'without a key, at most');
SELECT is((SELECT value FROM anon_linkage('people', 'people', '{age,income,town,born}', key => '{id}') WHERE measure = 'correct'), 1::float8,
  'what is not masked is found');
SELECT is((SELECT round(value::numeric, 9) FROM anon_linkage('people', 'people', '{age,town,illness}', 'probabilistic', key => '{id}')
    WHERE measure = 'expected'), (SELECT round(count(*) / 400.0, 9) FROM (SELECT FROM people GROUP BY age, town, illness) AS c),
  'probabilistic: all that agrees');
SELECT throws_ok($$SELECT * FROM anon_linkage('people', 'rounded', '{age}', key => '{town}')$$, '22000',
  'the key does not tell the records apart', 'a key that is none');
CREATE TABLE overlapping AS SELECT town, int4range(age - id % 3, age + 2) AS age, id FROM people;
SELECT throws_ok($$SELECT * FROM anon_linkage('people', 'overlapping', '{town,age}', 'probabilistic')$$, '22000',
  'ranges of quasi-identifier "age" overlap', 'a number in two ranges');
SELECT throws_ok($$SELECT * FROM anon_linkage('people', 'rounded', '{age}', 'guess')$$, '22023',
  'method must be ''distance'' or ''probabilistic''', 'no such method');

-- Unique exact matches: combinations of one person, and one row of the release. A range of one number is that number.
CREATE TABLE swapped AS
SELECT id, age, (SELECT p.town FROM people AS p WHERE p.id = s.id / 2 * 2) AS town,
  CASE WHEN id % 3 = 0 THEN int4range(age, age + 2) ELSE int4range(age, age, '[]') END AS span FROM people AS s;
SELECT is((SELECT value FROM anon_linkage('people', 'swapped', '{age,town}', method) WHERE measure = v.measure), v.value, method || ': ' || v.measure)
FROM (VALUES ('distance'), ('probabilistic')) AS m (method), (
  SELECT count(*)::float8, count(*) FILTER (WHERE (SELECT count(*) FROM swapped AS s WHERE (s.age, s.town) IS NOT DISTINCT FROM (u.age, u.town)) = 1)::float8,
    count(*) FILTER (WHERE (u.age, coalesce(u.town, '')) IN (SELECT s.age, coalesce(s.town, '') FROM swapped AS s))::float8
  FROM (SELECT age, town FROM people GROUP BY age, town HAVING count(*) = 1) AS u) AS u (uniques, matches, any_matches),
LATERAL (VALUES ('unique_records', uniques), ('unique_exact_matches', matches), ('unique_any_matches', any_matches)) AS v (measure, value);
CREATE VIEW spanned AS SELECT id, span AS age, town FROM swapped;
SELECT is((SELECT value FROM anon_linkage('people', 'spanned', '{age,town}') WHERE measure = 'unique_exact_matches'), count(*)::float8,
  'ranges of two numbers match nobody')
FROM (SELECT age, town FROM people GROUP BY age, town HAVING count(*) = 1) AS u
WHERE (SELECT count(*) FROM swapped AS s WHERE (s.age, s.town) IS NOT DISTINCT FROM (u.age, u.town) AND id % 3 > 0) = 1;
SELECT is(value, (SELECT count(*)::float8 FROM (SELECT FROM people GROUP BY age, town, income HAVING count(*) = 1) AS u), 'not masked: all who are unique')
FROM anon_linkage('people', 'people', '{age,town,income}') WHERE measure = 'unique_exact_matches';

-- Inference.
SELECT is((SELECT round(value::numeric, 9) FROM anon_infer('people', 'rounded', '{age,town}', '{illness}') WHERE measure = 'base'),
  round(max(n) / 400.0, 9), 'the base rate') FROM (SELECT count(*) AS n FROM people GROUP BY illness) AS i;
SELECT is((SELECT value FROM anon_infer('people', 'people', '{id}', '{illness}') WHERE measure = 'class'), 1::float8,
  'who is found is known');
-- Sensitive numbers in ranges: a guess is right if it contains the value. Other ranges count by their middles.
CREATE TABLE paid AS SELECT i AS id, i / 10 AS team, 100 * (i % 4) + i * 37 % 100 AS pay FROM generate_series(0, 99) AS i;
CREATE VIEW paid_ranges AS SELECT id, team, int4range(100 * (pay / 100), 100 * (pay / 100) + 100) AS pay FROM paid;
CREATE VIEW paid_by_band AS SELECT id, team, 'band ' || pay / 100 AS pay FROM paid;
SELECT results_eq($$ SELECT measure, value FROM anon_infer('paid', 'paid_ranges', '{team}', '{pay}') WHERE attribute = 'pay' $$,
  $$ SELECT measure, value FROM anon_infer('paid_by_band', 'paid_by_band', '{team}', '{pay}') WHERE attribute = 'pay' $$, 'ranges are bands of their numbers');
CREATE VIEW paid_narrow AS SELECT id, team, int4range(pay - 5, pay + 6) AS pay FROM paid;
SELECT results_eq($$ SELECT measure, value FROM anon_infer('paid', 'paid_narrow', '{team}', '{pay}') WHERE attribute = 'pay' $$,
  $$ SELECT measure, value FROM anon_infer('paid', 'paid', '{team}', '{pay}') WHERE attribute = 'pay' $$, 'many ranges are numbers');
SELECT is((SELECT round(value::numeric, 9) FROM anon_infer('people', 'rounded', '{income}', key => '{id}') WHERE measure = 'range_ends'),
  (SELECT round(avg((p.income = lower(r.income) OR p.income = upper(r.income) - 1)::int), 9) FROM people AS p JOIN rounded AS r USING (id)),
  'ends of ranges');

SELECT is((SELECT round(value::numeric, 9) FROM anon_infer('people', 'spans', '{age}') WHERE measure = v.measure), round(v.value, 9),
  'without images: ' || v.measure)
FROM (SELECT avg((age IN (SELECT lower(age) FROM spans UNION SELECT upper(age) - 1 FROM spans))::int) AS ends,
  avg((age IN (SELECT lower(age) FROM spans UNION SELECT upper(age) - 1 FROM spans) AND (SELECT count(*) FROM people AS o WHERE o.age = p.age) = 1)::int) AS lonely
  FROM people AS p) AS e, LATERAL (VALUES ('range_ends', ends), ('lonely_range_ends', lonely)) AS v (measure, value);
SELECT is((SELECT count(*) FROM anon_infer('people', 'spans', '{age}') WHERE measure = 'solved_centroids'), 0::bigint, 'nobody knows whose centroid');
-- A centroid of three is 2, and the others are 1 and 2: the third can be 2, 3 or 4. It is found, but by chance.
CREATE TABLE thirds AS SELECT * FROM (VALUES (1, 1), (2, 2), (3, 3), (4, 7), (5, 8), (6, 10)) AS t (id, age);
CREATE TABLE of_thirds AS SELECT id, CASE WHEN id < 4 THEN 2 ELSE 8 END AS age FROM thirds;
SELECT is(value, 0.5::float8, 'values computed from rounded centroids') FROM anon_infer('thirds', 'of_thirds', '{age}', key => '{id}') WHERE measure = 'solved_centroids';
SELECT matches(explanation, 'rounded, also by chance', 'which prove nothing') FROM anon_infer('thirds', 'of_thirds', '{age}', key => '{id}') WHERE measure = 'solved_centroids';

-- Utility.
CREATE FUNCTION pg_temp.utility(measure text, attribute text) RETURNS numeric LANGUAGE sql AS $$
  SELECT round(u.value::numeric, 6) FROM anon_utility('people', 'rounded', '{age,town,income,born}', key => '{id}', target => 'income') AS u
  WHERE u.measure = $1 AND u.attribute IS NOT DISTINCT FROM $2
$$;
CREATE VIEW middles AS SELECT id, age::float8, (lower(income) + upper(income) - 1) / 2.0::float8 AS income FROM rounded;
SELECT is(pg_temp.utility(measure, attribute), round(value::numeric, 6), format('%s of %s', measure, attribute)) FROM (
  SELECT avg(p.age), variance(p.age), percentile_cont(0.25) WITHIN GROUP (ORDER BY p.age), covar_samp(p.age, p.income), corr(p.age, p.income),
    avg(m.income), variance(m.income), percentile_cont(0.95) WITHIN GROUP (ORDER BY m.income), covar_samp(m.age, m.income), corr(m.age, m.income)
  FROM people AS p JOIN middles AS m USING (id)) AS s (a, b, c, d, e, f, g, h, i, j),
LATERAL (VALUES ('mean_original', 'age', a), ('variance_original', 'age', b), ('quantile_25_original', 'age', c),
  ('covariance_original', 'age, income', d), ('correlation_original', 'age, income', e), ('mean_masked', 'income', f),
  ('variance_masked', 'income', g), ('quantile_95_masked', 'income', h), ('covariance_masked', 'age, income', i),
  ('correlation_masked', 'age, income', j)) AS v (measure, attribute, value);
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('people', 'rounded', '{age,income}', target => 'income')
    WHERE measure = 'coefficient_original' AND attribute = 'age'), round(regr_slope(income, age)::numeric, 6), 'slope') FROM people;
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('people', 'rounded', '{age,income}', target => 'income')
    WHERE measure = 'coefficient_masked' AND attribute = 'intercept'), round(regr_intercept(income, age)::numeric, 6), 'intercept') FROM middles;
SELECT is(pg_temp.utility('hellinger', 'town'), 0::numeric, 'what is kept is as it was');
SELECT is(pg_temp.utility('dm', NULL), sum(n * n)::numeric, 'DM')
FROM (SELECT count(*) AS n FROM rounded GROUP BY age, town, income, born) AS c;
-- K-marginal, from its definition: numbers of more than 20 values in the bins (end, next end] of the original's quantiles, as in SDNist.
CREATE FUNCTION pg_temp.coded(original regclass, rel regclass, names text[]) RETURNS TABLE (value text[]) LANGUAGE plpgsql AS $$
DECLARE
  list text := '';
  c text;
  ends numeric[];
  few boolean;
BEGIN
  FOREACH c IN ARRAY names LOOP
    IF (SELECT typcategory FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid WHERE attrelid = original AND attname = c) <> 'N' THEN
      list := list || format(', coalesce(%I::text, ''null'')', c);
      CONTINUE;
    END IF;
    EXECUTE format('SELECT count(DISTINCT %1$I) <= 20, (SELECT array_agg(DISTINCT v ORDER BY v) FROM (SELECT (array_agg(%1$I::numeric ORDER BY %1$I))[1 + ceil(i * (count(*) - 1) / 20.0)::int] AS v '
      'FROM %2$s, generate_series(0, 20) AS i GROUP BY i) AS q) FROM %2$s', c, original) INTO few, ends;
    list := list || CASE WHEN few THEN format(', %I::float8::text', c) ELSE format(', CASE WHEN %1$I < %2$L THEN ''below'' WHEN %1$I = %2$L THEN ''1'' ELSE '
      '(SELECT count(*)::text FROM unnest(%3$L::numeric[]) AS e WHERE e < %1$I::numeric) END', c, ends[1], ends) END;
  END LOOP;
  RETURN QUERY EXECUTE format('SELECT ARRAY[%s] FROM %s', substr(list, 3), rel);
END
$$;
CREATE FUNCTION pg_temp.k_marginal(original regclass, masked regclass, sets text[]) RETURNS numeric LANGUAGE sql AS $$
  SELECT round((1000 * (1 - avg(tv)))::numeric, 6) FROM (
    SELECT (SELECT sum(abs(coalesce(a.share, 0) - coalesce(b.share, 0))) / 2 FROM
        (SELECT value, count(*) / sum(count(*)) OVER () AS share FROM pg_temp.coded(original, original, string_to_array(s, ' ')) GROUP BY value) AS a FULL JOIN
        (SELECT value, count(*) / sum(count(*)) OVER () AS share FROM pg_temp.coded(original, masked, string_to_array(s, ' ')) GROUP BY value) AS b USING (value)) AS tv
    FROM unnest(sets) AS s) AS all_sets
$$;
SELECT is(rows, 400::bigint, 'a release') FROM anon_publish('means', 'people', '{age,town,income}', 4, 'mdav');
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('people', 'means', '{age,town,income}') WHERE measure = 'k_marginal'),
  pg_temp.k_marginal('people', 'means', '{age town,age income,town income}'), 'K-marginal of pairs');
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('people', 'means', '{age,town,income}') WHERE measure = 'k_marginal_triples'),
  pg_temp.k_marginal('people', 'means', '{age town income}'), 'K-marginal of triples');
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('people', 'means', '{age,income}') WHERE measure = 'correlation_change'),
  round(abs((SELECT corr(age, income) FROM people) - (SELECT corr(age, income) FROM means))::numeric, 6), 'the change of correlations');
SELECT is((SELECT array_agg(value) FROM anon_utility('people', 'people', '{age,town,income}') WHERE measure ~ '^k_marginal'), '{1000,1000}'::float8[], 'K-marginal of what is not masked');
SELECT is((SELECT value FROM anon_utility('people', 'people', '{age,town,income}') WHERE measure = 'query_error'), 0::float8, 'no error of what is not masked');

-- A suppressed record counts as the mean of all, as in a release; means have no width.
CREATE TABLE lopsided AS SELECT id, CASE WHEN id < 6 THEN 1000 * id ELSE age END AS age, income FROM people;
CREATE TEMP TABLE published AS
SELECT * FROM anon_publish('lopsided_release', 'lopsided', '{age,income}', 6, 'mdav', keep => '{id}', params => '{"max_suppression": 0.02}');
SELECT cmp_ok(suppressed, '>', 0::bigint, 'outliers are left out') FROM published;
SELECT is((SELECT round(value::numeric, 6) FROM anon_utility('lopsided', 'lopsided_release', '{age,income}', key => '{id}') WHERE measure = 'loss'),
  round(loss::numeric, 6), 'the loss of the release') FROM anon_release_info('lopsided_release');
SELECT is((SELECT value FROM anon_utility('lopsided', 'lopsided_release', '{age,income}') WHERE measure = 'ncp' AND attribute IS NULL), NULL::float8,
  'means have no width');
SELECT cmp_ok((SELECT value FROM anon_utility('people', 'lopsided_release', '{income}') WHERE measure = 'propensity_mse'), '>', 1e-5::float8,
  'squares see means');
SELECT anon_drop('lopsided_release');

-- The order of rows does not count.
CREATE TABLE shuffled AS SELECT * FROM people ORDER BY random();
SELECT results_eq($$SELECT measure, attribute, round(value::numeric, 9) FROM anon_utility('people', 'rounded', '{age,town,income}', key => '{id}')$$,
  $$SELECT measure, attribute, round(value::numeric, 9) FROM anon_utility('shuffled', 'rounded', '{age,town,income}', key => '{id}')$$, 'any order of rows');

-- The roles of columns.
CREATE TABLE visits AS
SELECT i AS id, 'p' || i || '@example.org' AS email, p.age, p.town, p.illness, repeat('he said that ', 5) || i AS note, 1 AS hospital
FROM people AS p, LATERAL (VALUES (p.id)) AS v (i);
SELECT results_eq($$SELECT column_name, role FROM anon_profile('visits')$$, $$VALUES ('id', 'identifier'), ('email', 'identifier'),
  ('age', 'quasi-identifier'), ('town', 'quasi-identifier'), ('illness', 'sensitive'), ('note', 'free text'),
  ('hospital', 'quasi-identifier')$$, 'roles');
SELECT is((SELECT (distinct_values, nulls) FROM anon_profile('visits') WHERE column_name = 'town'),
  (SELECT (count(DISTINCT town), count(*) - count(town)) FROM visits), 'distinct values and nulls');
SELECT is((SELECT round(separation::numeric, 9) FROM anon_profile('visits') WHERE column_name = 'town'),
  (SELECT round(avg((a.town IS DISTINCT FROM b.town)::int), 9) FROM visits AS a JOIN visits AS b ON a.id <> b.id), 'separation');
SELECT is((SELECT uniques_added FROM anon_profile('visits') WHERE column_name = 'age'),
  (SELECT count(*) FROM (SELECT FROM visits GROUP BY age, town HAVING count(*) = 1) AS u), 'uniques that age adds');

-- A sweep: the figures of anon_evaluate, and no point better than the frontier.
SELECT is((SELECT array_agg(loss) FROM anon_sweep('people', '{age,income}', NULL, NULL, spec => '{"k": 5, "method": "mdav"}')),
  (SELECT array_agg(loss) FROM anon_sweep('people', '{age,income}', '{5}', '{mdav}')), 'k and method may be those of spec');
CREATE TABLE swept AS SELECT * FROM anon_sweep('people', '{age,income}', '{2,5,500}', '{mdav,mondrian}');
SELECT is((SELECT count(*) FROM swept), 6::bigint, 'one row for each combination');
SELECT is(s.loss, e.value, 'its loss') FROM swept AS s, anon_evaluate('people', '{age,income}', 5, 'mdav') AS e
WHERE s.k = 5 AND s.method = 'mdav' AND e.measure = 'loss';
SELECT ok(error IS NOT NULL AND loss IS NULL AND NOT on_frontier, 'what cannot be had') FROM swept WHERE k = 500;
SELECT is(count(*), 0::bigint, 'nothing beats the frontier') FROM swept AS a, swept AS b
WHERE a.on_frontier AND (b.loss IS NULL) = (a.loss IS NULL) AND coalesce(b.loss, b.ncp) < coalesce(a.loss, a.ncp) AND b.risk_mean < a.risk_mean;
SELECT is((SELECT array_agg(error) FROM anon_sweep('people', '{age}', '{2,3}', '{nothing}')),
  '{"unknown method \"nothing\"","unknown method \"nothing\""}', 'no such method');
SELECT * FROM finish();
ROLLBACK;
