#!/bin/bash
# Some cells of the matrix of methods, promises and columns; test/matrix/run tries all.
. test/t/tap.sh
fresh_database matrix_t >/dev/null
ok "every 701st cell publishes what it promises, or is refused as documented" test/matrix/walk 701 5
done_testing
