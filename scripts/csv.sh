# Loads a CSV file into a table of the throwaway cluster. Sourced after say.sh, used with a cluster.
#
# A file has a header line with the columns' names, separated by a comma, a semicolon or a tab; it is
# UTF-8, plain or gzipped. Whatever is wrong with it ends the script with one clear message.
#
# read_csv_header FILE: sets CSV_COLUMNS and CSV_SEPARATOR; needs no cluster.
# load_csv FILE TABLE: every column's type is found by trying (scripts/csv_types.sql).
# load_hierarchy FILE TABLE: a file of a hierarchy has no header, and a column for each level.
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
