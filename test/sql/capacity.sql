-- anon_capacity: Conditions 1 and 2 of p-sensitive k-anonymity, against figures worked out by hand.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT plan(36);

-- Table 1 of Truta, Campan, Meyer (2007).
CREATE TABLE patients (age int, zip text, diagnosis text, income int);
INSERT INTO patients VALUES (20, '41099', 'AIDS', 60000), (20, '41099', 'AIDS', 60000), (20, '41099', 'AIDS', 40000),
  (30, '41099', 'Diabetes', 50000), (30, '41099', 'Diabetes', 40000),
  (30, '41099', 'Tuberculosis', 50000), (30, '41099', 'Tuberculosis', 40000);
SELECT results_eq($$SELECT * FROM anon_capacity('patients', '{diagnosis,income}')$$,
  $$VALUES ('diagnosis', '{3,2,2}'::bigint[], '{3,5,7}'::bigint[], 3, 3::bigint),
    ('income', '{3,2,2}', '{3,5,7}', 3, 3), (NULL, NULL, '{3,5,7}', 3, 3)$$, 'Table 1, p = 2');
SELECT results_eq($$SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', 3)$$, $$VALUES (2::bigint), (2)$$,
  'p = 3: every class needs both of the rarer diagnoses');
SELECT results_eq($$SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', 4)$$, $$VALUES (0::bigint), (0)$$,
  'more than the distinct values: no class');
SELECT is((SELECT level FROM anon_audit('patients', '{age,zip}', '{diagnosis}') WHERE model = 'p-sensitivity'), 1::float8,
  'the release of Table 1 has p = 1 only');

-- Figure 1: two clusters by Condition 2.
CREATE TABLE figure_1 (a int, b text, c text);
INSERT INTO figure_1 VALUES (1, 'a', 'x'), (1, 'b', 'y'), (2, 'a', 'y'), (2, 'b', 'x');
SELECT results_eq($$SELECT attribute, cumulated, max_clusters FROM anon_capacity('figure_1', '{a,b,c}', 2)$$,
  $$VALUES ('a', '{2,4}'::bigint[], 2::bigint), ('b', '{2,4}', 2), ('c', '{2,4}', 2), (NULL, '{2,4}', 2)$$, 'Figure 1');

-- The joint row takes the worst of each.
CREATE TABLE uneven AS SELECT CASE WHEN i <= 8 THEN 'often' ELSE i::text END AS s, i % 2 = 0 AS b FROM generate_series(1, 10) AS i;
SELECT results_eq($$SELECT attribute, largest_p, max_clusters FROM anon_capacity('uneven', '{s,b}', 2)$$,
  $$VALUES ('s', 3, 2::bigint), ('b', 2, 5), (NULL, 2, 2)$$, 'fewest values, fewest clusters');
SELECT is((SELECT cumulated FROM anon_capacity('uneven', '{s,b}') WHERE attribute IS NULL), '{8,10}'::bigint[],
  'the largest cumulated frequencies');
CREATE TABLE with_null (s text);
INSERT INTO with_null VALUES ('x'), (NULL), (NULL);
SELECT is((SELECT frequencies FROM anon_capacity('with_null', '{s}') WHERE attribute = 's'), '{2,1}'::bigint[],
  'null is a value of its own');

-- Other promises: the rows and persons that every class needs, and shares that even all rows together exceed.
CREATE TABLE visits AS SELECT 'a' AS s, i % 5 AS person FROM generate_series(1, 12) AS i UNION ALL SELECT 'b', 5 FROM generate_series(1, 8);
SELECT results_eq($$SELECT attribute, max_clusters FROM anon_capacity('visits', '{s}', unit => '{person}')$$,
  $$VALUES ('s', 8::bigint), ('person', 10), (NULL, 8)$$, 'p = 2 of six persons');
SELECT results_eq($$SELECT attribute, max_clusters FROM anon_capacity('visits', '{s}', unit => '{person}', dominance => 0.45)$$,
  $$VALUES ('s', 8::bigint), ('person', 6), (NULL, 6)$$, 'three persons fill a class');
SELECT results_eq($$SELECT attribute, max_clusters FROM anon_capacity('visits', '{s}', unit => '{person}', dominance => 0.39)$$,
  $$VALUES ('s', 8::bigint), ('person', 0), (NULL, 0)$$, 'one has 8 of 20 rows');
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', unit => '{person}', dominance => 0.4) WHERE attribute IS NULL) > 0, true, 'which 0.4 allows');
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', alpha => share) WHERE attribute IS NULL), most, format('alpha %s', share))
FROM (VALUES (0.59, 0::bigint), (0.6, 8)) AS v (share, most);
SELECT is((SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', l => 3) WHERE attribute IS NULL), 2::bigint, 'l as p');
SELECT is((SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', entropy_l => 2.5) WHERE attribute IS NULL), 2::bigint, 'entropy_l needs as many values');
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', risk_mean => 0.25) WHERE attribute IS NULL), 5::bigint, 'a mean risk of 1/4: 5 classes of 20 rows');
-- Shares of the table. Of 20 rows 12 have a, 8 b.
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', l => 2, c => c) WHERE attribute IS NULL), most, format('(%s,2)-diversity', c))
FROM (VALUES (1.5, 0::bigint), (1.6, 8), (1, 0)) AS v (c, most);
SELECT is((SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', l => 2, c => 0.9) WHERE attribute IS NULL), 2::bigint, 'c below 1 needs a third value');
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', delta => 0.1) WHERE attribute IS NULL), 8::bigint, 'delta needs both values');
SELECT is((SELECT max_clusters FROM anon_capacity('visits', '{s}', p => 1, beta => 0.1) WHERE attribute IS NULL), 8::bigint, 'so does beta, where one fills no class');
SELECT is((SELECT max_clusters FROM anon_capacity('patients', '{diagnosis}', p => 1, t => 0.2) WHERE attribute IS NULL), 2::bigint,
  'two of the diagnoses have 5/7 of the rows, less than 0.8: a class has all three');
SELECT is((SELECT max_clusters FROM anon_capacity('patients', '{income}', p => 1, t => 0.3, categories => '{income}') WHERE attribute IS NULL), 3::bigint,
  'two incomes have more than 0.7');
-- Values below a protected label are one to extended p-sensitivity, and several to l.
CREATE TABLE organs (illness text, organ text);
INSERT INTO organs VALUES ('flu', 'lung'), ('cough', 'lung'), ('ulcer', 'stomach');
CREATE TABLE ill AS SELECT (ARRAY['flu', 'cough', 'ulcer'])[1 + i % 3] AS illness FROM generate_series(1, 12) AS i;
SELECT is((SELECT max_clusters FROM anon_capacity('ill', '{illness}', p, l => l, hierarchies => '{"illness": {"table": "organs"}}',
    protected => '{"illness": ["lung"]}') WHERE attribute IS NULL), most, format('p %s of protected values, l %s', p, l))
FROM (VALUES (2, 3, 4::bigint), (3, 2, 0)) AS v (p, l, most);
SELECT throws_ok($$SELECT * FROM anon_capacity('visits', '{s}', unit => '{person}', t => 0.2)$$, '22023', 't-closeness bounds no classes of persons');
SELECT throws_ok($$SELECT * FROM anon_capacity('visits', '{s}', c => 2)$$, '22023', 'recursive (c,l)-diversity needs l beside c');
SELECT throws_ok($$SELECT * FROM anon_capacity('visits', '{s}', dominance => 0.5)$$, '22023', 'dominance needs a unit');

SELECT throws_ok($$SELECT * FROM anon_capacity('patients', '{}')$$, '22023', 'p-sensitivity needs a sensitive column');
SELECT throws_ok($$SELECT * FROM anon_capacity('patients', NULL)$$, '22004', 'sensitive must not be null');
SELECT throws_ok($$SELECT * FROM anon_capacity('patients', '{diagnosis}', NULL)$$, '22004', 'p must not be null');
SELECT throws_ok($$SELECT * FROM anon_capacity('patients', '{diagnosis}', 0)$$, '22023', 'p must be an integer of at least 1');
SELECT throws_ok($$SELECT * FROM anon_capacity('patients', '{nothing}')$$, '42703');
CREATE TABLE nobody (s text);
SELECT throws_ok($$SELECT * FROM anon_capacity('nobody', '{s}')$$, '22000', 'there are no rows to audit');
SELECT * FROM finish();
ROLLBACK;
