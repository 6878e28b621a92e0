#!/bin/bash
# anon_explore: a page whose figures are those of anon_sweep, whose statements run, and which runs nothing that a table
# holds. Where Chromium is installed (Debian's package chromium), points are chosen by pointer and by keyboard.
. test/t/tap.sh
. test/t/browser.sh
fresh_database explore_t
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

page() { psql -X -q -At -c "SELECT anon_explore($1)" "${@:2}" 2>&1; }
# The text of markup.
plain() { sed -E "s/&#39;/'/g; s/&#34;/\"/g; s/&#60;/</g; s/&#62;/>/g; s/&#220;/Ü/g; s/&#9986;/✂/g; s/&#38;/\&/g"; }
# statements: those of a page on standard input, one after another with a mark at the end of each.
statements() { sed -nE '/<code>/,/<\/code>/p' | sed -E 's/.*<code>//; s/<\/code>.*/ --/' | plain; }

value "
  CREATE ROLE t_explore_partial LOGIN; CREATE ROLE t_explore_ward LOGIN;
  CREATE TABLE people AS SELECT i AS id, (i * 7919 % 90001 / 7.0)::numeric(9, 3) AS income,
    date '1931-02-03' + i * 613 % 20011 AS born, (ARRAY['qz-flu', 'qz-cold', 'qz-cancer'])[1 + i * i % 7 % 3] AS illness,
    'ward-' || i % 5 AS ward, CASE WHEN i % 10 > 0 THEN i % 11 + 0.125 END AS score FROM generate_series(1, 600) AS i"
plan="'people', '{income,born,ward}', '{3,6,12}', '{mdav,mondrian,incognito}', sensitive => '{illness}', keep => '{id}',
  params => '[{}, {\"l\": 2}]'"
whole=$(page "$plan")

# The page.
says "it is a page" "$whole" '^<!DOCTYPE html>.*<html lang="en">'
says "it says that it is internal" "$whole" '<p class="class internal">INTERNAL</p>.*not to be published'
for landmark in header main footer h1; do
  is "there is one $landmark" "$(count_of "<$landmark>" <<<"$whole")" 1
done
is "nothing is loaded from elsewhere" "$(count_of 'https?:|url\(|@import|<img| src=|<iframe|<object|<link rel="[^i]' <<<"$whole")" 0
is "there is one script" "$(count_of '<script' <<<"$whole")" 1
says "no other may run" "$whole" "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src 'sha256-[^']*'\">"
script=$(sed -n '/<script>/,/<\/script>/p' <<<"$whole" | sed -e 's/<script>//' -e '/<\/script>/d' | sha256sum | cut -d ' ' -f 1)
is "its policy names that script" "$(grep -oE "sha256-[^']*" <<<"$whole")" \
  "sha256-$(value "SELECT encode(decode('$script', 'hex'), 'base64')")"
is "it is ASCII" "$(LC_ALL=C grep -c '[^ -~]' <<<"$whole")" 0
is "every picture has a text" "$(count_of '<svg role="img"' <<<"$whole")" "$(count_of '<desc>' <<<"$whole")"
is "every point has a name" "$(count_of '<input type="radio"' <<<"$whole")" "$(count_of 'aria-label="[A-Z], k' <<<"$whole")"
is "one is chosen" "$(count_of ' checked>' <<<"$whole")" 1
value "CREATE TABLE shuffled AS SELECT * FROM people ORDER BY md5(id::text); ALTER TABLE people RENAME TO kept; ALTER TABLE shuffled RENAME TO people" >/dev/null
is "equal data give equal pages" "$(md5sum <<<"$(page "$plan")")" "$(md5sum <<<"$whole")"
value 'DROP TABLE people; ALTER TABLE kept RENAME TO people' >/dev/null

# Its figures are those of anon_sweep.
value "CREATE TABLE swept AS SELECT row_number() OVER () - 1 AS point, * FROM anon_sweep('people', '{income,born,ward}', '{3,6,12}',
  '{mdav,mondrian,incognito}', sensitive => '{illness}', params => '[{}, {\"l\": 2}]')"
value "CREATE TABLE shown (point int, k int, promises text, loss text, risk_max float8, risk_mean float8, classes numeric,
  suppressed numeric, on_frontier boolean)"
sed -nE 's|<tr id="r([0-9]+)"><td data-label="Point"><label[^>]*>[A-Z]+, k ([0-9]+)</label></td>(.*)</tr>|\1\|\2\3|p' <<<"$whole" |
  sed -E 's/<td data-label="[^"]*">/|/g; s/<\/td>//g; s/ %//g; s/,([0-9])/\1/g' | psql -X -q -c "COPY shown FROM STDIN (DELIMITER '|')"
is "every feasible combination is there, with the figures of anon_sweep" "$(value "SELECT count(*) FROM swept AS a
  FULL JOIN shown AS b USING (point) WHERE a.error IS NULL AND ((a.k, a.promises, a.classes, a.suppressed, a.on_frontier)
    IS DISTINCT FROM (b.k, b.promises, b.classes, b.suppressed, b.on_frontier)
  OR abs(1 - 100 * a.risk_max / b.risk_max) > 0.005 OR abs(1 - 100 * a.risk_mean / b.risk_mean) > 0.005
  OR abs(1 - coalesce(a.loss, a.ncp) / split_part(b.loss, ' ', 1)::float8) > 0.005 OR (a.loss IS NULL) <> (b.loss LIKE '% NCP'))")" 0
is "infeasible ones have their reason" "$(count_of '<td colspan="7" data-label="Not possible">' <<<"$whole")" \
  "$(value 'SELECT count(*) FROM swept WHERE error IS NOT NULL')"
none=$(page "'people', '{income}', '{700}', '{mdav}'")
says "one class is a class" "$(page "'people', '{income}', '{600}', '{mdav}'")" '600 records in 1 class; 0 suppressed'
says "none is possible" "$none" 'No combination is possible'
says "and why" "$none" 'data-label="Not possible">k is larger than the number of rows'
is "the share of a value is that of SQL" "$(grep -oE '<td data-label="Value">ward-3</td><td data-label="Before masking">[0-9.]+ %' <<<"$whole" |
  sort -u | sed 's/.*>//')" "$(value "SELECT 100 * count(*) FILTER (WHERE ward = 'ward-3') / count(*) || ' %' FROM people")"
labels=$(page "'people', '{income,ward}', '{6}', '{incognito}', params => '{\"hierarchies\": {\"income\": {\"range\": [1000, 5000]},
  \"ward\": {\"prefix\": 6}}}'")
says "labels have shares after masking" "$labels" 'Values of ward, the most frequent first'
says "methods without squared loss have a chart of their own" "$(page "'people', '{income,id}', '{6}', '{mdav,aggregate}'")" \
  'Loss: share of the squared error.*Loss: share of its domain that a cell covers'
says "ranges are drawn on the axis of their numbers" "$(page "'people', '{income,born}', '{6}', params => '{\"recode\": \"range\"}'")" \
  '<desc>before masking: [^<]*after masking: 0 to '

# Nulls form strata where there are any.
nulls=$(page "'people', '{score,income}', '{6}', '{mdav,incognito}'")
says "nulls form strata" "$nulls" '&#34;nulls&#34;: &#34;stratify&#34;'
says "their share is said" "$nulls" '<p>Cells without a number: 10 % before masking, 10 % after'
is "not without nulls" "$(count_of stratify <<<"$whole")" 0
says "nor where the call says otherwise" "$(page "'people', '{score,income}', '{6}', params => '{\"nulls\": \"error\"}'")" \
  'data-label="Not possible">[^<]*nulls'

# Every statement runs as it is printed.
made() { # STATEMENTS: the k of each that ran, or its error
  value "CREATE TABLE made (release text, k int)"
  while IFS= read -r -d '@' statement; do
    value "$statement" >/dev/null || value "$statement"
    value "INSERT INTO made SELECT 'people_public', (spec ->> 'k')::int FROM anon_release_info('people_public')" -c 'DROP MATERIALIZED VIEW people_public' 2>&1
  done < <(statements | sed 's/ --$/@/')
  value "SELECT string_agg(k::text, ' ') FROM made" -c 'DROP TABLE made'
}
is "all statements run" "$(made <<<"$whole")" "$(value "SELECT string_agg(k::text, ' ' ORDER BY point) FROM swept WHERE error IS NULL")"
is "those with nulls, too" "$(made <<<"$nulls")" '6'

# Bounds.
like "at most 64 combinations" "$(page "'people', '{income}', (SELECT array_agg(i) FROM generate_series(2, 66) AS i), '{mdav}'")" \
  '65 combinations are too many'
like "an unknown column" "$(value "SELECT anon_explore('people', '{nothing}')")" '42703: '
like "an unknown method is a reason" "$(page "'people', '{income}', '{6}', '{nothing}'")" 'No combination is possible'
value "DO \$\$ BEGIN EXECUTE (SELECT format('CREATE TABLE wide AS SELECT %s FROM generate_series(1, 60) AS i',
  string_agg(format('i * %s %% 17 AS c%s', c, c), ', ')) FROM generate_series(1, 20) AS c); END \$\$"
wide=$(page "'wide', (SELECT array_agg('c' || c ORDER BY c) FROM generate_series(1, 20) AS c), '{6}'")
is "at most 16 columns are drawn" "$(count_of '<h4>' <<<"$wide")" 32
says "which is said" "$wide" 'shows the first 16 quasi-identifiers'
is "a table without rows" "$(value 'CREATE TABLE empty (a int)'; page "'empty', '{a}', '{6}'" | count_of 'No combination is possible')" 1

# Names, values and parameters that are markup, ends of scripts and quotes.
psql -X -q <<'SQL' >/dev/null 2>&1
CREATE TABLE "</script><b>&amp;""'x$$" AS SELECT income AS """></script><script>alert(1)</script>", CASE WHEN id % 2 = 0 THEN
  '</script><script>alert(2)</script>''"' ELSE '</title><i>' END AS "<i>'\", born AS "Ünicode ✂", illness AS "{a,b}" FROM people;
SQL
hostile=$(psql -X -q -At <<'SQL' 2>&1
SELECT anon_explore('"</script><b>&amp;""''x$$"', ARRAY['"></script><script>alert(1)</script>', '<i>''\', 'Ünicode ✂'], '{6}',
  sensitive => '{"{a,b}"}', params => '[{}, {"orders": {"<i>''\\": ["</script><script>alert(2)</script>''\"", "</title><i>"]}}]');
SQL
)
is "names, values and parameters are text" "$(count_of '<(script|b|i|u)>' <<<"${hostile/<script>/}" | tail -n 1)" \
  "$(count_of '<b>[A-Z]</b>' <<<"$hostile")"
is "the script is the same" "$(grep -oE "sha256-[^']*" <<<"$hostile")" "$(grep -oE "sha256-[^']*" <<<"$whole")"
says "the values are there" "$hostile" '&#60;script&#62;alert\(2\)&#60;/script&#62;'
is "it is ASCII, too" "$(LC_ALL=C grep -c '[^ -~]' <<<"$hostile")" 0
is "the statements run" "$(statements <<<"$hostile" | sed 's/ --$//' >"$folder/hostile.sql"
  psql -X -q -At -c 'SET client_min_messages = warning' -f <(awk '1; /;$/ { print "DROP MATERIALIZED VIEW \"</script><b>&amp;\"\"'"'"'x$$_public\";" }' "$folder/hostile.sql") 2>&1 |
  cut -d ':' -f 1 | sort -u)" kept
value "DO \$\$ BEGIN EXECUTE format('CREATE TABLE %I AS SELECT id, income FROM people', repeat('ä', 31)); END \$\$"
says "a long name is cut between letters" "$(page "'$(printf 'ä%.0s' {1..31})', '{income}', '{6}'" | plain)" \
  "anon_publish\('\"?(&#228;){28}_public"

# The page is written with the rights of the caller.
value "GRANT SELECT (id, income) ON people TO t_explore_partial; GRANT SELECT ON people TO t_explore_ward;
  ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY wards ON people TO t_explore_ward USING (ward = 'ward-1');
  CREATE POLICY all_rows ON people TO t_explore_partial USING (true)" >/dev/null
like "columns without a right" "$(value "SELECT anon_explore('people', '{income,born}')" -U t_explore_partial)" '42501: permission denied'
says "columns with one suffice" "$(page "'people', '{income}', '{6}'" -U t_explore_partial)" 'Choosing a release'
some=$(page "'people', '{income,ward}', '{6}'" -U t_explore_ward)
says "rows that a policy hides are not counted" "$some" '<dd>120 records in'
is "nor are their values shown" "$(count_of 'ward-[02-4]' <<<"$some")" 0
value "ALTER TABLE people DISABLE ROW LEVEL SECURITY; CREATE VIEW failing AS SELECT income, 1 / (id - 77) AS ratio, born / 0 AS x FROM (SELECT id, income, id AS born FROM people) AS p" >/dev/null
is "a message holds no cell" "$(page "'people', '{illness,income}', '{6}', '{univariate}'" | sed -n 's/.*"Not possible">\([^<]*\).*/\1/p' | count_of 'qz-')" 0

# In a browser.
if ! has_browser; then
  printf 'ok %d # SKIP there is no chromium: choosing by pointer and keyboard is not tested\n' "$((TESTS += 1))"
else
  chosen() { js "document.querySelector('input:checked').id + ' ' + [...document.querySelectorAll('.point')].filter(e => e.checkVisibility()).map(e => e.id).join()"; }
  printed() { js "[...document.querySelectorAll('.point code')].filter(e => e.checkVisibility()).map(e => e.textContent).join('@')"; }
  publish_printed() { # NAME: the statement that the page shows makes a release of this k
    local statement
    statement=$(printed)
    like "$1" "$(value "$statement")" '^kept: '
    is "$1: of the k that is shown" "$(value "SELECT spec ->> 'k' FROM anon_release_info('people_public')" -c 'DROP MATERIALIZED VIEW people_public')" \
      "$(js "[...document.querySelectorAll('.point h2')].filter(e => e.checkVisibility()).map(e => e.textContent)" | grep -oE 'k [0-9]+' | cut -d ' ' -f 2)"
  }
  printf '%s\n' "$whole" >"$folder/whole.html"
  printf '%s\n' "$hostile" >"$folder/hostile.html"
  open_browser
  for width in 360 1280; do
    viewport "$width" 800
    visit "$folder/whole.html"
    first=$(chosen)
    like "$width px: one point is shown" "$first" '^p([0-9]+) c([0-9]+)$'
    is "$width px: that which is chosen" "${first/p/}" "${first##* c} c${first##* c}"
    for point in p1 p7; do
      click "label:has(> #$point)"
      is "$width px: a click chooses $point" "$(chosen)" "$point c${point#p}"
      publish_printed "$width px: the statement of $point runs"
    done
    before=$(printed)
    press ArrowRight 39
    is "$width px: so do arrow keys" "$(js "document.activeElement.id === document.querySelector('input:checked').id && document.activeElement.id !== 'p7'")" true
    report "$([ "$(printed)" != "$before" ]; echo $?)" "$width px: the statement changes" "$before"
    publish_printed "$width px: the statement by keyboard runs"
    is "$width px: all points are on the way of the arrow keys" "$(for _ in $(seq "$(count_of '<input type="radio"' <<<"$whole")"); do
      press ArrowLeft 37
      js "document.activeElement.id" && echo
    done | sort -u | wc -l)" "$(count_of '<input type="radio"' <<<"$whole")"
    click '#points label'
    is "$width px: and the table chooses" "$(chosen)" 'p0 c0'
    is "$width px: no sideways scroll" "$(js 'document.documentElement.scrollWidth')" "$width"
    is "$width px: no table wider than its section" "$(js "[...document.querySelectorAll('table')].filter(e => e.checkVisibility() &&
      e.scrollWidth > e.closest('section').clientWidth + 1).length")" 0
    is "$width px: points are 24 px wide and high" "$(js "[...document.querySelectorAll('.mark')].filter(e => e.offsetWidth < 24 || e.offsetHeight < 24).length")" 0
    click '#c0 button'
    is "$width px: the button selects the statement" "$(js 'getSelection().toString().trim()')" "$(printed)"
    like "$width px: and says what it did" "$(js "document.querySelector('#c0 button').textContent")" '^(Copied|Selected)$'
    is "$width px: no message" "$(messages)" 0
    for colours in light dark; do
      scheme "$colours"
      contrast=$(least_contrast)
      report "$(awk '{ exit !($1 >= 4.5) }' <<<"$contrast"; echo $?)" "$width px: contrast of 4.5 in $colours colours" "$contrast"
    done
    scheme light
  done
  visit "$folder/hostile.html"
  is "hostile names: one script, no message" "$(js 'document.scripts.length') $(messages)" '1 0'
  is "and no element of theirs" "$(js "document.querySelectorAll('i, u, b b, script script').length")" 0
  visit "$folder/whole.html"
  is "a script that is not the page's does not run" "$(js "(() => { const other = document.createElement('script');
    other.textContent = 'window.ran = true'; document.body.append(other); return String(window.ran); })()")" undefined
  is "nothing can be fetched" "$(js "fetch('data:,x').then(() => 'fetched', () => 'refused')")" refused
  close_browser
fi
value 'DROP OWNED BY t_explore_partial, t_explore_ward CASCADE; DROP ROLE t_explore_partial; DROP ROLE t_explore_ward' >/dev/null
done_testing
