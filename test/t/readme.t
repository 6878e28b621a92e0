#!/bin/bash
# The README's SQL statements, in their order, in a database of their own: each must succeed.
. test/t/tap.sh
if ! grep -qs '^```sql' README.md; then
  echo '1..0 # SKIP README.md has no SQL'
  exit 0
fi
PGDATABASE=postgres value 'DROP DATABASE IF EXISTS readme_t' >/dev/null
PGDATABASE=postgres value 'CREATE DATABASE readme_t' >/dev/null
export PGDATABASE=readme_t
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Block number n, with the line where it stands, in the file n-line.
number=0 line=0 inside=
while IFS= read -r text; do
  line=$((line + 1))
  case $text in
    '```sql'*) number=$((number + 1)) inside=$folder/$(printf '%03d-%d' "$number" "$line") ;;
    '```'*) inside= ;;
    *) [ -z "$inside" ] || printf '%s\n' "$text" >>"$inside" ;;
  esac
done <README.md
for block in "$folder"/*; do
  ok "README.md, line ${block##*-}" psql -X -q -v ON_ERROR_STOP=1 -f "$block"
done
done_testing
