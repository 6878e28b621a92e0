-- Releases in parts, of tables that are larger than anonkit.max_memory, with categories, hierarchies, promises on values
-- and persons with several rows: every promise is judged again on the whole release, and every figure counted again.
BEGIN;
SELECT plan(64);

CREATE TABLE stays AS
SELECT i AS id, (i::bigint * i * 7919 % 1503) AS person, (i::bigint * i * 7919 % 10007)::int AS income, i * 104729 % 97 AS age,
  date '1990-01-01' + i * 613 % 9973 AS day, (ARRAY['f', 'm'])[1 + i % 7 % 2] AS sex,
  nullif(chr(97 + i * 31 % 11 % 5) || i * 17 % 13 % 9, 'b3') AS ward, 'd' || i::bigint * i * 7919 % 1013 % 6 AS disease, (i * 7919 % 1009)::int AS cost
FROM generate_series(1, 4500) AS i;
CREATE TABLE shuffled AS SELECT * FROM stays ORDER BY md5(id::text);
CREATE TYPE size AS ENUM ('small', 'medium', 'large', 'unseen');
CREATE TABLE sized AS SELECT stays.*, (ARRAY['small', 'medium', 'large'])[1 + id * id % 5 % 3]::size AS bed FROM stays;

LOAD 'anonkit';
SET LOCAL client_min_messages = warning;

CREATE FUNCTION pg_temp.digest(release regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
  EXECUTE format('SELECT md5(string_agg(r::text, chr(10) ORDER BY ctid)) FROM %s AS r', release) INTO answer;
  RETURN answer;
END $$;

-- Publishes in parts, and judges the release in one piece: promises about the disease, (k,e) about the cost.
CREATE FUNCTION pg_temp.in_parts(release text, source regclass, qi text[], promise jsonb, options jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  sensitive text[] := CASE WHEN promise ? 'e' THEN '{cost}' ELSE '{disease}' END;
  counted record;
BEGIN
  SET LOCAL anonkit.max_memory = '1MB';
  PERFORM anon_publish(release, source::oid, qi, 5, sensitive => sensitive, keep => '{id,person}', params => promise || options, beside => 'ignore');
  RESET anonkit.max_memory;
  PERFORM anon_assert(release, qi, sensitive => sensitive, k => 5, spec => promise || jsonb_build_object('unit', coalesce(options -> 'unit', '[]')));
  EXECUTE format('SELECT count(*) AS classes, min(n) AS smallest FROM (SELECT count(*) AS n FROM %I GROUP BY %s) AS c', release,
    (SELECT string_agg(quote_ident(q), ', ') FROM unnest(qi) AS q)) INTO counted;
  RETURN (SELECT rows = 4500 AND classes = counted.classes AND smallest_class = counted.smallest FROM anon_release_info(release::regclass));
END $$;

SELECT throws_ok($$SET LOCAL anonkit.max_memory = '1MB'; SELECT count(*) FROM anon_microaggregate('stays', '{income,age,sex,ward}', 5, sensitive => '{disease}', l => 2)$$, '53400', NULL,
  'the table does not fit in memory');
RESET anonkit.max_memory;

-- ---- every recoding with every promise -----------------------------------------------------------------
CREATE TEMP TABLE tried AS
SELECT format('%s_%s', recode, promise_name) AS release, recode, promise, columns, CASE WHEN recode = 'hierarchy'
  THEN '{"recode": "hierarchy", "hierarchies": {"ward": {"prefix": 2}, "age": {"range": [10, 50]}}}'
  ELSE jsonb_build_object('recode', recode) END AS options
FROM (VALUES ('centroid', '{income,age,sex,ward}'::text[]), ('median', '{income,age,sex,ward}'), ('range', '{income,age,day,sex,ward}'),
    ('hierarchy', '{income,age,sex,ward}')) AS r(recode, columns),
  (VALUES ('none', '{}'::jsonb), ('l', '{"l": 3}'), ('p', '{"p": 3}'), ('entropy', '{"entropy_l": 2}'), ('recursive', '{"c": 2, "l": 2}'),
    ('alpha', '{"alpha": 0.5}'), ('width', '{"e": 100}')) AS p(promise_name, promise)
WHERE recode IN ('centroid', 'median') OR promise_name IN ('none', 'l', 'alpha', 'width');
SELECT ok(pg_temp.in_parts(release, 'stays', columns, promise, options), format('%s with %s', recode, promise))
FROM tried;
SELECT is((SELECT count(*) FROM (SELECT id, disease, person FROM range_l EXCEPT SELECT id, disease, person FROM stays) AS d), 0::bigint,
  'kept and sensitive values stay with their rows');
SELECT is((SELECT count(DISTINCT id) FROM range_l), 4500::bigint, 'each row once');
SELECT is((SELECT count(*) FROM range_l JOIN stays USING (id) WHERE range_l.income @> stays.income AND range_l.age @> stays.age AND range_l.day @> stays.day
  AND coalesce(stays.ward, 'null') = ANY (string_to_array(btrim(coalesce(range_l.ward, 'null'), '{}'), ',')) AND stays.sex = ANY (string_to_array(btrim(range_l.sex, '{}'), ','))),
  4500::bigint, 'ranges and sets contain the values of their rows');
SELECT is((SELECT count(*) FROM hierarchy_l AS h JOIN stays AS s USING (id)
  WHERE h.age @> s.age AND (upper(h.age) - lower(h.age) IN (1, 10, 50) OR upper_inf(h.age))
  AND (h.ward IS NOT DISTINCT FROM s.ward OR h.ward IN (anon_generalize(s.ward, '{"prefix": 2}', 1), '*', '**'))), 4500::bigint, 'labels are those of the values');

-- ---- figures, counted again ----------------------------------------------------------------------------
-- The penalty of a published number, label or set, by the values of the whole table.
CREATE FUNCTION pg_temp.elements(text) RETURNS int LANGUAGE sql AS $$ SELECT CASE WHEN $1 LIKE '{%' THEN cardinality(string_to_array($1, ',')) ELSE 1 END $$;
SELECT is((SELECT round(ncp::numeric, 9) FROM anon_release_info('range_l')), (
  SELECT round(avg(100 * ((upper(r.income) - 1 - lower(r.income)) / e.income + (upper(r.age) - 1 - lower(r.age)) / e.age
    + (upper(r.day) - 1 - lower(r.day)) / e.day + (pg_temp.elements(r.sex) - 1) + (pg_temp.elements(r.ward) - 1) / (e.wards - 1)) / 5), 9)
  FROM range_l AS r, (SELECT (max(income) - min(income))::numeric AS income, (max(age) - min(age))::numeric AS age, (max(day) - min(day))::numeric AS day,
    count(DISTINCT coalesce(ward, ''))::numeric AS wards FROM stays) AS e), 'the certainty penalty of ranges and sets is a share of the whole table''s values');
SELECT is((SELECT round(ncp::numeric, 9) FROM anon_release_info('hierarchy_l')), (
  SELECT round(avg(100 * ((upper(h.income) - 1 - lower(h.income)) / d.extent + a.penalty + CASE WHEN h.ward IN ('*', '**') THEN 1 ELSE coalesce(w.n / d.wards, 0) END
    + CASE h.sex WHEN '*' THEN 1 ELSE 0 END) / 4), 9)
  FROM hierarchy_l AS h CROSS JOIN (SELECT (max(income) - min(income))::numeric AS extent, count(DISTINCT coalesce(ward, '')) AS wards FROM stays) AS d
  JOIN (SELECT r.age, CASE WHEN count(*) > 1 THEN count(*) / max(v.all_ages) ELSE 0 END AS penalty FROM (SELECT DISTINCT age FROM hierarchy_l) AS r
    JOIN (SELECT DISTINCT age, (SELECT count(DISTINCT age)::numeric FROM stays) AS all_ages FROM stays) AS v ON r.age @> v.age GROUP BY r.age) AS a ON a.age = h.age
  LEFT JOIN (SELECT anon_generalize(ward, '{"prefix": 2}', 1) AS label, count(*)::numeric AS n FROM (SELECT DISTINCT ward FROM stays WHERE ward IS NOT NULL) AS v GROUP BY 1) AS w
    ON w.label = h.ward), 'that of labels, of the values below them');
-- Errors of means and modes, on the scales of the whole table.
SELECT cmp_ok(abs((SELECT loss FROM anon_release_info('centroid_l')) / (
  SELECT 100 * sum(((s.income - r.income) / d.income) ^ 2 + ((s.age - r.age) / d.age) ^ 2 + (s.sex <> r.sex)::int + (s.ward IS DISTINCT FROM r.ward)::int)
    / (2 * (count(*) - 1) + sum((s.sex <> d.sex)::int + (s.ward IS DISTINCT FROM d.ward)::int))
  FROM centroid_l AS r JOIN stays AS s USING (id), (SELECT stddev(income)::float8 AS income, stddev(age)::float8 AS age, mode() WITHIN GROUP (ORDER BY sex) AS sex,
    mode() WITHIN GROUP (ORDER BY ward) AS ward FROM stays) AS d) - 1), '<', 1e-9::float8, 'the loss of means and modes is that of the published cells');
CREATE TEMP TABLE in_memory AS
SELECT (anon_publish('whole_' || recode, 'stays', columns, 5, sensitive => '{disease}', params => options || '{"l": 3}', beside => 'ignore')).*, recode FROM tried WHERE promise = '{"l": 3}';
SELECT cmp_ok((SELECT ncp FROM anon_release_info('range_l')), '<', 1.3 * ncp, 'parts of a thousand rows cost some loss') FROM in_memory WHERE recode = 'range';
SELECT is(info.prec IS NULL, whole.prec IS NULL, 'precision of ' || recode)
FROM in_memory AS whole, LATERAL anon_release_info((recode || '_l')::regclass) AS info;
SELECT is(info.ncp IS NULL, whole.ncp IS NULL, 'penalty of ' || recode)
FROM in_memory AS whole, LATERAL anon_release_info((recode || '_l')::regclass) AS info;

-- ---- invariance ------------------------------------------------------------------------------------------
SET LOCAL anonkit.threads = 4;
SET LOCAL work_mem = '64kB';
SELECT ok(pg_temp.in_parts('shuffled_' || recode, 'shuffled', columns, '{"l": 3}', options), 'another order of rows, threads and little memory, ' || recode)
FROM tried WHERE promise = '{"l": 3}';
SELECT is(pg_temp.digest(('shuffled_' || recode)::regclass), pg_temp.digest((recode || '_l')::regclass), 'make the same release, ' || recode) FROM in_memory;
RESET anonkit.threads;
RESET work_mem;

-- ---- persons -----------------------------------------------------------------------------------------------
SELECT ok(pg_temp.in_parts('persons_' || recode, 'stays', columns, '{"l": 2}', options || '{"unit": ["person"]}'), 'persons with three rows, ' || recode)
FROM tried WHERE promise = '{"l": 3}' AND recode IN ('centroid', 'range');
SELECT is((SELECT min(n) >= 5 FROM (SELECT count(DISTINCT person) AS n FROM persons_range GROUP BY income, age, day, sex, ward) AS c), true,
  'every class has k persons');
SELECT ok(pg_temp.in_parts('persons_shuffled', 'shuffled', '{income,age,day,sex,ward}', '{"l": 2}', '{"recode": "range", "unit": ["person"]}'), 'another order');
SELECT is(pg_temp.digest('persons_shuffled'), pg_temp.digest('persons_range'), 'makes the same release');

-- ---- other kinds of columns ----------------------------------------------------------------------------------
SELECT ok(pg_temp.in_parts('sizes_' || recode, 'sized', '{income,age,bed}', '{"l": 2}', jsonb_build_object('recode', recode)), 'ranks, ' || recode)
FROM unnest('{centroid,median,range}'::text[]) AS recode;
SELECT is((SELECT count(*) FROM sizes_centroid AS r JOIN sized AS s USING (id) WHERE r.bed = 'unseen'), 0::bigint, 'labels of an enum that no row has are not published');
SELECT cmp_ok(abs((SELECT loss FROM anon_release_info('sizes_centroid')) / (
  SELECT 100 * sum(((s.income - r.income) / d.income) ^ 2 + ((s.age - r.age) / d.age) ^ 2 + ((s.rank - r.rank) / 4.0) ^ 2)
    / (2 * (count(*) - 1) + sum(((s.rank - d.rank) / 4.0) ^ 2))
  FROM (SELECT *, array_position(enum_range(NULL::size), bed) AS rank FROM sizes_centroid) AS r
  JOIN (SELECT *, array_position(enum_range(NULL::size), bed) AS rank FROM sized) AS s USING (id),
  (SELECT stddev(income)::float8 AS income, stddev(age)::float8 AS age, percentile_disc(0.5) WITHIN GROUP (ORDER BY array_position(enum_range(NULL::size), bed)) AS rank FROM sized) AS d) - 1),
  '<', 1e-9::float8, 'the loss of ranks counts from the median of the whole table');

-- ---- refreshes and refusals ------------------------------------------------------------------------------------
SET LOCAL anonkit.max_memory = '1MB';
UPDATE stays SET income = 10007 - income WHERE id % 10 = 0;
SELECT is((SELECT rows FROM anon_refresh('range_l')), 4500::bigint, 'a refresh works in parts, too');
SELECT lives_ok('REFRESH MATERIALIZED VIEW hierarchy_l', 'so does a plain one');
UPDATE stays SET person = NULL WHERE id = 1;
SELECT throws_ok($$SELECT anon_publish('never', 'stays', '{income,age}', 5, sensitive => '{disease}', unit => '{person}')$$, '22004', NULL, 'a row without a person');
UPDATE stays SET person = 1;
SELECT throws_ok($$SELECT anon_publish('never', 'stays', '{income,age,day}', 5, sensitive => '{disease}', l => 2, unit => '{person}')$$, '53400', NULL,
  'a person shares a part, which has to fit');
UPDATE stays SET disease = 'd0';
SELECT throws_ok($$SELECT anon_publish('never', 'stays', '{income,age,sex}', 5, sensitive => '{disease}', l => 2)$$, '22023', NULL,
  'a promise that the table cannot keep');
SELECT throws_ok($$SELECT anon_publish('never', 'stays', '{income,age,ward}', 5, recode => 'hierarchy', hierarchies => '{"ward": {"range": [5]}}')$$, '42804', NULL,
  'a hierarchy that does not fit the column');
UPDATE stays SET ward = 'w' || id;
SELECT throws_ok($$SELECT anon_publish('never', 'stays', '{income,age,day,ward}', 5, sensitive => '{disease}', alpha => 1)$$, '53400', 'anonymization needs more memory than anonkit.max_memory allows',
  'too many categories');

SELECT * FROM finish();
ROLLBACK;
