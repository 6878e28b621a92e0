#!/bin/bash
# The throwaway cluster: alone, unreachable from outside, restartable, and gone afterwards.
. test/t/tap.sh
before=$PGHOST

# In a separate shell, whose end stops the cluster.
answers=$(bash -c '
  . scripts/say.sh
  . scripts/cluster.sh
  start_cluster "work_mem = 5MB" || exit 1
  echo "$PGHOST"
  psql -X -At -c "SHOW work_mem" -c "SHOW listen_addresses" -c "SELECT datcollate FROM pg_database WHERE datname = current_database()" \
    -c "SELECT pg_postmaster_start_time()"
  restart_cluster immediate
  psql -X -At -c "SELECT pg_postmaster_start_time()"
  stat -c %a "$PGHOST"
  ps -o user= -p "$(head -n 1 "$PGHOST/data/postmaster.pid")"
')
mapfile -t answer <<<"$answers"
is "settings arrive" "${answer[1]}" 5MB
is "no TCP" "${answer[2]}" ''
is "the same collation everywhere" "${answer[3]}" C.UTF-8
ok "it restarts" test "${answer[4]}" != "${answer[5]}"
is "nobody else gets in" "${answer[6]}" 700
ok "not run by root" test "${answer[7]}" != root
ok "it is another cluster" test "${answer[0]}" != "$before"
ok "nothing is left of it" test ! -e "${answer[0]}"

killed=$(bash -c '
  . scripts/say.sh
  . scripts/cluster.sh
  start_cluster || exit 1
  echo "$PGHOST"
  kill -TERM $$
  sleep 5')
ok "nothing is left when the script is terminated" test -n "$killed" -a ! -e "$killed"

stranger=$(PGHOST=/nowhere PGPORT=1 PGDATABASE=secret PGSERVICE=x bash -c '
  . scripts/say.sh
  . scripts/cluster.sh
  start_cluster || exit 1
  psql -X -At -c "SELECT current_database()"')
is "the caller's connection settings are ignored" "$stranger" postgres
is "the cluster of the tests is still there" "$(value 'SELECT 1')" 1
done_testing
