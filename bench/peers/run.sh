#!/bin/bash
# anonkit beside other programs, on the same tables: bench/peers/run.sh [SECTION...] >docs/peers.tsv
#
#   mdav        microaggregation by MDAV, k = 5: sdcMicro's microaggregation(method = "mdav"), anon_mdav, anon_microaggregate
#   full        full-domain generalisation of least NCP, k = 5, at most 2 % of the records suppressed: ARX, anon_incognito, anon_mingen
#   local       local recoding by the same hierarchies, k = 5: ARX's iterative local recoding, anon_mondrian, anon_microaggregate
#   suda        special uniques: sdcMicro's suda2 (sets of every size), anon_risk
#
# The peers are not a part of anonkit and need not be here; a missing one is skipped, with a message. The environment names
#   PEERS_R_LIBS   a library of R packages with sdcMicro (docs/performance.md: 5.8.1), for Rscript
#   PEERS_ARX      the class path of ARX (docs/performance.md: 3.9.2) with its libraries, for java
#   PEERS_CAP      seconds that MDAV of sdcMicro may take (150): longer calls are skipped, judged by the square of the records
#   PEERS_MOST     the most records of a generated table (1000000)
#   ANONKIT_DATA   the folder of the reference data: Adult, beside generated tables (../shared/data)
#
# Seconds are processor time of the computation, of all its threads: the best of three rounds (ARX: of five), or the first that takes more
# than ten seconds. They cover a session of the server from table to verified rows, with PostgreSQL's and anonkit's own settings, the call in
# R without reading, and ARX's thread after warm-up, without compilation and garbage collection. Loss and smallest class are recounted in
# plain SQL from the published cells of every program, by the same statements. For suda, loss is the number of special uniques.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh
. bench/tables.sh

CAP=${PEERS_CAP:-150}
MOST=${PEERS_MOST:-1000000}
K=5

# sizes RECORDS...: those that are wanted.
sizes() { local n; for n in "$@"; do [ "$n" -gt "$MOST" ] || echo "$n"; done; }

# result TASK TABLE RECORDS COLUMNS PROGRAM SECONDS LOSS SMALLEST SUPPRESSED: a line of the output.
result() { (IFS=$'\t'; printf '%s\n' "$*"); }

skipped() { note "skipped: $*" >&2; }

have_sdcmicro() { [ -n "${PEERS_R_LIBS:-}" ] && R_LIBS=$PEERS_R_LIBS Rscript bench/peers/sdcmicro.R version >/dev/null 2>&1; }
have_arx() { [ -n "${PEERS_ARX:-}" ] && command -v java >/dev/null; }

# sdcmicro TASK TABLE COLUMNS: prints its seconds; the output is FOLDER/out.csv.
sdcmicro() {
  query -c "COPY (SELECT id, $3 FROM $2 ORDER BY id) TO STDOUT (FORMAT csv, HEADER)" >"$FOLDER/data.csv"
  R_LIBS=$PEERS_R_LIBS Rscript bench/peers/sdcmicro.R "$1" "$FOLDER/data.csv" "$FOLDER/out.csv"
}

# best TIMES CALL: processor seconds of one call from a query, when so many are made in a row.
best() {
  local taken
  for _ in 1 2 3; do
    taken=$(processor "DO \$\$ BEGIN FOR i IN 1..$1 LOOP PERFORM count(*) FROM $2; END LOOP; END \$\$")
    printf '%s\n' "$taken"
    ! awk '{ exit !($1 > 10) }' <<<"$taken" || break
  done | sort -g | head -n 1 | awk -v times="$1" '{ printf "%.4f", $1 / times }'
}

# publish METHOD TABLE QI PARAMS: as relation masked.
publish() {
  query -c "SET client_min_messages = warning" -c "DROP MATERIALIZED VIEW IF EXISTS masked" \
    -c "SELECT anon_publish('masked', '$2', '{$3}', $K, '$1', keep => '{id}', params => '$4')" >/dev/null
}

# take_output TYPE QI SEPARATOR: the peer's output as relation masked.
take_output() {
  query -c "SET client_min_messages = warning" -c "DROP TABLE IF EXISTS masked" \
    -c "CREATE TABLE masked (id int, ${2//,/ $1,} $1)"
  query -c "COPY masked FROM STDIN (FORMAT csv, HEADER, DELIMITER '$3')" <"$FOLDER/out.csv"
}

# squared_error D: of masked, in % of that of bench_table's means, the records of its smallest class, and
# the suppressed ones.
squared_error() {
  query -F $'\t' <<SQL
SELECT round((100 * ($(terms "$1" 'sum((m.c& - o.c&) ^ 2) / (var_pop(o.c&) * count(*))' +)) / $1)::numeric, 4),
  (SELECT min(records) FROM (SELECT count(*) AS records FROM masked GROUP BY $(columns "$1")) AS c), 0
FROM bench_table AS o JOIN masked AS m USING (id)
SQL
}

mdav_peer() { # N D ESTIMATE: the seconds of sdcMicro, that a table of ten times the size can be estimated.
  local taken
  if ! have_sdcmicro || awk -v s="$3" -v cap="$CAP" 'BEGIN { exit !(s > cap) }'; then
    skipped "sdcMicro, MDAV of $1 x $2${3:+, estimated at $3 s}"
    return
  fi
  taken=$(sdcmicro mdav bench_table "$(columns "$2")")
  take_output float8 "$(columns "$2")" ,
  result mdav generated "$1" "$2" sdcMicro "$taken" "$(squared_error "$2")"
  query -c 'DROP TABLE masked'
  printf '%s' "$taken" >"$FOLDER/taken"
}

section_mdav() {
  local n d method calls
  for d in 2 7 12; do
    echo 0 >"$FOLDER/taken"
    for n in $(sizes 1000 10000 100000 1000000); do
      make_table bench_table "$n" "$d"
      mdav_peer "$n" "$d" "$(awk '{ print 100 * $1 }' "$FOLDER/taken")"
      calls=$((n < 20000 ? 20000 / n : 1))
      for method in mdav microaggregate; do
        publish "$method" bench_table "$(columns "$d")" '{}'
        result mdav generated "$n" "$d" "anon_$method" \
          "$(best "$calls" "anon_$method('bench_table', '{$(columns "$d")}', $K)")" "$(squared_error "$d")"
      done
      query -c 'DROP TABLE bench_table CASCADE' 2>/dev/null
    done
  done
}

PEOPLE=age,education,marital,race,sex,workclass,country,income

# make_levels COLUMN VALUES WIDTH...: hierarchy people_COLUMN of the codes 0 to VALUES - 1 in intervals of these widths.
make_levels() {
  local column=$1 values=$2 levels= width
  shift 2
  for width in "$@"; do levels+=", 'of $width: ' || code / $width AS level_$width"; done
  query -c "CREATE TABLE people_$column AS SELECT code::text AS level_0$levels, '*' AS top FROM generate_series(0, $values - 1) AS code"
}

# make_people RECORDS: people with as many columns, values and levels as Adult, and its skew.
make_people() {
  query -c "DROP TABLE IF EXISTS people, people_${PEOPLE//,/, people_}" 2>/dev/null
  make_levels age 74 5 10 20
  make_levels education 16 4 8
  make_levels marital 7 4
  make_levels race 5
  make_levels sex 2
  make_levels workclass 8 3
  make_levels country 41 9
  make_levels income 2
  local columns= pair
  for pair in age:74 education:16 marital:7 race:5 sex:2 workclass:8 country:41 income:2; do
    columns+=", floor(${pair#*:} * random() ^ 3)::int::text AS ${pair%:*}"
  done
  create_table people "SELECT i AS id$columns FROM generate_series(1, $1) AS i"
}

# make_adult: Adult in these columns, and tables adult_COLUMN of their labels.
make_adult() {
  local data=${ANONKIT_DATA:-$PWD/../shared/data}
  [ -r "$data/adult_arx.csv" ] || { skipped "Adult: there is no $data/adult_arx.csv"; return 1; }
  load_adult "$data" >&2
  query <<'SQL'
CREATE TABLE adult AS SELECT row_number() OVER (ORDER BY ctid) AS id, age::text, education, "marital-status" AS marital, race, sex,
  workclass, "native-country" AS country, "salary-class" AS income FROM adult_arx;
ALTER TABLE adult_marital_status RENAME TO adult_marital;
ALTER TABLE adult_native_country RENAME TO adult_country;
VACUUM ANALYZE adult;
SQL
}

# hierarchies TABLE: the argument of that name.
hierarchies() {
  local column list=
  for column in ${PEOPLE//,/ }; do list+="${list:+, }\"$column\": {\"table\": \"$1_$column\"}"; done
  printf '{%s}' "$list"
}

# write_arx TABLE: data.csv and the hierarchies, for ARX.
write_arx() {
  local column
  query -c "COPY (SELECT id, $PEOPLE FROM $1 ORDER BY id) TO STDOUT (FORMAT csv, HEADER, DELIMITER ';')" >"$FOLDER/data.csv"
  for column in ${PEOPLE//,/ }; do query -c "COPY $1_$column TO STDOUT (FORMAT csv, DELIMITER ';')" >"$FOLDER/$column.csv"; done
}

# count_leaves TABLE: relation leaves, the share of a column's leaves below each label, 0 for a leaf and 1 for the root.
count_leaves() {
  local column union=
  for column in ${PEOPLE//,/ }; do
    union+="${union:+ UNION ALL }SELECT '$column' AS attribute, label, (count(*) - 1.0) / ((SELECT count(*) FROM $1_$column) - 1) AS share
      FROM $1_$column AS h, LATERAL (SELECT DISTINCT value AS label FROM jsonb_each_text(to_jsonb(h))) AS l GROUP BY label"
  done
  query -c "DROP TABLE IF EXISTS leaves" -c "CREATE TABLE leaves AS $union" 2>/dev/null
}

# generalisation TABLE: NCP of masked in %, where a suppressed record counts as roots, the records of its smallest class, and the
# suppressed ones.
generalisation() {
  query -F $'\t' <<SQL
CREATE TEMP TABLE published AS SELECT * FROM masked WHERE ($PEOPLE) <> ($(sed "s/[a-z][a-z]*/'*'/g" <<<"$PEOPLE"));
SELECT (SELECT round(100 * (1 - sum(1 - share) / (8 * (SELECT count(*) FROM $1))), 4)
    FROM published AS p, LATERAL jsonb_each_text(to_jsonb(p) - 'id') AS cell JOIN leaves ON attribute = key AND label = value),
  (SELECT min(records) FROM (SELECT count(*) AS records FROM published GROUP BY $PEOPLE) AS c),
  (SELECT count(*) FROM $1) - (SELECT count(*) FROM published);
SQL
}

generalisation_peer() { # TASK TABLE
  have_arx || { skipped "ARX, $1, $2"; return; }
  local taken
  write_arx "$2"
  taken=$(java -XX:+UseSerialGC -cp "$PEERS_ARX" bench/peers/Arx.java "$1" "$FOLDER")
  take_output text "$PEOPLE" ';'
  result "$1" "$2" "$(query -c "SELECT count(*) FROM $2")" 8 ARX "$taken" "$(generalisation "$2")"
  query -c 'DROP TABLE masked'
}

# generalisation_row TASK TABLE METHOD NAME PARAMS: PARAMS are other arguments, as an object of JSON.
generalisation_row() {
  local arguments name value
  arguments=$(query -c "SELECT string_agg(format('%I => %L', key, value), ', ') FROM jsonb_each_text('$5')")
  publish "$3" "$2" "$PEOPLE" "$(query -c "SELECT '$5'::jsonb || jsonb_build_object('hierarchies', '$(hierarchies "$2")'::jsonb)")"
  result "$1" "$2" "$(query -c "SELECT count(*) FROM $2")" 8 "$4" \
    "$(best 3 "anon_$3('$2', '{$PEOPLE}', k => $K, hierarchies => '$(hierarchies "$2")', $arguments)")" "$(generalisation "$2")"
  query -c "SELECT anon_drop('masked')" >/dev/null
}

has_table() { [ "$(query -c "SELECT to_regclass('$1') IS NOT NULL")" = t ]; }

# generalisation_tables TASK: its rows for people and for Adult, by the function TASK_rows.
generalisation_tables() {
  local n
  for n in $(sizes 30000 1000000); do
    make_people "$n"
    generalisation_table "$1" people
  done
  if has_table adult || make_adult; then generalisation_table "$1" adult; fi
}

generalisation_table() { # TASK TABLE
  count_leaves "$2"
  generalisation_peer "$1" "$2"
  "$1_rows" "$2"
}

full_rows() {
  local method
  for method in incognito mingen; do
    generalisation_row full "$1" "$method" "anon_$method" '{"max_suppression": 0.02, "metric": "ncp"}'
  done
}

# The longer searches are for tables of less than 100,000 records.
local_rows() {
  generalisation_row local "$1" mondrian anon_mondrian '{"recode": "hierarchy"}'
  generalisation_row local "$1" microaggregate anon_microaggregate '{"recode": "hierarchy"}'
  [ "$(query -c "SELECT count(*) FROM $1")" -lt 100000 ] || return 0
  generalisation_row local "$1" mondrian 'anon_mondrian, best' '{"recode": "hierarchy", "algorithm": "best", "refine": "fast"}'
  generalisation_row local "$1" microaggregate 'anon_microaggregate, thorough, 60 s' \
    '{"recode": "hierarchy", "effort": "thorough", "refine_seconds": 60}'
}

section_full() { generalisation_tables full; }
section_local() { generalisation_tables local; }

# suda_row N D SIZE: of anon_risk, with the number of special uniques instead of a loss.
suda_row() {
  result suda codes "$1" "$2" "anon_risk, sets up to $3" \
    "$(best 3 "anon_risk('bench_table', '{$(columns "$2")}', largest_set => $3)")" \
    "$(query -c "SELECT value FROM anon_risk('bench_table', '{$(columns "$2")}', largest_set => $3) WHERE measure = 'special_uniques'")" '' ''
}

section_suda() {
  local pair n d taken
  for pair in 10000:6 100000:8 1000000:8; do
    n=${pair%:*} d=${pair#*:}
    [ "$n" -le "$MOST" ] || continue
    create_table bench_table "SELECT i AS id, $(terms "$d" 'floor((2 + 2 * &) * random() ^ 2)::int AS c&' ,) FROM generate_series(1, $n) AS i"
    if ! have_sdcmicro; then
      skipped "sdcMicro, SUDA2 of $n x $d"
    else
      taken=$(sdcmicro suda bench_table "$(columns "$d")")
      result suda codes "$n" "$d" 'sdcMicro, sets of any size' "$taken" \
        "$(awk -F, 'NR > 1 && $2 > 0' "$FOLDER/out.csv" | wc -l)" '' ''
    fi
    suda_row "$n" "$d" 3
    suda_row "$n" "$d" "$d"
    query -c 'DROP TABLE bench_table'
  done
}

case ${1:-} in -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
need_packages demo >&2
build_extension >&2 || die "the extension does not build"
start_cluster
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"; stop_cluster' EXIT
create_extension
[ $# -gt 0 ] || set -- mdav full local suda
result task table records columns program seconds loss smallest suppressed
for section in "$@"; do "section_$section"; done
