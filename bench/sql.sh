#!/bin/bash
# The cost of anonkit in SQL, end to end: ./bench/sql.sh [SECTION...], with the sections sizes,
# million, around, tclose, memory, units, generalisation, risk, report, categories, promises, defaults, blocks, millions, threads, large and large_mixed.
# Uses a throwaway cluster; prints tables and asserts nothing. Times are in seconds.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh
. bench/tables.sh

# times TIME BASE: their ratio.
times() { awk -v time="$1" -v base="$2" 'BEGIN { printf "%.1f", time / base }'; }

# One line of stages: reading, anonymizing, verifying, writing.
stages() {
  query -c "SET client_min_messages = debug1" -c "$1" 2>&1 |
    sed -n 's/.*reading \([0-9.]*\) s, anonymizing \([0-9.]*\) s, verifying \([0-9.]*\) s, writing \([0-9.]*\) s.*/\1 \2 \3 \4/p' |
    tail -n 1
}

section_sizes() {
  say "anon_mdav, k = 5: where the time goes"
  printf '%9s %3s %8s %8s %11s %9s %8s %9s %14s\n' \
    n d cursor reading anonymizing verifying writing total 'read+write %'
  local n d parts
  for n in 1000 10000 100000; do
    for d in 2 7 12; do
      make_table bench_table "$n" "$d"
      parts=$(stages "SELECT count(*) FROM anon_mdav('bench_table', '{$(columns "$d")}', 5)")
      printf '%9d %3d %8s ' "$n" "$d" \
        "$(seconds BEGIN "DECLARE c CURSOR FOR SELECT $(columns "$d") FROM bench_table" 'MOVE ALL IN c')"
      awk '{ total = $1 + $2 + $3 + $4; printf "%8.3f %11.3f %9.3f %8.3f %9.3f %14.1f\n",
        $1, $2, $3, $4, total, 100 * ($1 + $4) / total }' <<<"$parts"
      query -c 'DROP TABLE bench_table'
    done
  done
}

section_million() {
  say "1,000,000 records x 2, k = 5"
  make_table bench_table 1000000 2
  note "plain cursor:           $(seconds BEGIN 'DECLARE c CURSOR FOR SELECT c1, c2 FROM bench_table' 'MOVE ALL IN c') s"
  note "anon_mdav, stages:      $(stages "SELECT count(*) FROM anon_mdav('bench_table', '{c1,c2}', 5)") s (reading, anonymizing, verifying, writing)"
  note "anon_mdav:              $(seconds "SELECT count(*) FROM anon_mdav('bench_table', '{c1,c2}', 5)") s"
  local method
  for method in mdav microaggregate; do
    note "anon_publish, $method: $(seconds "SELECT * FROM anon_publish('bench_$method', 'bench_table', '{c1,c2}', 5, method => '$method', keep => '{id}')") s," \
      "loss $(query -c "SELECT loss FROM anon_releases WHERE release = 'bench_$method'::regclass")"
  done
  query -c 'DROP TABLE bench_table CASCADE' 2>/dev/null
}

# make_confidential N DEPENDENCE: two independent normal columns and one that depends on them.
make_confidential() {
  create_table bench_table "SELECT c1, c2, $2 * (c1 + c2) + noise AS v
    FROM (SELECT $NORMAL AS c1, $NORMAL AS c2, $NORMAL AS noise FROM generate_series(1, $1)) AS drawn"
}

# tclose_seconds TIMES: of one call, when so many are made in a row; the best of three.
tclose_seconds() {
  local round
  for round in 1 2 3; do
    seconds "DO \$\$ BEGIN FOR i IN 1..$1 LOOP
      PERFORM count(*) FROM anon_tclose('bench_table', '{c1,c2}', '{v}', 2, 0.1); END LOOP; END \$\$"
    printf '\n'
  done | sort -g | head -n 1 | awk -v times="$1" '{ printf "%.3f", $1 / times }'
}

section_tclose() {
  say "anon_tclose, Algorithm 3, two columns, k = 2, t = 0.1"
  printf '%11s %14s %14s %7s\n' dependence '100,000 rows' '1,000,000 rows' growth
  local dependence small large
  for dependence in 0 0.05 0.5; do
    make_confidential 100000 "$dependence"
    small=$(tclose_seconds 10)
    query -c 'DROP TABLE bench_table'
    make_confidential 1000000 "$dependence"
    large=$(tclose_seconds 1)
    query -c 'DROP TABLE bench_table'
    printf '%11s %14s %14s %7s\n' "$dependence" "$small" "$large" \
      "$(awk -v small="$small" -v large="$large" 'BEGIN { printf "%.1f", large / small }')"
  done
}

# The peak resident size of a fresh backend minus the size before the statement, in MB.
peak_memory() {
  query <<SQL
CREATE TEMP TABLE before AS SELECT pg_backend_pid() AS pid,
  substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s+(\d+)')::int AS kb;
SELECT count(*) FROM anon_mdav('bench_table', '{$(columns 7)}', 5) \g /dev/null
SELECT (substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\s+(\d+)')::int - kb) / 1024 FROM before;
SQL
}

section_memory() {
  say "Memory: 1,000,000 records x 7, k = 5"
  make_table bench_table 1000000 7
  note "peak resident size over its start: $(peak_memory) MB; the matrix has $((1000000 * 7 * 8 / 1048576)) MB"
  query -c 'DROP TABLE bench_table'
}

# units_row SHAPE METHOD rows|persons|histories: of one release of admissions, seconds, loss, rows left out, and whom
# its classes are of.
units_row() {
  local elapsed unit= together=
  [ "$3" = rows ] || unit=", unit => '{patient_id}'"
  [ "$3" != histories ] || together=", params => '{\"unit_rows\": \"together\", \"max_suppression\": 1}'"
  elapsed=$(seconds "SELECT * FROM anon_publish('bench_release', 'bench_admissions', '{age,zip}', 5, '$2',
    keep => '{patient_id}'$unit$together)")
  printf '%8s %-15s %-10s %8s %s\n' "$1" "$2" "$3" "$elapsed" "$(query -F ' ' -c "
    SELECT lpad(round(r.loss::numeric, 3)::text, 8), lpad(r.suppressed::text, 8), lpad(r.classes::text, 8),
      lpad((SELECT level FROM anon_audit('bench_release', '{age,zip}', unit => '{patient_id}')
        WHERE model = 'k-anonymity')::text, 9),
      lpad((SELECT level FROM anon_audit('bench_release', '{age,zip}', unit => '{patient_id}')
        WHERE model = 'k-anonymity of histories')::text, 9)
    FROM anon_releases AS r WHERE release = 'bench_release'::regclass")"
  query -c "SELECT anon_drop('bench_release')" >/dev/null
}

section_units() {
  say "k = 5 persons beside k = 5 rows: about 20,000 admissions, two columns"
  query -f test/data/admissions.sql
  printf '%8s %-15s %-10s %8s %8s %8s %8s %9s %9s\n' visits method k-counts seconds loss left-out classes persons histories
  local shape method persons counted
  for shape in 1 2 5 heavy; do
    case $shape in heavy) persons=8000 ;; *) persons=$((20000 / shape)) ;; esac
    query -c "CREATE TABLE bench_admissions AS SELECT * FROM admissions($persons, '$shape')"
    for method in mdav microaggregate mondrian; do
      for counted in rows persons histories; do units_row "$shape" "$method" "$counted"; done
    done
    query -c 'DROP TABLE bench_admissions'
  done
  say "1,000,000 rows of 300,000 persons x 2, k = 5"
  make_table bench_table 1000000 2
  query -c 'ALTER TABLE bench_table ADD patient int' \
    -c 'UPDATE bench_table SET patient = abs(hashint8(id)::bigint) % 300000' -c 'VACUUM FULL ANALYZE bench_table'
  for method in mdav microaggregate; do
    note "$method: $(processor "SELECT count(*) FROM anon_$method('bench_table', '{c1,c2}', 5)") s of processor of rows," \
      "$(processor "SELECT count(*) FROM anon_$method('bench_table', '{c1,c2}', 5, unit => '{patient}')") s of persons"
  done
  query -c 'DROP TABLE bench_table'
}

# incognito_row PARAMS-OF-MODELS SENSITIVE OTHERS: seconds from table to release, and its contents.
incognito_row() {
  local models=$1 sensitive=$2 others=$3 share hierarchies figures=()
  hierarchies='"sex": {"table": "adult_sex"}, "age": {"table": "adult_age"},
    "race": {"table": "adult_race"}, "marital-status": {"table": "adult_marital_status"},
    "education": {"table": "adult_education"}, "native-country": {"table": "adult_native_country"},
    "workclass": {"table": "adult_workclass"}, "salary-class": {"table": "adult_income"}'
  [[ $models != *hierarchical* ]] || hierarchies+=', "occupation": {"table": "adult_occupation"}'
  for share in 0 0.02 0.1 1; do
    printf '%-26s %11s %8s ' "$models" "$share" "$(seconds "SELECT * FROM anon_publish('bench_release',
      'adult_arx', '{sex,age,race,marital-status,education,native-country,workclass,salary-class}', 5,
      'incognito', '{$sensitive}', params => '{${models//hierarchical /}${models:+, }\"max_suppression\": $share,
      \"hierarchies\": {$hierarchies}}')")"
    IFS='|' read -r -a figures < <(query -c "SELECT classes, suppressed, round(ncp::numeric, 2),
      round(prec::numeric, 4) FROM anon_releases WHERE release = 'bench_release'::regclass")
    printf '%8s %11s %8s %8s' "${figures[@]}"
    [ "$share" != 0.02 ] || printf '   %s' "$others"
    printf '\n'
    query -c "SELECT anon_drop('bench_release')" >/dev/null
  done
}

section_generalisation() {
  local data=${ANONKIT_DATA:-$PWD/../shared/data}
  if [ ! -r "$data/adult_arx.csv" ]; then
    note "generalisation is skipped: there is no $data/adult_arx.csv"
    return
  fi
  load_adult "$data"
  say "Incognito, adult_arx, 8 quasi-identifiers, k = 5, least NCP: from table to release"
  printf '%-26s %11s %8s %8s %11s %8s %8s   %s\n' models suppression seconds classes suppressed NCP Prec \
    'another tool (classes, suppressed)'
  incognito_row '' '' '222, 506'
  incognito_row '"l": 3' occupation '219, 522'
  incognito_row '"t": 0.2' occupation '6, 235'
  incognito_row 'hierarchical "t": 0.2' occupation '9, 151'
}

# audit_row LABEL TABLE COLUMNS SENSITIVE: GROUP BY against audits.
audit_row() {
  local grouped classes
  grouped=$(processor "SET work_mem = '1GB'" 'SET max_parallel_workers_per_gather = 0' \
    "SELECT count(*) FROM (SELECT FROM $2 GROUP BY $3) AS c")
  classes=$(processor "SELECT * FROM anon_audit('$2', '{$3}')")
  printf '%-22s %9s %9s %6s %13s\n' "$1" "$grouped" "$classes" "$(times "$classes" "$grouped")" \
    "$(processor "SELECT * FROM anon_audit('$2', '{$3}', '{$4}')")"
}

# publish_row LABEL PLAIN STATEMENT
publish_row() {
  local taken
  taken=$(processor "$3")
  printf '%-44s %9s %6s\n' "$1" "$taken" "$(times "$taken" "$2")"
}

section_around() {
  local plain columns method
  columns=$(columns 4)
  say "1,000,000 records x 4, k = 5: processor time against the plain materialized view of the same columns"
  make_table bench_table 1000000 4
  plain=$(processor "CREATE MATERIALIZED VIEW bench_plain AS SELECT id, $columns FROM bench_table")
  note "plain materialized view: $plain s"
  for method in mdav microaggregate; do
    publish_row "anon_publish, $method" "$plain" \
      "SELECT anon_publish('bench_$method', 'bench_table', '{$columns}', 5, method => '$method', keep => '{id}', beside => 'ignore')"
    note "stages: $(stages "SELECT anon_refresh('bench_$method')") s of the clock (reading, anonymizing, verifying, writing)"
  done
  say "anon_audit, 1,000,000 rows x 4, processor time: GROUP BY, classes alone and their ratio, all models of the sensitive columns (id; s1, s2)"
  printf '%-22s %9s %9s %6s %13s\n' quasi-identifiers 'GROUP BY' classes ratio 'all models'
  audit_row 'a release (MDAV)' bench_mdav "$columns" 'id'
  query -c 'DROP TABLE bench_table CASCADE' 2>/dev/null
  create_table bench_table "SELECT a, b, c, d, int4range(a, a + 5) AS ra, int4range(b, b + 7) AS rb,
    numrange(c, c + 2) AS rc, numrange(d, d + 1.5) AS rd, s1, s2
    FROM (SELECT (99 * random())::int AS a, (99 * random())::int AS b, (49 * random())::int::numeric AS c,
      (19 * random())::int::numeric AS d, (29 * random())::int AS s1, (999 * random())::int AS s2
      FROM generate_series(1, 1000000)) AS drawn"
  audit_row numbers bench_table a,b,c,d s1,s2
  audit_row ranges bench_table ra,rb,rc,rd s1,s2
  query -c 'DROP TABLE bench_table'
}

section_risk() {
  say "Risk and utility, 100,000 rows"
  make_table bench_table 100000 7
  query -c "CREATE TABLE bench_masked AS SELECT id$(printf ', round(c%d::numeric, 1)::float8 AS c%d' 1 1 2 2 3 3 4 4 5 5 6 6 7 7)
    FROM bench_table"
  query -c "CREATE TABLE bench_codes AS SELECT $(for j in 1 2 3 4 5 6 7 8; do printf '(%d * random())::int AS a%d,' \
    $((9 + 10 * j)) "$j"; done) 0 AS zero FROM generate_series(1, 100000)"
  note "anon_linkage, distance, 7 columns:        $(seconds "SELECT * FROM anon_linkage('bench_table', 'bench_masked', '{$(columns 7)}', key => '{id}')") s"
  note "anon_linkage, probabilistic, 7 columns:   $(seconds "SELECT * FROM anon_linkage('bench_masked', 'bench_masked', '{$(columns 7)}', 'probabilistic')") s"
  note "anon_risk, SUDA up to 3 of 8 columns:     $(seconds "SELECT * FROM anon_risk('bench_codes', '{a1,a2,a3,a4,a5,a6,a7,a8}')") s"
  note "anon_utility, 7 columns, 100 counts:      $(seconds "SELECT * FROM anon_utility('bench_table', 'bench_masked', '{$(columns 7)}', key => '{id}')") s"
  query -c 'DROP TABLE bench_table, bench_masked, bench_codes'
}

# report_row THREADS COLUMNS: seconds of a report, and of the functions with its figures.
report_row() {
  local pair="'bench_table', 'bench_public', '{$2}'"
  printf '%7d ' "$1"
  query <<SQL | awk -F'|' '{ seconds[$1] = $2 } END { count = split("report linkage infer utility risk audit", names, " ")
    for (i = 1; i <= count; ++i) printf " %8.1f", seconds["anon_" names[i]] / 1000
    print "" }'
SET client_min_messages = error;
SET anonkit.threads = $1;
SET track_functions = 'all';
SELECT FROM anon_report('bench_public') \g /dev/null
SELECT FROM anon_linkage($pair), anon_infer($pair, '{diagnosis}'), anon_utility($pair) LIMIT 1 \g /dev/null
SELECT pg_stat_force_next_flush() \g /dev/null
SELECT funcname, total_time FROM pg_stat_user_functions;
SELECT pg_stat_reset() \g /dev/null
SQL
}

section_report() {
  local columns=age,hours,sex,work,marital,region,c1,c2,c3
  say "anon_report, 1,000,000 records x 9 of both kinds, k = 5: seconds of the clock, and those of the functions with its figures"
  make_nine bench_table 1000000 bench_people bench_numbers
  query -c "SELECT FROM anon_publish('bench_public', 'bench_table', '{$columns}', 5, sensitive => '{diagnosis}')"
  printf '%7s  %8s %8s %8s %8s %8s %8s\n' threads report linkage infer utility risk audit
  report_row 1 "$columns"
  report_row 2 "$columns"
  query -c 'DROP TABLE bench_table, bench_people, bench_numbers CASCADE'
}

# release_cells TABLE COLUMNS K SENSITIVE SPEC: the seconds of the clock and the loss of one release, as cells of a row.
release_cells() {
  printf ' %9s' "$(seconds 'SET client_min_messages = warning' "SELECT FROM anon_publish('bench_release', '$1', '{$2}', $3,
    sensitive => '{$4}', spec => anon_spec($5))")"
  printf ' %8s' "$(query -c 'SELECT loss FROM anon_releases')"
  query -c "SELECT anon_drop('bench_release')" >/dev/null
}

# categories_row TABLE COLUMNS K PROMISE: seconds of the clock and loss, as a whole and as the method divides.
categories_row() {
  local size promise=${4:-}
  printf '%8s %4s %12s' "$(awk -F, '{ print NF }' <<<"$2")" "$3" "${promise:-none}"
  for size in 1000000 NULL; do
    release_cells "$1" "$2" "$3" diagnosis "block_size => $size${promise:+, $promise}"
  done
  printf '\n'
}

section_categories() {
  local six=age,hours,sex,work,marital,region promise
  say "anon_publish, 1,000,000 records of numbers and categories: seconds of the clock and loss, in %, whole and by blocks"
  make_nine bench_table 1000000 bench_people bench_numbers
  printf '%8s %4s %12s %9s %8s %9s %8s\n' columns k promise whole loss blocks loss
  for promise in '' 'l => 3' 'alpha => 0.5' 't => 0.3'; do categories_row bench_people "$six" 5 "$promise"; done
  categories_row bench_people "$six" 50
  categories_row bench_table "$six,c1,c2,c3" 5
  categories_row bench_table "$six,c1,c2,c3" 50
  query -c 'DROP TABLE bench_table, bench_people, bench_numbers CASCADE'
}

# promised_row TABLE COLUMNS SENSITIVE PROMISE: the losses of the default and of a thorough search.
promised_row() {
  local effort
  printf '%-12s %4s %-12s' "$1" "$(awk -F, '{ print NF }' <<<"$2")" "$4"
  for effort in "'fast'" "'thorough', refine_seconds => 60"; do
    release_cells "$1" "$2" 5 "$3" "effort => $effort, $4"
  done
  printf '\n'
}

section_promises() {
  local data=${ANONKIT_DATA:-$PWD/../shared/data} numbers=age,hours_per_week,education_num
  say "Promises that need classes far larger than k = 5: seconds of the clock and loss, in %, by default and thorough (a minute at most)"
  printf '%-12s %7s %-9s %9s %8s %9s %8s\n' table columns promise default loss thorough loss
  make_mixed bench_people 20000
  promised_row bench_people age,hours,sex,work,marital,region diagnosis 't => 0.15'
  query -c 'DROP TABLE bench_people'
  [ -r "$data/adult.csv" ] || { note "Adult: there is no $data/adult.csv"; return; }
  load_csv "$data/adult.csv" adult >/dev/null
  promised_row adult "$numbers,sex,marital_status,workclass,race" occupation 't => 0.3'
  promised_row adult "$numbers,fnlwgt" occupation 't => 0.2'
  promised_row adult "$numbers,fnlwgt" occupation 'l => 6'
  query -c 'DROP TABLE adult'
}

section_defaults() {
  say "The default method, k = 5: seconds of the clock and loss, in %"
  printf '%7s %7s %9s %8s\n' records columns seconds loss
  local n columns
  for n in 1000 6000 25000 60000; do
    make_nine bench_table "$n" bench_people bench_numbers
    for columns in c1,c2,c3 age,hours,sex,work,marital,region age,hours,sex,work,marital,region,c1,c2,c3; do
      printf '%7d %7d' "$n" "$(awk -F, '{ print NF }' <<<"$columns")"
      release_cells bench_table "$columns" 5 '' ''
      printf '\n'
    done
    query -c 'DROP TABLE bench_table, bench_people, bench_numbers'
  done
}

# loss_by_blocks METHOD D BLOCK_SIZE: of classes within blocks, SSE in % of SST.
loss_by_blocks() {
  query <<SQL
SELECT anon_blocks('bench_table', '{$(columns "$2")}', $3) AS cuts \\gset
SELECT ARRAY[$(terms "$2" 'stddev(c&)' ,)]::float8[] AS scales FROM bench_table \\gset
CREATE TEMP TABLE classes AS
SELECT *, anon_$1_class(5, :'scales'::float8[], 'error', $(columns "$2")) OVER (PARTITION BY block) AS class
FROM (SELECT *, anon_block(:'cuts', $(columns "$2")) AS block FROM bench_table) AS b;
SELECT round((100 * ($(terms "$2" 'sum(sse&) / max(sst&)' +)) / $2)::numeric, 4)
FROM (SELECT $(terms "$2" 'var_pop(c&) * count(*) AS sse&' ,) FROM classes GROUP BY block, class) AS c,
  (SELECT $(terms "$2" 'var_pop(c&) * count(*) AS sst&' ,) FROM classes) AS whole;
SQL
}

section_blocks() {
  say "Loss by blocks, 200,000 records, k = 5: SSE in % of SST"
  printf '%15s %3s %9s %9s %9s %9s %9s\n' method d whole 100000 50000 12500 3000
  local method d size
  for d in 2 4 6; do
    make_table bench_table 200000 "$d"
    for method in mdav microaggregate; do
      printf '%15s %3d' "$method" "$d"
      for size in 200000 100000 50000 12500 3000; do printf ' %9s' "$(loss_by_blocks "$method" "$d" "$size")"; done
      printf '\n'
    done
    query -c 'DROP TABLE bench_table'
  done
}

# seconds_by_blocks METHOD: from table to audited table, by blocks of 100,000.
seconds_by_blocks() {
  seconds "SET work_mem = '64MB'" "DROP TABLE IF EXISTS bench_public" "DO \$\$ DECLARE cuts jsonb; scales float8[]; BEGIN
    cuts := anon_blocks('bench_table', '{c1,c2}');
    SELECT ARRAY[stddev(c1), stddev(c2)] INTO scales FROM bench_table;
    CREATE TABLE bench_public AS
    SELECT avg(c1) OVER class AS c1, avg(c2) OVER class AS c2 FROM (
      SELECT c1, c2, block, anon_$1_class(5, scales, 'error', c1, c2) OVER (PARTITION BY block) AS class
      FROM (SELECT c1, c2, anon_block(cuts, c1, c2) AS block FROM bench_table) AS b) AS c
    WINDOW class AS (PARTITION BY block, class);
    PERFORM anon_assert('bench_public', '{c1,c2}', k => 5); END \$\$"
}

section_millions() {
  say "Records x 2 by blocks of 100,000, k = 5: seconds from table to audited table"
  printf '%10s %9s %15s\n' records mdav microaggregate
  local n
  for n in 1000000 3000000 10000000; do
    make_table bench_table "$n" 2
    printf '%10d %9s' "$n" "$(seconds_by_blocks mdav)"
    printf ' %15s\n' "$(seconds_by_blocks microaggregate)"
    query -c 'DROP TABLE bench_table, bench_public'
  done
}

# publish_in THREADS COLUMNS PARAMS: publishes a release in a new session. Prints the seconds of the clock, of all
# processors, of the calling thread, and of the clock if each thread had a processor; then the loss in % of SST.
publish_in() {
  query <<SQL | awk -v threads="$1" '
    /^stat/ { used[++lines] = ($15 + $16) / 100 }
    /^Time:/ { clock = $2 / 1000 }
    /^loss/ { loss = $2 }
    END { all = used[3] - used[1]; caller = used[4] - used[2]
      printf "%8d %8.1f %8.1f %8.1f %8.1f %9s\n", threads, clock, all, caller, caller + (all - caller) / threads, loss }'
SET client_min_messages = warning;
SET anonkit.threads = $1;
DROP MATERIALIZED VIEW IF EXISTS bench_release;
SELECT pg_backend_pid() AS backend \gset
\setenv BACKEND :backend
\! sed 's/^/stat /' /proc/\$BACKEND/stat /proc/\$BACKEND/task/\$BACKEND/stat
\timing on
SELECT FROM anon_publish('bench_release', 'bench_table', '{$(columns "$2")}', 5, params => '$3');
\timing off
SELECT 'loss ' || round(loss::numeric, 5) FROM anon_release_info('bench_release');
\! sed 's/^/stat /' /proc/\$BACKEND/stat /proc/\$BACKEND/task/\$BACKEND/stat
SQL
}

section_threads() {
  say "anon_publish, the default method, k = 5: whole in one thread, then by blocks in 1 and 2"
  printf '%13s %8s %8s %8s %8s %8s %9s\n' records threads clock all caller ideal loss
  local size n d
  for size in "1000000 4" "10000000 2"; do
    read -r n d <<<"$size"
    make_table bench_table "$n" "$d"
    printf '%9d x %d ' "$n" "$d"; publish_in 1 "$d" "{\"block_size\": $n}"
    printf '%14s' ''; publish_in 1 "$d" '{}'
    printf '%14s' ''; publish_in 2 "$d" '{}'
    query -c 'DROP TABLE bench_table CASCADE'
  done
  say "Ranges of a number and sets of seven columns of labels, which is not divided: threads find neighbours"
  make_labels bench_table 100000
  local threads
  for threads in 1 2; do
    printf '%9d x 8 ' 100000; publish_in "$threads" 8 '{"recode": "range"}'
  done
  query -c 'DROP TABLE bench_table CASCADE'
}

# publish_large ARGUMENTS: publishes a release in two threads and MEMORY (1500MB). Prints the seconds of the clock, of all
# processors, of the calling thread, and of the clock if each thread had a processor; then the peak of the process's
# memory in MB, without shared buffers, and the loss in % of SST, or the certainty penalty.
publish_large() {
  query <<SQL 2>&1 | awk '
    /^stat/ { used[++lines] = ($15 + $16) / 100 }
    /^Time:/ { clock = $2 / 1000 }
    /^VmHWM/ { peak = $2 }
    /^RssShmem/ { shared = $2 }
    /^loss/ { loss = $2 }
    /in [0-9]* parts/ { match($0, /in [0-9]* parts/); parts = substr($0, RSTART + 3, RLENGTH - 9) }
    END { all = used[3] - used[1]; caller = used[4] - used[2]
      printf "%6d %8.1f %8.1f %8.1f %8.1f %9.0f %9s\n", parts + 0, clock, all, caller, caller + (all - caller) / 2, (peak - shared) / 1024, loss }'
SET client_min_messages = debug1;
SET anonkit.threads = 2;
SET anonkit.max_memory = '${MEMORY:-1500MB}';
SET work_mem = '64MB';
SET maintenance_work_mem = '256MB';
DROP MATERIALIZED VIEW IF EXISTS bench_release;
SELECT pg_backend_pid() AS backend \gset
\setenv BACKEND :backend
\! sed 's/^/stat /' /proc/\$BACKEND/stat /proc/\$BACKEND/task/\$BACKEND/stat
\timing on
SELECT FROM anon_publish('bench_release', 'bench_table', $1);
\timing off
SELECT 'loss ' || coalesce(round(ncp::numeric, 4), round(loss::numeric, 7)) FROM anon_release_info('bench_release');
\! sed 's/^/stat /' /proc/\$BACKEND/stat /proc/\$BACKEND/task/\$BACKEND/stat
\! grep -E '^(VmHWM|RssShmem)' /proc/\$BACKEND/status
SQL
}

# LARGE names the numbers of records.
section_large() {
  say "anon_publish of any size, the default method, records x 2, k = 5, in two threads and 1.5 GB"
  printf '%13s %6s %8s %8s %8s %8s %9s %9s\n' records parts clock all caller ideal 'peak, MB' loss
  local n
  for n in ${LARGE:-1000000 10000000 100000000}; do
    make_table bench_table "$n" 2
    printf '%13d ' "$n"; publish_large "'{$(columns 2)}', 5"
    query -c 'DROP TABLE bench_table CASCADE'
  done
}

# LARGE and MEMORY as above.
section_large_mixed() {
  say "anon_publish of any size: six columns of numbers and labels as ranges and sets, k = 5, l = 3, in ${MEMORY:-1500MB}"
  printf '%13s %6s %8s %8s %8s %8s %9s %9s\n' records parts clock all caller ideal 'peak, MB' 'ncp, %'
  local n
  for n in ${LARGE:-1000000 10000000}; do
    make_mixed bench_table "$n"
    printf '%13d ' "$n"
    publish_large "'{age,hours,sex,work,marital,region}', 5, recode => 'range', sensitive => '{diagnosis}', l => 3"
    query -c 'DROP TABLE bench_table CASCADE'
  done
}

need_packages demo
build_extension || die "the extension does not build"
start_cluster
create_extension
[ $# -gt 0 ] || set -- sizes million around tclose memory units generalisation risk
for section in "$@"; do "section_$section"; done
