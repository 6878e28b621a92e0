# A coordinator and two workers of Citus, each in a throwaway cluster of its own, known to each other by their sockets.
# Sourced after say.sh and cluster.sh; start_citus needs Citus and anonkit installed, and connects to the coordinator.

has_citus() { [ -e "$("${PG_CONFIG:-pg_config}" --pkglibdir)/citus.so" ]; }

NODES=()

stop_nodes() { for CLUSTER_DIR in "${NODES[@]}"; do stop_cluster; done; }

start_citus() {
  for _ in 1 2 coordinator; do
    start_cluster 'shared_preload_libraries = citus' 'citus.shard_count = 8' 'max_connections = 60' "$@"
    NODES+=("$CLUSTER_DIR")
    trap stop_nodes EXIT
    psql -X -q -v ON_ERROR_STOP=1 -c "ALTER SYSTEM SET citus.local_hostname = '$CLUSTER_DIR'" -c 'SELECT pg_reload_conf()' >/dev/null
    psql -X -q -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION citus' -c 'CREATE EXTENSION anonkit'
  done
  psql -X -q -v ON_ERROR_STOP=1 -c "SELECT citus_set_coordinator_host('${NODES[2]}', 5432)" \
    -c "SELECT citus_add_node('${NODES[0]}', 5432)" -c "SELECT citus_add_node('${NODES[1]}', 5432)" >/dev/null
}
