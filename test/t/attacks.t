#!/bin/bash
# Attacks by a role that owns a release, or may create in the extension's schema. It gains no right
# of anonkit's callers, replaces no function of anonkit, and stops no server.
. test/t/tap.sh
fresh_database attacks_t
value "CREATE ROLE t_mallory LOGIN; CREATE ROLE t_alice LOGIN; GRANT CREATE ON SCHEMA public TO t_mallory, t_alice;
  CREATE TABLE people AS SELECT i AS id, i % 50 AS age, i * 7 % 101 AS pay FROM generate_series(1, 100) AS i;
  GRANT SELECT ON people TO t_mallory, t_alice"
started=$(value 'SELECT pg_postmaster_start_time()')
mallory() { value "$1" -U t_mallory; }
listed() { value "SELECT count(*) FROM anon_releases WHERE release = '$1'::regclass"; }
not_a_release() {
  is "$1: not listed" "$(listed "$2")" 0
  is "$1: no figures" "$(value "SELECT count(*) FROM anon_release_info('$2')")" 0
  like "$1: not refreshed" "$(mallory "SELECT anon_refresh('$2')")" '42809: "[a-z_]+" is not a release'
  like "$1: not dropped" "$(mallory "SELECT anon_drop('$2')")" '42809: "[a-z_]+" is not a release'
}

# The owner of a release wrote the functions of its source; a superuser refreshes it every night.
mallory "CREATE TABLE tried (who text, what text, outcome text);
  CREATE FUNCTION attempt(command text) RETURNS void LANGUAGE plpgsql AS \$\$
  BEGIN
    EXECUTE command;
    INSERT INTO public.tried VALUES (current_user, command, 'done');
  EXCEPTION WHEN OTHERS THEN
    INSERT INTO public.tried VALUES (current_user, command, SQLSTATE);
  END \$\$;
  CREATE FUNCTION greedy(x int) RETURNS int LANGUAGE plpgsql AS \$\$
  BEGIN
    PERFORM public.attempt('ALTER ROLE t_mallory SUPERUSER');
    PERFORM public.attempt('SET SESSION AUTHORIZATION DEFAULT');
    PERFORM public.attempt('RESET ROLE; ALTER ROLE t_mallory SUPERUSER');
    PERFORM public.attempt('CREATE TEMPORARY TABLE pg_class_too (a int)');
    PERFORM public.attempt(\$q\$SELECT set_config('anonkit.max_memory', '1MB', false)\$q\$);
    PERFORM public.attempt(\$q\$SELECT set_config('search_path', 'public', false)\$q\$);
    RETURN x;
  END \$\$;
  CREATE VIEW bait AS SELECT greedy(age) AS age, pay FROM people;
  GRANT INSERT ON tried TO PUBLIC" >/dev/null
for method in aggregate mdav; do
  is "$method: published by its owner" "$(mallory "SELECT rows FROM anon_publish('mine_$method', 'bait', '{age,pay}', 5, method => '$method')")" 100
  value 'TRUNCATE tried'
  is "$method: refreshed by the superuser" "$(value "SELECT rows FROM anon_refresh('mine_$method');
    SHOW anonkit.max_memory; SHOW search_path")" $'100\n4GB\n"$user", public'
  is "$method: the owner is no superuser" "$(value "SELECT rolsuper FROM pg_roles WHERE rolname = 't_mallory'")" f
  is "$method: all code ran as the owner" "$(value 'SELECT DISTINCT who FROM tried')" t_mallory
  is "$method: nothing succeeded but settings of its own" "$(value "SELECT DISTINCT what FROM tried WHERE outcome = 'done'
    AND what NOT LIKE 'SELECT set_config%'")" ''
done

# A source with row-level security is read as the owner of the release sees it, by the proof too.
value "CREATE TABLE wards AS SELECT i AS id, i % 10 AS ward, i AS pay FROM generate_series(1, 100) AS i;
  ALTER TABLE wards ENABLE ROW LEVEL SECURITY; CREATE POLICY half ON wards TO t_alice USING (ward < 5); GRANT SELECT ON wards TO t_alice"
is "half of a table is published" "$(value "SELECT rows FROM anon_publish('half', 'wards', '{id,pay}', 5, method => 'aggregate')" -U t_alice)" 50
is "and refreshed by the superuser" "$(value "SELECT rows FROM anon_refresh('half')")" 50

# Names of ours, in our schema.
arguments=$(printf 'int, %.0s' {1..39})int
mallory "CREATE FUNCTION anon_mdav($arguments) RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION anon_mdav(tbl text, evil text) RETURNS int LANGUAGE sql AS 'SELECT 1'"
is "an overload of a method is not taken for it" "$(value "SELECT value FROM anon_evaluate('people', '{age}', 5, 'mdav') WHERE measure = 'rows'")" 100
like "nor are its parameters" "$(value "SELECT anon_evaluate('people', '{age}', 5, 'mdav', params => '{\"evil\": 1}')")" '22023: method "mdav" has no parameter "evil"'
mallory "CREATE FUNCTION anon_release(x int, y int) RETURNS TABLE (age int) LANGUAGE sql AS 'SELECT 1';
  CREATE MATERIALIZED VIEW other_function AS SELECT * FROM anon_release(1, 2);
  CREATE FUNCTION anon_release() RETURNS TABLE (age int) LANGUAGE sql AS 'SELECT 1';
  CREATE MATERIALIZED VIEW no_arguments AS SELECT * FROM anon_release();
  CREATE FUNCTION anon_release(tbl oid, spec text) RETURNS SETOF record LANGUAGE sql AS 'SELECT 1';
  CREATE MATERIALIZED VIEW other_types AS SELECT * FROM anon_release(1::oid, 'x'::text) AS r (age int)"
for view in other_function no_arguments other_types; do not_a_release "$view" "$view"; done
is "the list is whole" "$(value 'SELECT count(*) FROM anon_releases')" 3
mallory "SET search_path = '';
  CREATE FUNCTION public.anon_releases() RETURNS int LANGUAGE sql AS 'SELECT 1'" >/dev/null
is "publishing calls ours" "$(value "SELECT rows FROM anon_publish('ours', 'people', '{age}', 5)")" 100

# Views that use the call and show something else.
call="anon_release('people'::regclass, '{\"method\": \"mdav\", \"qi\": [\"age\"], \"k\": 5}'::jsonb)"
while IFS='|' read -r what query; do
  name=${what// /_}
  is "$what: made" "$(mallory "CREATE MATERIALIZED VIEW $name AS $query")" ''
  not_a_release "$what" "$name"
done <<END
joined with raw rows|SELECT r.age, p.pay FROM $call AS r (age int), people AS p
a condition|SELECT * FROM $call AS r (age int) WHERE age > 3
a condition that nothing meets|SELECT * FROM $call AS r (age int) WHERE false
a limit|SELECT * FROM $call AS r (age int) LIMIT 4
an offset|SELECT * FROM $call AS r (age int) OFFSET 4
sorted|SELECT * FROM $call AS r (age int) ORDER BY age
only distinct rows|SELECT DISTINCT * FROM $call AS r (age int)
grouped|SELECT age FROM $call AS r (age int) GROUP BY age
aggregated|SELECT sum(age) FROM $call AS r (age int)
a union|SELECT * FROM $call AS r (age int) UNION ALL SELECT age FROM people
a common table expression|WITH raw AS (SELECT age AS raw FROM people) SELECT r.* FROM $call AS r (age int)
in a subquery|SELECT * FROM (SELECT * FROM $call AS r (age int)) AS s
another column|SELECT age, 1 AS one FROM $call AS r (age int)
a column computed|SELECT age + 1 AS age FROM $call AS r (age int)
a column cast|SELECT age::text FROM $call AS r (age int)
a raw column by subquery|SELECT age, (SELECT max(p.pay) FROM people AS p) FROM $call AS r (age int)
twice|SELECT age, age AS again FROM $call AS r (age int)
no column|SELECT FROM $call AS r (age int)
with ordinality|SELECT age, n FROM ROWS FROM ($call AS (age int)) WITH ORDINALITY AS r (age, n)
beside another function|SELECT * FROM ROWS FROM ($call AS (age int), generate_series(1, 3)) AS r (age, n)
a source computed|SELECT * FROM anon_release(('public.peo' || 'ple')::regclass, '{"method": "mdav", "qi": ["age"], "k": 5}'::jsonb) AS r (age int)
END
is "the call alone is a release" "$(mallory "CREATE MATERIALIZED VIEW alone AS SELECT * FROM $call AS r (age int)" && listed alone)" 1

# Locks: the list waits for no session and keeps no lock.
is "listing takes no lock on a release" "$(value "BEGIN; SELECT count(*) > 2 FROM anon_releases;
  SELECT count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation WHERE l.pid = pg_backend_pid() AND c.relkind = 'm'; COMMIT")" $'t\n0'
value "BEGIN; REFRESH MATERIALIZED VIEW mine_mdav; SELECT pg_sleep(600)" >/dev/null &
builder="SELECT pid FROM pg_locks WHERE relation = 'mine_mdav'::regclass AND mode = 'AccessExclusiveLock' AND granted"
until [ -n "$(value "$builder")" ]; do sleep 0.1; done
is "a release that another session builds is listed" "$(value "SET lock_timeout = 1;
  SELECT rows, current IS NULL FROM anon_releases WHERE release = 'mine_mdav'::regclass")" '100|t'
like "a stranger gets no lock" "$(value "SET lock_timeout = 300; SELECT anon_refresh('mine_mdav')" -U t_alice)" '42501: must be owner of materialized view mine_mdav'
value "SELECT pg_terminate_backend(pid) FROM ($builder) AS b" >/dev/null
wait

is "the server never stopped" "$(value 'SELECT pg_postmaster_start_time()')" "$started"
PGDATABASE=postgres value 'DROP DATABASE attacks_t WITH (FORCE)' >/dev/null
value 'DROP ROLE t_mallory, t_alice' -d postgres
done_testing
