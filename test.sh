#!/bin/bash
# Runs every test. The last line states how many passed and failed.
set -uo pipefail
usage='./test.sh [--postgres MAJOR] [SECTION...]

Runs these sections of the tests: core, rules, sanitizers, server (all four by default); on request fuzz, which builds
the extension twice more, and citus, which builds Citus beside the installed server (scripts/build_citus.sh).

  --postgres MAJOR  against that PostgreSQL: the one installed here or, as root, in a fresh machine of
                    the Debian release that has it (test/fresh.sh)'
cd "$(dirname "$(realpath "$0")")" || exit 1
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh
. scripts/tally.sh
. scripts/rules.sh
# The reference data are optional.
if [ -z "${ANONKIT_DATA:-}" ] && [ -d ../shared/data ]; then export ANONKIT_DATA=$PWD/../shared/data; fi

# However this ends, the last line is the sum; a script that stops early is a failure.
ended=
finally() {
  stop_cluster
  [ -n "$ended" ] || FAILURES+=("test.sh did not get to its end")
  [ -n "$ended" ] || FAILED=$((FAILED + 1))
  print_tally || exit 1
  exit 0
}
trap finally EXIT

# build_core FOLDER TARGET... -- CMAKE-OPTION...
build_core() {
  local folder=$1 targets=()
  shift
  while [ "$1" != -- ]; do
    targets+=("$1")
    shift
  done
  cmake -S . -B "$folder" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DANONKIT_WERROR="${WERROR:-OFF}" -DANONKIT_UNITE=ON \
    "${@:2}" && cmake --build "$folder" --target "${targets[@]}" -j"$(nproc)"
}

section_rules() {
  say "House rules: layers, format, static analysis"
  rules_of_the_house
}

# The tests link the core of the extension, which is compiled once for both. The folder is not that of CONTRIBUTING.md,
# where a build compiles the core itself.
build_tests() { build_core build/tests "$@" -- -DCMAKE_BUILD_TYPE=Release -DANONKIT_CORE="$PWD/build/pgxs/core.a"; }

section_core() {
  say "The core's tests (build/tests)"
  check "core builds without PostgreSQL's folders" make -j"$(nproc)" build/pgxs/core.a PG_CONFIG="$PG_CONFIG"
  check "the core's tests build" build_tests core_tests work_tests
  run_gtest "core tests" build/tests/core_tests
  run_gtest "work between two questions" build/tests/work_tests
}

# These measure losses on whole tables, or work, for minutes under sanitizers. Smaller tests run the same code.
FIGURES='Transparent.TheUsualSearchGivesValuesAway:*Census*:Aggregate.LosesLessThanTheFigureOnIncomes'
FIGURES+=':FullDomain.AdultHasTheOptimumOfTheExhaustiveSearch:Adult.EnhancedIsAtMostGreedyAtEveryPAndGreedyBelowIncognito'
FIGURES+=':LowerBound.OfCensusClosesMostOfTheGap:LowerBound.EndsWithItsWorkAndIsReproducible:NestedSizes.A*'
FIGURES+=':RiskMerging.UnitesEqualRecordsInTimeAboutLinear'

section_sanitizers() {
  say "The core's tests again, under AddressSanitizer and UndefinedBehaviorSanitizer"
  check "sanitized core builds" build_tests sanitized_tests
  # Three callers say where memory was allocated, and the last 16 MB that were freed are watched, which is the memory of many
  # of these tests. To walk the whole stack at each allocation, and to touch new memory all the time, takes most of the time.
  run_gtest "sanitized core tests" env ASAN_OPTIONS=malloc_context_size=3:quarantine_size_mb=16 \
    build/tests/sanitized_tests --gtest_filter="-$FIGURES"
  say "What works in threads, under ThreadSanitizer"
  check "core builds with ThreadSanitizer" build_tests thread_tests
  # Its map of the memory bears no addresses that are random in more than 28 bits.
  run_gtest "tests of threads" setarch "$(uname -m)" -R build/tests/thread_tests
}

# Random calls and random bytes, with a fixed seed; test/fuzz/run continues until stopped.
section_fuzz() {
  say "Fuzzing: random calls against a server with sanitizers, random bytes against the core"
  if server_bears_sanitizers; then
    run_tap "random calls" test/fuzz/run --calls "${FUZZ_CALLS:-3000}" --seed 1
  else
    skip "random calls" "PostgreSQL does not start with this machine's sanitizers"
  fi
  if ! printf 'int main() {}' | clang++ -fsanitize=address -x c++ -o /dev/null - 2>/dev/null; then
    skip "random bytes" "there is no clang with its sanitizers"
    return
  fi
  check "fuzz targets build" build_core build/fuzz fuzzers -- -DCMAKE_BUILD_TYPE=Debug \
    -DANONKIT_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++
  local target
  for target in hierarchy methods; do
    check "random bytes: $target" "build/fuzz/${target}_fuzzer" -seed=1 -max_len=400 \
      -runs="${FUZZ_RUNS:-20000}" -artifact_prefix=build/log/
  done
}

section_server() {
  say "The extension, in a PostgreSQL cluster of its own"
  check "extension builds and installs" build_extension
  [ "$STATUS" -eq 0 ] || return
  # Memory that is used before its initialisation, or after its release, has random contents.
  GLIBC_TUNABLES=glibc.malloc.perturb=165 start_test_cluster "log_min_messages = warning" \
    "log_error_verbosity = verbose" "max_wal_senders = 0" "wal_level = minimal"
  trap finally EXIT
  note "in $CLUSTER_DIR, run by $CLUSTER_USER"
  section_regress
  section_pgtap
  section_tap
  check "the server's log speaks of no leak and no crash" log_is_clean
}

# In a copy of PostgreSQL that has Citus: none of Debian's packages does.
section_citus() {
  say "Citus: test/t/citus.t, distributed.t and distributed_steps.t, in a copy of PostgreSQL with it"
  check "Citus builds" scripts/build_citus.sh
  [ "$STATUS" -eq 0 ] || return
  local PG_CONFIG
  PG_CONFIG=$(tail -n 1 "$LOG")
  check "extension builds and installs for Citus" build_extension
  run_tap "TAP: Citus" prove --verbose --exec bash test/t/{citus,distributed,distributed_steps}.t
}

section_regress() {
  say "pg_regress: sql/*.sql"
  if ! compgen -G 'expected/*.out' >/dev/null; then
    skip pg_regress "there is no expected/*.out"
    return
  fi
  run_regress pg_regress make installcheck PG_CONFIG="$PG_CONFIG"
}

section_pgtap() {
  say "pgTAP: test/sql/*.sql"
  check "database for pgTAP" pgtap_database pgtap
  load_reference_data
  if ! compgen -G 'test/sql/*.sql' >/dev/null; then
    skip pgTAP "there is no test/sql/*.sql"
    return
  fi
  check "a database for each processor" databases_of_slots
  run_tap pgTAP pgtap_in_slots test/sql/*.sql
}

databases_of_slots() {
  local slot
  for ((slot = 0; slot < $(nproc); slot++)); do
    run_sql -c "CREATE DATABASE pgtap_$slot TEMPLATE pgtap" || return
  done
}

# The longest first, so that the processors end together.
LONGEST=(test/sql/{tclose_census,transparent,mixed_parts,n_t_closeness,psensitive,release_risk,options,calibrated,units}.sql
  test/t/{pg_cron,docs,state,trojans,matrix,sessions,over_time,rights,demo,recovery,extremes,cancel,schedule}.t)

longest_first() {
  local file
  for file in "${LONGEST[@]}" "$@"; do
    if [[ " $* " == *" $file "* ]]; then printf '%s\n' "$file"; fi
  done | awk '!seen[$0]++'
}

# in_slots SLOTS COMMAND FILE...: so many files at a time; the command finds its file in $1, and its slot in $SLOT.
in_slots() {
  local parts status=0
  parts=$(mktemp -d)
  longest_first "${@:3}" |
    timeout --kill-after=20 "$RUNNER_LIMIT" xargs -I{} -P "$1" --process-slot-var=SLOT \
      bash -c "$2"' >"$2/${1##*/}" 2>&1' in_slots {} "$parts" || status=$?
  cat "$parts"/*
  rm -r "$parts"
  return "$status"
}

# Each file runs in one transaction, which it rolls back.
pgtap_in_slots() { in_slots "$(nproc)" 'pg_prove --verbose --dbname "pgtap_$SLOT" "$1"' "$@"; }

load_reference_data() {
  local data=${ANONKIT_DATA:-/nonexistent} name
  for name in census tarragona eia; do
    if [ -r "$data/$name.csv" ]; then
      PGDATABASE=pgtap check "reference data: $name" load_csv "$data/$name.csv" "$name"
    else
      OPTIONAL=$((OPTIONAL + 1))
    fi
  done
  if [ -r "$data/adult_arx.csv" ]; then
    PGDATABASE=pgtap check "reference data: adult_arx and its hierarchies" load_adult "$data"
  else
    OPTIONAL=$((OPTIONAL + 1))
  fi
}

# Every file has databases, roles or servers of its own. In some, sessions wait: one file more than there are
# processors.
section_tap() {
  say "TAP: test/t/*.t, what needs sessions, roles, dumps or a server of its own"
  run_tap TAP in_slots $(($(nproc) + 1)) 'prove --verbose --exec bash "$1"' test/t/*.t
}

log_is_clean() {
  # Only a server with assertions looks at the memory that is freed ("problem in ...").
  ! grep -nE " leak: |resource was not closed|PANIC:|TRAP:|terminated by signal|was terminated|you don't own a lock|problem in " \
    "$CLUSTER_DIR/log"
}

# against MAJOR SECTION...: if that PostgreSQL is not installed, uses a Debian release with it.
against() {
  [[ $1 =~ ^[0-9]+$ ]] || die "usage: $usage"
  PG_CONFIG=/usr/lib/postgresql/$1/bin/pg_config
  if [ ! -x "$PG_CONFIG" ]; then
    trap - EXIT
    release=$(debian_of "$1") || exit 1
    exec test/fresh.sh "$release" ./test.sh "${@:2}"
  fi
  export PG_CONFIG
}

debian_of() {
  case $1 in
    15) echo bookworm ;;
    17) echo trixie ;;
    18) echo forky ;;
    *) die "no Debian release has PostgreSQL $1: install it and name its PG_CONFIG" ;;
  esac
}

if [ "${1:-}" = --help ]; then
  printf '%s\n' "$usage"
  trap - EXIT
  exit 0
elif [ "${1:-}" = --postgres ]; then
  against "${2:-}" "${@:3}"
  shift 2
fi
say "Packages"
need_packages test
sections=("$@")
[ $# -gt 0 ] || sections=(core rules sanitizers server)
for section in "${sections[@]}"; do
  [ "$(type -t "section_$section")" = function ] || die "no section \"$section\""
  TIMEFORMAT="   section $section: %0R s, and %0U s of processors beside the server's"
  time "section_$section"
done
ended=yes
