#!/bin/bash
# Concurrent sessions, step by step, by PostgreSQL's isolation tester: test/isolation/specs, with
# output in test/isolation/expected.
. test/t/tap.sh
tester=$(dirname "$("${PG_CONFIG:-pg_config}" --pgxs)")/../test/isolation/isolationtester
[ -x "$tester" ] || { echo "1..0 # SKIP PostgreSQL's isolation tester is not installed"; exit; }
fresh_database isolation_t
for spec in test/isolation/specs/*.spec; do
  name=$(basename "$spec" .spec)
  is "$name" "$(diff <("$tester" "dbname=$PGDATABASE" <"$spec" 2>&1) "test/isolation/expected/$name.out")" ''
done
PGDATABASE=postgres value 'DROP DATABASE isolation_t WITH (FORCE)' >/dev/null
done_testing
