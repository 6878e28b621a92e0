#!/bin/bash
# README.md and docs/ hold: their statements run, and print the outputs shown. The SQL blocks of a page run in order,
# in a database of their own. Each must succeed, or fail with the SQLSTATE that a comment before it names (<!--
# SQLSTATE 23514 -->). A text block after an SQL block is its output. A page that continues another names it in its
# first lines (<!-- after: docs/tutorial.md -->), and that page's statements run first. Programs in shell blocks must
# exist, and links must have a target.
. test/t/tap.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

pages() { find README.md docs -name '*.md' 2>/dev/null | LC_ALL=C sort; }

# split_blocks PAGE FOLDER: each block in a file of its own, NUMBER-LINE.LANGUAGE; an expected SQLSTATE in
# NUMBER-LINE.sqlstate, an expected output beside its SQL in NUMBER-LINE.expected.
split_blocks() {
  local number=0 line=0 file= previous= sqlstate= text
  mkdir -p "$2"
  while IFS= read -r text; do
    line=$((line + 1))
    if [ -n "$file" ]; then
      if [ "$text" = '```' ]; then file=; else printf '%s\n' "$text" >>"$file"; fi
    elif [[ $text =~ ^'```'([a-z]+)$ ]]; then
      number=$((number + 1))
      file=$2/$(printf '%03d-%d' "$number" "$line").${BASH_REMATCH[1]}
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
  done <"$1"
}

run_block() { psql -X -q -v ON_ERROR_STOP=1 -v VERBOSITY="$1" -P footer=off -f "$2" 2>&1; }

# Pages omit psql's file names and line numbers, blanks at the end of lines, and the progress of what takes ten seconds here.
said() { sed -E -e 's/^psql:[^ ]*: //' -e 's/ *$//' -e '/^NOTICE:  anonkit: .* [0-9]+ of [0-9]+ \([0-9]+ %\)$/d' -e '/^$/d' "$@"; }

# check_block PAGE BLOCK
check_block() {
  local name="$1, line ${2##*-}" output status=0
  if [ -e "$2.sqlstate" ]; then
    like "$name: fails as announced" "$(run_block verbose "$2.sql")" "ERROR:  $(cat "$2.sqlstate"):"
    return
  fi
  output=$(run_block default "$2.sql") || status=$?
  report "$status" "$name" "$output"
  [ ! -e "$2.expected" ] || is "$name: prints what is shown" "$(said <<<"$output")" "$(said "$2.expected")"
}

# check_command PAGE COMMAND: a script of the project or a make target that is called must be there.
check_command() {
  local words=($2)
  case ${words[0]} in
    ./*) ok "$1: ${words[0]} can be run" test -x "${words[0]}" ;;
    make) [[ ${words[1]:-} =~ ^[a-z]+$ ]] && ok "$1: make ${words[1]}" make -n "${words[1]}" ;;
    cmake) ok "$1: there is a CMakeLists.txt" test -e CMakeLists.txt ;;
  esac
}

# The anchors of a page: its headings as the usual renderers spell them.
anchors() {
  sed -n '/^```/,/^```$/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

# check_links PAGE: every relative link leads to a file, and every anchor to a heading.
check_links() {
  local page=$1 target file anchor dangling=
  while IFS= read -r target; do
    case $target in http://* | https://* | mailto:*) continue ;; esac
    file=${target%%#*} anchor=
    [ "$target" = "$file" ] || anchor=${target#*#}
    if [ -n "$file" ]; then file=$(dirname "$page")/$file; else file=$page; fi
    if [ ! -e "$file" ]; then
      dangling+="$target "
    elif [ -n "$anchor" ] && ! anchors "$file" | grep -qxF "$anchor"; then
      dangling+="$target "
    fi
  done < <(sed '/^```/,/^```$/d' "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')
  is "$page: all links lead somewhere" "$dangling" ""
}

run_quietly() {
  local block
  for block in "$1"/*.sql; do [ -e "${block%.sql}.sqlstate" ] || run_block default "$block" >/dev/null; done
}

# check_page PAGE: a page makes everything itself, the extension too, or builds on another page.
check_page() {
  local page=$1 blocks=$folder/${1//\//_} before block command
  split_blocks "$page" "$blocks"
  check_links "$page"
  if compgen -G "$blocks/*.sql" >/dev/null; then
    empty_database docs_t >/dev/null
    value 'DROP ROLE IF EXISTS researchers' >/dev/null
    before=$(sed -n 's/^<!-- after: \([^ ]*\) -->$/\1/p' "$page")
    if [ -n "$before" ]; then
      split_blocks "$before" "$blocks.before"
      run_quietly "$blocks.before"
    fi
    for block in "$blocks"/*.sql; do check_block "$page" "${block%.sql}"; done
  fi
  while IFS= read -r command; do
    check_command "$page" "${command#sudo }"
  done < <(cat "$blocks"/*.sh 2>/dev/null)
}

like "README.md has SQL" "$(cat README.md)" '```sql'
while IFS= read -r page; do check_page "$page"; done < <(pages)
done_testing
