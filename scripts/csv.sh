# Loads a CSV file into a table of the throwaway cluster. Sourced after say.sh, used with a cluster.
#
# A file has a header line with the columns' names, separated by a comma, a semicolon or a tab; it
# is UTF-8, plain or gzipped. Any error in it ends the script with one clear message.
#
# read_csv_header FILE: sets CSV_COLUMNS and CSV_SEPARATOR; needs no cluster.
# load_csv FILE TABLE: finds every column's type by trial (scripts/csv_types.sql).
# load_hierarchy FILE TABLE, load_adult FOLDER: tables of labels, and the data that they describe.
# split_line LINE SEPARATOR: the fields of one CSV line, in the array FIELDS.

split_line() {
  local line=$1 separator=$2 field='' quoted='' i c
  FIELDS=()
  for ((i = 0; i < ${#line}; i++)); do
    c=${line:i:1}
    if [ "$c" = '"' ]; then
      if [ "$quoted" = yes ] && [ "${line:i+1:1}" = '"' ]; then
        field+='"'
        i=$((i + 1))
      elif [ "$quoted" = yes ]; then
        quoted=
      else
        quoted=yes
      fi
    elif [ "$c" = "$separator" ] && [ -z "$quoted" ]; then
      FIELDS+=("$field")
      field=
    else
      field+=$c
    fi
  done
  [ -z "$quoted" ] || return 1
  FIELDS+=("$field")
}

csv_stream() {
  local start=1
  if [ "$(unpacked "$1" | head -c 3 | od -An -tx1)" = ' ef bb bf' ]; then start=4; fi
  unpacked "$1" | tail -c +"$start"
}

# A file in another encoding would fail at its first letter beyond ASCII, long after its start.
check_encoding() {
  csv_stream "$1" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 ||
    die "file $1 is not UTF-8; if it is in Latin-1, convert it: iconv -f LATIN1 -t UTF-8 FILE.csv >UTF8.csv"
}

unpacked() {
  if [ "$(head -c 2 "$1" | od -An -tx1)" = ' 1f 8b' ]; then gzip -dc "$1"; else cat "$1"; fi
}

# The separator that splits the header into the most fields.
csv_separator() {
  local best=',' most=0 separator
  for separator in , ';' $'\t'; do
    split_line "$1" "$separator" || die "the header has a quoted name that does not end on its line"
    if [ "${#FIELDS[@]}" -gt "$most" ]; then
      most=${#FIELDS[@]}
      best=$separator
    fi
  done
  printf '%s' "$best"
}

quote_name() { printf '"%s"' "${1//\"/\"\"}"; }

check_header() {
  local name i=0 bytes
  local -A seen=()
  for name in "$@"; do
    i=$((i + 1))
    [ -n "$name" ] || die "column $i of the header has no name"
    [ -z "${seen[$name]:-}" ] || die "the header names column \"$name\" twice"
    bytes=$(printf '%s' "$name" | wc -c)
    [ "$bytes" -le 63 ] || die "column \"$name\" has a name of more than 63 bytes"
    seen[$name]=1
  done
}

read_csv_header() {
  local file=$1 header
  [ -f "$file" ] || die "there is no file $file"
  [ -r "$file" ] || die "file $file cannot be read"
  IFS= read -r header < <(csv_stream "$file") || [ -n "$header" ] || die "file $file is empty"
  header=${header%$'\r'}
  CSV_SEPARATOR=$(csv_separator "$header") || exit 1
  split_line "$header" "$CSV_SEPARATOR"
  CSV_COLUMNS=("${FIELDS[@]}")
  check_header "${CSV_COLUMNS[@]}"
}

load_csv() {
  local file=$1 table=$2 name list names=() columns=()
  read_csv_header "$file"
  check_encoding "$file"
  for name in "${CSV_COLUMNS[@]}"; do
    names+=("$(quote_name "$name")")
    columns+=("$(quote_name "$name") text")
  done
  list=$(IFS=,; printf '%s' "${names[*]}")
  run_sql -c "CREATE TABLE csv_text ($(IFS=,; printf '%s' "${columns[*]}"))" ||
    die "file $file: see above"
  csv_stream "$file" | run_sql -c "COPY csv_text FROM STDIN WITH (FORMAT csv, HEADER true,
    ENCODING 'UTF8', DELIMITER E'${CSV_SEPARATOR/$'\t'/\\t}', FORCE_NULL ($list))" ||
    die "file $file is no proper CSV file: see above"
  [ -t 1 ] && note "finding the types of ${#CSV_COLUMNS[@]} columns"
  run_sql -v table="$table" -v separator="$CSV_SEPARATOR" -f scripts/csv_types.sql ||
    die "file $file: see above"
}

run_sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

# load_hierarchy FILE TABLE: a hierarchy's file has no header, and one column per level.
load_hierarchy() {
  local file=$1 name=$2 first columns= j
  IFS= read -r first <"$file" || die "file $file is empty"
  split_line "${first%$'\r'}" ';'
  for ((j = 0; j < ${#FIELDS[@]}; j++)); do columns+="${columns:+, }level_$j text"; done
  { printf 'CREATE TABLE :"name" (%s);\nCOPY :"name" FROM STDIN WITH (FORMAT csv, DELIMITER %s);\n' \
      "$columns" "';'"
    cat "$file"
    printf '\n\\.\nSELECT anon_hierarchy_table(:%s) \\g /dev/null\n' "'name'"
  } | sed '/^$/d' | run_sql -v name="$name" || die "file $file is no hierarchy: see above"
}

# load_adult FOLDER: its table adult_arx, and those of its columns' labels: adult_age, adult_sex, ..
load_adult() {
  local file
  load_csv "$1/adult_arx.csv" adult_arx
  for file in "$1"/hierarchies/adult_*.csv; do load_hierarchy "$file" "$(basename "$file" .csv)"; done
}
