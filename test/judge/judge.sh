#!/bin/bash
# Versions of a release for the judge. Sourced by test/t/over_time.t and test/judge/run.sh.
#
# judged KIND ROWS NIGHTS SEED METHOD K SENSITIVE-PARAMS JUDGE-OPTION...
#
# Makes a database with a generated table, or a real one of ANONKIT_DATA if REAL is adult or tax. Publishes it, lets
# NIGHTS nights pass, and prints the judge's verdict on all versions. KIND is key or units (several rows per person).
# Four must be judged unsafe: rows (such rows, counted as persons), none (no key), absence and mean (two mutants).
# NIGHT is the statement of a night (see nights.sql), by default night().

JUDGE=build/judge/judge

build_judge() {
  [ "$JUDGE" -nt test/judge/judge.cpp ] && [ "$JUDGE" -nt test/judge/equations.hpp ] && return
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
  [ -z "${REAL:-}" ] || use_real "$rows" "$seed"
  case $kind in
    none) keep=", keep => '{id}'" show='SELECT show_rows('\''release'\'', %d)' ;;
    key) key=", key => '{id}'" show="SELECT show_places('release')" ;;
    units) key=", key => '{id}', unit => '{patient}'" show="SELECT show_places('release', 'units')" ;;
    rows) key=", key => '{id,patient}'" show="SELECT show_places('release', 'units')" ;;
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
  "${quiet[@]}" -c "SELECT 'figures: loss ' || coalesce(round(loss::numeric, 1)::text, 'unknown') || ', rows ' || rows || ', waiting '
    || waiting || ', vacant ' || vacant || ', stale ' || stale || ', withheld ' || withheld || ', changed ' || changed || ', outside ' || outside
    FROM anon_releases WHERE version IS NOT NULL"
}

# In the place of the generated people those of a real table, in a random order. It is loaded once.
use_real() {
  local file columns known
  case $REAL in
    adult) file=adult.csv columns='age, education_num, hours_per_week, fnlwgt, occupation' known="occupation <> '?'" ;;
    tax) file=ato_sample_2010_2011.csv.gz columns='age_range, "Region", "Sw_amt", "Grs_int_amt", "Occ_code"' known='"Sw_amt" > 0' ;;
  esac
  local quiet=(psql -X -q -At -v ON_ERROR_STOP=1)
  if PGDATABASE=postgres "${quiet[@]}" -c "CREATE DATABASE judge_$REAL" 2>/dev/null; then
    PGDATABASE=judge_$REAL load_csv "$ANONKIT_DATA/$file" "$REAL" >/dev/null
  fi
  "${quiet[@]}" -c 'TRUNCATE pool, people'
  PGDATABASE=judge_$REAL "${quiet[@]}" -c "COPY (SELECT row_number() OVER (ORDER BY place), a.* FROM
      (SELECT hashtextextended($REAL::text, $2) AS place, $columns FROM $REAL WHERE $known ORDER BY 1 LIMIT 3 * $1)
      AS a(place, a, b, c, d, e)) TO STDOUT" | cut -f 1,3- |
    "${quiet[@]}" -c 'COPY pool (id, age, education, hours, fnlwgt, job) FROM STDIN'
  "${quiet[@]}" -c "UPDATE pool SET patient = 'p' || id % (1 + $1 / 10)" \
    -c "INSERT INTO people SELECT * FROM pool WHERE id <= $1" -c 'ANALYZE people'
}
