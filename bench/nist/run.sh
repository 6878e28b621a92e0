#!/bin/bash
# NIST's benchmark of deidentified data, in SQL: bench/nist/run.sh national2019.csv [SDNIST]
#
# The file is the national one of NIST's ACS data excerpts of 2019 (SDNist, BenchmarkData/ACSDataExcerpts/national), of which the ten
# demographic columns are used. Prints, for subsamples of 1, 10 and 50 % and for releases with k = 6, K-marginal of pairs and of triples
# (anon_utility), the share of the unique records that are published (unique_any_matches of anon_linkage), and the seconds of the release.
# With SDNIST, a checkout of usnistgov/SDNist, also K-marginal of pairs and the share by NIST's own program (sdnist.py). PYTHON (python3) must have pandas.
set -euo pipefail
national=$(realpath "$1") sdnist=${2:+$(realpath "$2")}
cd "$(dirname "$(realpath "$0")")/../.."
for part in say packages extension cluster csv; do . "scripts/$part.sh"; done
. bench/tables.sh
need_packages demo
build_extension
start_cluster "work_mem = 256MB" "anonkit.max_memory = 4GB"
create_extension
load_csv "$national" national >/dev/null
qi=agep,sex,msp,rac1p,housing_type,own_rent,edu,pincp_decile,dvet,deye
# Age, schooling and the decile of income are ordered. N of minors and of the young are the number below the least.
query <<'SQL'
CREATE TABLE acs AS
SELECT "AGEP"::int AS agep, "SEX"::text AS sex, "MSP"::text AS msp, "RAC1P"::text AS rac1p, "HOUSING_TYPE"::text AS housing_type,
  "OWN_RENT"::text AS own_rent, replace("EDU"::text, 'N', '0')::int AS edu, replace("PINCP_DECILE"::text, 'N', '-1')::int AS pincp_decile,
  "DVET"::text AS dvet, "DEYE"::text AS deye
FROM national;
SQL
scratch=$(mktemp -d)
printf '%-30s %7s %7s %10s %8s %8s %10s\n' '' K 'K of 3' 'uniques %' seconds "NIST's K" 'uniques %'

# row NAME SECONDS: the relation `released`, beside acs.
row() {
  local own nist=
  own=$(query <<SQL
CREATE TEMPORARY TABLE u AS SELECT measure, value FROM anon_utility('acs', 'released', '{$qi}', queries => 0);
INSERT INTO u SELECT measure, value FROM anon_linkage('acs', 'released', '{$qi}');
SELECT format('%-30s %7s %7s %10s %8s', '$1', round(max(value) FILTER (WHERE measure = 'k_marginal')::numeric, 1),
  round(max(value) FILTER (WHERE measure = 'k_marginal_triples')::numeric, 1), round((100 * max(value) FILTER (WHERE measure = 'unique_any_matches')
    / max(value) FILTER (WHERE measure = 'unique_records'))::numeric, 2), '$2') FROM u;
SQL
  )
  [ -z "$sdnist" ] || nist=$(by_nist)
  printf '%s %s\n' "$own" "$nist"
}

by_nist() {
  query -c "COPY (SELECT agep AS \"AGEP\", sex AS \"SEX\", msp AS \"MSP\", rac1p AS \"RAC1P\", housing_type AS \"HOUSING_TYPE\",
      own_rent AS \"OWN_RENT\", CASE edu WHEN 0 THEN 'N' ELSE edu::text END AS \"EDU\",
      CASE pincp_decile WHEN -1 THEN 'N' ELSE pincp_decile::text END AS \"PINCP_DECILE\", dvet AS \"DVET\", deye AS \"DEYE\"
    FROM released) TO STDOUT CSV HEADER" >"$scratch/released.csv"
  "${PYTHON:-python3}" bench/nist/sdnist.py "$sdnist" "$national" "$scratch/released.csv" | awk -F'\t' '{ printf "%8s %10s", $2, $3 }'
}

for percent in 1 10 50; do
  query -c "CREATE TABLE released AS SELECT * FROM acs TABLESAMPLE bernoulli ($percent) REPEATABLE (1)"
  row "a sample of $percent %" ''
  query -c 'DROP TABLE released'
done
while IFS='|' read -r name parameters; do
  time=$(seconds 'SET client_min_messages = error' "SELECT FROM anon_publish('released', 'acs', '{$qi}', 6, spec => '$parameters')" 2>/dev/null)
  row "$name" "$time"
  query -c "SELECT anon_drop('released')" >/dev/null
done <<'ROWS'
default|{}
default, age weighs a half|{"weights": [0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1]}
medians|{"recode": "median"}
calibrated|{"recode": "calibrated"}
thorough, 60 seconds|{"effort": "thorough", "refine_seconds": 60}
mdav|{"method": "mdav"}
swap, probabilistic|{"recode": "swap"}
ROWS
rm -r "$scratch"
