#!/bin/bash
# Alters every column of every table that anonkit keeps, and every table, in every way, and calls every function that reads
# them. Prints the number of cells, and each wrong one.
#
#   test/state/run.sh
cd "$(dirname "$0")/../.." || exit
for part in say packages extension cluster; do . "scripts/$part.sh"; done
need_packages test
build_extension || exit
start_cluster
. test/state/state.sh
alter_states state_matrix
