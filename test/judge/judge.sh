#!/bin/bash
# Versions of a release for the judge. Sourced by test/t/over_time.t and test/judge/run.sh.
#
# judged KIND ROWS NIGHTS SEED METHOD K SENSITIVE-PARAMS JUDGE-OPTION...
#
# Makes a database with a generated table, or Adult if ANONKIT_DATA has it and ADULT is set.
# Publishes it, lets NIGHTS nights pass, and prints the judge's verdict on all versions. KIND is
# key, none (no key), absence or mean (two mutants that must be judged unsafe). NIGHT is the
# statement of a night (see nights.sql), by default night().

JUDGE=build/judge/judge

build_judge() {
  [ "$JUDGE" -nt test/judge/judge.cpp ] && return
  mkdir -p "${JUDGE%/*}" && ${CXX:-g++} -std=c++17 -O2 -Wall -Wextra -Werror -o "$JUDGE" test/judge/judge.cpp
}

judged() {
  local kind=$1 rows=$2 nights=$3 seed=$4 method=$5 k=$6 params=$7 options=("${@:8}")
  local quiet=(psql -X -q -At -v ON_ERROR_STOP=1) show key="" keep="" last=$((nights - 1))
  PGDATABASE=postgres "${quiet[@]}" -c 'DROP DATABASE IF EXISTS judged WITH (FORCE)' \
    -c 'CREATE DATABASE judged' 2>/dev/null
  local -x PGDATABASE=judged
  "${quiet[@]}" -c 'CREATE EXTENSION anonkit' -c 'SET client_min_messages = warning' \
    -v rows="$rows" -v seed="$seed" -f test/judge/nights.sql
  [ -z "${ADULT:-}" ] || use_adult "$rows" "$seed"
  case $kind in
    none) keep=", keep => '{id}'" show='SELECT show_rows('\''release'\'', %d)' ;;
    key) key=", key => '{id}'" show="SELECT show_places('release')" ;;
    *) key=", key => '{id}'" show="SELECT show_places('release', '$kind')" ;;
  esac
  {
    echo "SET client_min_messages = warning; SELECT setseed($seed / 2000.0);"
    echo "SELECT FROM anon_publish('release', 'people', '{age,education,hours,fnlwgt}', $k,
      method => '$method', sensitive => '{job}', params => '$params'$keep$key);"
    # shellcheck disable=SC2059  # the format is the statement
    printf "$show;\n" 1
    local night
    for ((night = 2; night <= last + 1; night++)); do
      echo "SELECT ${NIGHT:-night()}; SELECT FROM anon_refresh('release');"
      # shellcheck disable=SC2059
      printf "$show;\n" "$night"
    done
  } | "${quiet[@]}" -o /dev/null || return
  "${quiet[@]}" -F $'\t' -c 'SELECT * FROM shown ORDER BY version, cells, value, person' |
    "$JUDGE" --k "$k" "${options[@]}"
  "${quiet[@]}" -c "SELECT 'figures: loss ' || round(loss::numeric, 1) || ', rows ' || rows || ', waiting '
    || waiting || ', vacant ' || vacant || ', stale ' || stale || ', withheld ' || withheld
    FROM anon_releases WHERE version IS NOT NULL"
}

# Adult in the place of the generated people, in a random order.
use_adult() {
  load_csv "$ANONKIT_DATA/adult.csv" adult >/dev/null
  psql -X -q -At -v ON_ERROR_STOP=1 -o /dev/null <<SQL
SELECT setseed($2 / 1000.0);
TRUNCATE pool, people;
INSERT INTO pool SELECT row_number() OVER (ORDER BY random()), age, education_num, hours_per_week, fnlwgt,
  occupation FROM (SELECT * FROM adult WHERE occupation IS NOT NULL AND occupation <> '?' ORDER BY random()
  LIMIT 3 * $1) AS a;
INSERT INTO people SELECT * FROM pool WHERE id <= $1;
ANALYZE people;
SQL
}
