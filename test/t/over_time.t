#!/bin/bash
# Releases with a key: the disclosure to an adversary with all versions, attacks, and a state that
# fails closed.
. test/t/tap.sh
. test/judge/judge.sh

scratch=$(mktemp -d)
ok "the judge compiles" build_judge
verdict() { judged "$@" 2>&1 | grep SAFE; }
is "judge: safe" "$(verdict key 400 8 1 microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34)" SAFE
is "judge: safe with t-closeness" "$(verdict key 400 8 2 tclose 5 '{"t": 0.4}')" SAFE
is "judge: safe with a founding at every third refresh" "$(verdict key 400 10 2 microaggregate 5 '{"l": 2, "every": 3}' --l 2)" SAFE
is "judge: safe with ranges" "$(verdict key 400 8 3 mondrian 5 '{"l": 3}' --l 3 --no-means)" SAFE
is "judge: safe with p-sensitivity" "$(verdict key 400 8 4 psensitive 5 '{"p": 3}' --l 3 --no-means)" SAFE
is "judge: safe with (k,p,q,r)-anonymity" "$(verdict key 400 8 5 kpqr 5 '{"p": 2, "q": 0.1}')" SAFE
is "judge: safe when many values change and people return" \
  "$(NIGHT='night(0.05, 0.2)' verdict key 300 10 6 microaggregate 4 '{}' --k 4)" SAFE
is "judge: safe for persons with several rows" \
  "$(verdict units 400 8 7 mondrian 5 '{"l": 3}' --l 3 --no-means --units)" SAFE
like "their means are refused: some classes have fewer than two persons who are in no other" \
  "$(judged units 400 2 7 microaggregate 5 '{"l": 3}' --l 3 --units 2>&1)" 'means would tell of persons with rows in several classes.*classes have fewer than two persons.*mondrian'
for share in 0.01 0.05 0.1 0.2; do
  is "judge, third part: means are not solved when $share of the quasi-identifiers change a night" \
    "$(NIGHT="night(0.01, $share)" verdict key 300 8 9 microaggregate 4 '{"l": 2}' --k 4 --l 2)" SAFE
done
is "judge: safe for them when many values change and people return" \
  "$(NIGHT='night(0.05, 0.2)' verdict units 300 10 8 mondrian 4 '{"l": 3}' --k 4 --l 3 --no-means --units)" SAFE
like "judge: not safe for them if rows are counted" \
  "$(verdict rows 400 4 7 mondrian 5 '{"l": 3}' --l 3 --no-means --units)" '^NOT SAFE: histories of fewer than k'
like "judge: not safe if leavers are taken out" \
  "$(verdict absence 400 8 1 microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34)" '^NOT SAFE'
like "judge: not safe if means are of who is left" \
  "$(verdict mean 400 8 1 microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34)" '^NOT SAFE.*exact quasi-identifiers'
like "judge: not safe without a key" \
  "$(verdict none 200 3 1 microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34)" '^NOT SAFE'

PGDATABASE=postgres value 'DROP DATABASE judged WITH (FORCE)'
fresh_database over_time_t
value "CREATE ROLE t_over_owner; CREATE ROLE t_over_reader; GRANT CREATE ON SCHEMA public TO t_over_owner"
value "CREATE TABLE origin AS SELECT i AS id, 20 + i * 7 % 50 AS age, 10 + i * 13 % 40 AS hours, 'v' || i * 11 % 7 AS job
    FROM generate_series(1, 200) AS i"
# again [ARGUMENTS]: the origin and its release as on the first night.
again() {
  [ "$(value "SELECT to_regclass('r') IS NULL")" = t ] || value "SELECT anon_drop('r')" >/dev/null
  value "SET client_min_messages = warning; DROP TABLE IF EXISTS people CASCADE;
    CREATE TABLE people AS SELECT * FROM origin; SELECT FROM anon_publish('r', 'people', '{age,hours}', 5, sensitive => '{job}',
    params => '{\"l\": 3, \"decoys\": 0}', key => '{id}', max_wait => 1${1:-})"
}
content() { value 'SELECT md5(string_agg(r::text, chr(10) ORDER BY r::text)) FROM r'; }
refresh() { value "SELECT version, rows, waiting, vacant, stale, withheld, changed, outside FROM anon_refresh('r')"; }

again
is "a first version" "$(value 'SELECT count(*), min(weight) FROM r')" '200|1'
before=$(content)
is "nothing has changed: the same rows" "$(refresh) $(content)" "2|200|0|0|0|0|0|0 $before"
value "DELETE FROM people WHERE id = 17"
is "critical absence: the one who left stays" "$(refresh)" '3|200|0|1|0|0|0|0'
is "and only the weight of the class tells" "$(value 'SELECT count(*) FROM r WHERE weight < 1') $(value \
  "SELECT count(*) FROM r JOIN (SELECT DISTINCT age, hours FROM r WHERE weight < 1) AS c USING (age, hours)")" \
  "$(value 'SELECT count(*) FROM r WHERE weight < 1') $(value 'SELECT count(*) FROM r WHERE weight < 1')"
value "INSERT INTO people SELECT * FROM origin WHERE id = 17"
is "back with the same value: the same place" "$(refresh) $(content)" "4|200|0|0|0|0|0|0 $before"
value "INSERT INTO people VALUES (1001, 30, 20, 'v1')"
is "a single insert waits" "$(refresh) $(content)" "5|200|1|0|0|0|0|0 $before"
value "DELETE FROM people WHERE id = 1001; UPDATE people SET job = 'other' WHERE id = 17"
is "a value that changes: the place shows its person as of its founding" "$(refresh) $(content)" "6|200|0|0|0|0|1|0 $before"
value "UPDATE people SET job = (SELECT job FROM origin WHERE id = 17) WHERE id = 17"
is "and back" "$(refresh) $(content)" "7|200|0|0|0|0|0|0 $before"
value "UPDATE people SET age = age + 1 WHERE id < 11"
is "quasi-identifiers that change are counted" "$(refresh) $(content)" "8|200|0|0|10|0|0|0 $before"
value "INSERT INTO people SELECT 2000 + i, 30, 20 + i % 2, 'v' || i % 4 FROM generate_series(1, 8) AS i"
is "newcomers found a class" "$(refresh)" '9|208|0|0|10|0|0|0'
is "of k, with l values" "$(value "SELECT count(*), count(DISTINCT job) FROM r_places WHERE anon_since = 9")" '8|4'
is "what came and what stayed is k-anonymous" "$(value "SELECT min(n) FROM (SELECT count(*) AS n FROM r_places GROUP BY age, hours, anon_since, anon_until) AS c")" 5
value "DELETE FROM people WHERE id > 2000"
like "a whole class that leaves goes as a whole" "$(refresh)" '^10\|200\|0\|0\|10\|0\|0\|0'
value "INSERT INTO people SELECT 2000 + i, 30, 20 + i % 2, 'v' || i % 4 FROM generate_series(1, 8) AS i"
is "back when the class is gone: outside" "$(refresh)" '11|200|0|0|10|0|0|8'
value "UPDATE people SET job = 'w' || id % 4 WHERE id > 2000"
is "with other values: outside" "$(refresh)" '12|200|0|0|10|0|0|8'

# The rows that came, went or stayed between any two versions are a release of their own.
again
for night in 1 2 3 4 5 6; do
  value "CREATE TABLE night_$night AS SELECT age, hours, job FROM r;
    DELETE FROM people WHERE id < 900 AND age BETWEEN 14 + 6 * $night AND 20 + 6 * $night AND hours < 35 OR id % 29 = $night;
    INSERT INTO people SELECT 1000 * $night + i, 20 + i % 5, 10 + i % 4, 'v' || i % 6 FROM generate_series(1, 12) AS i;
    SELECT FROM anon_refresh('r')"
done
between=
for ((a = 1; a <= 6; a++)); do
  for ((b = a + 1; b <= 6; b++)); do
    between+=" UNION ALL SELECT *, $a, $b, 'went' FROM (TABLE night_$a EXCEPT ALL TABLE night_$b) AS x"
    between+=" UNION ALL SELECT *, $a, $b, 'came' FROM (TABLE night_$b EXCEPT ALL TABLE night_$a) AS x"
    between+=" UNION ALL SELECT *, $a, $b, 'stayed' FROM (TABLE night_$a INTERSECT ALL TABLE night_$b) AS x"
  done
done
is "rows came, went and stayed between versions" "$(value "SELECT count(DISTINCT (a, b)), count(DISTINCT what) FROM
  (${between# UNION ALL}) AS x(age, hours, job, a, b, what)")" '15|3'
is "k of each class, with l values" "$(value "SELECT min(n) >= 5, min(values) >= 3 FROM (SELECT count(*) AS n, count(DISTINCT job) AS values
  FROM (${between# UNION ALL}) AS x(age, hours, job, a, b, what) GROUP BY age, hours, a, b, what) AS c")" 't|t'
value 'DROP TABLE night_1, night_2, night_3, night_4, night_5, night_6'

again
before=$(content)
value "DELETE FROM people WHERE id = 17; SELECT FROM anon_refresh('r'); INSERT INTO people SELECT id, age, hours, 'other' FROM origin WHERE id = 17"
is "deleted, and back with another value: the same place" "$(refresh) $(content)" "3|200|0|0|0|0|1|0 $before"

# With little memory the census and its derived tables are files, which end with the version.
value "CREATE TABLE crowd AS SELECT i AS id, i % 50 AS age, i % 7 AS hours, 'v' || i % 11 AS job FROM generate_series(1, 3000) AS i"
is "no file is left behind" "$(PGOPTIONS="-c work_mem=64kB" value "SELECT rows FROM anon_publish('in_files', 'crowd', '{age,hours}', 5,
  sensitive => '{job}', key => '{id}'); DELETE FROM crowd WHERE id < 30; SELECT rows FROM anon_refresh('in_files')")" $'3000\n3000'
value "SELECT anon_drop('in_files')" >/dev/null

# Four persons planted beside a victim single out the victim, as in one release, but no other
# person.
again
before=$(content)
value "INSERT INTO people VALUES (3000, 33, 21, 'target'), (3001, 33, 21, 'w1'), (3002, 33, 21, 'w2'), (3003, 33, 21, 'w3'), (3004, 33, 21, 'w4')"
is "a target among planted newcomers" "$(refresh) $(value "SELECT string_agg(job, ' ' ORDER BY job) FROM r_places WHERE anon_since = 2")" \
  '2|205|0|0|0|0|0|0 target w1 w2 w3 w4'
is "people who were published before are immune" "$(value "DELETE FROM people WHERE id >= 3000")$(refresh) $(content)" "3|200|0|0|0|0|0|0 $before"

again
class=$(value 'SELECT anon_class FROM r_places ORDER BY 1 LIMIT 1')
value "DELETE FROM people AS p USING r_places AS c,
  (SELECT substr(bytes, 5, 32) AS secret FROM r_companion WHERE item = 'state') AS s WHERE c.anon_class = $class AND
  c.anon_person = sha256(s.secret || convert_to(p.id::text, 'UTF8') || '\x00') AND p.id <>
  (SELECT min(q.id) FROM people AS q, r_places AS d WHERE d.anon_class = $class AND
   d.anon_person = sha256(s.secret || convert_to(q.id::text, 'UTF8') || '\x00'))"
before="$(value "SELECT count(*) FROM r_places WHERE anon_class = $class") $(value 'SELECT md5(string_agg((age, hours, job)::text, chr(10) ORDER BY (age, hours, job)::text)) FROM r')"
like "all of a class but one have left: the class stays" "$(refresh)" '^2\|200\|0'
is "whole" "$(value "SELECT count(*) FROM r_places WHERE anon_class = $class AND anon_until IS NULL") $(value 'SELECT md5(string_agg((age, hours, job)::text, chr(10) ORDER BY (age, hours, job)::text)) FROM r')" "$before"

# Several rows a person: k persons found a class.
value "CREATE TABLE visits AS SELECT i AS visit, 'p' || i % 60 AS patient, 20 + i * 7 % 50 AS age, 'v' || i * 11 % 7 AS job
    FROM generate_series(1, 180) AS i;
  SELECT FROM anon_publish('s', 'visits', '{age}', 4, method => 'mondrian', sensitive => '{job}', params => '{\"l\": 3, \"decoys\": 0}',
    key => '{visit}', unit => '{patient}', max_wait => 1)"
visited() { value "SELECT version, rows, waiting, vacant, outside FROM anon_refresh('s')"; }
persons() { value "SELECT min(n) FROM (SELECT count(DISTINCT anon_unit) AS n FROM s_places GROUP BY age, anon_since, anon_until) AS c"; }
is "every class is of k persons" "$([ "$(persons)" -ge 4 ] && echo yes)" yes
value "INSERT INTO visits SELECT 1000 + i, 'new', 30, 'v' || i % 4 FROM generate_series(1, 8) AS i"
is "eight visits of one person found no class" "$(visited)" '2|180|8|0|0'
is "nor do they later" "$(visited)" '3|180|8|0|0'
value "INSERT INTO visits SELECT 2000 + i, 'other ' || i, 30, 'v' || i % 4 FROM generate_series(1, 3) AS i"
is "with three others they do" "$(visited) $(persons)" '4|191|0|0|0 4'
value "UPDATE visits SET patient = 'p1' WHERE visit = 2001"
is "a row that becomes somebody else's: the old one stays, the new one waits" "$(visited)" '5|191|1|1|0'
is "no plain unit" "$(pg_dump -t 's_*' over_time_t | grep -c 'other 1')" 0
is "all versions keep their promise to persons" "$(value "SELECT anon_assert_history('s')")" ''
is "as they are measured" "$(value "SELECT level FROM anon_audit_history('s') WHERE model = 'k-anonymity'")" 4
value "UPDATE visits SET patient = NULL WHERE visit = 2002"
like "a row of nobody" "$(visited)" '22004: unit column "patient" contains nulls'
value "SELECT anon_drop('s'); UPDATE visits SET patient = 'q' WHERE patient IS NULL"
# A mean is an equation of the quasi-identifiers that a person has in all visits.
value "DELETE FROM visits WHERE visit > 1000; UPDATE visits SET age = 20 + substr(patient, 2)::int;
  SELECT FROM anon_publish('s', 'visits', '{age}', 4, keep => '{job}', key => '{visit}', unit => '{patient}', max_wait => 1)"
value "INSERT INTO visits SELECT 1000 + i, 'p' || i % 60, 20 + i % 60, 'v' FROM generate_series(1, 60) AS i"
like "people who are in means already found no more classes of their own" "$(visited)" '^2\|180\|[0-9]+\|0\|[1-9]'
value "INSERT INTO visits SELECT 2000 + i, 'q' || i, 30, 'v' FROM generate_series(1, 3) AS i"
is "new people, fewer than k, do with some of them" "$(value "SELECT rows > 183 FROM anon_refresh('s')") $([ "$(persons)" -ge 4 ] && echo yes)" 't yes'
value "SELECT anon_drop('s')"

# Two persons have rows in both classes of the first night: the other two of each class found no more.
value "CREATE TABLE calls (call int, patient text, age int); INSERT INTO calls VALUES (1, 'g', 10), (2, 'h', 11), (3, 'a', 12), (4, 'b', 13),
    (5, 'g', 50), (6, 'h', 51), (7, 'c', 52), (8, 'd', 53); SELECT FROM anon_publish('s', 'calls', '{age}', 4, key => '{call}', unit => '{patient}', max_wait => 1)"
value "INSERT INTO calls VALUES (11, 'a', 90), (12, 'b', 91), (13, 'e', 92), (14, 'f', 93)"
is "the means of one night know each other's persons, too" "$(visited)" '2|8|2|0|2'
is "two persons of each class have rows in no other" "$(value "SELECT min(n) FROM (SELECT count(*) FILTER (WHERE classes = 1) AS n FROM s_places JOIN
  (SELECT anon_unit, count(DISTINCT anon_class) AS classes FROM s_places GROUP BY 1) AS u USING (anon_unit) GROUP BY anon_class) AS c")" 2
value "SELECT anon_drop('s'); DROP TABLE calls"

# Coverage: a release that shows few of the persons who are present says so to its owner.
value "CREATE TABLE crossing AS SELECT i AS id, i AS age FROM generate_series(1, 40) AS i; SELECT FROM anon_publish('s', 'crossing', '{age}', 5, key => '{id}')"
covered() { PGOPTIONS='-c client_min_messages=notice' psql -X -q -At -c "SELECT rows - vacant, waiting, outside FROM anon_refresh('s')" 2>&1; }
value "INSERT INTO crossing SELECT 100 + i, 1000 * i FROM generate_series(1, 10) AS i"
is "at 80 % nothing is said" "$(covered)" '40|10|0'
value "INSERT INTO crossing VALUES (111, 11000)"
like "below that the owner is told" "$(covered)" 'the release shows 78 % of the persons.*11 wait for a class, and 0 stay outside.*40[|]11[|]0'
is "and is a figure" "$(value "SELECT round(coverage, 2), round(least_coverage, 2) FROM anon_releases WHERE release = 's'::regclass")" '78.43|78.43'
value "INSERT INTO crossing VALUES (112, 12000)"
is "and not again the next night" "$(covered)" '40|12|0'
value "INSERT INTO crossing SELECT 112 + i, 12000 + 1000 * i FROM generate_series(1, 3) AS i"
like "but when five more of a hundred are not shown" "$(covered)" 'the release shows 73 % of the persons.*40[|]15[|]0'
value "DELETE FROM crossing WHERE id > 110"
is "at 80 % again nothing is said" "$(covered)" '40|10|0'
value "INSERT INTO crossing VALUES (111, 11000)"
like "and below it the owner is told anew" "$(covered)" 'the release shows 78 % of the persons.*40[|]11[|]0'
value "SELECT anon_drop('s')"

# Every one of many persons is met again, and nobody twice.
value "CREATE TABLE many AS SELECT i AS id, i % 90 AS age, 'v' || i % 7 AS job FROM generate_series(1, 9000) AS i;
  SELECT FROM anon_publish('s', 'many', '{age}', 5, sensitive => '{job}', key => '{id}')"
value "UPDATE many SET job = 'other' WHERE id <= 3; UPDATE many SET age = 200 WHERE id = 4; DELETE FROM many WHERE id BETWEEN 5 AND 6"
is "of 9,000 persons 2 are gone, 3 have another value and 1 another age" \
  "$(value "SELECT rows, vacant, waiting, outside, changed, stale FROM anon_refresh('s')")" '9000|2|0|0|3|1'
is "their weights sum to the living" "$(value "SELECT round(sum(weight)) FROM s")" 8998
value "SELECT anon_drop('s'); DROP TABLE many"

# All are covered well, but not those with nulls.
value "CREATE TABLE holes AS SELECT i AS id, i AS age, CASE WHEN i > 10 THEN i % 7 END AS hours FROM generate_series(1, 200) AS i;
  SELECT FROM anon_publish('s', 'holes', '{age,hours}', 5, params => '{\"nulls\": \"stratify\"}', key => '{id}', wait_loss => 1)"
strata() { PGOPTIONS='-c client_min_messages=notice' psql -X -q -At -c "SELECT round(coverage::numeric, 1), round(least_coverage::numeric, 1) FROM anon_refresh('s')" 2>&1; }
is "each stratum is published" "$(strata)" '100.0|100.0'
value "INSERT INTO holes VALUES (301, 1000, NULL), (302, 3000, NULL)"
is "12 with nulls, 2 of whom wait: nothing is said" "$(strata)" '99.0|83.3'
value "INSERT INTO holes VALUES (303, 9000, NULL)"
like "13, 3 of whom wait: the owner is told of the stratum" "$(strata)" '^NOTICE:  the release shows 77 % of the persons with nulls in "hours".*3 of 13 of these.*98[.]5[|]76[.]9$'
value "INSERT INTO holes VALUES (304, NULL, 7)"
is "a stratum of fewer than k persons is a figure, and no notice; that of the other is not repeated" "$(strata)" '98.0|0.0'
value "SELECT anon_drop('s'); DROP TABLE holes"

# Fail closed.
fails() { like "$1" "$(value "SELECT anon_refresh('r')")" "$2"; is "$1: the old version stays" "$(content)" "$kept"; }
again; kept=$(content)
value 'BEGIN; CREATE TABLE keep AS SELECT * FROM people; TRUNCATE people; COMMIT'
fails "an empty source" '55000: more than half of the keys are gone'
value 'INSERT INTO people SELECT id + 10000, age, hours, job FROM keep'
fails "keys renumbered" '55000: more than half of the keys are gone'
value 'TRUNCATE people; INSERT INTO people SELECT * FROM keep; INSERT INTO people SELECT id + 10000, age, hours, job FROM keep; INSERT INTO people SELECT id + 20000, age, hours, job FROM keep'
fails "more newcomers than before" '55000: more than half of the keys are new'
value 'DELETE FROM people WHERE id > 10000; INSERT INTO people SELECT * FROM keep WHERE id = 5'
fails "a key that is not unique" '23505: the key is not unique'
value 'DELETE FROM people WHERE id = 5; INSERT INTO people SELECT * FROM keep WHERE id = 5; ALTER TABLE people ALTER id DROP NOT NULL; INSERT INTO people VALUES (NULL, 30, 30, '"'v1'"')'
fails "a key that is null" '22004: key column "id" contains nulls'
value 'DELETE FROM people WHERE id IS NULL; ALTER TABLE people ALTER age TYPE bigint'
fails "a type that changes" "55000: the source's columns are not those"
value 'ALTER TABLE people ALTER age TYPE int; ALTER TABLE people ALTER id TYPE bigint'
fails "a key's type that changes" "55000: the source's columns are not those"
value 'ALTER TABLE people ALTER id TYPE int; BEGIN; CREATE TABLE copy AS SELECT * FROM r_places; COMMIT'
like "all is well again" "$(refresh)" '^2\|200'
kept=$(content)
value "UPDATE r_places SET anon_since = 2 WHERE anon_class = 1"
fails "a row changed in the state" '55000: the state of the release is not as the last refresh left it'
value 'UPDATE r_places SET anon_since = 1 WHERE anon_class = 1'
like "the state as it was" "$(refresh)" '^3\|200'
value "CREATE TABLE state_copy AS SELECT * FROM r_companion WHERE item = 'state'; DELETE FROM r_companion WHERE item = 'state'"
fails "a state that is missing" '55000: the state of the release'
value 'INSERT INTO r_companion SELECT * FROM state_copy; DROP TABLE state_copy, copy, keep'

# Row-level security that hides half of the source from the owner.
again
value "ALTER TABLE people OWNER TO t_over_owner; ALTER VIEW r OWNER TO t_over_owner; ALTER TABLE r_places OWNER TO t_over_owner;
  ALTER TABLE r_companion OWNER TO t_over_owner"
like "the owner refreshes" "$(value "SET ROLE t_over_owner; SELECT version FROM anon_refresh('r')")" '^2$'
value "CREATE POLICY half ON people USING (id % 5 > 2); ALTER TABLE people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"
kept=$(content)
like "half of the source is hidden" "$(value "SET ROLE t_over_owner; SELECT anon_refresh('r')")" '55000: more than half of the keys are gone'
is "and the old version stays" "$(content)" "$kept"
like "another role may not refresh" "$(value "SET ROLE t_over_reader; SELECT anon_refresh('r')")" '42501: must be owner'
value "ALTER TABLE people DISABLE ROW LEVEL SECURITY; ALTER TABLE people OWNER TO postgres"

# Secrets stay secret.
again ", grant_to => '{t_over_reader}'"
is "a reader reads the release" "$(value 'SET ROLE t_over_reader; SELECT count(*) FROM r')" 200
for table in r_places r_companion; do
  like "but not $table" "$(value "SET ROLE t_over_reader; SELECT * FROM $table")" '42501: permission denied'
done
like "nor the history of all versions" "$(value "SET ROLE t_over_reader; SELECT * FROM anon_audit_history('r')")" '42501: must be owner'
value "CREATE TABLE plain AS SELECT 912345670000 + i AS number, round(20 + i * i / 1009.0, 6) AS age, 'v' || i * 11 % 7 AS job FROM generate_series(1, 60) AS i;
  SELECT FROM anon_publish('plain_release', 'plain', '{age}', 5, keep => '{job}', key => '{number}')" >/dev/null
value "SELECT '(^|[^0-9a-f])' || v || '([^0-9a-f]|$)' FROM (SELECT number::text FROM plain UNION ALL SELECT age::text FROM plain) AS exact(v)" >"$scratch/exact"
is "no table beside a release holds a key or an exact quasi-identifier" "$(pg_dump -t 'plain_release_*' over_time_t | grep -cE -f "$scratch/exact")" 0
is "which a dump of the source does" "$(pg_dump -t plain over_time_t | grep -cE -f "$scratch/exact")" 60
is "and no comment does" "$(value "SELECT count(*) FROM pg_description WHERE description ~ '9123456700[0-6][0-9]'")" 0
value "SELECT anon_drop('plain_release')"

# Founding at every third refresh: the date alone decides.
again ", every => 3"
value "INSERT INTO people SELECT 2000 + i, 30, 20 + i % 2, 'v' || i % 4 FROM generate_series(1, 8) AS i"
is "every: newcomers wait, though they are enough" "$(refresh) $(refresh)" '2|200|8|0|0|0|0|0 3|200|8|0|0|0|0|0'
is "every: the third refresh founds them" "$(refresh)" '4|208|0|0|0|0|0|0'
value "INSERT INTO people SELECT 3000 + i, 30, 20 + i % 2, 'v' || i % 4 FROM generate_series(1, 8) AS i; DELETE FROM people WHERE id > 2000 AND id < 3000"
is "every: classes retire on any night" "$(refresh)" '5|200|8|0|0|0|0|0'
is "every: and the sixth refresh founds" "$(refresh) $(refresh)" '6|200|8|0|0|0|0|0 7|208|0|0|0|0|0|0'
again

# Incompatible options.
publish() { value "SELECT FROM anon_publish('x', 'people', '{age,hours}', 5, $1)"; }
like "no aggregate knowledge" "$(publish "method => 'aggregate', key => '{id}'")" '0A000: aggregate knowledge cannot be combined with a key'
like "no full-domain generalisation" "$(publish "method => 'datafly', key => '{id}'")" '0A000: full-domain generalisation cannot be combined with a key'
like "no waiting without a key" "$(publish "max_wait => 3")" '22023: max_wait, wait_loss, every and weight need a key'
like "no unknown key" "$(publish "key => '{nobody}'")" '42703: column "nobody" does not exist'
like "no key of floats" "$(value 'CREATE TABLE floats AS SELECT random() AS id, i AS age FROM generate_series(1, 20) AS i'
  value "SELECT anon_publish('x', 'floats', '{age}', 5, key => '{id}')")" '42804: column "id" of type double precision cannot be part of a key'
value "ALTER TABLE floats RENAME age TO weight; ALTER TABLE floats ADD number int GENERATED ALWAYS AS IDENTITY"
like "no second column weight" "$(value "SELECT anon_publish('x', 'floats', '{weight}', 5, key => '{number}')")" '42701: the release would have two columns "weight"'
is "unless there is none" "$(value "SELECT rows FROM anon_publish('x', 'floats', '{weight}', 5, key => '{number}', weight => false); SELECT anon_drop('x')")" 20
is "a failed publication leaves nothing" "$(value "SELECT count(*) FROM pg_class WHERE relname LIKE 'x\_%' OR relname = 'x'")" 0
is "a kept column that is unique" "$(value "SELECT rows FROM anon_publish('x', 'people', '{age,hours}', 5, keep => '{id}', key => '{id}');
  UPDATE people SET age = age + 1; SELECT rows, stale FROM anon_refresh('x'); SELECT anon_drop('x')")" $'200\n200|200'

# Several columns of several types, null values, hierarchies of ranges.
value "CREATE TABLE wide AS SELECT i % 20 AS a, 'x' || i / 20 AS b, date '2000-01-01' + i AS c, i % 30 AS q, NULLIF(i % 6, 0) AS s, json_build_object('i', i) AS j
  FROM generate_series(1, 100) AS i"
is "a key of several columns" "$(value "SELECT rows FROM anon_publish('x', 'wide', '{q}', 4, sensitive => '{s}', keep => '{j}', key => '{a,b,c}', method => 'mondrian');
  UPDATE wide SET s = s WHERE a = 1; SELECT rows, vacant FROM anon_refresh('x')")" $'100\n100|0'
is "a kept value without an equality that changes" "$(value "UPDATE wide SET j = '{}' WHERE a = 1 AND b = 'x0'; SELECT vacant, changed, outside FROM anon_refresh('x')")" '0|1|0'
is "all versions keep their promise" "$(value "SELECT anon_assert_history('x')")" ''
is "and are measured" "$(value "SELECT level >= 4 FROM anon_audit_history('x') WHERE model = 'k-anonymity'")" t
like "a release without a key has no history" "$(value "SELECT anon_assert_history('wide')")" '42809: "wide" is not a release with a key'
value "SELECT anon_drop('x')"

# Transactions.
again
kept=$(content); state() { value 'SELECT md5(string_agg(p::text, chr(10) ORDER BY p::text)) FROM r_places AS p'; }
left=$(state)
value "DELETE FROM people WHERE id < 20; BEGIN; SELECT anon_refresh('r'); ROLLBACK" >/dev/null
is "ROLLBACK leaves version and state" "$(content) $(state) $(value "SELECT version FROM anon_releases WHERE release = 'r'::regclass")" "$kept $left 1"
(value "BEGIN; SELECT anon_refresh('r'); SELECT pg_sleep(1); COMMIT" >/dev/null) &
until_asleep
is "two refreshes at once: one after the other" "$(value "SELECT version FROM anon_refresh('r')")" 3
wait
is "a reader does not wait for a refresh" "$(value "SET lock_timeout = '1ms'; SELECT count(*) FROM r")" 200
(value "BEGIN; SELECT anon_refresh('r'); SELECT pg_sleep(1); COMMIT" >/dev/null) &
until_asleep
is "not even while it is being written" "$(value "SET lock_timeout = '1ms'; SELECT count(*) FROM r")" 200
wait
like "cancelled midway" "$(value "SET statement_timeout = 1; SELECT anon_refresh('r')")" '57014|^\('
like "and then as if nothing was" "$(value "SELECT version >= 4 FROM anon_refresh('r')")" t
like "REFRESH is for other releases" "$(value 'REFRESH MATERIALIZED VIEW r')" '42809'
is "listed with its source" "$(value "SELECT source, current FROM anon_releases WHERE release = 'r'::regclass")" 'people|t'

# Dump, restore, refresh; renamed.
pg_dump -Fc -f "$scratch/dump" over_time_t
PGDATABASE=postgres value 'CREATE DATABASE over_time_restored'
ok "restored" pg_restore --exit-on-error -d over_time_restored "$scratch/dump"
rows=$(value 'SELECT count(*) FROM r')
is "the same version" "$(PGDATABASE=over_time_restored content)" "$(content)"
is "and refreshed" "$(PGDATABASE=over_time_restored value "SELECT rows FROM anon_refresh('r')")" "$rows"
PGDATABASE=postgres value 'DROP DATABASE over_time_restored'; rm -r "$scratch"
value 'CREATE SCHEMA elsewhere; ALTER VIEW r RENAME TO issued; ALTER VIEW issued SET SCHEMA elsewhere; ALTER TABLE people RENAME TO persons;
  ALTER TABLE r_places RENAME TO places_of_old'
is "source, release and state renamed" "$(value "SELECT rows FROM anon_refresh('elsewhere.issued')")" "$rows"
like "a source is not dropped under its release" "$(value 'DROP TABLE persons')" '2BP01: cannot drop table'
is "anon_drop drops release and state" "$(value "SELECT anon_drop('elsewhere.issued'); SELECT count(*) FROM pg_class WHERE relname ~ '^r_|places_of_old|issued'")" $'\n0'
like "a view that says it is one, over another's tables" "$(value "CREATE TABLE mine (age int, anon_until int, anon_weight float8); ALTER TABLE mine OWNER TO t_over_owner;
  CREATE VIEW fake AS SELECT age, anon_weight AS weight FROM mine WHERE anon_until IS NULL AND anon_release_spec('persons'::regclass,
  '{\"method\": \"mdav\", \"qi\": [\"age\"], \"k\": 4, \"key\": [\"id\"]}'::jsonb, 'mine'::regclass, 'mine'::regclass);
  SELECT anon_drop('fake')")" '55000: the state of the release'

# Erasure: a class is withdrawn as a whole, and its values with it.
value "DROP TABLE IF EXISTS people CASCADE; CREATE TABLE people AS SELECT * FROM origin; ALTER TABLE people ADD note text; UPDATE people SET note = 'note ' || id;
  SELECT FROM anon_publish('r', 'people', '{age,hours}', 5, sensitive => '{job}', keep => '{note}', params => '{\"l\": 3, \"decoys\": 0}',
    key => '{id}', max_wait => 1)" >/dev/null
size=$(value "SELECT count(*) FROM r_places WHERE anon_class = (SELECT anon_class FROM r_places WHERE note = 'note 17')")
value "CREATE TABLE members AS SELECT note FROM r_places WHERE anon_class = (SELECT anon_class FROM r_places WHERE note = 'note 17');
  CREATE TABLE read_before AS TABLE r; DELETE FROM people WHERE id = 17"
like "only the owner withdraws" "$(value "SET ROLE t_over_reader; SELECT anon_withdraw_class('r', '{17}')")" '42501: must be owner'
is "a class is withdrawn" "$(value "SELECT anon_withdraw_class('r', '{17}')")" "$size"
is "whole, the same day" "$(value "SELECT count(*), count(*) FILTER (WHERE note IN (TABLE members)) FROM r")" "$((200 - size))|0"
is "its values are stored nowhere" "$(pg_dump -t 'r_*' over_time_t | grep -cwE "$(value "SELECT string_agg(note, '|') FROM members")")" 0
is "the other classes are as they were" "$(value "SELECT count(*) FROM (SELECT * FROM r EXCEPT ALL SELECT * FROM read_before) AS x")" 0
is "readers of older versions keep what they have read: a class of k" "$(value "SELECT count(*) >= 5 FROM (TABLE read_before EXCEPT ALL TABLE r) AS x")" t
is "the others of the class stay outside" "$(refresh)" "3|$((200 - size))|0|0|0|0|0|$((size - 1))"
is "all versions keep their promise" "$(value "SELECT anon_assert_history('r')")" ''
like "nobody has such a key" "$(value "SELECT anon_withdraw_class('r', '{999999}')")" '42704: no class of the release has this key'
like "a key of other columns" "$(value "SELECT anon_withdraw_class('r', '{1,2}')")" '22023: parameter "key" needs one value of each key column'
like "not a value of the key's type" "$(value "SELECT anon_withdraw_class('r', '{x}')")" '22P02'
like "a release without a key" "$(value "SELECT anon_withdraw_class('people', '{1}')")" '42809: "people" is not a release with a key'
is "again, when the class is gone: nothing more" "$(value "SELECT anon_withdraw_class('r', '{17}')")" "$size"
value "SELECT anon_drop('r'); DROP TABLE members, read_before" >/dev/null

# Two classes of x and two of y are founded together, each half the variation away from their table. Without one class of x the
# other is two thirds away from the rows that are left.
value "CREATE TABLE halves AS SELECT i AS id, (i - 1) / 5 * 1000 + i AS age, CASE WHEN i < 11 THEN 'x' ELSE 'y' END AS job FROM generate_series(1, 20) AS i;
  SELECT FROM anon_publish('h', 'halves', '{age}', 5, method => 'mondrian', sensitive => '{job}', t => 0.5, key => '{id}')" >/dev/null
of_founding() { value "SELECT round(level::numeric, 3) FROM anon_audit_history('h') WHERE model = 't-closeness'"; }
is "classes are half away from the rows founded with them" "$(value 'SELECT count(DISTINCT anon_class) FROM h_places') $(of_founding) $(value "SELECT anon_assert_history('h')")" '4 0.500 '
is "one of them is withdrawn" "$(value "SELECT anon_withdraw_class('h', '{1}')")" 5
is "the others are compared with the rows that are left" "$(of_founding)" 0.667
like "which an assertion says" "$(value "SELECT anon_assert_history('h')")" 't-closeness'
is "and no refresh fails for it: their rows stay as they were" "$(value "SELECT version, rows, outside FROM anon_refresh('h')") $(value "SELECT job, count(*) FROM h GROUP BY 1 ORDER BY 1" | paste -sd ' ')" '3|15|5 x|5 y|10'
value "SELECT anon_drop('h'); DROP TABLE halves" >/dev/null

# A distribution that moves: 5 % of the people a night, whose values rise. Classes are compared with the rows founded with
# them, so no refresh fails, and few values are withheld.
value "CREATE TABLE moving (id int PRIMARY KEY, age int, hours int, job int); SELECT setseed(0.31);
  CREATE FUNCTION arrive(first int, number int, night int) RETURNS void LANGUAGE sql AS \$\$
    INSERT INTO moving SELECT first + i, 17 + (60 * random() * random())::int, 20 + (20 * random() + 20 * random())::int,
      least(13, 6 * random() * random() + night / 10.0)::int FROM generate_series(1, number) AS i \$\$;
  SELECT arrive(0, 1000, 0); SET client_min_messages = warning;
  SELECT FROM anon_publish('d', 'moving', '{age,hours}', 5, method => 'tclose', sensitive => '{job}', t => 0.2, key => '{id}')" >/dev/null
drift() {
  {
    echo "SET client_min_messages = warning; SELECT setseed(0.32);"
    for night in {2..60}; do
      echo "DELETE FROM moving WHERE id IN (SELECT id FROM moving ORDER BY random() LIMIT 50); SELECT arrive($night * 1000, 50, $night);
        SELECT FROM anon_refresh('d');"
    done
  } | psql -X -q -At -v ON_ERROR_STOP=1 -o /dev/null 2>&1
}
is "drift: 60 nights without an error" "$(drift)" ''
is "drift: at least 80 % of the people are published, and at most 20 % of the rows withhold their values" \
  "$(value "SELECT rows - vacant >= 0.8 * (rows - vacant + waiting + outside), withheld <= 0.2 * rows FROM anon_releases WHERE release = 'd'::regclass")" 't|t'
is "drift: each class is within t of the rows founded with it" "$(value "SELECT level <= 0.2 FROM anon_audit_history('d') WHERE model = 't-closeness'") $(value "SELECT anon_assert_history('d')")" 't '
is "drift: as plain SQL counts" "$(value "
  WITH shown AS (SELECT anon_since, anon_class, job FROM d_places WHERE job IS NOT NULL),
    number AS (SELECT anon_since, job, row_number() OVER (PARTITION BY anon_since ORDER BY job) AS place, count(*) OVER (PARTITION BY anon_since) AS m
      FROM shown GROUP BY 1, 2),
    share AS (SELECT c.anon_since, c.anon_class, n.place, n.m,
        (SELECT avg((s.job <= n.job)::int) FROM shown AS s WHERE s.anon_class = c.anon_class) AS p,
        (SELECT avg((s.job <= n.job)::int) FROM shown AS s WHERE s.anon_since = c.anon_since) AS q
      FROM (SELECT DISTINCT anon_since, anon_class FROM shown) AS c JOIN number AS n USING (anon_since))
  SELECT max(emd) <= 0.2, round(max(emd), 6) = (SELECT round(level::numeric, 6) FROM anon_audit_history('d') WHERE model = 't-closeness')
  FROM (SELECT sum(abs(p - q)) / greatest(max(m) - 1, 1) AS emd FROM share GROUP BY anon_class) AS d")" 't|t'
value "SELECT anon_drop('d'); DROP TABLE moving" >/dev/null

# Values of char(n) are compared whole.
value "CREATE TABLE coded AS SELECT id, age, hours, ('x' || job)::char(5) AS job FROM origin;
  SET client_min_messages = warning; SELECT FROM anon_publish('c', 'coded', '{age,hours}', 5, sensitive => '{job}', key => '{id}')"
is "nobody has changed" "$(value "SELECT changed FROM anon_refresh('c')")" 0
is "a change behind the first letter is one" "$(value "UPDATE coded SET job = 'xw' WHERE id <= 3; SELECT changed FROM anon_refresh('c')")" 3
value "SELECT anon_drop('c'); DROP TABLE coded" >/dev/null

# Other tools' versions.
value "CREATE TABLE v1 AS SELECT id, age / 10 AS age, job FROM origin; CREATE TABLE v2 AS SELECT id, age / 9 AS age, job FROM origin WHERE id > 3"
is "versions that were recoded anew give values away" "$(value "SELECT value < 5 FROM anon_audit_versions('{v1,v2}', '{age}', '{job}', '{id}')
  WHERE measure = 'fewest places with one history'")" t
is "one version is as it is" "$(value "SELECT value FROM anon_audit_versions('{v1}', '{age}', '{job}', '{id}') WHERE measure = 'fewest possible values'")" 5
value "CREATE TABLE nested_1 AS SELECT * FROM (VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 1, 'a')) AS v (id, class, job);
  CREATE TABLE nested_2 AS SELECT * FROM nested_1 WHERE id < 3" >/dev/null
is "a class without the class in it tells a value" "$(value "SELECT string_agg(round(value::numeric)::text, ' ') FROM anon_audit_versions('{nested_1,nested_2}', '{class}', '{job}', '{id}')
  WHERE measure IN ('fewest possible values', 'values certain, per cent')")" '1 33'
export PGDATABASE=postgres
value 'DROP DATABASE over_time_t; DROP ROLE t_over_owner, t_over_reader' >/dev/null
value 'DROP DATABASE over_time_t'; value 'DROP ROLE t_over_owner, t_over_reader'
done_testing
