#!/bin/bash
# The functions of the catalog have the arguments that src/pg/spec/options.def gives them, no other file lists them, and
# the statements that hints propose run as they are printed.
. test/t/tap.sh
fresh_database options_t >/dev/null

is "functions have the arguments of options.def" "$(diff \
  <(awk -v want=functions -f scripts/options.awk src/pg/spec/options.def | LC_ALL=C sort) \
  <(value "SELECT concat_ws(' ', p.proname, array_to_string(p.proargnames[1:p.pronargs], ' ')) FROM pg_proc AS p
      JOIN pg_depend AS d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
      WHERE 'spec' = ANY (p.proargnames[1:p.pronargs]) AND p.proname NOT LIKE 'anon_release%' AND p.proname NOT IN ('anon_set_spec', 'anon_distributed_spec')
        AND (p.proname NOT LIKE 'anonkit\\_%' OR p.proname = 'anonkit_distributed_options') OR p.proname = 'anon_spec'" |
    LC_ALL=C sort))" ""
is "no piece of the install script lists them" \
  "$(grep -lE 'spec jsonb DEFAULT' sql/install/*.sql)" ""
is "docs/arguments.tsv describes none of them" "$(join -t $'\t' -o 0 \
  <(awk -v want=words -f scripts/options.awk src/pg/spec/options.def | LC_ALL=C sort) <(LC_ALL=C sort docs/arguments.tsv))" ""

# A row that is wrong stops make, by its name.
refused() { # NAME ROW MESSAGE
  like "$1" "$(awk -f scripts/options.awk <(cat src/pg/spec/options.def; printf '%s\n' "$2") sql/install/*.sql 2>&1 >/dev/null)" "$3"
}
refused "an option of two rows" 'OPTION(k, int, "NULL", spec.options.k = 1, "smallest")' 'k is declared twice'
refused "an argument without a row" 'FUNCTION(anon_mdav, "tbl speed")' 'argument speed of anon_mdav has no row'
refused "a row without an end" 'FUNCTION(anon_mdav, "tbl"' 'unfinished row'
refused "an unknown kind of row" 'CHOICE(speed, int)' 'unknown row CHOICE'

# NAME => VALUE in the hints of errors, notices and the core's errors.
hinted() {
  grep -rhoE "\b[a-z_]+ => ('[^']*'|[0-9]+|true|false)" src --include='*.cpp' | grep -v '^spec => ' | sort -u
}
value "CREATE TABLE people AS SELECT i AS id, (i + 1) / 2 AS person, 20 + i * 37 % 50 AS age, (i % 5)::text AS illness
  FROM generate_series(1, 60) AS i; ALTER TABLE people ALTER age SET NOT NULL"
options_beside() { # OPTION: others that it has a meaning with
  case $1 in
    transparent) echo ", sensitive => '{illness}', l => 2" ;;
    recode) echo ", hierarchies => '{\"age\": {\"range\": [10]}}'" ;;
    unit_rows) echo ", unit => '{person}'" ;;
    weight_column) echo ", key => '{id}'" ;;
  esac
}
while IFS= read -r option; do
  others=$(options_beside "${option%% *}")
  case $option in
    largest_set*) call="anon_risk('people', '{age}', $option)" ;;
    wildcards*) call="anon_audit('people', '{age}', $option)" ;;
    k\ *) call="anon_publish('made', 'people', '{age}', $option)" ;;
    *) call="anon_publish('made', 'people', '{age}', 4, $option$others)" ;;
  esac
  is "a hint's $option runs" "$(value "BEGIN; SELECT count(*) > 0 FROM $call; ROLLBACK")" t
done < <(hinted)
done_testing
