#!/bin/bash
# The matrix of rights; test/rights/run tries it on a server of its own.
. test/t/tap.sh
ok "every relation has its readers, and no others, after each change" test/rights/walk
done_testing
