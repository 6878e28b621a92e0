#!/bin/bash
# Several releases of the same persons: what they tell together is found, measured, said and refused; restored and cloned
# states, renumbered keys and renamed sources are noticed.
. test/t/tap.sh
fresh_database beside_t
scratch=$(mktemp)
notices() { PGOPTIONS='-c client_min_messages=notice' psql -X -q -At -o /dev/null -v VERBOSITY=terse -c "$1" 2>&1; }
level() { value "SELECT level FROM anon_audit_releases('{$1}') WHERE model = '$2' AND attribute IS NOT DISTINCT FROM $3"; }

value "CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 50 AS age, 10 + i * 13 % 40 AS hours, i * 17 % 60 AS pay, 'v' || i * 11 % 7 AS job
  FROM generate_series(1, 300) AS i"

# ---- Releases without a key. A kept id tells their classes to a count in plain SQL.
is "the first release has none beside it" "$(notices "SELECT anon_publish('a', 'people', '{age,hours}', 6, sensitive => '{job}', keep => '{id}', l => 3)" | grep -c 'same persons')" 0
said=$(details "SELECT anon_publish('b', 'people', '{age,pay}', 5, sensitive => '{job}', keep => '{id}')")
like "another one of the same table is said" "$said" 'release "b" is of the same persons as "a"'
joint="SELECT a.id, a.job, dense_rank() OVER (ORDER BY a.age, a.hours, b.age, b.pay) AS class FROM a JOIN b USING (id)"
k=$(value "SELECT min(n) FROM (SELECT count(*) AS n FROM ($joint) AS j GROUP BY class) AS c")
is "the joint k is that of a count in SQL" "$(level a,b k-anonymity NULL)" "$k"
like "which the NOTICE has" "$said" "Together they keep a k of $k, where each keeps"
is "and so are the distinct values of a joint class" "$(level a,b p-sensitivity "'job'")" \
  "$(value "SELECT min(n) FROM (SELECT count(DISTINCT job) AS n FROM ($joint) AS j GROUP BY class) AS c")"
is "and the largest share" "$(value "SELECT round(level::numeric, 9) FROM anon_audit_releases('{a,b}') WHERE model = '(alpha,k)-anonymity'")" \
  "$(value "SELECT round(max(n / size), 9) FROM (SELECT count(*) AS n, sum(count(*)) OVER (PARTITION BY class) AS size FROM ($joint) AS j GROUP BY class, job) AS c")"
is "the levels alone are those of audits" \
  "$(value "SELECT detail->'alone'->>'public.a', detail->'alone'->>'public.b' FROM anon_audit_releases('{a,b}') WHERE model = 'k-anonymity'")" \
  "$(value "SELECT (SELECT level FROM anon_audit('a') WHERE model = 'k-anonymity'), (SELECT level FROM anon_audit('b') WHERE model = 'k-anonymity')")"
is "possible values are those of stored versions of the same" "$(value "SELECT level FROM anon_audit_releases('{a,b}') WHERE model = 'possible values'")" \
  "$(value "CREATE TABLE v1 AS SELECT id, job, dense_rank() OVER (ORDER BY age, hours) AS class FROM a;
     CREATE TABLE v2 AS SELECT id, job, dense_rank() OVER (ORDER BY age, pay) AS class FROM b;
     SELECT value FROM anon_audit_versions('{v1,v2}', '{class}', '{job}', '{id}') WHERE measure = 'fewest possible values'")"
is "and so are values determined" "$(value "SELECT round(level::numeric, 6) FROM anon_audit_releases('{a,b}') WHERE model = 'values determined, per cent'")" \
  "$(value "SELECT round(value::numeric, 6) FROM anon_audit_versions('{v1,v2}', '{class}', '{job}', '{id}') WHERE measure = 'values certain, per cent'")"
is "the order of the releases does not matter" "$(value "SELECT model, attribute, level FROM anon_audit_releases('{b,a}')" | sort)" \
  "$(value "SELECT model, attribute, level FROM anon_audit_releases('{a,b}')" | sort)"
is "means of 300 persons in 110 classes solve nobody" \
  "$(value "SELECT attribute, level FROM anon_audit_releases('{a,b}') WHERE model = 'quasi-identifiers solved, per cent'" | sort | xargs)" 'age|0 hours|0 pay|0'
value "CREATE TABLE four (id int, age int); INSERT INTO four VALUES (1, 20), (2, 21), (3, 50), (4, 51); CREATE VIEW three AS SELECT * FROM four WHERE id <> 2;
  SELECT anon_publish('two_and_two', 'four', '{age}', 2), anon_publish('one_of_three', 'three', '{age}', 3, params => '{\"seed\": 1}');" >/dev/null
is "the means of a, b; of c, d; and of a, c, d: a and b are solved" \
  "$(value "SELECT level, detail->>'persons' FROM anon_audit_releases('{two_and_two,one_of_three}', '{id}') WHERE model ~ 'solved'")" '50|2'
value "SELECT anon_drop('two_and_two'), anon_drop('one_of_three')" >/dev/null

like "beside => refuse" "$(value "SELECT anon_publish('c', 'people', '{age,pay}', 5, sensitive => '{job}', beside => 'refuse')")" \
  '23514: release "c" and "[ab]", "[ab]" together violate k-anonymity.*promises at least'
is "publishes nothing" "$(value "SELECT to_regclass('c')")" ''
is "beside => ignore says nothing" "$(notices "SELECT anon_publish('c', 'people', '{age,pay}', 5, beside => 'ignore')" | grep -c 'same persons')" 0
value "SELECT anon_drop('b'), anon_drop('c')" >/dev/null
is "the same classes again are not refused" \
  "$(value "SELECT rows FROM anon_publish('c', 'people', '{age,hours}', 6, sensitive => '{job}', l => 3, beside => 'refuse')")" 300
is "and keep what each keeps" "$(level a,c k-anonymity NULL)" "$(value "SELECT level FROM anon_audit('a') WHERE model = 'k-anonymity'")"
value "SELECT anon_drop('c')" >/dev/null

# ---- Other sources: views, partitions, copies.
value "CREATE VIEW adults AS SELECT id AS number, age, pay FROM people WHERE age > 30; ALTER TABLE people ADD PRIMARY KEY (id)"
like "a view of the table, without a column in common" "$(details "SELECT anon_publish('d', 'adults', '{age,pay}', 5)")" 'could not be measured: no columns identify a row'
value "SELECT anon_drop('d'); DROP VIEW adults; CREATE VIEW adults AS SELECT id, age, pay FROM people WHERE age > 30" >/dev/null
like "a view with the primary key" "$(details "SELECT anon_publish('d', 'adults', '{age,pay}', 5)")" 'Together they keep a k of [0-9]+'
is "the key may be named" "$(value "SELECT level FROM anon_audit_releases('{a,d}', '{id}') WHERE model = 'k-anonymity'")" "$(level a,d k-anonymity NULL)"
like "rows that only one source has count" "$(value "SELECT detail->>'rows', detail->>'common' FROM anon_audit_releases('{a,d}') WHERE model = 'k-anonymity'")" \
  "^300[|]$(value 'SELECT count(*) FROM adults')$"
value "SELECT anon_drop('d'); CREATE VIEW texts AS SELECT id::text AS id, nullif(age, 30) AS age, pay FROM people;
  SELECT anon_publish('d', 'texts', '{pay}', 5, beside => 'ignore')" >/dev/null
like "a column of two types identifies no rows" "$(value "SELECT anon_audit_releases('{a,d}', '{id}')" 2>&1)" 'column "id" has another type in the source of "d"'
like "nor does one with nulls" "$(value "SELECT anon_audit_releases('{a,d}', '{age}')" 2>&1)" 'column "age" identifies rows and contains nulls'
value "SELECT anon_drop('d')" >/dev/null
value "CREATE TABLE other AS SELECT i AS id, i AS age FROM generate_series(1, 40) AS i; CREATE VIEW joined AS SELECT o.id, o.age FROM other AS o"
is "a release of another table has none beside it" "$(notices "SELECT anon_publish('d', 'joined', '{age}', 5)" | grep -c persons)" 0

# ---- Releases with a key: places, withheld classes, persons who wait and who left.
value "SELECT anon_drop('a'), anon_drop('d');
  SELECT anon_publish('r', 'people', '{age,hours}', 5, sensitive => '{job}', l => 2, key => '{id}', max_wait => 1)" >/dev/null
like "with a key, beside a release without" "$(details "SELECT anon_publish('s', 'people', '{hours,pay}', 4, sensitive => '{job}', keep => '{id}')")" \
  'release "s" is of the same persons as "r"'
value "CREATE FUNCTION class_of(text, int) RETURNS bigint LANGUAGE plpgsql AS \$\$ DECLARE c bigint; BEGIN
    EXECUTE format('SELECT p.anon_class FROM %I AS p, (SELECT substr(bytes, 5, 32) AS secret FROM %I WHERE item = ''state'') AS s
      WHERE p.anon_person = sha256(s.secret || convert_to(%L, ''UTF8'') || ''\\x00'')', \$1 || '_places', \$1 || '_companion', \$2::text) INTO c;
    RETURN c; END \$\$"
is "its classes are those of the places" "$(level r,s k-anonymity NULL)" \
  "$(value "SELECT min(n) FROM (SELECT count(*) AS n FROM (SELECT class_of('r', id) AS c, s.hours, s.pay FROM s) AS j GROUP BY c, hours, pay) AS c")"
value "DELETE FROM people WHERE id % 9 = 0; INSERT INTO people VALUES (1001, 30, 20, 10, 'v1'); SELECT anon_refresh('r'); SELECT anon_refresh('s')" >/dev/null
is "a person who waits is in no class" "$(level r,s k-anonymity NULL)" 1
is "its person is not in common" "$(value "SELECT (detail->>'rows')::int - (detail->>'common')::int FROM anon_audit_releases('{r,s}') WHERE model = 'k-anonymity'")" 1
is "by itself a release keeps what its versions keep, whoever has left" \
  "$(value "SELECT model, attribute, detail->'alone'->>'public.r' FROM anon_audit_releases('{r,s}') WHERE model ~ '^(k-anon|distinct|entropy|.alpha)'")" \
  "$(value "SELECT model, attribute, level FROM anon_audit_history('r') WHERE model ~ '^(k-anon|distinct|entropy|.alpha)'")"
value "SELECT anon_publish('q', 'people', '{age,pay}', 5, sensitive => '{job}', l => 2, key => '{id}')" >/dev/null
is "two releases with keys" "$(level r,q k-anonymity NULL)" \
  "$(value "SELECT min(n) FROM (SELECT count(*) AS n FROM (SELECT class_of('r', id) AS c, class_of('q', id) AS d FROM people) AS j GROUP BY c, d) AS c")"
is "all three" "$(value "SELECT level <= least((SELECT level FROM anon_audit_releases('{r,q}') LIMIT 1), (SELECT level FROM anon_audit_releases('{r,s}') LIMIT 1))
  FROM anon_audit_releases('{r,q,s}') LIMIT 1")" t
value "SELECT anon_drop('s'), anon_drop('q'); SELECT anon_publish('q', 'people', '{age,pay}', 5, method => 'mondrian', sensitive => '{job}', l => 2, key => '{id}', unit => '{hours}')" >/dev/null
value "DELETE FROM people WHERE id % 9 = 1; SELECT anon_refresh('q')" >/dev/null
is "and so does one of persons with several rows" \
  "$(value "SELECT model, attribute, detail->'alone'->>'public.q' FROM anon_audit_releases('{r,q}') WHERE model ~ '^(k-anon|distinct|domin|.alpha|joint)'" | sort)" \
  "$(value "SELECT model, attribute, level FROM anon_audit_history('q') WHERE model ~ '^(k-anon|distinct|domin|.alpha|joint)'" | sort)"
value "SELECT anon_drop('q')" >/dev/null

# ---- Persons again without a common table or key.
value "ALTER TABLE people RENAME TO people_before; CREATE TABLE people AS SELECT * FROM people_before"
like "a source that was renamed and made again" "$(details "SELECT anon_publish('q', 'people', '{age,pay}', 5)")" \
  'release "r" may be of the same persons.*Its source "people_before" has the same key'
like "which the audit measures by its key" "$(level r,q k-anonymity NULL)" '^[0-9]+$'
value "SELECT anon_drop('q'); UPDATE people_before SET id = id + 100000" >/dev/null
like "keys that are renumbered: a new release is warned" "$(details "SELECT anon_publish('q', 'people_before', '{age,pay}', 5)")" \
  'release "r" does not know most keys of its source'
like "and a refresh is refused, with the risk of a new release" "$(value "SELECT anon_refresh('r')")" '55000: more than half of the keys.*anon_audit_releases'
value "UPDATE people_before SET id = id - 100000; SELECT anon_drop('q'); SELECT anon_refresh('r')" >/dev/null

# ---- A state from before, and one in another database.
is "a refresh of the state as it is says nothing" "$(notices "SELECT anon_refresh('r')" | grep -c restored)" 0
value "CREATE TABLE kept_places AS SELECT * FROM r_places; CREATE TABLE kept_state AS SELECT item, number, bytes FROM r_companion WHERE item = 'state'"
value "INSERT INTO people_before SELECT 2000 + i, 30, 20 + i, 10, 'v' || i FROM generate_series(1, 8) AS i; SELECT anon_refresh('r')" >/dev/null
value "BEGIN; TRUNCATE r_places; INSERT INTO r_places SELECT * FROM kept_places;
  UPDATE r_companion AS c SET bytes = k.bytes FROM kept_state AS k WHERE c.item = k.item AND c.number = k.number; COMMIT"
like "an older state is noticed" "$(details "SELECT anon_refresh('r')")" 'the state of release "r" was restored or cloned.*It is not that of the version'
is "once" "$(notices "SELECT anon_refresh('r')" | grep -c restored)" 0
pg_dump beside_t >"$scratch" 2>&1
PGDATABASE=postgres value 'CREATE DATABASE beside_clone_t'
psql -X -q -o /dev/null -d beside_clone_t -f "$scratch" >/dev/null 2>&1
like "a clone is noticed" "$(PGDATABASE=beside_clone_t details "SELECT anon_refresh('r')")" 'was restored or cloned.*Another database made the last version'
is "once, too" "$(PGDATABASE=beside_clone_t notices "SELECT anon_refresh('r')" | grep -c restored)" 0
PGDATABASE=postgres value 'DROP DATABASE beside_clone_t WITH (FORCE)'

# ---- Refusals by name, and rights.
like "one release" "$(value "SELECT anon_audit_releases('{r}')")" '22023: releases must name at least two releases'
like "one release twice" "$(value "SELECT anon_audit_releases('{r,r}')")" '22023: release "r" is named twice'
like "no release" "$(value "SELECT anon_audit_releases('{r,people}')")" '42809: "people" is not a release'
like "nulls" "$(value "SELECT anon_audit_releases('{r,NULL}')")" '22004: releases must not contain nulls'
like "null" "$(value "SELECT anon_audit_releases(NULL)")" '22004: releases must not be null'
value "SELECT anon_publish('q', 'people_before', '{age,pay}', 5, beside => 'ignore')" >/dev/null
like "a key that is none" "$(value "SELECT anon_audit_releases('{r,q}', '{age}')")" '22000: the key is not unique in the source of a release'
like "an unknown column" "$(value "SELECT anon_audit_releases('{r,q}', '{nobody}')")" '42703'
like "another choice of beside" "$(value "SELECT anon_publish('x', 'people', '{age}', 5, beside => 'allow')")" "22023: beside must be one of 'notice', 'refuse', 'ignore'"
value "CREATE ROLE t_beside; GRANT SELECT ON people_before TO t_beside; GRANT CREATE ON SCHEMA public TO t_beside"
like "another role's release is not measured" "$(details "SET ROLE t_beside; SELECT anon_publish('x', 'people_before', '{age,pay}', 5)")" \
  'release "[rq]" of another role is of the same table'
like "and its audit is its owner's" "$(value "SET ROLE t_beside; SELECT anon_audit_releases('{r,x}')")" '42501: must be owner'

# ---- Publications run no code of other roles' releases.
value "SET ROLE t_beside; CREATE SEQUENCE runs; CREATE TABLE armed AS SELECT false AS now;
  CREATE FUNCTION spy(int) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('public.runs');
    IF (SELECT now FROM public.armed) THEN RAISE 'spy'; END IF; RETURN \$1; END \$\$;
  CREATE VIEW spied AS SELECT id, spy(age) AS age, pay FROM people_before; SELECT anon_publish('trap', 'spied', '{age,pay}', 5);
  UPDATE armed SET now = true" >/dev/null
runs=$(value 'SELECT last_value FROM runs')
like "the code of another role's release runs for its owner" "$runs" '^[1-9][0-9]{2,}$'
like "not for a superuser who publishes from the table" "$(details "SELECT anon_publish('y', 'people_before', '{age,pay}', 5)")" \
  'release "trap" of another role is of the same table'
is "nor does it fail a publication" \
  "$(value "SELECT anon_drop('y'), anon_drop('q'), anon_drop('r'); SELECT rows > 0 FROM anon_publish('y', 'people_before', '{age,pay}', 5, beside => 'refuse')" | tail -1)" t
is "it never ran" "$(value 'SELECT last_value FROM runs')" "$runs"
like "a superuser may name it" "$(value "SELECT anon_audit_releases('{y,trap}', '{id}')")" 'spy'
value "SELECT anon_drop('y')" >/dev/null

# ---- Calls that anonkit would not write, tables that hide a release, lists by release and record.
nonsense() { printf "CREATE MATERIALIZED VIEW %s AS SELECT r.a FROM anon_release('%s'::regclass, '{\"nonsense\": 1}'::jsonb) AS r(a int) WITH NO DATA" "$1" "$2"; }
value "SET ROLE t_beside; CREATE TABLE mine (a int); $(nonsense strange mine)"
is "a stranger's release of nonsense fails no publication" "$(value "SELECT rows FROM anon_publish('y', 'other', '{age}', 5)")" 40
value "SELECT anon_drop('y'); CREATE TABLE own (a int); $(nonsense strange_own own)" >/dev/null
is "nor does an own one" "$(value "SELECT rows FROM anon_publish('y', 'other', '{age}', 5, beside => 'refuse')")" 40
value "SELECT anon_drop('y'); DROP MATERIALIZED VIEW strange_own; $(nonsense strange_own other)" >/dev/null
like "one of the table is said not to be measured" "$(details "SELECT anon_publish('y', 'other', '{age}', 5)")" \
  'release "y" is of the same persons as .*"strange_own".*could not be measured'
value "SELECT anon_drop('y'); DROP MATERIALIZED VIEW strange_own" >/dev/null
value "CREATE TABLE paid AS SELECT i AS id, i AS age, i * 7 % 40 AS pay FROM generate_series(1, 40) AS i; SELECT anon_publish('by_age', 'paid', '{age}', 5)" >/dev/null
like "a temporary table of the release's name does not hide it" \
  "$(value "CREATE TEMP TABLE by_pay (a int); SELECT anon_publish('by_pay', 'paid', '{pay}', 5, beside => 'refuse')")" '23514: release "by_pay" and "by_age" together violate'
value "CREATE TABLE many AS SELECT i AS id, i AS age FROM generate_series(1, 4000) AS i" >/dev/null
value "$(for i in {0..39}; do echo "CREATE VIEW part$i AS SELECT * FROM many WHERE id % 40 = $i; SELECT anon_publish('m$i', 'part$i', '{age}', 5, beside => 'ignore');"; done)" >/dev/null
parts=$(printf ',m%s' {0..39})
like "40 releases without a row in common" "$(value "SELECT anon_audit_releases('{${parts:1}}', '{id}')")" '22000: the releases have no rows in common'
like "their lists by release and record count as memory" \
  "$(value "SET anonkit.max_memory = '2200kB'; SELECT anon_audit_releases('{${parts:1}}', '{id}')")" '53400: .*anonkit.max_memory'
is "enums and dates have the same joint levels as their releases" \
  "$(value "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); CREATE TABLE moods AS SELECT i AS id, i AS age, (enum_range(NULL::mood))[1 + i % 3] AS mood, date '2020-01-01' + i % 9 AS day
      FROM generate_series(1, 60) AS i; SELECT anon_publish('m_a', 'moods', '{age}', 6, sensitive => '{mood,day}'), anon_publish('m_b', 'moods', '{age}', 6, sensitive => '{mood,day}');
    SELECT count(*) FROM anon_audit_releases('{m_a,m_b}') AS j JOIN anon_audit('m_a') AS a USING (model, attribute)
    WHERE j.level = a.level OR abs(j.level - a.level) < 1e-9" | tail -1)" \
  "$(value "SELECT count(*) FROM anon_audit('m_a') WHERE attribute IS NOT NULL")"

export PGDATABASE=postgres
value 'DROP DATABASE beside_t WITH (FORCE)'; value 'DROP ROLE t_beside'
rm "$scratch"
done_testing
