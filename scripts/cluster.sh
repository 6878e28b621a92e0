# A throwaway PostgreSQL cluster with its own data folder, socket and unprivileged user, without
# TCP. It is removed when the script that started it ends. No other cluster is affected. Sourced
# after say.sh.
#
# start_cluster [NAME=VALUE...]: makes one with these settings; exports PGHOST, PGUSER, PGDATABASE.
# start_test_cluster [NAME=VALUE...]: the same for tests, without just-in-time compilation.
# restart_cluster [fast|immediate] stops and starts it, keep_cluster leaves it running at exit.
# CLUSTER_DIR holds data/, log and the socket.

# No variable of the environment may point a client at another server.
for name in "${!PG@}"; do
  [ "$name" = PG_CONFIG ] || unset "$name"
done

CLUSTER_DIR=
CLUSTER_USER=

# The server refuses to run as root.
cluster_user() {
  if [ "$(id -u)" -ne 0 ]; then
    id -un
  elif id postgres >/dev/null 2>&1; then
    echo postgres
  else
    echo nobody
  fi
}

as_cluster_user() {
  if [ "$(id -un)" = "$CLUSTER_USER" ]; then
    (cd / && "$@")
  else
    (cd / && runuser -u "$CLUSTER_USER" -- "$@")
  fi
}

pg() { as_cluster_user "$("$PG_CONFIG" --bindir)/$1" "${@:2}"; }

# A socket's path must fit into 107 bytes, and the cluster's user must be able to reach it.
cluster_parent() {
  local parent=${TMPDIR:-/tmp}
  if [ "${#parent}" -gt 60 ] || ! as_cluster_user test -x "$parent"; then parent=/tmp; fi
  printf '%s\n' "$parent"
}

start_cluster() {
  CLUSTER_USER=$(cluster_user)
  # mktemp replaces the capitals.
  CLUSTER_DIR=$(mktemp -d "$(cluster_parent)/anonkit.XXXXXX")
  trap stop_cluster EXIT
  trap 'exit 130' INT TERM HUP
  chmod 700 "$CLUSTER_DIR"
  [ "$CLUSTER_USER" = "$(id -un)" ] || chown "$CLUSTER_USER" "$CLUSTER_DIR"
  quietly build/log/initdb.log pg initdb -D "$CLUSTER_DIR/data" -U postgres --auth=trust \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync || die "initdb failed"
  # The cluster is temporary, so it needs no durability.
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$CLUSTER_DIR'" \
    "fsync = off" "synchronous_commit = off" "full_page_writes = off" "autovacuum_naptime = 10s" \
    "datestyle = 'ISO, MDY'" "timezone = 'UTC'" "$@" |
    as_cluster_user tee -a "$CLUSTER_DIR/data/postgresql.conf" >/dev/null
  export PGHOST=$CLUSTER_DIR PGUSER=postgres PGDATABASE=postgres
  PATH=$("$PG_CONFIG" --bindir):$PATH
  run_server || die "the server did not start"
}

run_server() {
  quietly build/log/pg_ctl.log pg pg_ctl start -w -D "$CLUSTER_DIR/data" -l "$CLUSTER_DIR/log" ||
    { tail -n 20 "$CLUSTER_DIR/log" >&2; return 1; }
}

# PostgreSQL's compiler takes a sixteenth of the tests' time, and three quarters of a matrix in a database of many releases.
start_test_cluster() { start_cluster "jit = off" "$@"; }

restart_cluster() {
  pg pg_ctl stop -w -D "$CLUSTER_DIR/data" -m "${1:-fast}" >/dev/null && run_server
}

stop_cluster() {
  [ -n "$CLUSTER_DIR" ] || return 0
  pg pg_ctl stop -w -D "$CLUSTER_DIR/data" -m immediate >/dev/null 2>&1 || true
  rm -rf "$CLUSTER_DIR"
  CLUSTER_DIR=
}

keep_cluster() {
  trap - EXIT
  note "the cluster goes on running; look around with"
  note "    $("$PG_CONFIG" --bindir)/psql -h $PGHOST -U $PGUSER $PGDATABASE"
  note "and end it with"
  local user=
  [ "$CLUSTER_USER" = "$(id -un)" ] || user="runuser -u $CLUSTER_USER -- "
  note "    $user$("$PG_CONFIG" --bindir)/pg_ctl stop -D $PGHOST/data && rm -r $PGHOST"
}
