#!/bin/bash
# From a table to a verified, published, masked view of it, in a separate PostgreSQL cluster.
set -euo pipefail
usage='./demo.sh [--keep] [FILE.csv QI,COLUMNS K [SENSITIVE,COLUMNS]]

Builds and installs the extension, starts a throwaway PostgreSQL cluster, publishes a k-anonymous
release of made-up hospital discharges, or of your CSV file, and shows what it did.

  FILE.csv   a header line and records; separated by comma, semicolon or tab; may be gzipped
  QI         the quasi-identifiers: the columns that somebody might already know of a person
  K          every combination of masked values is shared by at least K records
  SENSITIVE  columns that are published as they are, and audited
  --keep     leave the cluster running and print how to get at it'

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

# Sets the variables of the statements below: qi, k, sensitive, and as lists for SELECT columns
# (those of the release) and beside (each quasi-identifier of an original o and of its masked m).
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
  beside=
  for name in "$@"; do
    masked="masked $name"
    [ "$(printf '%s' "$masked" | wc -c)" -le 63 ] || masked=masked
    beside+="${beside:+,
       }o.$(quote_name "$name"), m.masked->>$(literal "$name") AS $(quote_name "$masked")"
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

publish() {
  local release=${table}_public source
  source=$(run_sql -At -c "SELECT quote_ident('$table')")
  say "The original, which nobody else may see"
  show "SELECT * FROM $source LIMIT 5;"

  say "Its release: published only if every promise holds on what is published"
  show "SELECT * FROM anon_publish('$release', '$source', $qi, $k, sensitive => $sensitive);" -x
  show "SELECT $columns FROM $release LIMIT 5;"

  say "One of its classes, beside the records that it hides"
  show "SELECT $beside
FROM $source AS o JOIN anon_microaggregate('$source', $qi, $k) AS m ON m.source = o.ctid
WHERE m.class_id = 1;"

  say "What the original and the release achieve (a k of 1: somebody stands alone)"
  show "SELECT r.model, r.attribute, trim_scale(round(o.level::numeric, 4)) AS original,
       trim_scale(round(r.level::numeric, 4)) AS release
FROM anon_audit('$release', $qi, $sensitive)
       WITH ORDINALITY AS r
JOIN anon_audit('$source', $qi, $sensitive) AS o
  ON o.model = r.model AND o.attribute IS NOT DISTINCT FROM r.attribute
ORDER BY r.ordinality;"

  say "What the masking costs"
  show "SELECT * FROM anon_evaluate('$source', $qi, $k, lower_bound => true);"
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
run_sql -c "SELECT attname AS column, format_type(atttypid, atttypmod) AS type
  FROM pg_attribute WHERE attrelid = quote_ident('$table')::regclass AND attnum > 0 ORDER BY attnum"
note "$(run_sql -At -c "SELECT count(*) FROM $(quote_name "$table")") records"
publish
if [ -n "$keep" ]; then keep_cluster; fi
