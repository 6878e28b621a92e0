#!/bin/bash
# Some cells of the matrix of extremes; test/extremes/run tries all.
. test/t/tap.sh
fresh_database extremes_t >/dev/null
ok "every 17th cell returns or raises a clear error without a value" test/extremes/walk 17 3
is "figures of +-1e308 are right: mean" "$(value "SELECT value FROM anon_utility('extremes.huge', 'extremes.huge', '{x}')
  WHERE measure = 'mean_original'")" 0
is "variances beyond the range of a double are null" "$(value "SELECT value IS NULL FROM anon_utility('extremes.huge', 'extremes.huge', '{x}')
  WHERE measure = 'variance_original'")" t
like "a population that does not exist" \
  "$(value "SELECT * FROM anon_audit('extremes.ordinary', '{x}', population => 999999::oid::regclass)")" '42P01: relation "999999" does not exist'
like "a source that does not exist" \
  "$(value "SELECT * FROM anon_publish('extremes.made', 999999::oid::regclass, '{x}', 2)")" '42P01: relation with OID 999999 does not exist'
like "versions that do not exist" \
  "$(value "SELECT * FROM anon_audit_versions(ARRAY[999999]::oid[]::regclass[], '{x}', '{s}', '{id}')")" '42P01: relation with OID 999999 does not exist'
like "a profile of nothing" "$(value "SELECT * FROM anon_profile(999999::oid::regclass)")" '42P01: relation with OID 999999 does not exist'
is "versions of different types are compared" \
  "$(value "SELECT value FROM anon_audit_versions('{extremes.long_numbers,extremes.ordinary}', '{x}', '{s}', '{id}') WHERE measure = 'versions'")" 2
like "an empty key" "$(value "SELECT * FROM anon_publish('extremes.made', 'extremes.ordinary', '{x}', 2, key => '{}')")" \
  '22023: parameter "key" needs at least one column'
done_testing
