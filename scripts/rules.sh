# Checks of the house's rules that need no program to run. Sourced after tally.sh; needs
# build/tests/compile_commands.json.

# The versions of clang-format break lines differently; this is Debian 12's.
FORMAT_VERSION=14

rules_of_the_house() {
  check "the core includes nothing of PostgreSQL" core_is_pure
  check "includes point up the list of folders" includes_point_up
  check "Eigen is included through one header" one_eigen_header
  check "PostgreSQL's headers are included through one header" one_pg_header
  check "PostgreSQL's version is asked for in compat.hpp only" one_version_header
  check "statements on users' relations are written in one file" one_user_query
  check "no file has more than 500 lines" files_are_short
  check "no two sources share a name" names_are_unique
  check "a model is named in at most eight files" models_are_declared_once
  check "no marks of a merge are left" merges_are_finished
  check "no flag makes a release depend on the machine" flags_are_portable
  check "a comment stands without the line above it" comments_stand_alone
  check "a function's texts outlive it" texts_are_static
  check "a loop over stored rows can be cancelled" loops_can_be_cancelled
  if clang-format --version | grep -q "version $FORMAT_VERSION\."; then
    check "format" is_formatted
  else
    skip format "it is that of clang-format $FORMAT_VERSION"
  fi
  check "benchmarks compile" benchmarks_compile
  check "static analysis" is_tidy
}

# A cancel must not wait until a temporary file or a table is read.
loops_can_be_cancelled() {
  ! awk 'asked { if ($0 !~ /CHECK_FOR_INTERRUPTS/) { print line; bad = 1 } asked = 0 }
    /(for|while) \(.*(tuplestore_gettupleslot|tuplesort_gettupleslot|heap_getnext|systable_getnext)/ {
      asked = 1; line = FILENAME ":" FNR ": " $0 }
    END { exit !bad }' $(sources src/pg)
}

# none PATTERN FILE...: shows the lines that match, and fails if any does.
none() { ! grep -nE -e "$1" "${@:2}" /dev/null; }

sources() { find "$@" -name '*.[ch]pp' 2>/dev/null | sort; }

core_is_pure() {
  none '#include [<"](postgres|fmgr|executor/|catalog/|utils/|pg/)|\b(palloc|ereport|elog)\b' \
    $(sources src/core) && none 'postgresql' build/tests/compile_commands.json
}

# Entropy l-diversity stands for all models: their table has it once, and whoever asks of models reads that.
models_are_declared_once() {
  local files
  files=$(grep -rlw entropy_l src sql)
  [ "$(wc -l <<<"$files")" -le 8 ] || { printf '%s\n' "$files"; return 1; }
}

# The folders in the order of dependence: a file includes files of its own folder or of earlier
# ones. ARCHITECTURE.md draws this list.
CORE_ORDER="base table partition space sensitive recode metric promise search transparent method cohort model risk utility"
PG_ORDER="backend spec read audit risk schedule release look window over_time set report explore"

# arrows_back FOLDER ORDER [PREFIX]: prints every include that points down the list.
arrows_back() {
  grep -rnE "^#include \"$3" "$1" --include='*.[ch]pp' | awk -v root="$1/" -v prefix="$3" -v order="$2" '
    BEGIN { n = split(order, names, " "); for (i = 1; i <= n; ++i) place[names[i]] = i }
    function folder(path, parts) { return split(path, parts, "/") > 1 ? parts[1] : "" }
    {
      split($0, quoted, "\""); colon = index($0, ":")
      from = folder(substr($0, length(root) + 1, colon - length(root) - 1))
      to = folder(substr(quoted[2], length(prefix) + 1))
      if (from == "" || (to == "" && prefix != "")) next
      if (!(from in place) || !(to in place) || place[to] > place[from]) print
    }'
}

# Only the pipeline lies below the core's list; the judges include base alone.
includes_point_up() {
  local back
  back=$(arrows_back src/core "$CORE_ORDER" ""
    arrows_back src/pg "$PG_ORDER" "pg/"
    grep -rnE '#include "' src/core/model --include='*.[ch]pp' | grep -vE '#include "(base|model)/')
  [ -z "$back" ] || { printf '%s\n' "$back"; return 1; }
}

one_eigen_header() { none '#include <Eigen' $(sources src | grep -v src/core/base/eigen.hpp); }

one_pg_header() { none '#include "postgres\.h"' $(sources src | grep -v src/pg/backend/pg.hpp); }

# Readers of users' relations have user_query.cpp write their statements.
one_user_query() {
  none '\bFROM %s' $(sources src/pg/read src/pg/audit src/pg/risk src/pg/look src/pg/window)
}

one_version_header() { none 'PG_VERSION_NUM' $(sources src | grep -v src/pg/backend/compat.hpp); }

# Exempts the install scripts of old versions, which test upgrades.
files_are_short() {
  local file long=
  while IFS= read -r file; do
    if [ "$(wc -l <"$file")" -gt 500 ]; then
      printf '%s has %s lines\n' "$file" "$(wc -l <"$file")"
      long=yes
    fi
  done < <(find src sql/install sql/upgrade bench test scripts examples ./*.sh -type f \
    ! -name 'anonkit--*.sql' 2>/dev/null)
  [ -z "$long" ]
}

# A debugger, a compiler and a search show names without their folders.
names_are_unique() { ! sources src | sed 's|.*/||' | sort | uniq -d | grep .; }

merges_are_finished() { ! grep -rnE '^(<{7}|>{7}) ' --exclude-dir=.git --exclude-dir=build .; }

flags_are_portable() {
  none '^[^#]*(-march=native|-ffast-math|-Ofast|-fopenmp)' Makefile CMakeLists.txt &&
    grep -q -e -ffp-contract=off Makefile && grep -q -e -ffp-contract=off CMakeLists.txt
}

# Prints every comment whose first line begins with 'Of', 'The same', or a pronoun for a noun.
comments_stand_alone() {
  ! find src sql test bench scripts ./*.sh -type f ! -path 'test/data/*' \
    ! -path 'test/*/expected/*' -regex '.*\.\([ch]pp\|sql\|sh\|t\)' -print0 | xargs -0 awk '
    BEGIN { mark = "(//[/<]*|--|#) "; dependent = mark "(Of|The same|What|Who|Whose|Whoever|Whatever)( |$)" }
    FNR == 1 { inside = 0 }
    $0 ~ "^ *" mark { if (!inside && $0 ~ "^ *" dependent) print FILENAME ":" FNR ": " $0; inside = 1; next }
    { inside = 0 }
    $0 ~ " " dependent { print FILENAME ":" FNR ": " $0 }' | grep .
}

# Figures, errors and options hold texts by their addresses; that of a constant in a function ends with the call.
texts_are_static() { none '^ +(constexpr (const )?char[* ]+|const char )[A-Za-z_]+\[' $(sources src); }

is_formatted() { clang-format --dry-run -Werror $(sources src test bench); }

# Benchmarks are built by cmake --build, and here only parsed.
benchmarks_compile() {
  local flags=(-std=c++17 -fsyntax-only -Wall -Wextra -Isrc/core -Itest/core -Ibench/core -isystem /usr/include/eigen3)
  [ -z "${WERROR:-}" ] || flags+=(-Werror)
  printf '%s\0' bench/core/*.cpp | xargs -0 -n 1 -P "$(nproc)" "${CXX:-g++}" "${flags[@]}" -DEIGEN_DONT_PARALLELIZE
}

is_tidy() {
  local flags
  flags="-std=c++17 -Isrc -Isrc/core -isystem /usr/include/eigen3 -DEIGEN_DONT_PARALLELIZE"
  flags+=" -isystem $("$PG_CONFIG" --includedir-server) -DPGDLLEXPORT= -DANONKIT_VERSION=\"0\""
  mkdir -p build/tidy
  export -f folder_is_tidy
  # The largest folders first, so that all processors end together. Hides clang-tidy's count of suppressed warnings.
  find src -name '*.cpp' -printf '%s %h\n' | awk '{ size[$2] += $1 } END { for (folder in size) print size[folder], folder }' |
    sort -rn | cut -d ' ' -f 2 | xargs -n 1 -P "$(nproc)" bash -c 'folder_is_tidy "$1" $0' "$flags" \
      2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
}

# folder_is_tidy FOLDER FLAG...: analyses all files of a folder as one, as the Makefile compiles them, since headers take
# most of the time. Skips a folder that is as it last passed.
folder_is_tidy() {
  local folder=$1 all=build/tidy/${1//\//_}.cpp files passed
  passed=${all%.cpp}.passed
  mapfile -t files < <(find "$folder" -maxdepth 1 -name '*.cpp' | sort)
  if [ -e "$passed" ] &&
    [ -z "$(find "${files[@]}" src .clang-tidy \( -path "$folder/*.cpp" -o ! -name '*.cpp' \) -type f -newer "$passed")" ]; then
    return
  fi
  printf '#include "%s"\n' "${files[@]/#/$PWD/}" >"$all"
  touch "$passed.next"
  clang-tidy --quiet --checks=-bugprone-suspicious-include "$all" -- "${@:2}" && mv "$passed.next" "$passed"
}
