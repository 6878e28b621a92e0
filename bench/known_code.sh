#!/bin/bash
# Readers who know the code, and releases by swapping, in figures from SQL.
#
#   bench/known_code.sh [--national national2019.csv] [attack|swap]...
#
# attack: anon_replay_qi on 1,000 records, k = 5: the share of drawn cells that follow from the published ranges and labels (box), from
# their form and from the code, for an adversary who knows all other cells; and the mean share of the values of the form that the code
# leaves of a cell, of a record and of a class, for one who knows all others. By swapping and with a grid as anon_sweep has it.
#
# swap: anon_utility and anon_linkage of releases by means, by ranges (at their middle) and by swapping: K-marginal of pairs and triples,
# the mean change of correlations, the propensity score, unique records and how many of them are published (equal a row, and exactly one
# row), and the expected share of correct links to the row with the person's own sensitive values.
#
# The folder ANONKIT_DATA has adult.csv and census.csv; --national names the national file of NIST's ACS data excerpts of 2019
# (SDNist, BenchmarkData/ACSDataExcerpts/national). Tables that are missing are left out by name. CELLS (25), PERSONS (12) and CLASSES (6)
# are the sizes of the attacks.
set -euo pipefail
cd "$(dirname "$0")/.."
for part in say packages extension cluster csv; do . "scripts/$part.sh"; done
. bench/tables.sh
national='' parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --national) national=$2; shift 2 ;;
    *) parts+=("$1"); shift ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(attack swap)
data=${ANONKIT_DATA:-/nonexistent}
need_packages demo
build_extension
start_cluster "work_mem = 256MB" "anonkit.max_memory = 4GB"
create_extension
cells=${CELLS:-25} persons=${PERSONS:-12} classes=${CLASSES:-6}

# load FILE TABLE: false without the file.
load() {
  if [ -r "$1" ]; then load_csv "$1" "$2" >/dev/null; else echo "left out: ${1##*/} is not there"; return 1; fi
}

# row NAME TABLE QI METHOD PARAMETERS: a line of the table of attacks.
row() {
  query <<SQL || true
SET client_min_messages = error;
WITH attacked AS (
  SELECT * FROM anon_replay_qi('$2', '{$3}', 5, '$4', params => '$5', cells => $cells, persons => $persons, classes => $classes, tries => 40)
), loss AS (
  SELECT ncp, loss FROM anon_sweep('$2', '{$3}', '{5}', '{$4}', params => '$5')
)
SELECT format('%-34s %6s %6s %4s %4s %4s %6s %6s %6s', '$1', coalesce(round(ncp::numeric, 1)::text, '-'), coalesce(round(loss::numeric, 2)::text, '-'),
  round(100 * avg((box = 1)::int) FILTER (WHERE unknown = 'cell')), round(100 * avg((form = 1)::int) FILTER (WHERE unknown = 'cell')),
  round(100 * avg((code = 1)::int) FILTER (WHERE unknown = 'cell')), round(avg(code::numeric / form) FILTER (WHERE unknown = 'cell'), 2),
  round(avg(code::numeric / form) FILTER (WHERE unknown = 'person'), 2), round(avg(code::numeric / form) FILTER (WHERE unknown = 'class'), 2))
FROM attacked, loss GROUP BY ncp, loss;
SQL
}

# point NAME TABLE QI METHOD PARAMETERS: a line of a release that is not replayed.
point() {
  query <<SQL
SET client_min_messages = error;
SELECT format('%-34s %6s %6s %4s %4s %4s', '$1', coalesce(round(ncp::numeric, 1)::text, '-'), coalesce(round(loss::numeric, 2)::text, '-'), '',
  coalesce(round((100 * determined_by_form)::numeric)::text, '-'), coalesce(round((100 * determined_by_code)::numeric)::text, '-'))
FROM anon_sweep('$2', '{$3}', '{5}', '{$4}', params => '$5', cells => $cells);
SQL
}

# attack TABLE QI HIERARCHIES
attack() {
  printf '\n%s, %s\n%-34s %6s %6s %4s %4s %4s %6s %6s %6s\n' "$1" "$2" '' ncp loss box form code cell record class
  row 'mdav, means' "$1" "$2" mdav '{}'
  row 'microaggregate, means' "$1" "$2" microaggregate '{}'
  row 'mdav, ranges' "$1" "$2" mdav '{"recode": "range"}'
  row 'microaggregate, ranges' "$1" "$2" microaggregate '{"recode": "range"}'
  row 'mdav, labels' "$1" "$2" mdav "{\"hierarchies\": $3}"
  row 'microaggregate, labels' "$1" "$2" microaggregate "{\"hierarchies\": $3}"
  row 'mondrian strict, ranges' "$1" "$2" mondrian '{"recode": "range"}'
  row 'mondrian strict, labels' "$1" "$2" mondrian "{\"hierarchies\": $3}"
  row 'mondrian best, ranges' "$1" "$2" mondrian '{"recode": "range", "algorithm": "best"}'
  row 'incognito, 2 % suppressed' "$1" "$2" incognito "{\"hierarchies\": $3, \"max_suppression\": 0.02}"
  row 'the same, local_suppression' "$1" "$2" incognito "{\"hierarchies\": $3, \"max_suppression\": 0.02, \"local_suppression\": true}"
  row 'topdown, 2 % suppressed' "$1" "$2" topdown "{\"hierarchies\": $3, \"max_suppression\": 0.02}"
  row 'argus' "$1" "$2" argus "{\"hierarchies\": $3}"
  point 'mondrian grid, coins 0.05' "$1" "$2" mondrian '{"algorithm": "grid"}'
  point 'mdav, swap' "$1" "$2" mdav '{"recode": "swap"}'
}

# figures TABLE QI K: the releases of a table.
figures() {
  local name parameters
  while read -r name parameters; do
    query <<SQL
SET client_min_messages = error;
SELECT FROM anon_publish('released', '$1', '{$2}', $3, keep => '{id}', spec => '$parameters', beside => 'ignore') \g /dev/null
CREATE TEMPORARY TABLE u AS SELECT measure, value FROM anon_utility('$1', 'released', '{$2}', queries => 0);
INSERT INTO u SELECT measure, value FROM anon_linkage('$1', 'released', '{$2}', key => '{id}');
SELECT format('%-10s %3s %-10s %6s %8s %8s %8s %8s %6s %6s %8s', '$1', $3, '$name', round(max(value) FILTER (WHERE measure = 'k_marginal')),
  round(max(value) FILTER (WHERE measure = 'k_marginal_triples')), round((1e4 * max(value) FILTER (WHERE measure = 'correlation_change'))::numeric),
  round((1e5 * max(value) FILTER (WHERE measure = 'propensity_mse'))::numeric), max(value) FILTER (WHERE measure = 'unique_records'),
  round((100 * max(value) FILTER (WHERE measure = 'unique_any_matches') / nullif(max(value) FILTER (WHERE measure = 'unique_records'), 0))::numeric, 1),
  round((100 * max(value) FILTER (WHERE measure = 'unique_exact_matches') / nullif(max(value) FILTER (WHERE measure = 'unique_records'), 0))::numeric, 1),
  round((100 * max(value) FILTER (WHERE measure = 'expected'))::numeric, 1)) FROM u;
SELECT anon_drop('released') \g /dev/null
SQL
  done <<'ROWS'
means {}
calibrated {"recode": "calibrated"}
ranges {"recode": "range"}
swap {"recode": "swap"}
ROWS
}

for part in "${parts[@]}"; do
  case $part in
    attack)
      echo "Cells determined by box, form and code, %, and the share of values left by the code; k = 5"
      if load "$data/adult.csv" adult; then
        query -c "CREATE TABLE adult_1000 AS SELECT age::int, education_num::int, hours_per_week::int FROM adult ORDER BY md5(adult::text) LIMIT 1000"
        attack adult_1000 age,education_num,hours_per_week \
          '{"age": {"range": [5, 10, 20, 40]}, "education_num": {"range": [2, 4, 8]}, "hours_per_week": {"range": [5, 10, 20, 40]}}'
      fi
      if load "$data/census.csv" census; then
        query -c 'CREATE TABLE census_all AS SELECT "AFNLWGT"::int AS weight, "AGI"::int AS income, "FEDTAX"::int AS tax FROM census'
        attack census_all weight,income,tax \
          '{"weight": {"range": [1000, 10000, 100000]}, "income": {"range": [1000, 10000, 100000]}, "tax": {"range": [1000, 10000, 100000]}}'
      fi ;;
    swap)
      printf '\n%-10s %3s %-10s %6s %8s %8s %8s %8s %6s %6s %8s\n' table k release K 'K of 3' 'corr e4' 'pMSE e5' uniques 'any %' 'one %' 'links %'
      if [ -n "$national" ] && load "$national" national; then
        query -c "CREATE TABLE acs AS SELECT row_number() OVER () AS id, \"AGEP\"::int AS age, \"SEX\"::text AS sex, \"MSP\"::text AS msp, \"RAC1P\"::text AS rac1p,
          \"HOUSING_TYPE\"::text AS housing, \"OWN_RENT\"::text AS own_rent, replace(\"EDU\"::text, 'N', '0')::int AS edu,
          replace(\"PINCP_DECILE\"::text, 'N', '-1')::int AS decile, \"DVET\"::text AS dvet, \"DEYE\"::text AS deye FROM national"
        for k in 5 6 10; do figures acs age,sex,msp,rac1p,housing,own_rent,edu,decile,dvet,deye "$k"; done
      else
        echo "left out: the national file of NIST's ACS data excerpts (--national)"
      fi
      if [ -r "$data/adult.csv" ]; then
        query -c 'DROP TABLE IF EXISTS adult'
        load "$data/adult.csv" adult
        query -c "CREATE TABLE adult_all AS SELECT row_number() OVER () AS id, age::int, education_num::int, hours_per_week::int, workclass, marital_status, occupation, race, sex FROM adult"
        for k in 5 10; do figures adult_all age,education_num,hours_per_week,workclass,marital_status,occupation,race,sex "$k"; done
      fi
      if [ -r "$data/census.csv" ]; then
        query -c 'DROP TABLE IF EXISTS census'
        load "$data/census.csv" census
        query -c 'CREATE TABLE census_8 AS SELECT row_number() OVER () AS id, "AFNLWGT", "AGI", "EMCONTRB", "PTOTVAL", "STATETAX", "TAXINC", "POTHVAL", "INTVAL" FROM census'
        for k in 5 10; do figures census_8 AFNLWGT,AGI,EMCONTRB,PTOTVAL,STATETAX,TAXINC,POTHVAL,INTVAL "$k"; done
      fi ;;
    *) echo "unknown part $part" >&2; exit 1 ;;
  esac
done
