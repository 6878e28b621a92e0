#!/bin/bash
# docs/guide/shapes.md: every member, type and measure that it names is returned, and every member that is returned is
# named. New measures may come.
. test/t/tap.sh
page=docs/guide/shapes.md
fresh_database shapes_t >/dev/null
value "
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 61 AS age, i * 13 % 97 AS pay, (ARRAY['a', 'b', 'c'])[1 + i % 3] AS illness,
    1.0 + i % 3 AS weight FROM generate_series(1, 300) AS i;
  SELECT FROM anon_publish('made', 'people', '{age,pay}', 5, sensitive => '{illness}', keep => '{weight}',
    context => '{\"purpose\": \"a test\"}', params => '{\"l\": 2}');
  SELECT FROM anon_publish('swapped', 'people', '{age,pay}', 5, sensitive => '{illness}', recode => 'swap', beside => 'ignore');
  CREATE TABLE masked AS SELECT id, age / 20 AS age, pay, illness, weight FROM people;
  CREATE TABLE persons AS SELECT i AS id, i % 30 AS born FROM generate_series(1, 90) AS i;
  CREATE TABLE stays AS SELECT i AS stay, 1 + i % 90 AS person, i % 3 AS ward FROM generate_series(1, 120) AS i;
  SELECT FROM anon_publish_set('joined', '{\"persons\": {\"qi\": [\"born\"], \"key\": [\"id\"]}, \"stays\": {\"qi\": [\"ward\"],
    \"parent\": \"persons\", \"parent_key\": [\"person\"]}}', 4, context => '{\"purpose\": \"a set\"}');
  CREATE TABLE reports AS SELECT anon_report('made', format => 'json')::jsonb AS j UNION ALL SELECT anon_report('made', true, format => 'json')::jsonb
    UNION ALL SELECT anon_report('swapped', format => 'json')::jsonb UNION ALL SELECT anon_report('masked', qi => '{age,pay}',
    sensitive => '{illness}', source => 'people', format => 'json')::jsonb UNION ALL SELECT anon_report('masked', qi => '{age}', format => 'json')::jsonb;
  CREATE TABLE sets AS SELECT anon_report_set('joined', format => 'json')::jsonb AS j" >/dev/null

# documented HEADING: the members of a table of the page, with their types.
documented() { sed -n "/^### $1\$/,/^##/s/^\`\\([a-z_]*\\)\` | \\([a-z ]*\\) |.*/\\1 \\2/p" "$page" | LC_ALL=C sort; }
# returned QUERY: the members of the objects that a query returns, and whether each has a type of the page.
returned() {
  value "SELECT key || ' ' || string_agg(DISTINCT jsonb_typeof(value), ' or ' ORDER BY jsonb_typeof(value))
    FROM ($1) AS o (j), LATERAL jsonb_each(j) GROUP BY key ORDER BY key COLLATE \"C\""
}
# The types returned are among those documented, and the members are the same.
compare() {
  local documented returned name types type wrong=
  documented=$(documented "$1") returned=$(returned "$2")
  is "$1: its members are those of the page" "$(cut -d' ' -f1 <<<"$returned")" "$(cut -d' ' -f1 <<<"$documented")"
  while read -r name types; do
    for type in ${types// or / }; do
      grep -qE "^$name ([a-z]+ or )*$type( or |\$)" <<<"$documented" || wrong+="$name: $type "
    done
  done <<<"$returned"
  is "$1: with its types" "$wrong" ""
}
compare report 'SELECT j FROM reports'
compare verdict "SELECT j -> 'verdict' FROM reports"
for part in answers levels columns clauses; do
  compare "$part" "SELECT jsonb_array_elements(j -> '$part') FROM reports"
done
compare risk "SELECT jsonb_array_elements(j -> part) FROM reports, unnest('{risk,values,linkage,inference,utility}'::text[]) AS part"
compare set 'SELECT j FROM sets'
compare 'set levels' "SELECT jsonb_array_elements(j -> 'levels') FROM sets"
compare 'set tables' "SELECT jsonb_array_elements(j -> 'tables') FROM sets"
is "the number of the shape is that of the page" "$(value "SELECT DISTINCT j ->> 'shape' FROM reports UNION SELECT j ->> 'shape' FROM sets")" \
  "$(sed -n 's/^.*shape of reports has a number, \([0-9]*\),.*/\1/p' "$page")"

# measures FUNCTION CALL...: every measure of the page is returned by one of the calls, with the documented columns.
measures() {
  local function=$1 calls=
  shift
  calls=$(printf ' UNION ALL SELECT measure FROM %s' "$@")
  is "$function: every measure of the page is returned" "$(comm -23 \
    <(sed -n "s/^\`$function\` | //p" "$page" | grep -oE '`[a-z_0-9]+`' | tr -d '`' | grep -vx suppressed | LC_ALL=C sort -u) \
    <(value "${calls# UNION ALL }" | LC_ALL=C sort -u))" ""
  is "$function: its columns" "$(value "SELECT pg_get_function_result(oid) FROM pg_proc WHERE proname = '$function'")" \
    'TABLE(measure text, attribute text, value double precision, explanation text)'
}
measures anon_risk "anon_risk('people', '{age,pay}', '{illness}', population => 'people', population_size => 4000)" \
  "anon_risk('people', '{age,pay}', sampling_weight => 'weight')" "anon_risk('people', '{age,pay}', suppressed => '{}')"
measures anon_linkage "anon_linkage('people', 'masked', '{age,pay}', key => '{id}')" "anon_linkage('people', 'masked', '{age,pay}', 'probabilistic')"
measures anon_infer "anon_infer('people', 'masked', '{age,pay}', '{illness}', key => '{id}')"
measures anon_utility "anon_utility('people', 'masked', '{age,pay,illness}', key => '{id}', target => 'pay')"
is "anon_sweep has the columns of the page" "$(value "SELECT string_agg(name, ' ' ORDER BY place) FROM pg_proc,
  unnest(proargnames, proargmodes) WITH ORDINALITY AS a (name, mode, place) WHERE proname = 'anon_sweep' AND mode = 't'")" \
  "$(sed -n '/^## anon_explore/,/^## Releases/p' "$page" | sed -n '/a row for$/,/`remarks`/p' | grep -oE '`[a-z_]+`' | grep -v anon_ | tr -d '`' | paste -sd ' ')"
is "the verdict of a release is its first column" "$(value "SELECT verdict FROM anon_refresh('made')")" \
  "kept: $(value "SELECT rtrim(substr(obj_description('made'::regclass), 20), '.')")"
like "and says what was promised" "$(value "SELECT verdict FROM anon_refresh('made')")" '^kept: 5-anonymous, 2-diverse; 300 rows in [0-9]+ classes of at least [5-9]$'
done_testing
