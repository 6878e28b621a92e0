#!/bin/bash
# How much of the k of another tool depends on blanks: bench/wildcards.sh [EVERY]. Suppresses single cells of every so
# many records of adult.csv (default: every tenth) until each is compatible with at least 5, and audits the result with
# and without wildcards. In a throwaway cluster of its own; prints a table and asserts nothing.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh
. scripts/csv.sh
. bench/tables.sh
EVERY=${1:-10}

# The local suppression of the tools: record after record, the fewest cells that leave 5 compatible ones, itself
# included. A cell that is blank already agrees with every value. Columns are codes, so that rows compare fast.
define_suppression() {
  query <<'SQL'
CREATE FUNCTION blank_cells(columns text[], k int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- A bit for each column in which record r and another one disagree.
  conflict text := (SELECT string_agg(format('coalesce(o.%1$I <> r.%1$I, false)::int * %2$s', c, 1 << (i - 1)::int), ' + ')
    FROM unnest(columns) WITH ORDINALITY AS q (c, i));
  blanks text := (SELECT string_agg(format('%1$I = CASE WHEN $2 & %2$s = 0 THEN %1$I END', c, 1 << (i - 1)::int), ', ')
    FROM unnest(columns) WITH ORDINALITY AS q (c, i));
  record_id bigint;
  fewest int;
BEGIN
  FOR record_id IN SELECT id FROM masked ORDER BY id LOOP
    EXECUTE format('WITH others AS MATERIALIZED (
        SELECT %s AS conflict, count(*) AS n FROM masked AS o, (SELECT * FROM masked WHERE id = $1) AS r GROUP BY 1)
      SELECT m FROM generate_series(0, $2) AS m JOIN others ON conflict & ~m = 0
      GROUP BY m HAVING sum(n) >= $3 ORDER BY bit_count(m::bit(16)), m LIMIT 1', conflict)
      INTO fewest USING record_id, (1 << cardinality(columns)) - 1, k;
    IF fewest > 0 THEN EXECUTE format('UPDATE masked SET %s WHERE id = $1', blanks) USING record_id, fewest; END IF;
  END LOOP;
END $$;
SQL
}

# row COLUMNS: of one set of quasi-identifiers, cells that are blank and records in classes of fewer than 5, in per cent.
row() {
  local codes
  codes=$(sed 's/[^,]*/dense_rank() OVER (ORDER BY &)::int AS &/g' <<<"$1")
  query <<SQL
SET client_min_messages = warning;
DROP TABLE IF EXISTS masked;
CREATE TABLE masked AS SELECT nr AS id, $codes FROM adult WHERE nr % $EVERY = 0;
SELECT blank_cells('{$1}', 5);
SELECT format('%-66s %7s %6s %5s %9s %9s', replace('$1', ',', ', '), (SELECT count(*) FROM masked),
  (SELECT round(100 - 100 * avg(num_nonnulls($1)) / cardinality('{$1}'::text[]), 1) FROM masked), max(level) FILTER (WHERE model = 'k-anonymity'),
  max(level) FILTER (WHERE model <> 'k-anonymity'),
  round(100 * max((detail ->> 'records_short')::numeric) FILTER (WHERE model = 'k-anonymity') / (SELECT count(*) FROM masked), 1))
FROM anon_audit('masked', '{$1}', wildcards => true, asked => '{"k-anonymity": 5}') WHERE model LIKE 'k-anonymity%';
SQL
}

build_extension || die "the extension could not be built and installed"
start_cluster
query -c 'CREATE EXTENSION anonkit'
load_csv "${ANONKIT_DATA:-$PWD/../shared/data}/adult.csv" adult
query -c 'ALTER TABLE adult ADD nr int' \
  -c 'UPDATE adult SET nr = place FROM (SELECT ctid AS here, row_number() OVER (ORDER BY ctid) AS place FROM adult) AS p WHERE ctid = here'
define_suppression
say "Cells of adult.csv suppressed to k = 5, where a blank agrees with every value"
printf '%-66s %7s %6s %5s %9s %9s\n' quasi-identifiers records 'blank%' k wildcards 'below5%'
row age,sex,race
row age,sex,race,marital_status
row age,sex,race,marital_status,education
row age,sex,race,marital_status,education,workclass
