#!/bin/bash
# The matrix of altered states. Sourced by test/t/state.t and test/state/run.
#
# alter_states DATABASE: prints wrong cells, and then 'N cells, M wrong'. Fails if there are wrong ones, or none at all.
alter_states() {
  local quiet=(psql -X -q -At -v ON_ERROR_STOP=1) counts
  PGDATABASE=postgres "${quiet[@]}" -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1" 2>/dev/null
  local -x PGDATABASE=$1
  "${quiet[@]}" -o /dev/null -c 'CREATE EXTENSION anonkit' -f test/state/matrix.sql -f test/state/published.sql || return
  "${quiet[@]}" -c "SELECT format('%s %s, %s: %s: %s', \"table\", \"column\", kind, call, difference(answer, before)) FROM wrong_cells"
  counts=$("${quiet[@]}" -c "SELECT (SELECT count(*) FROM cells) || ' cells, ' || count(*) || ' wrong' FROM wrong_cells")
  printf '%s\n' "$counts"
  PGDATABASE=postgres "${quiet[@]}" -c "DROP DATABASE $1 WITH (FORCE)" -c 'DROP ROLE t_state_other, t_state_granted'
  [[ $counts =~ ^[1-9][0-9]*\ cells,\ 0\ wrong$ ]]
}
