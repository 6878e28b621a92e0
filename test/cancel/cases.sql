-- The cases of the matrix of cancels: every function that reads a relation by relations on which it works long. Loaded
-- after test/extremes/extremes.sql, whose functions write the calls. `rows` is the size of the relations.
CREATE SCHEMA IF NOT EXISTS cancel;
DROP TABLE IF EXISTS cancel.cases, large_ordinary, large_one_class, large_distinct, large_texts, large_one_far;
DELETE FROM relations WHERE name LIKE 'large\_%';
SELECT add_relation('large_ordinary', 'float8', 'hashint4(i) % 10000', y => '(hashint4(i + 7) % 100)::float8', rows => :rows),
  add_relation('large_one_class', 'float8', '1', y => '1::float8', c => '''c''::text', s => '''s'' || i', rows => :rows),
  add_relation('large_distinct', 'float8', 'i * 1.5', y => 'hashint4(i)::float8', c => '''c'' || i', s => '''s'' || i', rows => :rows),
  add_relation('large_texts', 'text', '''x'' || i', y => '(i % 5)::float8', c => '''c'' || i', s => '''s'' || i', rows => :rows),
  add_relation('large_one_far', 'float8', 'CASE i WHEN 1 THEN 1e300 ELSE i END', y => '(i % 1000)::float8', rows => :rows) \g /dev/null
UPDATE relations SET hierarchies = '{"x": {"prefix": 7}, "y": {"range": [5]}}' WHERE name = 'large_texts';
ANALYZE;
CREATE TABLE cancel.cases AS
SELECT row_number() OVER (ORDER BY f.oid::regprocedure::text, r.name) AS nr, f.name AS function, r.name AS relation, statement(f, r) AS call
FROM functions f, relations r
WHERE r.name LIKE 'large\_%' AND f.prokind <> 'p' AND f.names[1] <> 'release' AND strpos(statement(f, r), r.name) > 0;
INSERT INTO cancel.cases
SELECT (SELECT max(nr) FROM cancel.cases) + row_number() OVER (ORDER BY r.name), 'anon_publish', r.name,
  format('SELECT * FROM anon_publish(''extremes.made'', ''extremes.%s'', %L, 2, method => ''mdav'', sensitive => ''{s}'', recode => ''swap'', class_column => ''class no'')', r.name, r.qi)
FROM relations AS r WHERE r.name LIKE 'large\_%';
-- The owner's verification of one of them.
DROP MATERIALIZED VIEW IF EXISTS extremes.swapped;
SET anonkit.max_memory = '4GB';
SELECT FROM anon_publish('extremes.swapped', 'extremes.large_ordinary', (SELECT qi::text[] FROM relations WHERE name = 'large_ordinary'), 2, method => 'mdav',
  sensitive => '{s}', recode => 'swap', class_column => 'class no', beside => 'ignore') \g /dev/null
RESET anonkit.max_memory;
INSERT INTO cancel.cases SELECT max(nr) + 1, 'anon_assert_swap', 'large_ordinary', $$SELECT anon_assert_swap('extremes.swapped')$$ FROM cancel.cases;
-- Sets that grow, limits, dates and pseudonyms.
DROP TABLE IF EXISTS large_stays, large_patients;
DROP SCHEMA IF EXISTS cancel_grown CASCADE;
CREATE TABLE large_patients AS SELECT i AS id, hashint4(i) % 10000 AS x, i % 7 AS y FROM generate_series(1, 10) AS i;
ALTER TABLE large_patients ADD PRIMARY KEY (id);
CREATE TABLE large_stays AS SELECT i AS stay, i AS id, i % 5 AS days, date '2020-01-01' + i % 900 AS at FROM generate_series(1, 10) AS i;
ALTER TABLE large_stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (id) REFERENCES large_patients;
SELECT anon_publish_set('cancel_grown', '{"extremes.large_patients": {"qi": ["x", "y"]}, "extremes.large_stays": {"qi": ["days"]}}', 2, key => '{id}') \g /dev/null
INSERT INTO large_patients SELECT i, hashint4(i) % 10000, i % 7 FROM generate_series(11, :rows) AS i;
INSERT INTO large_stays SELECT i, :rows / 2 + hashint4(i) % (:rows / 2), i % 5, date '2020-01-01' + hashint4(i) % 900 FROM generate_series(11, 2 * :rows) AS i;
ANALYZE;
INSERT INTO cancel.cases
SELECT (SELECT max(nr) FROM cancel.cases) + row_number() OVER (), function, relation, call FROM (VALUES
  ('anon_refresh_set', 'large_patients', $$SELECT * FROM anon_refresh_set('cancel_grown')$$),
  ('anon_publish_set', 'large_patients', $$SELECT * FROM anon_publish_set('made', '{"extremes.large_patients": {"qi": ["x", "y"]}, "extremes.large_stays": {"qi": ["days"]}}', 2, key => '{id}')$$),
  ('anon_publish_set', 'large_patients', $$SELECT * FROM anon_publish_set('made', '{"extremes.large_patients": {"qi": ["x", "y"]}, "extremes.large_stays": {"qi": ["days"], "max_rows": 2}}', 2)$$),
  ('anon_publish_set', 'large_patients', $$SELECT * FROM anon_publish_set('made', '{"extremes.large_patients": {"qi": ["x", "y"]}, "extremes.large_stays": {"qi": ["days"], "since_first": ["at"]}}', 2)$$),
  ('anon_publish', 'large_stays', $$SELECT * FROM anon_publish('extremes.made', 'extremes.large_stays', '{days,at}', 2, method => 'mdav', keep => '{id,stay}', pseudonym => '{id,stay}')$$)) AS c (function, relation, call);
