#!/bin/bash
# Memory that ends at any allocation of C++ code, also in threads: a call ends in one error or succeeds with the same result, and the session
# goes on.
. test/t/tap.sh
. scripts/say.sh
. scripts/cluster.sh
start_test_cluster
server_module failing_new memory
LD_PRELOAD=$module restart_cluster
fresh_database memory_t
value "CREATE FUNCTION fail_new(n bigint) RETURNS bigint AS '$module' LANGUAGE C STRICT;
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 30 AS age, 100.0 * (i % 5) AS income, 'i' || i % 4 AS illness FROM generate_series(1, 60) AS i;
  CREATE TABLE visits AS SELECT i AS visit, 1 + i % 60 AS person, i % 7 AS day FROM generate_series(1, 90) AS i;
  SELECT FROM anon_publish('plain', 'people', '{age,income}', 4, keep => '{illness}');
  SELECT FROM anon_publish('swapped', 'people', '{age,income}', 4, sensitive => '{illness}', recode => 'swap');
  SELECT FROM anon_publish('keyed', 'people', '{age,income}', 4, sensitive => '{illness}', key => '{id}', beside => 'ignore');
  SELECT FROM anon_publish_set('grown', '{\"people\": {\"qi\": [\"age\"], \"keep\": [\"illness\"], \"key\": [\"id\"]},
    \"visits\": {\"qi\": [\"day\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', 4, key => '{id}', beside => 'ignore');
  DELETE FROM people WHERE id < 3; DELETE FROM visits WHERE person < 3;
  INSERT INTO people SELECT i, 20 + i * 7 % 30, 100.0 * (i % 5), 'i' || i % 4 FROM generate_series(61, 80) AS i"
# The SQLSTATE of a statement that is rolled back, and its result or error. The n-th allocation fails.
value "CREATE FUNCTION outcome(call text, n bigint) RETURNS text LANGUAGE plpgsql AS \$\$
  DECLARE result text;
  BEGIN
    PERFORM fail_new(n);
    EXECUTE format('SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (%s) AS r', call) INTO result;
    RAISE EXCEPTION USING ERRCODE = 'UNDO1', MESSAGE = coalesce(result, '');
  EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
  END \$\$"
# Whether a statement succeeds, and how it ended as its allocations failed, one after the other and then one of many. It is called again now and then.
value "CREATE FUNCTION ends(call text) RETURNS TABLE (succeeds boolean, failed boolean, ends text) LANGUAGE plpgsql AS \$\$
  DECLARE
    expected text;
    calls bigint;
    n bigint := 1;
    had text;
    ended text[] := '{}';
  BEGIN
    PERFORM outcome(call, 0);
    expected := outcome(call, 0);
    calls := fail_new(0);
    WHILE n <= calls LOOP
      had := outcome(call, n);
      ended := ended || CASE had WHEN '53200 out of memory' THEN 'error' WHEN expected THEN 'result' ELSE left(had, 100) END;
      IF n % 16 = 0 AND outcome(call, 0) <> expected THEN ended := ended || 'another result afterwards'::text; END IF;
      n := n + greatest(1, (n - 40) / 8);
    END LOOP;
    IF outcome(call, 0) <> expected THEN ended := ended || 'another result afterwards'::text; END IF;
    RETURN QUERY SELECT expected LIKE 'UNDO1%', 'error' = ANY (ended), (SELECT string_agg(DISTINCT e, ', ') FROM unnest(ended) AS e WHERE e NOT IN ('error', 'result'));
  END \$\$"
while IFS= read -r call; do
  is "$call" "$(value "SET anonkit.threads = 2; SELECT * FROM ends(\$q\$$call\$q\$)")" 't|t|'
done <<'END'
SELECT masked FROM anon_mdav('people', '{age,income,illness}', 4)
SELECT masked FROM anon_mdav('people', '{age,income}', 2, block_size => 10)
SELECT masked FROM anon_microaggregate('people', '{age,income}', 4, sensitive => '{illness}', l => 2, block_size => 20)
SELECT masked FROM anon_tclose('people', '{age}', '{illness}', 4, 0.5)
SELECT masked FROM anon_mondrian('people', '{age,illness}', 4)
SELECT masked FROM anon_incognito('people', '{age}', '{"age": {"range": [5, 10]}}', 4)
SELECT anon_mdav_class(4, VARIADIC ARRAY[age, income]::float8[]) OVER () FROM people
SELECT * FROM anon_audit('people', '{age}', '{illness}')
SELECT * FROM anon_risk('people', '{age}', '{illness}')
SELECT * FROM anon_linkage('people', 'plain', '{age,income}')
SELECT * FROM anon_infer('people', 'plain', '{age,income}', '{illness}')
SELECT * FROM anon_utility('people', 'plain', '{age,income}')
SELECT rows FROM anon_publish('made', 'people', '{age,income}', 4, keep => '{illness}')
SELECT rows FROM anon_publish('made', 'people', '{age,income}', 4, sensitive => '{illness}', key => '{id}', beside => 'ignore')
SELECT rows FROM anon_refresh('plain')
SELECT rows FROM anon_refresh('swapped')
SELECT rows, waiting FROM anon_refresh('keyed')
SELECT anon_withdraw_class('keyed', '{20}')
SELECT * FROM anon_audit_history('keyed')
SELECT sum(rows) FROM anon_refresh_set('grown', beside => 'ignore')
SELECT length(anon_report('plain')) > 1000
END
is "nothing is left" "$(value "SELECT count(*) FROM pg_class WHERE relname ~ '^made|^pg_temp'")" 0
done_testing
