#!/bin/bash
# The README does what it says. Its SQL blocks run in their order, in a database of their own: each must
# succeed, or fail with the SQLSTATE that a comment before it names (<!-- SQLSTATE 23514 -->). A text
# block that follows an SQL block is what that prints. What its shell blocks call must exist.
. test/t/tap.sh
fresh_database readme_t >/dev/null
# The README makes these itself.
value 'DROP EXTENSION anonkit' >/dev/null
value 'DROP ROLE IF EXISTS researchers' >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Each block in a file of its own, NUMBER-LINE.LANGUAGE; an expected SQLSTATE in NUMBER-LINE.sqlstate,
# an expected output beside its SQL in NUMBER-LINE.expected.
split_blocks() {
  local number=0 line=0 file= previous= sqlstate= text
  while IFS= read -r text; do
    line=$((line + 1))
    if [ -n "$file" ]; then
      if [ "$text" = '```' ]; then file=; else printf '%s\n' "$text" >>"$file"; fi
    elif [[ $text =~ ^'```'([a-z]+)$ ]]; then
      number=$((number + 1))
      file=$folder/$(printf '%03d-%d' "$number" "$line").${BASH_REMATCH[1]}
      if [ "${BASH_REMATCH[1]}" = text ] && [ -n "$previous" ]; then file=${previous%.sql}.expected; fi
      : >"$file"
      [ -z "$sqlstate" ] || printf '%s\n' "$sqlstate" >"${file%.*}.sqlstate"
      case $file in *.sql) previous=$file ;; *) previous= ;; esac
      sqlstate=
    elif [[ $text =~ ^'<!-- SQLSTATE '([0-9A-Z]{5})' -->'$ ]]; then
      sqlstate=${BASH_REMATCH[1]}
    elif [ -n "$text" ]; then
      previous=
    fi
  done <README.md
}

run_block() { psql -X -q -v ON_ERROR_STOP=1 -v VERBOSITY="$1" -P footer=off -f "$2" 2>&1; }

# What psql says of a file's name and line is not in the README; nor are blanks at a line's end.
said() { sed -e 's/^psql:[^ ]*: //' -e 's/ *$//' -e '/^$/d' "$@"; }

check_block() {
  local name="README.md, line ${1##*-}" output status=0
  if [ -e "$1.sqlstate" ]; then
    like "$name: fails as announced" "$(run_block verbose "$1.sql")" "ERROR:  $(cat "$1.sqlstate"):"
    return
  fi
  output=$(run_block default "$1.sql") || status=$?
  report "$status" "$name" "$output"
  [ ! -e "$1.expected" ] || is "$name: prints what is shown" "$(said <<<"$output")" "$(said "$1.expected")"
}

# A command of a shell block: a script of the project or a make target must be there.
check_command() {
  local words=($1)
  case ${words[0]} in
    ./*) ok "README.md: ${words[0]} can be run" test -x "${words[0]}" ;;
    make) [[ ${words[1]:-} =~ ^[a-z]+$ ]] && ok "README.md: make ${words[1]}" make -n "${words[1]}" ;;
    cmake) ok "README.md: there is a CMakeLists.txt" test -e CMakeLists.txt ;;
  esac
}

split_blocks
like "README.md has SQL" "$(cd "$folder" && echo *)" '\.sql'
for block in "$folder"/*.sql; do check_block "${block%.sql}"; done
while IFS= read -r command; do
  check_command "${command#sudo }"
done < <(cat "$folder"/*.sh 2>/dev/null)
done_testing
