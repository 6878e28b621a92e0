#!/bin/bash
# anon_report: a page without dependencies, without secrets, and explicit about its gaps. Where
# Chromium is installed (Debian's package chromium), the test also displays the page: narrow, on A4,
# and without a message.
. test/t/tap.sh
. test/t/browser.sh
fresh_database report_t
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

page() { psql -X -q -At -c "SELECT anon_report($1)" "${@:2}" 2>&1; }
value "
  CREATE ROLE t_report_reader LOGIN; CREATE ROLE t_report_officer LOGIN;
  CREATE TABLE people AS SELECT i AS id, (i * 7919 % 90001 / 7.0)::numeric(9, 3) AS income,
    date '1931-02-03' + i * 613 % 20011 AS born, (ARRAY['qz-flu', 'qz-cold', 'qz-cancer'])[1 + i * i % 7 % 3] AS illness,
    'ward-' || i % 5 AS ward, CASE WHEN i % 9 > 0 THEN i % 11 + 0.125 END AS score FROM generate_series(1, 600) AS i;
  GRANT SELECT ON people TO t_report_officer"
value "SELECT rows FROM anon_publish('release', 'people', '{income,born}', 6, sensitive => '{illness}', keep => '{ward}',
  params => '{\"l\": 2, \"seed\": 4711}', grant_to => '{t_report_reader,t_report_officer}')" >/dev/null
public=$(page "'release'")
internal=$(page "'release', internal => true")

# The contents of the page.
for section in verdict reading levels identity context attacks classes columns correlations residual statement clauses signature; do
  is "there is one section $section" "$(count_of "<section id=\"$section\"" <<<"$public")" 1
done
says "it is a page" "$public" '^<!DOCTYPE html>'
says "k is promised and measured" "$public" '>k-anonymity</td><td data-label="Promised">at least 6</td>'
says "the seed is said" "$public" '<dt>Seed</dt><dd>4711</dd>'
says "and the owner" "$public" '<dt>Owner</dt><dd>postgres</dd>'
says "and who may read it" "$public" 't_report_officer, t_report_reader'
is "every picture has a text" "$(count_of '<svg role="img"' <<<"$public")" "$(count_of '<desc>' <<<"$public")"
figure=$(value "SELECT round(100 * value::numeric, 1)::float8 FROM anon_risk('release', '{income,born}') WHERE measure = 'prosecutor_mean'")
says "a figure is that of anon_risk" "$public" "mean re-identification risk of the records</td><td data-label=\"Value\">$figure %"
is "the fingerprint is that of the rows" "$(value "SELECT position(encode(sha256(string_agg(h, '' ORDER BY h)), 'hex') IN
  anon_report('release')) > 0 FROM (SELECT sha256(convert_to(r::text, 'UTF8')) AS h FROM release AS r) AS r")" t
is "nothing is loaded from elsewhere" "$(count_of '<script|https?:|url\(|@import|<img| src=|<iframe|<object' <<<"$public$internal")" 0

says "two adversaries who know the code are named" "$public" 'few other tables lead to this release'
says "and what one knows of sensitive values" "$public" 'knows the program and all values outside a class'
value "SELECT anon_publish('coins', 'people', '{income,born}', 6, 'mondrian', params => '{\"algorithm\": \"grid\"}')" >/dev/null
says "secret coins exclude no value" "$(page "'coins'")" 'can exclude no value of its range'

scans() { psql -X -q -At -c BEGIN -c "SELECT FROM anon_report($1)" -c "SELECT pg_stat_get_xact_numscans('people'::regclass)" | tail -n 1; }
is "a public page reads the source twice: it looks whether all of it is there, and compares" "$(scans "'release'")" 2
is "and so does an internal page, for infinite numbers" "$(scans "'release', internal => true")" 2

# The first screen.
says "one verdict" "$public" '<p class="verdict"><span class="high">.*Every promise that the release shows is kept'
is "three answers" "$(count_of '<article class="answer"' <<<"$public")" 3
is "each with its adversary and its assumption" "$(sed -n '/id="verdict"/,/<\/section>/p' <<<"$public" |
  grep -oE '<strong>(Adversary|Assumption)\.</strong>' | wc -l)" 6
says "the largest risk is above the threshold" "$public" 'Can somebody be singled out.*class="high">&#9650; 16.7 %'
says "and what keeps it is said" "$public" 'A k of 12 keeps it'
says "where the threshold comes from" "$public" 'European Medicines Agency names for public release'
says "a threshold that all risks keep" "$(page "'release', threshold => 1")" 'class="good">&#10003; Every promise that the release shows is kept. All three'
says "levels that were not promised are one line" "$public" '<p>Measured, but not promised: '
is "no cell is a dash" "$(count_of '>-</td>' <<<"$public")" 0
anchors=$(grep -oE 'href="#[a-z]+"' <<<"$public" | sed 's/.*#\(.*\)"/\1/')
is "every entry of the contents has its section" "$(for id in $anchors; do count_of "<section id=\"$id\"" <<<"$public"; done | sort -u)" 1
says "values have places on a public page" "$public" '2nd most frequent value'

# The dossier.
dossier='{"recipient": "A <hospital>", "purpose": "a cohort", "legal_basis": "consent", "controls": ["contract", "log"],
  "additional_data": "the land register", "population": "all patients", "time_span": "2020 to 2024", "reviewer": "R. Eviewer",
  "decision": "approved", "valid_until": "2000-01-31", "review_due": "2999-12-31"}'
value "SELECT anon_publish('filed', 'people', '{income,born}', 6, sensitive => '{illness}', context => '$dossier')" >/dev/null
filed=$(page "'filed'")
for words in 'A &#60;hospital&#62;' 'contract; log' 'R. Eviewer' 'the land register'; do
  says "the context has $words" "$filed" "<dd>$words</dd>"
done
is "its fingerprint is that of its text" "$(value "SET client_min_messages = error; SELECT position(encode(sha256(convert_to(anon_context('filed')::text, 'UTF8')), 'hex') IN
  anon_report('filed')) > 0")" t
says "a date that has passed is said" "$filed" 'The date has passed: the release was valid until 2000-01-31'
like "and warned of" "$(page "'filed'" 2>&1 | grep WARNING)" 'release "filed" was valid until 2000-01-31'
like "by a refresh, too" "$(psql -X -q -At -c "SELECT rows FROM anon_refresh('filed')" 2>&1)" 'WARNING:  release "filed" was valid until'
is "a refresh keeps the context" "$(value "SELECT anon_context('filed') = '$dossier'::jsonb")" t
is "the list of releases has its dates" "$(value "SELECT valid_until, review_due FROM anon_releases WHERE release = 'filed'::regclass")" '2000-01-31|2999-12-31'
value "GRANT SELECT ON filed TO t_report_officer" >/dev/null
is "but not for readers" "$(value "SELECT valid_until, review_due, anon_context('filed') FROM anon_releases WHERE release = 'filed'::regclass" -U t_report_officer)" '||'
officers=$(page "'filed'" -U t_report_officer)
is "nor has a reader's page the context" "$(count_of 'hospital|Eviewer|2000-01-31' <<<"$officers")" 0
says "which says so" "$officers" 'The context is for the owner'
like "a reader cannot write it" "$(value "SELECT anon_context('filed', '{}')" -U t_report_officer)" '42501: '
like "nor by a report" "$(value "SELECT anon_report('filed', context => '{}')" -U t_report_officer)" '42501: '
says "the clause map names what the context answers" "$filed" 'Legal basis</td><td data-label="Answered by">context</td><td data-label="Answer">consent'
says "what a figure answers" "$filed" 'Singling out</td><td data-label="Answered by">figure'
says "and what is open" "$public" 'Legal basis</td><td data-label="Answered by"><span class="missing">open'
for framework in 'ISO/IEC 27559' 'ICO 2025' 'EHDS Art. 66' 'EMA policy 0070' 'HIPAA, factors' 'HIPAA, eighteen identifiers' 'NIST SP 800-188'; do
  is "the map has $framework" "$(count_of "<caption>$framework</caption>" <<<"$filed")" 1
done
is "eighteen identifiers" "$(sed -n '/<caption>HIPAA, eighteen/,/<\/table>/p' <<<"$filed" | count_of '<tr><td data-label="Item"')" 18
is "nothing claims compliance" "$(grep -ciE 'complies|compliant|conforms' <<<"$filed")" 0
for wrong in '{"recipent": "x"}:no key "recipent"' '{"valid_until": "tomorrow"}:must be a date' '{"valid_until": "2027-02-30"}:must be a date' \
  '{"review_due": 20270101}:must be a date' '{"purpose": 5}:must be a text' '{"controls": ["a", 5]}:must be a text' '[]:must be a JSON object'; do
  like "refused: ${wrong%%:[a-z]*}" "$(value "SELECT anon_context('filed', '${wrong%:*}')")" "22023: context.*${wrong##*:}|22023: .*${wrong##*:}"
done
like "null is no context" "$(value "SELECT anon_context('filed', NULL)")" '22004: '
like "what is no release has none" "$(value "SELECT anon_context('people', '{}')")" '42809: .*"people" is not a release'
value "SELECT anon_report('filed', context => '{\"decision\": \"refused\"}')" >/dev/null
is "a report keeps the context that it is given" "$(value "SELECT anon_context('filed')")" '{"decision": "refused"}'
value "SELECT anon_context('filed', '{}')" >/dev/null
is "an empty one removes it" "$(value "SELECT anon_context('filed') IS NULL")" t
says "another tool's relation has its context on the page" "$(page "'people', qi => '{ward}', context => '{\"purpose\": \"a test\"}'")" '<dd>a test</dd>'
value "DROP MATERIALIZED VIEW filed" >/dev/null

# A release by swapping.
value "SELECT anon_publish('swapped', 'people', '{income,born}', 10, sensitive => '{illness}', params => '{\"recode\": \"swap\"}',
  grant_to => '{t_report_officer}')" >/dev/null
swapped=$(page "'swapped', threshold => 0.1")
says "its promise has its name" "$swapped" '>probabilistic k-anonymity</td><td data-label="Promised">at least 10<'
is "and no other" "$(grep -oE '[a-z]* ?k-anonymity' <<<"$swapped" | grep -vc 'robabilistic k-anonymity')" 0
says "its rows were computed again" "$swapped" 'verified for this page by computing all rows again'
says "its bound is that of the promise" "$swapped" 'at most 10 %'
says "membership shows" "$swapped" 'membership is not protected'
says "matches by chance are counted" "$swapped" 'equal exactly one published row. That happens by chance'
says "the adversary lacks the secret" "$swapped" 'the program and the private classes, but not the secret'
says "whose seed is no number" "$swapped" '<dt>Seed</dt><dd>secret'
is "nobody counts its classes" "$(count_of '<section id="classes"|smallest class' <<<"$swapped")" 0
says "a reader cannot repeat the proof" "$(page "'swapped'" -U t_report_officer)" 'verified by computing all rows again when it was published; its owner can repeat it'
value "UPDATE people SET income = income + 1 WHERE id = 7" >/dev/null
says "a source that has changed is said" "$(page "'swapped'")" 'the source has changed since'
value "UPDATE people SET income = income - 1 WHERE id = 7" >/dev/null
value "UPDATE swapped_companion SET bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1) WHERE item = 'secret'" >/dev/null
says "a release that its secret does not make is broken" "$(page "'swapped'")" 'class="bad">&#10007; Promises that are not kept: 1'
value "DROP MATERIALIZED VIEW swapped" >/dev/null

# As JSON.
is "a report is JSON, too" "$(value "SELECT (j ->> 'shape')::int >= 1, j ->> 'release', j -> 'verdict' ->> 'state', j ->> 'fingerprint' = substring(
  anon_report('release') FROM 'rows \(SHA-256\)</dt><dd><code>([0-9a-f]*)') FROM (SELECT anon_report('release', format => 'json')::jsonb AS j) AS j")" \
  't|public.release|high|t'
is "without a cell of the source" "$(value "SELECT count(*) FROM anon_report('release', format => 'json') AS page,
  (SELECT DISTINCT v FROM people AS p, LATERAL (VALUES (income::text), (born::text), (illness), (ward)) AS c (v)) AS cells
  WHERE position(v IN page) > 0")" 0
# figures_of RELEASE QI CATEGORIES: by function, the figures of a report that are those of the public functions, and others.
figures_of() {
  value "WITH shown AS (SELECT part, f ->> 'measure' AS measure, f ->> 'attribute' AS attribute, (f ->> 'value')::float8 AS value
      FROM anon_report('$1', internal => true, format => 'json') AS page, unnest('{inference,linkage,utility}'::text[]) AS part,
        jsonb_array_elements(page::jsonb -> part) AS f),
    called AS (SELECT 'linkage' AS part, measure, attribute, value FROM anon_linkage('people', '$1', '$2', categories => '$3')
      UNION ALL SELECT 'inference', measure, attribute, value FROM anon_infer('people', '$1', '$2', '{illness}', categories => '$3')
      UNION ALL SELECT 'utility', measure, attribute, value FROM anon_utility('people', '$1', '$2' || '{illness}'::text[]) WHERE measure NOT IN ('dm', 'mean_class')
      UNION ALL SELECT 'utility', measure, attribute, value FROM anon_utility('people', '$1', '$2') WHERE measure IN ('dm', 'mean_class'))
    SELECT part, count(*) FILTER (WHERE s.value IS NOT DISTINCT FROM c.value) > 5, count(*) FILTER (WHERE s.value IS DISTINCT FROM c.value)
      FROM shown AS s LEFT JOIN called AS c USING (part, measure, attribute) WHERE attribute IS NOT NULL GROUP BY part
    UNION ALL SELECT 'all columns', count(*) FILTER (WHERE s.value IS NOT DISTINCT FROM c.value) > 5, count(*) FILTER (WHERE s.value IS DISTINCT FROM c.value)
      FROM shown AS s LEFT JOIN called AS c USING (part, measure) WHERE s.attribute IS NULL AND c.attribute IS NULL ORDER BY 1"
}
all_equal=$'all columns|t|0\ninference|t|0\nutility|t|0'
is "its figures are those of the public functions" "$(figures_of release '{income,born}' '{}')" "$all_equal"
value "ALTER TABLE people ADD room int NOT NULL DEFAULT 0" >/dev/null
value "UPDATE people SET room = id % 4 * 100" >/dev/null
value "SELECT FROM anon_publish('coded', 'people', '{income,room}', 6, sensitive => '{illness}', params => '{\"categories\": [\"room\"]}')" >/dev/null
is "and where numbers are categories" "$(figures_of coded '{income,room}' '{room}')" "$all_equal"
value "DROP MATERIALIZED VIEW coded" >/dev/null
value "ALTER TABLE people DROP room" >/dev/null
like "no other format" "$(value "SELECT anon_report('release', format => 'pdf')")" '22023: .*one of'

# The omissions of the public page.
is "no cell of the source" "$(value "SELECT count(*) FROM anon_report('release') AS page,
  (SELECT DISTINCT v FROM people AS p, LATERAL (VALUES (income::text), (born::text), (illness), (ward)) AS c (v)) AS cells
  WHERE position(v IN page) > 0")" 0
says "the internal one has values" "$internal" 'qz-cancer'
says "and says what it is" "$internal" '<p class="class internal">INTERNAL</p>'
says "as does the public one" "$public" '<p class="class public">PUBLIC</p>'
value "INSERT INTO people SELECT 1000 + i, 5000, date '1950-01-01', 'qz-rare', 'ward-x' FROM generate_series(1, 3) AS i;
  SELECT anon_refresh('release')" >/dev/null
is "values of few records are not counted" "$(page "'release'" | count_of '0\.498 %')" 0
says "also where they are the rest" "$(page "'release'")" 'all others'

# The statement makes the release again.
statement=$(value "SELECT substring(anon_report('release') FROM '<pre><code>(.*)</code></pre>')" |
  sed -e 's/&#39;/'"'"'/g' -e 's/&#34;/"/g' -e 's/&#62;/>/g' -e "s/'public.release'/'again'/")
like "the statement runs" "$(value "$statement")" '^kept: 6-anonymous, 2-diverse; 603 rows in [0-9]+ classes of at least 6\|603\|'
is "and makes the same rows" "$(value 'SELECT count(*) FROM (TABLE again EXCEPT ALL TABLE release) AS d')" 0
value "SELECT anon_publish('labels', 'people', '{income,born}', 6, 'incognito', params => '{\"hierarchies\":
  {\"income\": {\"cuts\": [[4321.125, 9876.125]]}, \"born\": {\"date\": [\"year\", \"decade\"]}}}')" >/dev/null
is "a public statement has no values of hierarchies" "$(page "'labels'" | count_of '4321.125')" 0
value "SELECT anon_publish('ordered', 'people', '{ward,income}', 6, params => '{\"orders\":
  {\"ward\": [\"table\", \"ward-4\", \"ward-3\", \"ward-2\", \"ward-1\", \"ward-0\", \"ward-x\"]}}')" >/dev/null
is "nor of orders" "$(page "'ordered'" | count_of 'ward-[0-9x]')" 0
says "which the internal one has" "$(page "'ordered', internal => true")" 'ward-4'
says "and is a page" "$(page "'labels'")" 'not on a public page'
says "an internal one has" "$(page "'labels', true")" '4321.125, 9876.125'

# The difference to the source would tell what a release leaves out.
value "CREATE TABLE few AS SELECT i % 20 AS age, CASE WHEN i > 97 THEN 'left' ELSE 'met' || i % 3 END AS ward, i % 4 AS finding FROM generate_series(1, 100) AS i;
  CREATE TABLE few_released AS SELECT age / 5 AS age, ward, CASE WHEN age >= 5 THEN finding END AS finding FROM few WHERE ward <> 'left';
  CREATE TABLE all_released AS SELECT age / 5 AS age, ward, finding FROM few" >/dev/null
few="qi => '{age,ward}', sensitive => '{finding}', source => 'few'"
says "a public page of fewer rows compares nothing" "$(page "'few_released', $few")" 'was not compared: the release has other rows, or fewer values'
is "nor shows the source's distributions" "$(page "'few_released', $few" | count_of 'data-label="Before masking"')" 0
is "nor has JSON" "$(value "SELECT jsonb_array_length(anon_report('few_released', $few, format => 'json')::jsonb -> 'utility')")" 0
is "the internal page does" "$(page "'few_released', $few, internal => true" | count_of 'Distributions are those of the release alone')" 0
is "one of all rows compares quasi-identifiers" "$(page "'all_released', $few" | count_of 'Distributions are those of the release alone')" 0
is "and shows sensitive columns as published" "$(page "'all_released', $few" | grep -c 'Distribution of finding: before')" 0

# A reader without the right to the source.
reader=$(page "'release'" -U t_report_reader)
says "is told so" "$reader" 'This needs the source, which was not compared: the caller may not read the source'
says "and gets what the release alone tells" "$reader" 'largest re-identification risk of a record</td><td data-label="Value">16.7 %'
is "but no attack" "$(count_of '>share of right links' <<<"$reader")" 0
is "who may, gets all" "$(page "'release'" -U t_report_officer | count_of '>share of right links')" 1
value "REVOKE SELECT ON release FROM t_report_reader" >/dev/null
like "who may not read the release gets nothing" "$(value "SELECT anon_report('release')" -U t_report_reader)" '42501: permission denied'
value "ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY a_few ON people TO t_report_officer USING (id < 50)" >/dev/null
says "nor are some rows of the source taken for all" "$(page "'release'" -U t_report_officer)" 'row-level security decides'
value "ALTER TABLE people DISABLE ROW LEVEL SECURITY" >/dev/null
value "GRANT CREATE ON SCHEMA public TO t_report_officer" >/dev/null
value "CREATE FUNCTION who() RETURNS int VOLATILE LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''ran as %'', current_user; END';
  CREATE VIEW trap AS SELECT id, income, CASE WHEN current_user = 't_report_officer' THEN 1 ELSE who() END AS one FROM people;
  SELECT anon_publish('bait', 'trap', '{income}', 6)" -U t_report_officer >/dev/null
says "nobody runs what a stranger's view calls" "$(page "'bait'")" 'the source is a view that belongs to another role'

# Names and values that are markup.
psql -X -q <<'SQL' >/dev/null 2>&1
CREATE TABLE "<b>&amp;""x" AS SELECT income AS """><script>alert(1)</script>", '<script>alert(2)</script>'::text AS "<i>'",
  born AS "Ünicode ✂" FROM people;
SELECT anon_publish('"<u>release"', '"<b>&amp;""x"', ARRAY['"><script>alert(1)</script>', 'Ünicode ✂'], 6,
  sensitive => ARRAY['<i>''']);
SQL
hostile=$(page "'\"<u>release\"', true")
is "names and values are text" "$(count_of '<(script|b|i|u)>' <<<"$hostile")" 0
says "and they are there" "$hostile" '&#60;script&#62;alert\(2\)&#60;/script&#62;'
is "a page is ASCII" "$(LC_ALL=C grep -c '[^ -~]' <<<"$hostile")" 0
says "with every character" "$hostile" '&#220;nicode &#9986;'

# Beside labels of hierarchies, a number without one has ends.
value "SELECT rows FROM anon_publish('labelled', 'people', '{income,ward}', 6, sensitive => '{illness}', recode => 'hierarchy',
  hierarchies => '{\"ward\": {\"prefix\": 6}}')" >/dev/null
says "ends of ranges are those of the columns with ranges" "$(page "'labelled'")" 'income: share of records that end a published range'
# Releases of all kinds.
value "SELECT anon_publish('nulls', 'people', '{income,score}', 6, params => '{\"nulls\": \"stratify\"}')" >/dev/null
nulls=$(page "'nulls', internal => true")
is "columns with nulls are compared" "$(count_of 'comparisons do without it' <<<"$nulls")" 0
says "their nulls are reported" "$nulls" '>nulls<'
says "and their correlations" "$nulls" 'income, score'
value "SELECT anon_publish('versions', 'people', '{income,born}', 6, key => '{id}', sensitive => '{illness}')" >/dev/null
says "a release over time" "$(page "'versions'")" 'Promises hold for all versions of this release together'
value "SELECT anon_publish('persons', 'people', '{income,born}', 6, sensitive => '{illness}', unit => '{id}', params => '{\"t\": 0.5}')" >/dev/null
says "promises about persons that rows do not show" "$(page "'persons'")" 'verified when it was published'
value "SELECT anon_publish('sums', 'people', '{income,id}', 6, 'aggregate')" >/dev/null
says "a release of aggregates" "$(page "'sums'")" 'k\^f-anonymity of .*at least 6.*kept'
for method in mondrian mdav tclose psensitive; do
  value "SELECT anon_publish('$method', 'people', '{income,born}', 6, '$method', sensitive => '{illness}',
    params => '$(case $method in tclose) echo '{"t": 0.4}' ;; psensitive) echo '{"p": 2}' ;; *) echo '{}' ;; esac)')" >/dev/null
  says "a release by $method" "$(page "'$method'")" 'Every promise that the release shows is kept'
done
value "CALL anon_refresh_job('mondrian')" >/dev/null
says "its history" "$(page "'mondrian'")" '<section id="history">.*success'
value "ALTER MATERIALIZED VIEW mdav RENAME COLUMN income TO pay" >/dev/null
says "renamed columns" "$(page "'mdav'")" 'columns of the release were renamed'

# Another tool's relation.
value "CREATE TABLE rounded AS SELECT id, round(income, -3) AS income, date_trunc('decade', born)::date AS born, illness FROM people" >/dev/null
value "CREATE TABLE open_ranges AS SELECT id, CASE WHEN id % 20 > 0 THEN numrange(income - income % 1000, income - income % 1000 + 1000) ELSE '(,)' END AS income
  FROM people"
is "ranges without an end are compared" "$(page "'open_ranges', qi => '{income}', source => 'people'" | count_of 'comparisons do without it')" 0
rounded=$(page "'rounded', qi => '{income,born}', sensitive => '{illness}', source => 'people',
  asked => '{\"k-anonymity\": 3, \"t-closeness\": 0.3}'")
says "what is asked of it is not kept" "$rounded" 'Promises that are not kept: 2'
says "it is attacked" "$rounded" 'of a blind guess'
says "and the unique people whom it shows are counted" "$rounded" 'equal exactly one published record</td>'
value "CREATE TABLE moved AS SELECT i AS id, CASE WHEN i > 2 THEN i ELSE i + 100 END AS place FROM generate_series(1, 50) AS i" >/dev/null
value "CREATE TABLE places AS SELECT i AS id, i AS place FROM generate_series(1, 50) AS i" >/dev/null
moved="'moved', qi => '{place}', source => 'places', asked => '{\"k-anonymity\": 5}'"
says "all but fewer than k are not counted exactly" "$(page "$moved")" 'more than 45</td>'
is "nor in JSON" "$(value "SELECT f - 'explanation' FROM json_array_elements(anon_report($moved, format => 'json')::json -> 'linkage') AS j,
  LATERAL (SELECT j::jsonb) AS t (f) WHERE f ->> 'measure' = 'unique_exact_matches'")" \
  '{"above": 45, "below": null, "value": null, "measure": "unique_exact_matches", "attribute": null}'
is "but internally" "$(value "SELECT j -> 'value' FROM json_array_elements(anon_report($moved, internal => true, format => 'json')::json -> 'linkage') AS j
  WHERE j ->> 'measure' = 'unique_exact_matches'")" 48
like "without quasi-identifiers it cannot be reported" "$(value "SELECT anon_report('rounded')")" '42809: .*"rounded" is not a release'
like "a release says itself what it is" "$(value "SELECT anon_report('release', qi => '{ward}')")" '22023: '

# In a browser.
if ! has_browser; then
  printf 'ok %d # SKIP there is no chromium: how the page looks is not tested\n' "$((TESTS += 1))"
else
  open_browser
  for name in public internal hostile rounded; do
    printf '%s\n' "${!name}" >"$folder/$name.html"
    for width in 360 1280; do
      viewport "$width" 800
      visit "$folder/$name.html"
      is "$name: no sideways scroll at $width px" "$(js 'document.documentElement.scrollWidth')" "$width"
      is "$name: no console message at $width px" "$(messages)" 0
      for colours in light dark; do
        scheme "$colours"
        contrast=$(least_contrast)
        report "$(awk '{ exit !($1 >= 4.5) }' <<<"$contrast"; echo $?)" "$name: contrast of 4.5 at $width px in $colours colours" "$contrast"
      done
    done
    is "$name: one header, main part, footer and first heading" "$(js "['header', 'main', 'footer', 'h1'].map(e => document.querySelectorAll(e).length)")" 1,1,1,1
    is "$name: every section has a heading" "$(js "document.querySelectorAll('section:not(:has(h2))').length")" 0
    is "$name: every picture has a title and a text, or is beside its figure" "$(js "[...document.querySelectorAll('svg')].filter(e =>
      e.getAttribute('aria-hidden') !== 'true' && !(e.getAttribute('role') === 'img' && e.querySelector('title').textContent &&
      e.querySelector('desc').textContent)).length")" 0
    is "$name: every column of a table has a heading" "$(js "document.querySelectorAll('table:not(:has(th[scope=col]))').length")" 0
    print_page "$folder/$name.pdf"
    like "$name: prints on A4" "$(grep -aoE 'MediaBox ?\[[0-9. ]*\]' "$folder/$name.pdf" | head -n 1)" '\[0 0 59[45][0-9.]* 84[12][0-9.]*\]'
  done
  close_browser
fi
value 'REVOKE ALL ON SCHEMA public FROM t_report_officer; DROP OWNED BY t_report_officer CASCADE; DROP OWNED BY t_report_reader;
  DROP ROLE t_report_officer; DROP ROLE t_report_reader' >/dev/null
done_testing
