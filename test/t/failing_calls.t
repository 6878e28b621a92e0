#!/bin/bash
# Files and threads that are refused at any call: a function ends in one error without a cell, or succeeds with its result, and the session
# goes on.
. test/t/tap.sh
. scripts/say.sh
. scripts/cluster.sh
start_test_cluster
server_module failing_call memory
LD_PRELOAD=$module restart_cluster
fresh_database failing_calls_t
value "CREATE FUNCTION fail_call(kind text, n bigint, reason int, onwards boolean) RETURNS bigint AS '$module' LANGUAGE C STRICT;
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 30 AS age, 100.0 * (i % 5) AS income, 'i' || i % 4 AS illness, repeat('secret', 30) AS note
  FROM generate_series(1, 400) AS i;
  CREATE TABLE visits AS SELECT i AS visit, 1 + i % 400 AS person, i % 7 AS day FROM generate_series(1, 600) AS i;
  SELECT FROM anon_publish('plain', 'people', '{age,income}', 4, keep => '{id,illness,note}'); CREATE UNIQUE INDEX ON plain (id);
  SELECT FROM anon_publish('swapped', 'people', '{age,income}', 4, sensitive => '{illness}', recode => 'swap');
  SELECT FROM anon_publish('keyed', 'people', '{age,income}', 4, sensitive => '{illness}', key => '{id}', beside => 'ignore');
  SELECT FROM anon_publish_set('grown', '{\"people\": {\"qi\": [\"age\"], \"keep\": [\"illness\"], \"key\": [\"id\"]},
    \"visits\": {\"qi\": [\"day\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', 4, key => '{id}', beside => 'ignore');
  INSERT INTO people SELECT i, 20 + i * 7 % 30, 100.0 * (i % 5), 'i' || i % 4, 'secret' FROM generate_series(401, 480) AS i"
# The SQLSTATE of a statement that is rolled back, and its result or error. The n-th call of a kind fails, and all writes and threads after it.
value "CREATE FUNCTION outcome(call text, kind text, n bigint, reason int) RETURNS text LANGUAGE plpgsql AS \$\$
  DECLARE result text;
  BEGIN
    PERFORM fail_call(kind, n, reason, n > 1 AND kind NOT IN ('open', 'read'));
    EXECUTE format('SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (%s) AS r', call) INTO result;
    RAISE EXCEPTION USING ERRCODE = 'UNDO1', MESSAGE = coalesce(result, '');
  EXCEPTION WHEN OTHERS THEN
    PERFORM set_config('t.calls', fail_call('none', 0, 0, false)::text, false);
    RETURN SQLSTATE || ' ' || SQLERRM;
  END \$\$"
# Whether a statement succeeds, the other ends of six runs, and whether it had such calls.
value "CREATE FUNCTION ends(call text, kind text, reason int, error text) RETURNS TABLE (succeeds boolean, calls boolean, ends text) LANGUAGE plpgsql AS \$\$
  DECLARE
    expected text;
    most bigint;
    had text;
    others text[] := '{}';
  BEGIN
    expected := outcome(call, kind, 0, 0);
    most := current_setting('t.calls')::bigint;
    FOR i IN 1..least(most, 5) LOOP
      had := outcome(call, kind, 1 + (i - 1) * most / 5, reason);
      IF had <> expected AND had !~ error OR had ~ 'secret' THEN others := others || left(had, 100); END IF;
    END LOOP;
    IF outcome(call, kind, 0, 0) <> expected THEN others := others || 'another result afterwards'::text; END IF;
    RETURN QUERY SELECT expected LIKE 'UNDO1%', most > 0, (SELECT string_agg(DISTINCT e, ', ') FROM unnest(others) AS e);
  END \$\$"
small="-c work_mem=64kB -c anonkit.threads=4"
while IFS='|' read -r kinds call; do
  for kind in $kinds; do
    case $kind in
      thread) reason=11 error='^$' ;;  # fewer threads do the work, too
      write) reason=28 error='^(53100|58030) could not (extend|write)' ;;
      open) reason=24 error='^(53000|58030|XX000) could not (open|create)' ;;
      *) reason=5 error='^58030 could not' ;;
    esac
    is "$kind: $call" "$(PGOPTIONS="$small" value "SELECT * FROM ends(\$q\$$call\$q\$, '$kind', $reason, '$error')")" 't|t|'
  done
done <<'END'
write|SELECT masked FROM anon_mdav('people', '{age,income,illness}', 4)
thread|SELECT masked FROM anon_mdav('people', '{age,income}', 2, block_size => 50)
thread|SELECT * FROM anon_linkage('people', 'plain', '{age,income}')
thread|SELECT * FROM anon_utility('people', 'plain', '{age,income}')
write open thread|SELECT rows FROM anon_publish('made', 'people', '{age,income}', 4, keep => '{illness,note}', params => '{"block_size": 50}')
write open|SELECT rows FROM anon_publish('made', 'people', '{age,income}', 4, sensitive => '{illness}', key => '{id}', beside => 'ignore')
write open|SELECT rows FROM anon_refresh('plain')
write open|SELECT rows FROM anon_refresh('plain', concurrently => true)
write open|SELECT rows FROM anon_refresh('swapped')
write|SELECT sum(rows) FROM anon_refresh_set('grown', beside => 'ignore')
END
is "no temporary file is left" "$(value 'CHECKPOINT; SELECT count(*) FROM pg_ls_tmpdir()')" 0
is "and no file of a relation that does not exist" "$(value "SELECT count(*) FROM pg_ls_dir('base/' || (SELECT oid FROM pg_database WHERE datname = current_database())) AS f
  WHERE f ~ '^[0-9]' AND NOT EXISTS (SELECT FROM pg_class WHERE pg_relation_filenode(oid) = regexp_replace(f, '[_.].*', '')::oid)")" 0
is "every release can be refreshed" "$(value "SELECT (anon_refresh(r)).rows > 0 FROM unnest('{plain,swapped,keyed}'::regclass[]) AS r" | sort -u)" t

# With few buffers, the catalogs are read again and again. A publication looks for the releases beside it after about four fifths of its
# reads, so these are let fail one by one. A neighbour with many columns has its query in a TOAST table.
value "CREATE TABLE shared AS SELECT i AS id, i % 5 AS illness FROM generate_series(1, 100) AS i;
  DO \$\$ BEGIN EXECUTE format('ALTER TABLE shared %s', (SELECT string_agg(format('ADD a_rather_long_name_of_a_column_%s int', i), ', ')
    FROM generate_series(1, 150) AS i)); END \$\$;
  SELECT FROM anon_publish('neighbour', 'shared', '{id}', 4, sensitive => '{illness}',
    keep => (SELECT array_agg('a_rather_long_name_of_a_column_' || i) FROM generate_series(1, 150) AS i))" -c "ALTER SYSTEM SET shared_buffers = '512kB'" >/dev/null
LD_PRELOAD=$module restart_cluster
beside() {
  value "SELECT outcome(\$q\$SELECT rows FROM anon_publish('beside', 'shared', '{id}', 5, beside => 'refuse')\$q\$, 'read', $1, 5);
    SELECT current_setting('t.calls')"
}
refused=$(beside 0)
like "a release beside another one is refused" "$refused" '^23514'
calls=${refused##*$'\n'}
ends=$(for ((n = calls * 80 / 100; n <= calls * 86 / 100; n += 1)); do beside "$n" | head -n 1 | cut -c1-5; done | sort -u | grep -v '^23514')
is "no read that fails hides a release beside a new one" "$ends" 58030
done_testing
