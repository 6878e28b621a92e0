#!/bin/bash
# From a table to a verified, published, masked view of it, in a separate PostgreSQL cluster.
set -euo pipefail
usage='./demo.sh [--keep] [FILE.csv QI,COLUMNS K [SENSITIVE,COLUMNS]]

Builds and installs the extension, starts a throwaway PostgreSQL cluster, publishes a k-anonymous
release of made-up hospital discharges, or of your CSV file, and shows the results.

  FILE.csv   a header line and records; separated by comma, semicolon or tab; may be gzipped
  QI         the quasi-identifiers: the columns that somebody might already know of a person
  K          every combination of masked values is shared by at least K records
  SENSITIVE  columns that are published as they are, and audited
  --keep     leave the cluster running and print how to get at it'

ADVICE_LINES=12
keep=
arguments=()
for argument in "$@"; do
  case $argument in
    --keep) keep=yes ;;
    -h | --help)
      printf '%s\n' "$usage"
      exit 0
      ;;
    *) arguments+=("$argument") ;;
  esac
done
set -- "${arguments[@]}"
# The file's path is relative to the caller's folder; the rest happens here.
file=
[ $# -eq 0 ] || file=$(realpath -- "$1")
cd "$(dirname "$(realpath "$0")")"
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh

# Sets the variables of the statements below: qi, k and sensitive. columns lists those of the release for SELECT.
# beside lists each quasi-identifier of an original o and of its masked m, and changed counts those that differ.
check_arguments() {
  if [ $# -eq 0 ]; then
    qi="'{birth_date,admitted,weight}'"
    k=5
    sensitive="'{diagnosis,charge}'"
    columns='birth_date, admitted, weight, diagnosis, charge'
    show_beside birth_date admitted weight
    return
  fi
  [ $# -eq 3 ] || [ $# -eq 4 ] || die "usage: $usage"
  [[ $3 =~ ^[1-9][0-9]{0,8}$ ]] || die "K must be a whole number from 1 on, not \"$3\""
  read_csv_header "$file"
  local name shown
  column_list QI "$2"
  qi=$COLUMN_LIST
  shown=("${FIELDS[@]}")
  show_beside "${FIELDS[@]}"
  k=$3
  sensitive="'{}'"
  if [ -n "${4:-}" ]; then
    column_list SENSITIVE "$4"
    sensitive=$COLUMN_LIST
    shown+=("${FIELDS[@]}")
  fi
  columns=
  for name in "${shown[@]}"; do columns+="${columns:+, }$(quote_name "$name")"; done
}

show_beside() {
  local name masked
  beside= changed=
  for name in "$@"; do
    masked="masked $name"
    [ "$(printf '%s' "$masked" | wc -c)" -le 63 ] || masked=masked
    beside+="${beside:+,
       }o.$(quote_name "$name"), m.masked->>$(literal "$name") AS $(quote_name "$masked")"
    changed+="${changed:+ + }(to_jsonb(o.$(quote_name "$name")) IS DISTINCT FROM m.masked->$(literal "$name"))::int"
  done
}

# Sets FIELDS to the names in a list ("a,b" in quotes if a name has a comma) and COLUMN_LIST to an
# SQL literal of type text[].
column_list() {
  local what=$1 name column known names=()
  split_line "$2" , || die "$what: a quoted name does not end"
  for name in "${FIELDS[@]}"; do
    known=
    for column in "${CSV_COLUMNS[@]}"; do [ "$column" != "$name" ] || known=yes; done
    [ -n "$known" ] || die "$what: the file has no column \"$name\"; it has: $(printf '"%s" ' "${CSV_COLUMNS[@]}")"
    name=${name//\\/\\\\}
    names+=("\"${name//\"/\\\"}\"")
  done
  COLUMN_LIST=$(literal "{$(IFS=,; printf '%s' "${names[*]}")}")
}

literal() { printf "'%s'" "${1//\'/\'\'}"; }

# A table's name that needs no quotes, from the file's.
table_name() {
  local name
  name=$(basename "$1")
  name=${name%.gz}
  name=$(printf '%s' "${name%.*}" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9' '_' | head -c 40)
  [[ $name =~ ^[a-z] ]] || name=t_$name
  printf '%s' "$name"
}

# Shows a statement, then runs it.
show() {
  printf '\n%s\n\n' "$1"
  run_sql -P pager=off -P footer=off "${@:2}" -c "$1"
}

load_table() {
  if [ -z "$file" ]; then
    table=discharges
    run_sql -f test/data/hospital.sql -c "CALL hospital_table('$table')"
  else
    table=$(table_name "$file")
    load_csv "$file" "$table"
  fi
}

# The types of the columns; of a wide table the columns that are published.
show_columns() {
  run_sql -P footer=off -c "SELECT attname AS column, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute WHERE attrelid = quote_ident('$table')::regclass AND attnum > 0
    AND ($width <= 12 OR attname = ANY ($qi::text[] || $sensitive::text[])) ORDER BY attnum"
  [ "$width" -le 12 ] || note "and $((width - $(tr -cd , <<<"$columns" | wc -c) - 1)) other columns, which stay unpublished"
}

# Advice about the columns before they get roles; of many lines the first ones.
advise() {
  local advice lines
  advice=$(run_sql -At -v table="$table" -f scripts/csv_advice.sql)
  [ -n "$advice" ] || return 0
  say "Before you choose: advice about the columns"
  head -n "$ADVICE_LINES" <<<"$advice" | sed 's/^/   /'
  lines=$(wc -l <<<"$advice")
  [ "$lines" -le "$ADVICE_LINES" ] || note "and $((lines - ADVICE_LINES)) more lines, about columns further right"
}

# Sets promise, of two values in each class if a release can have them, and promised, with the columns it is about.
choose_promise() {
  promise= promised=
  [ "$sensitive" != "'{}'" ] || return 0
  local p
  p=$(run_sql -At -c "SELECT coalesce(min(largest_p), 1) FROM anon_capacity('$source', $sensitive)")
  [ "$p" -lt 2 ] || [ "$k" -lt 2 ] || promise=', p => 2'
  [ -z "$promise" ] || promised=", sensitive => $sensitive$promise"
}

# The class in which most cells changed; of those few enough to be shown.
sample_class() {
  run_sql -At -c "SELECT m.class_id FROM $source AS o JOIN looked_at AS m ON m.source = o.ctid
    GROUP BY m.class_id, m.class_size
    ORDER BY m.class_size > greatest(10, 2 * $k), avg($changed) DESC, m.class_id LIMIT 1"
}

publish() {
  local release=${table}_public preview='*'
  [ "$width" -le 12 ] || preview=$columns
  choose_promise
  say "The original, which nobody else may see"
  show "SELECT $preview FROM $source LIMIT 5;"

  say "Its release: published only if its promises hold on the published values"
  show "SELECT rows, classes, smallest_class, round(mean_class::numeric, 2) AS mean_class,
       round(loss::numeric, 2) AS loss, suppressed
FROM anon_publish('$release', '$source', $qi, $k, sensitive => $sensitive$promise);"
  show "SELECT $columns FROM $release LIMIT 5;"

  say "One of its classes, beside the records that it hides"
  show "CREATE TABLE looked_at AS
SELECT * FROM anon_microaggregate('$source', $qi, $k$promised);"
  show "SELECT $beside
FROM $source AS o JOIN looked_at AS m ON m.source = o.ctid
WHERE m.class_id = $(sample_class) ORDER BY 1;"

  say "Improved by masking (a k of 1: somebody stands alone)"
  show "SELECT r.model, r.attribute, trim_scale(round(o.level::numeric, 4)) AS original,
       trim_scale(round(r.level::numeric, 4)) AS release
FROM anon_audit('$release', $qi, $sensitive)
       WITH ORDINALITY AS r
JOIN anon_audit('$source', $qi, $sensitive) AS o
  ON o.model = r.model AND o.attribute IS NOT DISTINCT FROM r.attribute
WHERE r.level <> o.level OR r.model = 'k-anonymity'
ORDER BY r.ordinality;"

  say "Cost of the masking"
  show "SELECT measure, trim_scale(round(value::numeric, 2)) AS value
FROM anon_evaluate('$source', $qi, $k$promised, lower_bound => true)
WHERE value IS NOT NULL AND measure <> 'seconds';"
  note "Figures of ranges and hierarchies (NCP, Prec, IL) are not listed: this release publishes means."
  conclude "$release"
}

# conclude RELEASE: the promise, its cost, the next step.
conclude() {
  say "In three lines"
  local figures
  figures=$(run_sql -At -c "SELECT format('%s %% of the spread of the quasi-identifiers (loss), %s records left out', round(loss, 2), suppressed)
    FROM anon_releases WHERE release = quote_ident('$1')::regclass")
  note "Promised and proved: every combination of masked values is shared by at least $k records${promise:+, with two sensitive values or more}."
  note "Cost: $figures."
  note "Next step: choose k and a promise for your own table (docs/tutorial.md), then anon_refresh('$1') when the table has changed."
}

check_arguments "$@"
say "Packages"
need_packages demo
say "Build and install the extension"
build_extension || die "the extension could not be built and installed: see above"
note "$(ls "$("$PG_CONFIG" --pkglibdir)/anonkit.so")"
say "A PostgreSQL cluster of our own"
start_cluster
run_sql -c 'CREATE DATABASE demo'
export PGDATABASE=demo
run_sql -c 'CREATE EXTENSION anonkit'
note "in $CLUSTER_DIR, run by $CLUSTER_USER"
say "Load ${file:-made-up hospital discharges}"
load_table
source=$(run_sql -At -c "SELECT quote_ident('$table')")
width=$(run_sql -At -c "SELECT count(*) FROM pg_attribute WHERE attrelid = quote_ident('$table')::regclass AND attnum > 0")
show_columns
note "$(run_sql -At -c "SELECT count(*) FROM $source") records"
advise
publish
if [ -n "$keep" ]; then keep_cluster; fi
