#!/bin/bash
# The cost of transparency, and the disclosures of releases without it: bench/transparent.sh [SECTION...], of loss,
# thousands, replay and time. In a throwaway cluster of its own; prints tables and asserts nothing.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh

query() { PGOPTIONS='-c client_min_messages=warning' psql -X -q -v ON_ERROR_STOP=1 -At -F ' ' "$@"; }

# The tables, each with the quasi-identifiers and the sensitive column of the sections below.
load_tables() {
  local data=${ANONKIT_DATA:-$PWD/../shared/data}
  load_csv "$data/adult.csv" adult
  load_csv "$data/census.csv" census
  query <<'SQL'
-- In the order of the file.
ALTER TABLE adult ADD nr int;
UPDATE adult SET nr = place FROM (SELECT ctid AS here, row_number() OVER (ORDER BY ctid) AS place FROM adult) AS p WHERE ctid = here;
CREATE TABLE adult_1000 AS SELECT * FROM adult WHERE nr <= 1000;
CREATE TABLE adult_30000 AS SELECT * FROM adult WHERE nr <= 30000;
CREATE TABLE census_six AS SELECT *, ntile(6) OVER (ORDER BY "FICA", ctid) AS part FROM census;
SQL
}

ADULT='{age,education_num,hours_per_week}'
CENSUS='{TAXINC,POTHVAL}'

# figures TABLE QI K SENSITIVE PARAMS: loss and % of the records that are withheld.
figures() {
  query -c "SELECT round(max(value) FILTER (WHERE measure = 'loss')::numeric, 3),
      round((100 * max(value) FILTER (WHERE measure = 'withheld') / max(value) FILTER (WHERE measure = 'rows'))::numeric, 1)
    FROM anon_evaluate('$1', '$2', $3, 'microaggregate', '{$4}', '$5')"
}

# The settings of adapt that are compared, the one that withholds most first.
ADAPT=(0.08 0.05 0.015 0.002)

loss_row() { # NAME TABLE QI K SENSITIVE L
  local default plain share adapted=()
  default=$(figures "$2" "$3" "$4" "$5" "{\"l\": $6}")
  plain=$(figures "$2" "$3" "$4" "$5" "{\"l\": $6, \"transparent\": true, \"decoys\": 0}")
  for share in "${ADAPT[@]}"; do
    adapted+=("$(figures "$2" "$3" "$4" "$5" "{\"l\": $6, \"transparent\": true, \"adapt\": $share, \"decoys\": 0}")")
  done
  # shellcheck disable=SC2086 # two figures each
  printf '%-31s %2s %2s %6s%s\n' "$1" "$4" "$6" "${default% }" "$(printf ' %8s %4s' $plain ${adapted[*]})"
}

section_loss() {
  say "Loss, and % of the records withheld, without decoys: default method"
  printf '%-31s %2s %2s %6s%s\n' '' k l default "$(printf ' %13s' transparent "${ADAPT[@]/#/adapt }")"
  local k l
  for k in 5 10; do
    for l in 2 3; do loss_row 'adult, 1,000 rows, occupation' adult_1000 "$ADULT" $k occupation $l; done
    loss_row 'census, FICA in six parts' census_six "$CENSUS" $k part 3
  done
  loss_row 'adult, 30,000 rows, occupation' adult_30000 "$ADULT" 5 occupation 3
  note "the last row by default, with effort => 'thorough': $(figures adult_30000 "$ADULT" 5 occupation '{"l": 3, "effort": "thorough"}')"
}

# means K L PARAMS: loss and % withheld, on average over the thousands.
means() {
  query -c "SELECT round(avg(value) FILTER (WHERE measure = 'loss')::numeric, 3),
      round((avg(value) FILTER (WHERE measure = 'withheld') / 10)::numeric, 2)
    FROM generate_series(1, 48) AS i, LATERAL anon_evaluate(('thousand_' || i)::regclass, '$ADULT', $1, 'microaggregate', '{occupation}',
      '{\"l\": $2, \"transparent\": true, \"decoys\": 0$3}')"
}

section_thousands() {
  say "Adult, each thousand of 48,000 rows, occupation, on average: loss, and % of the records withheld"
  query <<'SQL'
SELECT format('CREATE TABLE thousand_%s AS SELECT * FROM adult WHERE (nr + 999) / 1000 = %1$s', i) FROM generate_series(1, 48) AS i \gexec
SQL
  printf '%2s %2s%s\n' k l "$(printf ' %14s' transparent "${ADAPT[@]/#/adapt }")"
  local k l share row
  while read -r k l; do
    row=$(means "$k" "$l" '')
    for share in "${ADAPT[@]}"; do row+=" $(means "$k" "$l" ", \"adapt\": $share")"; done
    # shellcheck disable=SC2086 # two figures each
    printf '%2s %2s%s\n' "$k" "$l" "$(printf ' %8s %5s' $row)"
  done <<<$'5 2\n5 3\n10 3'
}

replay_row() { # NAME TABLE QI SENSITIVE METHOD PARAMS
  printf '%-34s %-15s %-34s %s\n' "$1" "$5" "$6" "$(query -c "
    SELECT round((sum(persons * belief_before) / sum(persons))::numeric, 3),
      round((sum(persons * belief_after) / sum(persons))::numeric, 3), sum(determined), 'of', sum(open)
    FROM anon_replay('$2', '$3', 5, '$5', '{$4}', '$6')")"
}

section_replay() {
  say "anon_replay, 8 classes, 16 arrangements, k = 5: belief before and after, persons determined"
  local adult=('adult, 1,000 rows, occupation' adult_1000 "$ADULT" occupation)
  local census=('census, FICA in six parts' census_six "$CENSUS" part)
  replay_row "${adult[@]}" microaggregate '{}'
  replay_row "${adult[@]}" microaggregate '{"l": 3}'
  replay_row "${adult[@]}" microaggregate '{"t": 0.3}'
  replay_row "${adult[@]}" psensitive '{"p": 3}'
  replay_row "${adult[@]}" mondrian '{"l": 3}'
  replay_row "${adult[@]}" mondrian '{"t": 0.3}'
  replay_row "${census[@]}" microaggregate '{"l": 3}'
  replay_row "${census[@]}" tclose '{"t": 0.2}'
  replay_row "${adult[@]}" microaggregate '{"l": 3, "transparent": true}'
  replay_row "${adult[@]}" microaggregate '{"l": 3, "transparent": true, "adapt": 0.05}'
  replay_row "${adult[@]}" mondrian '{"l": 3, "transparent": true}'
}

# seconds PARAMS: of one evaluation of 100,000 rows.
seconds() {
  query -c "SELECT round(value::numeric, 2) FROM anon_evaluate('hundred', '{x,y}', 5, 'microaggregate', '{kind}', '$1')
    WHERE measure = 'seconds'"
}

section_time() {
  say "100,000 rows x 2, 20 values, k = 5, l = 3: seconds"
  query <<'SQL'
SELECT setseed(0.5) \g /dev/null
CREATE TABLE hundred AS SELECT random() AS x, random() AS y, (20 * random() * random())::int AS kind FROM generate_series(1, 100000);
VACUUM ANALYZE hundred;
SQL
  note "default:                          $(seconds '{"l": 3}')"
  note "transparent:                      $(seconds '{"l": 3, "transparent": true}')"
  note "transparent with adapt => 0.05:   $(seconds '{"l": 3, "transparent": true, "adapt": 0.05}')"
}

case ${1:-} in -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;; esac
need_packages demo
build_extension || die "the extension could not be built and installed"
start_cluster
query -c 'CREATE EXTENSION anonkit'
sections=("$@")
[ $# -gt 0 ] || sections=(loss thousands replay time)
for section in "${sections[@]}"; do
  [ "$(type -t "section_$section")" = function ] || die "no section \"$section\""
done
load_tables
for section in "${sections[@]}"; do "section_$section"; done
