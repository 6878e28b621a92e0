#!/bin/bash
# Publishes a release, or refreshes it if it exists, and proves it: for cron, make or a CI job.
#
#   examples/release.sh DATABASE
#
# Status 0: the release is up to date and keeps its promises. 1: a promise cannot be kept or the table has
# changed its columns; the old release, if any, remains. 2: the server cannot be reached. 3: another error.
set -uo pipefail
database=${1:?usage: release.sh DATABASE}
release=visits_public

# The first line of an error contains its SQLSTATE.
run() {
  psql -X -q -At -v ON_ERROR_STOP=1 -v VERBOSITY=verbose -v release="$release" -d "$database" "$@"
}

statement() {
  if [ "$(run <<<"SELECT to_regclass(:'release') IS NOT NULL")" = t ]; then
    printf '%s\n' "SELECT rows, smallest_class FROM anon_refresh(:'release');"
  else
    printf '%s\n' "SELECT rows, smallest_class FROM anon_publish(:'release', 'patients', '{birth_date,weight}', 5," \
      "  sensitive => '{diagnosis}', l => 2);"
  fi
  # Measures the promises on the rows that readers see.
  printf '%s\n' "SELECT anon_assert(:'release', '{birth_date,weight}', '{diagnosis}', k => 5, l => 2);"
}

psql -X -q -d "$database" -c '' 2>/dev/null || exit 2
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
statement | run 2>"$errors" && exit 0
cat "$errors" >&2
# 23514: a promise is broken; 22023: it cannot be kept, or k is larger than the table; 22000: nulls, no rows.
grep -qE '^(psql:.*)?ERROR:  (23514|22023|22000):' "$errors" && exit 1
exit 3
