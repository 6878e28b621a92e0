-- Attacks on linked releases, each as an adversary would try it. docs/guide/tables.md lists all of them with the limits.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE SCHEMA ward;
CREATE TABLE ward.patients AS SELECT i AS id, i AS was, i % 2 AS sex, 1930 + i * i % 23 AS born FROM generate_series(1, 400) AS i;
-- A third of the patients has no stay.
CREATE TABLE ward.stays AS SELECT i AS stay, i AS was, 1 + (i * 7 + i / 100) % 270 AS patient, i * i % 5 AS days, date '2020-01-01' + (hashint4(i) & 1023) AS admitted, 'o' || i % 7 AS outcome FROM generate_series(1, 800) AS i;
CREATE TABLE ward.diagnoses AS SELECT i AS nr, i AS was, 1 + i * 11 % 800 AS stay, 'c' || i * i % 7 AS code FROM generate_series(1, 1200) AS i;
ALTER TABLE ward.patients ADD PRIMARY KEY (id);
ALTER TABLE ward.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES ward.patients;
ALTER TABLE ward.diagnoses ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES ward.stays;
CREATE FUNCTION publish(name text, m text DEFAULT 'all') RETURNS void LANGUAGE sql AS $$ SELECT anon_publish_set(name, '{"ward.patients": {"qi": ["sex", "born"], "keep": ["was"]},
  "ward.stays": {"qi": ["days"], "keep": ["was", "outcome"]}, "ward.diagnoses": {"qi": ["code"], "keep": ["was"]}}', k => 4, m => m, beside => 'ignore') $$;
SELECT publish('shown') \g /dev/null

-- 1. Keys, or places of rows, in the order of the original keys. The limits are six deviations of a random order: one run in 10^8 fails.
SELECT cmp_ok(abs(corr(id, was)), '<', 6 / sqrt(count(*)), 'patients are in no order') FROM shown.patients;
SELECT cmp_ok(abs(corr(stay, was)), '<', 6 / sqrt(count(*)), 'nor are stays') FROM shown.stays;
SELECT cmp_ok(abs(corr(nr, was)), '<', 6 / sqrt(count(*)), 'nor are diagnoses') FROM shown.diagnoses;
SELECT cmp_ok(abs(corr(place, was)), '<', 6 / sqrt(count(*)), 'nor is their place on disk') FROM (SELECT was, row_number() OVER (ORDER BY ctid) AS place FROM shown.diagnoses) AS d;

-- 2. The order of siblings: by their keys, or by the places in which they were aligned.
SELECT cmp_ok(abs(corr(shown, original)), '<', 6 / sqrt(count(*)), 'keys of siblings are in no order') FROM (SELECT rank() OVER (PARTITION BY patient ORDER BY stay) AS shown,
  rank() OVER (PARTITION BY patient ORDER BY was) - count(*) OVER (PARTITION BY patient) / 2.0 AS original FROM shown.stays) AS s;
SELECT cmp_ok(abs(corr(shown, days)), '<', 6 / sqrt(count(*)), 'nor in that of their cells') FROM (SELECT rank() OVER (PARTITION BY patient ORDER BY stay) AS shown,
  lower(days) - avg(lower(days)) OVER (PARTITION BY patient) AS days FROM shown.stays) AS s;

-- 3. The number of rows, and 4. the absence of any: m = all covers both, and less knowledge does not.
SELECT cmp_ok((SELECT min(n) FROM (SELECT count(*) AS n FROM (SELECT p.id, sex, born, (SELECT count(*) FROM shown.stays s WHERE s.patient = p.id) AS stays FROM shown.patients p) AS p
  GROUP BY sex, born, stays) AS c), '>=', 4::bigint, 'four persons or more for each number of stays');
SELECT cmp_ok(count(*), '>=', 4::bigint, 'who has no stay is not alone') FROM shown.patients p WHERE NOT EXISTS (SELECT FROM shown.stays s WHERE s.patient = p.id) GROUP BY sex, born;
SELECT publish('shown_1', '1') \g /dev/null
SELECT cmp_ok((SELECT level FROM anon_audit_set('shown_1', '{"patients": {"qi": ["sex", "born"]}, "stays": {"qi": ["days"]}, "diagnoses": {"qi": ["code"]}}', largest_m => 1) WHERE m = 'counts'), '<', 4,
  'the audit says so of m = 1');

-- 5. Two dates of a person: an offset keeps their interval, and days in ranges do not. The interval of the first two stays, known to the day:
SELECT anon_publish_set('in_days', '{"ward.patients": {"qi": ["sex", "born"], "keep": ["was"]}, "ward.stays": {"since_first": ["admitted"], "keep": ["was"]}}', k => 4, beside => 'ignore') \g /dev/null
CREATE VIEW known AS SELECT id, sex, born, admitted[2] - admitted[1] AS days FROM (SELECT id, sex, born, array_agg(admitted ORDER BY admitted) AS admitted FROM ward.patients JOIN ward.stays ON patient = id GROUP BY id, sex, born) AS p
WHERE cardinality(admitted) > 1;
SELECT cmp_ok(100 * count(*) FILTER (WHERE n = 1) / count(*), '>=', 80::bigint, 'with offsets it singles out most of them')
FROM (SELECT count(*) OVER (PARTITION BY sex, born, days) AS n FROM known) AS k;
SELECT cmp_ok(min(candidates), '>=', 4::bigint, 'in days nobody') FROM (SELECT k.id, count(DISTINCT p.id) AS candidates FROM known k JOIN in_days.patients p ON p.sex @> k.sex AND p.born @> k.born
  JOIN ward.patients w ON w.id = k.id JOIN in_days.patients own ON own.was = w.was JOIN in_days.stays o ON o.patient = own.id AND o.admitted @> k.days
  JOIN in_days.stays s ON s.patient = p.id AND s.admitted @> k.days GROUP BY k.id) AS c;

-- 7. A release of one of the tables beside the set, and 13. a set beside its earlier version: test/sql/set_beside.sql, set_life.sql.
-- 8. Means of several rows of a person are equations.
SELECT throws_ok($$SELECT anon_publish_set('x', '{"ward.patients": {"qi": ["born"], "means": ["born"]}, "ward.stays": {"qi": ["days"], "means": ["days"]}}', k => 4)$$, '22023',
  'table "ward.stays" has means, and several rows of a person', 'means of several rows of a person');
-- 9. Episodes: a person has one pseudonym.
SELECT is(count(*), (SELECT count(DISTINCT was) FROM shown.patients), 'one pseudonym a person') FROM shown.patients;
SELECT is(max(n), 1::bigint, 'whatever the row') FROM (SELECT count(DISTINCT s.patient) AS n FROM shown.stays s JOIN ward.stays w USING (was) GROUP BY w.patient) AS p;

-- 10. Withheld rows tell nothing of values: other values in the same rows leave cells, links and withheld rows as they are.
CREATE FUNCTION trees(name text) RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
  RETURN QUERY EXECUTE format($q$SELECT row(p.was, sex, born, (SELECT array_agg(row(days, codes)::text ORDER BY row(days, codes)::text) FROM (SELECT days,
    (SELECT array_agg(code ORDER BY code) FROM %1$I.diagnoses d WHERE d.stay = s.stay) AS codes FROM %1$I.stays s WHERE s.patient = p.id) AS s))::text FROM %1$I.patients AS p$q$, name);
END $$;
UPDATE ward.stays SET outcome = 'o' || hashint4(stay) % 3;
SELECT publish('other_values') \g /dev/null
SELECT bag_eq($$SELECT trees('other_values')$$, $$SELECT trees('shown')$$, 'cells, links and withheld rows do not depend on other values');

-- 16. Rows of two persons.
CREATE TABLE ward.accounts AS SELECT i AS account, 1 + i / 2 AS owner FROM generate_series(1, 100) AS i;
CREATE TABLE ward.cards AS SELECT i AS account, 1 + i / 2 % 49 AS holder FROM generate_series(1, 100) AS i;
ALTER TABLE ward.accounts ADD PRIMARY KEY (account), ADD FOREIGN KEY (owner) REFERENCES ward.patients;
ALTER TABLE ward.cards ADD FOREIGN KEY (account) REFERENCES ward.accounts, ADD FOREIGN KEY (holder) REFERENCES ward.patients;
SELECT throws_ok($$SELECT anon_publish_set('x', '{"ward.patients": {"qi": ["born"]}, "ward.accounts": {}, "ward.cards": {}}', k => 4)$$, '22000',
  'rows of table "ward.cards" belong to another person than their parents', 'rows of two persons are refused');

SELECT finish();
ROLLBACK;
