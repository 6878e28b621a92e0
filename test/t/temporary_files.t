#!/bin/bash
# Rows beyond work_mem go to temporary files. A statement that ends with one open is a leak, of which the server warns its caller.
. test/t/tap.sh
fresh_database temporary_files_t
export PGOPTIONS='-c work_mem=64kB -c maintenance_work_mem=1MB'
value "CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 30 AS age, 10 + i * 13 % 40 AS hours, 'i' || i % 4 AS illness, repeat(md5(i::text), 4) AS note
    FROM generate_series(1, 2000) AS i;
  ALTER TABLE people ADD PRIMARY KEY (id);
  CREATE TABLE visits AS SELECT i AS visit, 41 + i * 7 % 1900 AS person, i % 7 AS day, repeat(md5(i::text), 4) AS note FROM generate_series(1, 3000) AS i;
  CREATE FUNCTION arrive(first int, last int) RETURNS void LANGUAGE sql AS \$\$
    INSERT INTO people SELECT i, 20 + i * 7 % 30, 10 + i * 13 % 40, 'i' || i % 4, repeat(md5(i::text), 4) FROM generate_series(first, last) AS i \$\$"

# quiet NAME SQL [PSQL-OPTION...]: the statements succeed, and the server warns of nothing.
quiet() {
  local output
  output=$(value "${@:2}")
  is "$1" "$(grep -E 'ERROR|WARNING' <<<"$output")" ''
}

quiet 'rows of a method' "SELECT count(*) FROM anon_mdav('people', '{age,hours}', 5)"
quiet 'a release' "SELECT FROM anon_publish('plain', 'people', '{age,hours}', 5, sensitive => '{illness}', keep => '{note}')"
quiet 'its refresh' "SELECT FROM anon_refresh('plain')"
quiet 'its refresh, as a utility command' 'REFRESH MATERIALIZED VIEW plain'
quiet 'its replay' "SELECT FROM anon_replay('people', '{age,hours}', 5, 'mdav', '{illness}', classes => 1)"
quiet 'a release in parts' "SET anonkit.max_memory = '1MB'; SELECT FROM anon_publish('parts', 'people', '{age,hours}', 5, method => 'mondrian', keep => '{note}')"
quiet 'rows that are swapped' "SELECT FROM anon_publish('swapped', 'people', '{age,hours}', 5, sensitive => '{illness}', keep => '{note}', recode => 'swap')"
quiet 'a release with a key' "SELECT FROM anon_publish('keyed', 'people', '{age,hours}', 5, sensitive => '{illness}', keep => '{note}', key => '{id}', beside => 'ignore')"
value "SELECT arrive(2001, 2003)" >/dev/null
quiet 'its refresh with too few newcomers' "SELECT FROM anon_refresh('keyed')"
value "DELETE FROM people WHERE id <= 40; SELECT arrive(2004, 2300)" >/dev/null
quiet 'its refresh' "SELECT FROM anon_refresh('keyed')"
quiet 'its audit with another release' "SELECT * FROM anon_audit_releases('{keyed,plain}')"
quiet 'a set' "SELECT FROM anon_publish_set('whole', '{\"people\": {\"qi\": [\"age\"], \"keep\": [\"note\"]},
  \"visits\": {\"qi\": [\"day\"], \"keep\": [\"note\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', 4, beside => 'ignore')"
quiet 'its refresh' "SELECT FROM anon_refresh_set('whole')"
quiet 'a set that grows' "SELECT FROM anon_publish_set('grown', '{\"people\": {\"qi\": [\"age\"], \"keep\": [\"note\"], \"key\": [\"id\"]},
  \"visits\": {\"qi\": [\"day\"], \"keep\": [\"note\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', 4, key => '{id}', beside => 'ignore')"
value "SELECT arrive(2301, 2302)" >/dev/null
quiet 'its refresh with too few new persons' "SELECT FROM anon_refresh_set('grown', beside => 'ignore')"
value "SELECT arrive(2303, 2400)" >/dev/null
quiet 'its refresh' "SELECT FROM anon_refresh_set('grown', beside => 'ignore')"
done_testing
