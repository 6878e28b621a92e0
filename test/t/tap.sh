# Reports results in the Test Anything Protocol. Sourced by test/t/*.t, which run from the project's
# folder against the cluster that PGHOST names.
#
#   ok NAME COMMAND...            the command succeeds
#   is NAME GOT EXPECTED          both are equal
#   like NAME GOT PATTERN         the extended regular expression matches
#   value SQL [PSQL-OPTION...]    prints what a statement returns, or its error with the SQLSTATE
#   fresh_database NAME           makes a database with the extension and connects to it
#   empty_database NAME           one without the extension
#   server_module NAME FOLDER     builds build/FOLDER/NAME.so, and copies it to $module, which the server's user can read
#   eventually COMMAND...         waits until the command succeeds, for five minutes at most
#   until_asleep                  waits until another session of the database is in pg_sleep, or no job of the shell runs
#   others_ended                  waits until no other session is in the database
#   done_testing                  the last line
set -uo pipefail
TESTS=0 BAD=0

report() {
  TESTS=$((TESTS + 1))
  if [ "$1" -eq 0 ]; then
    printf 'ok %d - %s\n' "$TESTS" "$2"
  else
    BAD=$((BAD + 1))
    printf 'not ok %d - %s\n' "$TESTS" "$2"
    printf '%s\n' "${@:3}" | sed 's/^/# /'
  fi
}

ok() {
  local output status=0
  output=$("${@:2}" 2>&1) || status=$?
  report "$status" "$1" "$output"
}

is() {
  if [ "$2" = "$3" ]; then report 0 "$1"; else report 1 "$1" "got:      $2" "expected: $3"; fi
}

like() {
  if [[ $2 =~ $3 ]]; then report 0 "$1"; else report 1 "$1" "got: $2" "no match for: $3"; fi
}

value() {
  PGOPTIONS="-c client_min_messages=warning ${PGOPTIONS:-}" psql -X -q -At -v VERBOSITY=verbose -c "$1" "${@:2}" 2>&1
}

# The messages of a statement, without its result.
details() { PGOPTIONS='-c client_min_messages=notice' psql -X -q -At -o /dev/null -c "$1" 2>&1; }

fresh_database() {
  empty_database "$1"
  value 'CREATE EXTENSION anonkit'
}

empty_database() {
  PGDATABASE=postgres value "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1"
  export PGDATABASE=$1
}

server_module() {
  ok "the module builds" make -C "test/$2" PG_CONFIG="${PG_CONFIG:-pg_config}"
  module=$PGHOST/$1.so
  cp "build/$2/$1.so" "$module"
  chmod 755 "$module"
}

# A busy machine may let a session wait for many seconds before it begins.
eventually() {
  local end=$((SECONDS + 300))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.05
  done
}

asleep_or_ended() {
  [ -n "$(jobs -r)" ] || return 0
  [ "$(value "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()")" != 0 ]
}
until_asleep() { eventually asleep_or_ended; }

# A session reports its writes as it ends, before others stop seeing it.
others_ended() {
  until [ "$(value "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
    AND pid <> pg_backend_pid()")" = 0 ]; do sleep 0.02; done
}

done_testing() {
  printf '1..%d\n' "$TESTS"
  [ "$BAD" -eq 0 ]
}
