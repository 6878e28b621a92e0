-- The figure IL (Truta, Campan, Meyer 2007, Definition 10, of a record) against the published ranges and sets.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(5);
CREATE TABLE people AS SELECT (i * 37 % 61)::int AS age, (i * 11 % 7 / 4.0)::float8 AS height, chr(97 + i * i % 5) AS town
FROM generate_series(1, 200) AS i;
SELECT anon_publish('people_public', 'people', '{age,height,town}', 4, params => '{"recode": "range"}');
CREATE VIEW expected AS
SELECT avg((upper(r.age) - 1 - lower(r.age)) / a.age::numeric + (upper(r.height::numrange) - lower(r.height::numrange)) / a.height::numeric
  + (r.town LIKE '{%')::int) AS il
FROM people_public AS r, (SELECT max(age) - min(age) AS age, max(height) - min(height) AS height FROM people) AS a;
SELECT cmp_ok((SELECT il FROM expected), '>', 0.1, 'something is lost');
SELECT is((SELECT round(value::numeric, 6) FROM anon_evaluate('people', '{age,height,town}', 4, params => '{"recode": "range"}')
  WHERE measure = 'IL'), (SELECT round(il, 6) FROM expected), 'IL of anon_evaluate is that of the published cells');
SELECT is((SELECT round(il::numeric, 4) FROM anon_release_info('people_public')), (SELECT round(il, 4) FROM expected),
  'and so is that of the release');
SELECT is((SELECT value FROM anon_evaluate('people', '{age,height,town}', 200, params => '{"recode": "range"}') WHERE measure = 'IL'),
  3::float8, 'one class of all loses every column');
SELECT is((SELECT value FROM anon_evaluate('people', '{age,height,town}', 4) WHERE measure = 'IL'), NULL,
  'centroids are no generalisation');
SELECT * FROM finish();
ROLLBACK;
