#!/bin/bash
# The price of releases over time, from SQL: loss, waiting, withheld and vacant rows, and the error of weighted counts, for
# releases that settle (the default with a key) and transparent ones, under l = 2 and 3, at 1 and 5 % of changes a night,
# refreshed every night, with classes founded every night or week (every): on the first night, in the middle and at the end.
# People are Adult's (ANONKIT_DATA), else generated; see test/judge/nights.sql.
#
#   bench/over_time.sh [ROWS [NIGHTS [SEED]]]      # 2,000 rows, 60 nights, seed 1: some minutes
#   bench/over_time.sh --k [ROWS [SEED]]           # the error of counts on the first night, by k and column
#
# The error of counts: for each quarter of each quasi-identifier, by today's people, and each value, the difference of
# sum(weight) and the number of people; the sum of all differences in per cent of the people. Whoever waits or is withheld is
# missing.
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster csv tally; do . "scripts/$part.sh"; done
need_packages demo
build_extension || exit
start_cluster
. test/judge/judge.sh
by_k=; [ "${1:-}" != --k ] || { by_k=yes; shift; }
rows=${1:-2000} nights=${2:-60} seed=${3:-1}
[ -z "$by_k" ] || seed=${2:-1}
[ -z "${ANONKIT_DATA:-}" ] || REAL=adult
sql() { PGDATABASE=over_time_bench psql -X -q -At -v ON_ERROR_STOP=1 "$@"; }

# people: the table of the first day in a database of its own.
people() {
  PGDATABASE=postgres psql -X -q -c 'DROP DATABASE IF EXISTS over_time_bench WITH (FORCE)' -c 'CREATE DATABASE over_time_bench' 2>/dev/null
  sql -c 'CREATE EXTENSION anonkit' -v rows="$rows" -v seed="$seed" -f test/judge/nights.sql
  [ -z "${REAL:-}" ] || PGDATABASE=over_time_bench use_real "$rows" "$seed"
  sql <<'SQL'
CREATE FUNCTION error_of(name text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE error float8;
BEGIN
  EXECUTE format('
    WITH cuts AS (SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY %1$I) AS at FROM people),
      truth AS (SELECT width_bucket(%1$I, at) AS quarter, job, count(*)::float8 AS n FROM people, cuts GROUP BY 1, 2),
      told AS (SELECT width_bucket(%1$I, at) AS quarter, job, sum(weight) AS n FROM released, cuts WHERE job IS NOT NULL GROUP BY 1, 2)
    SELECT 100 * sum(abs(coalesce(truth.n, 0) - coalesce(told.n, 0))) / (SELECT count(*) FROM people)
    FROM truth FULL JOIN told USING (quarter, job)', name) INTO error;
  RETURN error;
END $$;
SQL
}
publish() {
  sql -c "SET client_min_messages = warning; SELECT FROM anon_publish('released', 'people', '{age,education,hours,fnlwgt}', $1,
    sensitive => '{job}', key => '{id}', $2)"
}
error="(SELECT avg(error_of(name)) FROM unnest('{age,education,hours,fnlwgt}'::text[]) AS name)"

if [ -n "$by_k" ]; then
  printf '%-3s %8s %9s %8s %8s %8s\n' k age education hours fnlwgt mean
  for k in 3 4 5 6 7 8 9 10; do
    people
    publish "$k" 'l => 2'
    sql -F ' ' -c "SELECT format('%-3s', $k) || string_agg(format('%9s', round(error_of(name)::numeric, 1)), '' ORDER BY place) ||
      format('%9s', round($error::numeric, 1)) FROM unnest('{age,education,hours,fnlwgt}'::text[]) WITH ORDINALITY AS c(name, place)"
  done
  exit
fi

# figures: loss, waiting, withheld, vacant and the error of counts of the present version, in per cent.
figures() {
  sql -c "SELECT format('%6s %8s %9s %7s %7s', round(loss::numeric, 1), round(100.0 * waiting / n, 1), round(100.0 * withheld / rows, 1),
      round(100.0 * vacant / rows, 1), round($error::numeric, 1))
    FROM anon_release_info('released'), (SELECT count(*) AS n FROM people) AS p"
}

printf '%-44s %6s %8s %9s %7s %7s\n' 'release' 'loss' 'waiting' 'withheld' 'vacant' 'counts'
for share in 0.01 0.05; do
  for every in 1 7; do
    for l in 2 3; do
      for transparent in false true; do
        people
        publish 5 "l => $l, transparent => $transparent, every => $every"
        name="$([ $transparent = true ] && echo transparent || echo settles), l = $l, $share, every $every"
        printf '%-44s %s\n' "$name, first night" "$(figures)"
        for ((night = 2; night <= nights; night++)); do
          sql -c "SELECT setseed($seed / 1000.0 + $night / 100000.0); SELECT night($share)" >/dev/null
          sql -c "SET client_min_messages = warning; SELECT FROM anon_refresh('released')"
          [ $((2 * night)) -ne "$nights" ] || printf '%-44s %s\n' "$name, night $night" "$(figures)"
        done
        printf '%-44s %s\n' "$name, night $nights" "$(figures)"
      done
    done
  done
done
