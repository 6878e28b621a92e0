# Sourced by tests that need Citus in place of tap.sh: a coordinator and two workers run, or the test ends as skipped.
. test/t/tap.sh
. scripts/say.sh
. scripts/cluster.sh
. scripts/citus.sh
if ! has_citus; then
  printf 'ok %d - Citus # skip it is not installed: ./test.sh citus builds it\n' $((++TESTS))
  done_testing
  exit
fi
start_citus
