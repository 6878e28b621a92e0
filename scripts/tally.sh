# Runs tests of any kind and sums their results. Sourced after say.sh.
#
# check NAME COMMAND...       one test: passed if the command is
# run_gtest NAME COMMAND...   a GoogleTest program
# run_tap NAME COMMAND...     prove or pg_prove, verbose
# run_regress NAME COMMAND... pg_regress
# skip NAME REASON            one test that cannot run here
# print_tally                 the list of what was not run, and the last line; its status tells if all tests passed
#
# A runner that fails without naming a failed test counts as one failed test. Tests of the optional reference data
# (ANONKIT_DATA) name it as their reason; they are not counted as skipped, and are reported in one line.

PASSED=0 FAILED=0 SKIPPED=0 OPTIONAL=0
FAILURES=() SKIPS=()
OPTIONAL_REASON='optional reference data'
RUNNER_LIMIT=${RUNNER_LIMIT:-2700}

count() {
  PASSED=$((PASSED + $2))
  FAILED=$((FAILED + $3))
  SKIPPED=$((SKIPPED + $4))
  local line="$1: $2 passed, $3 failed"
  [ "$4" -eq 0 ] || line+=", $4 skipped"
  note "$line"
  [ "$3" -eq 0 ] || FAILURES+=("$line")
}

# run NAME COMMAND...: sets LOG and STATUS.
run() {
  LOG=build/log/$(printf '%s' "$1" | tr -c 'A-Za-z0-9' '_').log
  mkdir -p build/log
  STATUS=0
  if [ "$(type -t "$2")" = function ]; then
    ("${@:2}") >"$LOG" 2>&1 </dev/null || STATUS=$?
  else
    timeout --kill-after=20 "$RUNNER_LIMIT" "${@:2}" >"$LOG" 2>&1 </dev/null || STATUS=$?
  fi
  [ "$STATUS" -ne 124 ] || printf 'stopped after %s s\n' "$RUNNER_LIMIT" >>"$LOG"
}

matches() { grep -cE "$1" "$LOG" || true; }

# show_failure: the end of the log; for TAP and GoogleTest, the failed tests and their reasons.
show_failure() {
  if grep -qE '^not ok ' "$LOG"; then
    awk '/^not ok / { shown = 1 } /^(ok |test\/)/ { shown = 0 } /^Test Summary/ { shown = 1 } shown' "$LOG"
  elif grep -q '^\[==========\] Running' "$LOG"; then
    # A test that did not end took its program with it; a sanitizer reports after the last test.
    awk '/^Running main/ { after = 0 } after && !/^\[/ { print } /^\[=+\] .* ran\./ { after = 1 }
      /^\[ RUN / { held = "" } /^\[(       OK|  SKIPPED) \]/ { held = "" }
      { if (/^\[ RUN / || held != "") held = held $0 "\n" }
      /^\[  FAILED  \].* ms\)$/ { printf "%s", held; held = "" }
      /^Running main/ || /^\[==========\] Running/ { printf "%s", held; held = "" }
      END { printf "%s", held }' "$LOG"
  else
    cat "$LOG"
  fi | tail -n 200
}

# finish NAME PASSED FAILED SKIPPED
finish() {
  local failed=$3
  if [ "$STATUS" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  if [ "$STATUS" -eq 0 ] && [ $(($2 + $3 + $4)) -eq 0 ]; then
    printf 'no test was run\n' >>"$LOG"
    failed=1
  fi
  if [ "$failed" -ne 0 ]; then show_failure; fi
  count "$1" "$2" "$failed" "$4"
}

check() {
  run "$@"
  if [ "$STATUS" -eq 0 ]; then finish "$1" 1 0 0; else finish "$1" 0 1 0; fi
}

skip() {
  SKIPS+=("$1: $2")
  SKIPPED=$((SKIPPED + 1))
}

# take_reasons NAME: the reasons of skipped tests, one per line, from the input. Sets OPTIONAL_HERE to the number of tests
# without their reference data.
take_reasons() {
  local reason
  OPTIONAL_HERE=0
  while IFS= read -r reason; do
    if [[ $reason == "$OPTIONAL_REASON"* ]]; then
      OPTIONAL_HERE=$((OPTIONAL_HERE + 1))
    else
      SKIPS+=("$1: ${reason:-without a reason}")
    fi
  done
  OPTIONAL=$((OPTIONAL + OPTIONAL_HERE))
}

# in_shards PROGRAM...: its tests in parts, one per processor at a time; so many that the processors end together. A part
# that hangs is stopped.
in_shards() {
  local shards status=0 i
  shards=$((8 * $(nproc)))
  export LOG RUNNER_LIMIT GTEST_COLOR=no GTEST_TOTAL_SHARDS=$shards
  seq 0 $((shards - 1)) | xargs -I{} -P "$(nproc)" bash -c \
    'GTEST_SHARD_INDEX=$1 exec timeout --kill-after=20 "$RUNNER_LIMIT" "${@:2}" >"$LOG.$1" 2>&1' shard {} "$@" || status=$?
  for ((i = 0; i < shards; i++)); do
    cat "$LOG.$i"
    rm "$LOG.$i"
  done
  return "$status"
}

run_gtest() {
  run "$1" in_shards "${@:2}"
  take_reasons "$1" < <(awk '/: Skipped$/ { getline; print }' "$LOG")
  local dead
  dead=$(($(matches '^\[==========\] Running') - $(matches '^\[==========\] .* ran\.')))
  finish "$1" "$(matches '^\[       OK \]')" \
    $((dead + $(matches '^\[  FAILED  \] .*\([0-9]+ ms\)$'))) \
    $(($(matches '^\[  SKIPPED \] .*\([0-9]+ ms\)$') - OPTIONAL_HERE))
}

run_tap() {
  run "$@"
  local skipped='^(ok .*|1\.\.0 )# (SKIP|skip)' dead
  take_reasons "$1" < <(sed -E "/$skipped/!d; s/^(ok [0-9]+|1\.\.0)( - )?//; s/ *# (SKIP|skip) */: /; s/^: //" "$LOG")
  dead=$(matches 'Parse errors?:|Wstat: [1-9][0-9]* .*Failed: 0\)')
  finish "$1" "$(grep -E '^ok ' "$LOG" | grep -cviE '# skip')" \
    $(($(grep -E '^not ok ' "$LOG" | grep -cviE '# todo') + dead)) $(($(matches "$skipped") - OPTIONAL_HERE))
}

run_regress() {
  run "$@"
  finish "$1" "$(matches '^(test|ok) .*( ok |- )')" "$(matches '^test .* FAILED|^not ok ')" 0
  if [ "$STATUS" -ne 0 ] && [ -e build/regress/regression.diffs ]; then
    tail -n 200 build/regress/regression.diffs
  fi
}

print_skips() {
  [ "$SKIPPED" -eq 0 ] && [ "$OPTIONAL" -eq 0 ] && return
  say "Not run"
  [ "$SKIPPED" -eq 0 ] || printf '%s\n' "${SKIPS[@]}" | sort | uniq -c | sed -E 's/^ +([0-9]+) (.*)/   \2 (\1)/; s/ \(1\)$//'
  [ "$OPTIONAL" -eq 0 ] || note "$OPTIONAL_REASON not present: $OPTIONAL tests not run"
}

print_tally() {
  local line
  print_skips
  for line in "${FAILURES[@]}"; do printf 'FAILED %s\n' "$line"; done
  printf '\n%d passed, %d failed' "$PASSED" "$FAILED"
  [ "$SKIPPED" -eq 0 ] || printf ', %d skipped' "$SKIPPED"
  printf '\n'
  [ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}
