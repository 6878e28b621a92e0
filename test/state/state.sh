#!/bin/bash
# The matrix of altered states. Sourced by test/t/state.t and test/state/run.
#
# alter_states DATABASE: prints wrong cells, and then 'N cells, M wrong'. Fails if there are wrong ones, or none at all.
alter_states() {
  local quiet=(psql -X -q -At -v ON_ERROR_STOP=1) counts
  PGDATABASE=postgres "${quiet[@]}" -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1" 2>/dev/null
  local -x PGDATABASE=$1
  "${quiet[@]}" -o /dev/null -c 'CREATE EXTENSION anonkit' -f test/state/matrix.sql || return
  "${quiet[@]}" -c "SELECT format('%s %s, %s: %s: %s', \"table\", \"column\", kind, call, left(answer, 200)) FROM cells
    WHERE NOT is_right(release, call, \"column\", answer, before)"
  counts=$("${quiet[@]}" -c "SELECT count(*) || ' cells, ' || count(*) FILTER (WHERE NOT is_right(release, call, \"column\", answer, before)) || ' wrong'
    FROM cells")
  printf '%s\n' "$counts"
  PGDATABASE=postgres "${quiet[@]}" -c "DROP DATABASE $1 WITH (FORCE)" -c 'DROP ROLE t_state_other'
  [[ $counts =~ ^[1-9][0-9]*\ cells,\ 0\ wrong$ ]]
}
