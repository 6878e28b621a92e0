#!/bin/bash
# The long runs of the judge: 30 versions, five seeds, 1,500 and 10,000 rows, every kind of promise, and releases that
# must be judged unsafe. The data are generated people and (with ANONKIT_DATA) Adult and the tax sample.
#
#   test/judge/run.sh [SEEDS [ROWS...]]
cd "$(dirname "$0")/../.." || exit
for part in say packages extension cluster csv tally; do . "scripts/$part.sh"; done
need_packages test
build_extension || exit
start_cluster
. test/judge/judge.sh
build_judge || exit
seeds=${1:-5}
[ $# -lt 2 ] || sizes=("${@:2}")
failed=0

# expect VERDICT KIND ROWS NIGHTS SEED METHOD K PARAMS JUDGE-OPTION...
expect() {
  local said wanted=$1
  said=$(judged "${@:2}" 2>&1)
  local verdict
  verdict=$(grep -oE '^(NOT )?SAFE' <<<"$said")
  [ "$verdict" = "$wanted" ] || failed=1
  printf '%-9s %s%s: %s\n' "$verdict" "${REAL:-generated}, " "${*:2:7}" "$(grep figures <<<"$said")"
  [ "$verdict" = "$wanted" ] || printf '%s\n' "$said"
}

for REAL in '' ${ANONKIT_DATA:+adult tax}; do
  for rows in "${sizes[@]:-1500 10000}"; do
    for size in $rows; do
      for ((seed = 1; seed <= seeds; seed++)); do
        expect SAFE key "$size" 30 "$seed" microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34
        expect SAFE key "$size" 30 "$seed" tclose 5 '{"t": 0.4}'
        expect SAFE key "$size" 30 "$seed" psensitive 5 '{"p": 3}' --l 3 --no-means
        expect SAFE key "$size" 30 "$seed" mondrian 5 '{"l": 3}' --l 3 --no-means
        expect SAFE key "$size" 30 "$seed" kpqr 5 '{"p": 2, "q": 0.1}'
        expect SAFE units "$size" 30 "$seed" mondrian 5 '{"l": 3}' --l 3 --no-means --units
        expect 'NOT SAFE' absence "$size" 30 "$seed" microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34 --no-means
        expect 'NOT SAFE' mean "$size" 30 "$seed" microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34 --no-means
        expect 'NOT SAFE' none "$size" 8 "$seed" microaggregate 5 '{"alpha": 0.34}' --l 3 --alpha 0.34 --no-means
      done
    done
  done
done
exit "$failed"
