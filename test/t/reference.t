#!/bin/bash
# docs/reference.md equals the output of scripts/reference.sh: every function and argument, current.
. test/t/tap.sh
fresh_database reference_t >/dev/null
generated=$(scripts/reference.sh 2>&1)
is "docs/reference.md is current (scripts/reference.sh >docs/reference.md)" \
  "$(diff <(printf '%s\n' "$generated") docs/reference.md | head -n 20)" ""
done_testing
