#!/bin/bash
# All that a stranger can read is output: the rows and their order, comments, catalogs, statistics, sizes and plans. One
# person's change that the rows hide must change none of it, in any kind of release.
. test/t/tap.sh
fresh_database strangers_t
value "CREATE ROLE t_stranger LOGIN" >/dev/null
# stranger STATEMENT [-c STATEMENT]...: in one session.
stranger() { value "$@" -U t_stranger; }

# Everything that a refresh without a change leaves as it was, with fresh statistics for plans. Counters and sizes grow: see growth().
catalogs() {
  value "DO 'BEGIN EXECUTE ''ANALYZE '' || coalesce(to_regclass(''r_places''), ''r''); END'"
  stranger "SELECT objoid::regclass, objsubid, regexp_replace(description, 'built=[0-9]+', '') FROM pg_description
    WHERE classoid = 'pg_class'::regclass AND objoid::regclass::text ~ '^r' ORDER BY 1, 2" \
    -c "SELECT to_jsonb(l) - '{built,age}'::text[] FROM anon_releases AS l WHERE release = 'r'::regclass" \
    -c "SELECT to_jsonb(i) - 'built' FROM anon_release_info('r') AS i" \
    -c "SELECT relname, relkind, relnatts, relhasindex, relacl, reloptions FROM pg_class WHERE relname ~ '^r(_|$)' ORDER BY 1" \
    -c "SELECT * FROM pg_stats WHERE tablename ~ '^r_'" \
    -c "SELECT refobjid::regclass, count(*) FROM pg_depend WHERE refobjid::regclass::text ~ '^r(_|$)' GROUP BY 1 ORDER BY 1" \
    -c 'SELECT * FROM r' -c "EXPLAIN SELECT * FROM r WHERE job = 'v1'"
}
counters() {
  others_ended
  stranger "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables WHERE relname ~ '^r(_|$)' ORDER BY 1" \
    -c "SELECT relname, pg_relation_size(oid) / 8192 FROM pg_class WHERE relname ~ '^r(_|$)' ORDER BY 1"
}
# growth BEFORE AFTER: what counters have grown by; a companion may grow by the page that any refresh may add.
growth() {
  paste -d '|' <(printf '%s\n' "$1") <(printf '%s\n' "$2") | awk -F'|' '
    NF == 8 { print $1, $6 - $2, $7 - $3, $8 - $4 }
    NF == 4 { print $1, $1 ~ /companion/ ? "" : $4 - $2 }'
}
refresh() { value "SELECT FROM anon_refresh('r')"; }

# hidden WHAT CHANGE: a change between two refreshes that no stranger can see.
hidden() {
  local seen before between after
  refresh && before=$(counters) && refresh
  seen=$(catalogs) between=$(counters)
  value "$2"
  refresh
  after=$(counters)
  is "$1: the same catalogs, rows, order, comments and plans" "$(catalogs)" "$seen"
  is "$1: the same writes and sizes" "$(growth "$between" "$after")" "$(growth "$before" "$between")"
}
# again ARGUMENTS: a release for strangers, of people as on the first day.
again() {
  [ "$(value "SELECT to_regclass('r') IS NULL")" = t ] || value "SELECT anon_drop('r')" >/dev/null
  value "DROP TABLE IF EXISTS people; CREATE TABLE people AS
    SELECT i AS id, 20 + i * 7 % 50 AS age, 10 + i * 13 % 40 AS hours, 'v' || i * 11 % 7 AS job FROM generate_series(1, 200) AS i;
    SELECT FROM anon_publish('r', 'people', $1, grant_to => '{t_stranger}')"
}

# ---- Without a key: what ranges, labels, suppression and withholding hide.
again "'{age,hours}', 40, method => 'mondrian', sensitive => '{job}'"
like "ranges: a stranger sees no figure of the source" \
  "$(stranger "SELECT loss, ncp, suppressed, seconds, waiting, vacant, stale, changed, outside, coverage, least_coverage FROM anon_releases WHERE release = 'r'::regclass")" '^[|]+$'
again "'{age}', 5, method => 'datafly', sensitive => '{job}', params => '{\"hierarchies\": {\"age\": {\"range\": [10, 50]}}}'"
hidden "full-domain labels: a quasi-identifier within its label" 'UPDATE people SET age = age + 1 WHERE id = (SELECT id FROM people WHERE age % 10 = 3 ORDER BY id LIMIT 1)'
hidden "a column that is not published" "UPDATE people SET hours = hours + 1 WHERE id = 7"
again "'{age,hours}', 5, sensitive => '{job}', l => 4, params => '{\"decoys\": 0.9, \"seed\": 3}', transparent => true"
withheld="(SELECT p.id FROM people AS p, r WHERE r.job IS NULL AND abs(p.age - r.age) < 3 AND abs(p.hours - r.hours) < 3 ORDER BY p.id LIMIT 1)"
like "transparent: some values are withheld" "$(value "SELECT $withheld")" '^[1-9]'

# Means and aggregates show a change of a quasi-identifier in their cells. Columns that are not published and the order of the
# rows stay hidden.
for method in microaggregate aggregate; do
  functions=''
  [ $method = microaggregate ] || functions=", params => '{\"functions\": [\"sum\"]}'"
  again "'{age,hours}', 5, method => '$method'$functions"
  like "$method: a stranger sees no figure of the source" \
    "$(stranger "SELECT loss, ncp, il, suppressed, seconds FROM anon_releases WHERE release = 'r'::regclass")" '^[|]+$'
  hidden "$method: a column that is not published" "UPDATE people SET job = 'other' WHERE id = 7"
  hidden "$method: rows in another order" "WITH moved AS (DELETE FROM people WHERE id % 3 = 0 RETURNING *) INSERT INTO people SELECT * FROM moved"
done
again "'{age,hours}', 5, sensitive => '{job}', l => 2"
rows() { stranger 'SELECT age, hours, job, count(*) FROM r GROUP BY 1, 2, 3 ORDER BY 1, 2, 3'; }
released=$(rows)
value "DELETE FROM people; INSERT INTO people SELECT i, 20 + i * 7 % 50, 10 + i * 13 % 40, 'v' || i * 11 % 7 FROM generate_series(200, 1, -1) AS i"
refresh
is "means: the same people, entered in another order, are the same release" "$(rows)" "$released"
like "means: and the order of its rows" "$(stranger "SELECT md5(string_agg(r::text, ' ')) FROM r")" "$(value "SELECT anon_drop('r')" >/dev/null
  value "SELECT FROM anon_publish('r', 'people', '{age,hours}', 5, sensitive => '{job}', l => 2, grant_to => '{t_stranger}')"
  stranger "SELECT md5(string_agg(r::text, ' ')) FROM r")"

# ---- With a key: values never show after the founding, quasi-identifiers and presence by weights alone.
for options in '' ", transparent => true"; do
  name="key${options:+, transparent}"
  again "'{age,hours}', 5, sensitive => '{job}', l => 2, params => '{\"decoys\": 0.3}', key => '{id}', max_wait => 1$options"
  hidden "$name: one person's value changes" "UPDATE people SET job = 'other' WHERE id = 17"
  hidden "$name: all values are spelt otherwise" "UPDATE people SET job = upper(job)"
  hidden "$name: one person's quasi-identifier changes" "UPDATE people SET age = age + 9 WHERE id = 18"
  value "INSERT INTO people VALUES (1001, 30, 20, 'v1')"
  refresh
  hidden "$name: the value of a person who waits" "UPDATE people SET job = 'v2' WHERE id = 1001"
  # With the one who waits, seven alike people found a class that withholds its values.
  value "UPDATE people SET job = 'alike' WHERE id = 1001; INSERT INTO people SELECT 2000 + i, 90, 20 + i, 'alike' FROM generate_series(1, 6) AS i"
  refresh
  is "$name: newcomers who are alike do not wait, and withhold" \
    "$(value "SELECT count(*), count(job) FROM r_places WHERE anon_since = (SELECT max(anon_since) FROM r_places)")" '7|0'
  hidden "$name: a value that is withheld" "UPDATE people SET job = 'another' WHERE id = 2001"
  value "ANALYZE r_places"
  is "$name: plans do not know withheld values" "$(stranger "EXPLAIN SELECT FROM r WHERE job = 'alike'" | grep -o 'rows=[0-9]*' | head -n 1)" \
    "$(stranger "EXPLAIN SELECT FROM r WHERE job = 'nobody'" | grep -o 'rows=[0-9]*' | head -n 1)"
  is "$name: withheld values are stored nowhere" "$(pg_dump -t 'r_*' strangers_t | grep -c alike)" 0
  is "$name: all versions keep their promises" "$(value "SELECT anon_assert_history('r')")" ''
  value "UPDATE people SET job = 'other' WHERE id BETWEEN 1 AND 200"
  refresh
  is "$name: no class retires for a value" "$(value 'SELECT count(*) FROM r_places WHERE anon_until IS NOT NULL')" 0
done

# Several rows a person, and promises about the distribution. A promise about it may form other classes tonight for a value, but
# the classes of the nights before stay as they are.
again "'{age,hours}', 5, method => 'mondrian', sensitive => '{job}', l => 2, key => '{id}', unit => '{id}', max_wait => 1"
hidden "unit: one person's value changes" "UPDATE people SET job = 'other' WHERE id = 17"
hidden "unit: a quasi-identifier changes" "UPDATE people SET age = age + 9 WHERE id = 18"
value "ALTER TABLE people ADD patient int; UPDATE people SET patient = id % 60"
value "SELECT anon_drop('r'); SELECT FROM anon_publish('r', 'people', '{age,hours}', 5, method => 'mondrian', sensitive => '{job}', l => 2, key => '{id}',
  unit => '{patient}', max_wait => 1, grant_to => '{t_stranger}')" >/dev/null
hidden "several rows a person: a value changes" "UPDATE people SET job = 'other' WHERE id = 17"
hidden "several rows a person: all values of one change" "UPDATE people SET job = 'another' WHERE patient = 3"
again "'{age,hours}', 5, method => 'tclose', sensitive => '{job}', t => 0.4, key => '{id}', max_wait => 1"
hidden "t: one person's value changes" "UPDATE people SET job = 'v3' WHERE id = 17"
hidden "t: all values are spelt otherwise" "UPDATE people SET job = upper(job)"
hidden "t: a quasi-identifier changes" "UPDATE people SET age = age + 9 WHERE id = 18"

# The state in the companion has one row of one size for each number of persons who wait, whatever their values.
state_size() { value "SELECT count(*), sum(length(bytes)) FROM r_companion WHERE item = 'state'"; }
again "'{age,hours}', 5, sensitive => '{job}', l => 2, params => '{\"decoys\": 0.3}', key => '{id}'"
value "INSERT INTO people VALUES (1001, 30, 20, 'v1')"
refresh
size=$(state_size)
value "UPDATE people SET job = repeat('long', 500) WHERE id IN (1001, 7)"
refresh
is "the state has the size that it had before a value changed" "$(state_size)" "$size"
value "INSERT INTO people VALUES (1002, 31, 20, 'v1')"
refresh
is "and 36 bytes more for one more who waits" "$(state_size)" "1|$((${size#*|} + 36))"

# ---- What one person's coming or leaving tells: weights and the dates of classes, and nothing of values.
again "'{age,hours}', 5, sensitive => '{job}', l => 2, params => '{\"decoys\": 0}', key => '{id}', max_wait => 1, transparent => true"
twin() { value "SELECT string_agg(format('%s %s %s %s', age, hours, weight, job), ',' ORDER BY age, hours, weight, job) FROM r"; }
# Two histories: values change hands within the classes of the first night, and people come and go alike.
nights() {
  for night in 1 2 3 4 5 6 7 8; do
    value "DELETE FROM people WHERE id % 37 = $night;
      INSERT INTO people SELECT 1000 * $night + i, 20 + (i * 17 + $night) % 50, 10 + (i * 5 + $night) % 40, 'v' || (i + $night) % 3 FROM generate_series(1, 9) AS i"
    refresh
    twin
  done
}
value "CREATE TABLE first_day AS SELECT * FROM people; CREATE FUNCTION class_of(int) RETURNS bigint LANGUAGE sql AS
  'SELECT p.anon_class FROM r_places AS p, (SELECT substr(bytes, 5, 32) AS secret FROM r_companion WHERE item = ''state'') AS s
   WHERE p.anon_person = sha256(s.secret || convert_to(\$1::text, ''UTF8'') || ''\\x00'')';
  CREATE TABLE shown AS SELECT id, class_of(id) AS class, job FROM people
    WHERE class_of(id) IN (SELECT anon_class FROM r_places GROUP BY 1 HAVING count(job) > 0)"
first=$(twin; nights)
value "SELECT anon_drop('r'); TRUNCATE people; INSERT INTO people SELECT * FROM first_day;
  UPDATE people SET job = new.job FROM (SELECT a.id, b.job FROM
      (SELECT id, class, row_number() OVER (PARTITION BY class ORDER BY id) AS i FROM shown) AS a JOIN
      (SELECT class, job, row_number() OVER (PARTITION BY class ORDER BY id DESC) AS i FROM shown) AS b USING (class, i)) AS new
    WHERE people.id = new.id" >/dev/null
like "values change hands" "$(value 'SELECT count(*) FROM people JOIN first_day USING (id) WHERE people.job <> first_day.job')" '^[1-9][0-9]+$'
value "SELECT FROM anon_publish('r', 'people', '{age,hours}', 5, sensitive => '{job}', l => 2, params => '{\"decoys\": 0}', key => '{id}',
  max_wait => 1, transparent => true)"
is "transparent over time: nine versions are the same" "$(twin; nights)" "$first"

value "SELECT anon_drop('r')" >/dev/null
export PGDATABASE=postgres
value 'DROP DATABASE strangers_t WITH (FORCE)'; value 'DROP ROLE t_stranger'
done_testing
