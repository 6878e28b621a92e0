#!/bin/bash
# Releases beside a set: what both tell together is measured, said and refused. Kept copies of the keys tell their classes to a
# count in plain SQL.
. test/t/tap.sh
fresh_database set_beside_t
value "CREATE SCHEMA clinic;
  CREATE TABLE clinic.patients AS SELECT i AS id, i AS copy, i * 7 % 43 AS born, i * 13 % 31 AS weight FROM generate_series(1, 400) AS i;
  CREATE TABLE clinic.stays AS SELECT i AS stay, i AS copy, 1 + i * i % 400 AS patient, i * 11 % 17 AS days, i * 5 % 23 AS ward FROM generate_series(1, 700) AS i;
  ALTER TABLE clinic.patients ADD PRIMARY KEY (id);
  ALTER TABLE clinic.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES clinic.patients;
  CREATE FUNCTION published(name text, m text, beside text) RETURNS bigint LANGUAGE sql AS \$\$ SELECT sum(rows)::bigint FROM anon_publish_set(name,
    '{\"clinic.patients\": {\"qi\": [\"born\"], \"keep\": [\"copy\"]}, \"clinic.stays\": {\"qi\": [\"days\"], \"keep\": [\"copy\"]}}', k => 4, m => m, beside => beside) \$\$"
value "SELECT anon_publish('one', 'clinic.patients', '{born,weight}', 5, method => 'mdav', keep => '{copy}', beside => 'ignore')"
value "SELECT anon_publish('two', 'clinic.stays', '{days,ward}', 6, method => 'mdav', keep => '{copy}', beside => 'ignore')"

# figures SET M RELEASE...: k, the persons alone and those below 4, of pairs of cells. The cells of a row that the set withholds are those of the release.
figures() {
  local set=$1 m=$2 root="p.born" row="j.days, j.copy IS NULL" tables="" rows="" release
  for release in "${@:3}"; do
    case $release in
    one) root+=", one.born, one.weight" tables=" JOIN one ON one.copy = c.copy" ;;
    two) row+=", two.days, two.ward" rows=" JOIN two ON two.copy = s.copy" ;;
    esac
  done
  [[ " $* " = *" two "* ]] || rows+=" WHERE j.copy IS NOT NULL"
  value "CREATE TEMP TABLE roots AS SELECT c.id, row($root)::text AS root FROM clinic.patients AS c JOIN $set.patients AS p ON p.copy = c.copy $tables;
    CREATE TEMP TABLE rows AS SELECT s.patient AS id, row($row)::text AS cells FROM clinic.stays AS s LEFT JOIN $set.stays AS j ON j.copy = s.copy $rows;
    CREATE TEMP TABLE facts AS SELECT id, root AS fact FROM roots WHERE '$m' <> 'all'
      UNION SELECT id, root || cells FROM roots JOIN rows USING (id) WHERE '$m' = '1'
      UNION SELECT id, root || coalesce(string_agg(cells, ' ' ORDER BY cells), '') FROM roots LEFT JOIN rows USING (id) WHERE '$m' = 'all' GROUP BY id, root;
    CREATE TEMP TABLE least AS SELECT id, min(n) AS n FROM (SELECT id, count(*) OVER (PARTITION BY fact) AS n FROM facts) AS f GROUP BY id;
    SELECT min(n), count(*) FILTER (WHERE n = 1), count(*) FILTER (WHERE n < 4) FROM least"
}
said() { # k and the two numbers of a notice
  sed -nE "s/.*Together they keep P\(([0-9]+),(all|[0-3])\).*Persons alone: ([0-9]+); with fewer than 4 candidates: ([0-9]+)\..*/\1|\3|\4/p" <<<"$1"
}

# ---- A release of the root, and one of its other table; each knowledge.
for m in all 1 0; do
  answer=$(details "SELECT published('joint_$m', '$m', 'notice')")
  like "m = $m: a notice names the releases" "$answer" "set \"joint_$m\" is of the same persons as \"one\", \"two\""
  is "m = $m: its figures are those of a count in SQL" "$(said "$answer")" "$(figures "joint_$m" "$m" one two | tail -1)"
  like "m = $m: alone, the set keeps its promise" "$(figures "joint_$m" "$m" | tail -1)" '^([4-9]|[1-9][0-9]+)\|0\|0$'
  like "m = $m: 'refuse' refuses" "$(value "SELECT anon_refresh_set('joint_$m', beside => 'refuse')")" "\"joint_$m\" and release \"one\", \"two\" together violate P\(k,$m\)"
  value "SELECT anon_drop_set('joint_$m')"
done
value "SELECT anon_drop('one')"
like "a new set is refused" "$(value "SELECT published('joint', 'all', 'refuse')")" '"joint" and release "two" together violate P\(k,all\)'
is "and leaves nothing" "$(value "SELECT to_regnamespace('joint') IS NULL")" t
answer=$(details "SELECT published('joint', 'all', 'notice')")
is "a release of the stays alone" "$(said "$answer")" "$(figures joint all two | tail -1)"

# ---- Refreshes.
answer=$(details "SELECT anon_refresh_set('joint')")
is "a refresh measures, too" "$(said "$answer")" "$(figures joint all two | tail -1)"
before=$(value "SELECT md5(string_agg(p::text, ' ')) FROM joint.patients AS p")
like "and refuses" "$(value "SELECT anon_refresh_set('joint', beside => 'refuse')")" '23514: "joint" and release "two" together violate P\(k,all\)'
is "the set stays" "$(value "SELECT md5(string_agg(p::text, ' ')) FROM joint.patients AS p")" "$before"
is "'ignore' is silent" "$(details "SELECT anon_refresh_set('joint', beside => 'ignore')" | grep -c together)" 0
value "SELECT anon_drop('two')"

# ---- The promise of the release counts, too. That of the set holds: the release has one class.
value "SELECT anon_publish('vague', 'clinic.patients', '{born}', 400, method => 'mdav', beside => 'ignore')"
answer=$(details "SELECT anon_refresh_set('joint')")
is "one class of all tells nothing more" "$(said "$answer")" "$(figures joint all | tail -1)"
like "but the set tells the class of its persons" "$(value "SELECT anon_refresh_set('joint', beside => 'refuse')")" \
  '"joint" and release "vague" together violate P\(k,0\)'
value "SELECT anon_drop('vague')"

# ---- A row that the set withholds shows its class in the release: the only second stay.
value "CREATE SCHEMA ward; CREATE TABLE ward.patients AS SELECT i AS id, 1 AS born FROM generate_series(1, 50) AS i;
  CREATE TABLE ward.stays AS SELECT i AS stay, 1 + i % 50 AS patient, 1 AS days, i AS day FROM generate_series(1, 51) AS i;
  ALTER TABLE ward.patients ADD PRIMARY KEY (id); ALTER TABLE ward.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES ward.patients"
ward() { printf '%s' "anon_publish_set('ward_set', '{\"ward.patients\": {\"qi\": [\"born\"]}, \"ward.stays\": {\"qi\": [\"days\"]}}', k => 5, beside => '$1')"; }
is "one of 51 stays is withheld" "$(value "SELECT withheld FROM $(ward notice) WHERE table_name = 'stays'; SELECT anon_drop_set('ward_set')" | head -1)" 1
value "SELECT anon_publish('of_stays', 'ward.stays', '{days}', 51, method => 'mdav', beside => 'ignore')"
like "and tells of its person" "$(details "SELECT $(ward notice)")" 'P\(1,all\).*Persons alone: 1; with fewer than 5 candidates: 1\.'

# ---- A set that grows: the new persons alone.
value "SELECT anon_drop_set('ward_set'); SELECT anon_drop('of_stays')"
value "SELECT sum(rows) FROM anon_publish_set('ward_set', '{\"ward.patients\": {\"qi\": [\"born\"]}, \"ward.stays\": {\"qi\": [\"days\"]}}', k => 5, key => '{id}')"
value "INSERT INTO ward.patients SELECT i, 2 FROM generate_series(101, 110) AS i; INSERT INTO ward.stays SELECT i, i, 2, i FROM generate_series(101, 110) AS i"
# The first three of the batch are in one class, the others in another one: (2,2) days apart from the rest by the day.
value "CREATE VIEW ward.of_batch AS SELECT stay, CASE WHEN stay BETWEEN 101 AND 103 THEN 1 ELSE 9 END AS half FROM ward.stays"
value "SELECT anon_publish('halves', 'ward.of_batch', '{half}', 3, method => 'mdav', beside => 'ignore')"
like "persons of a batch are measured among themselves" "$(details "SELECT anon_refresh_set('ward_set')")" 'Together they keep P\(3,all\).*Persons alone: 0; with fewer than 5 candidates: 3\.'

# ---- A release with a key has places. Its classes are those at its publication.
value "SELECT anon_publish('placed', 'clinic.patients', '{born,weight}', 4, key => '{id}', keep => '{copy}', weight_column => false, beside => 'ignore')"
answer=$(details "SELECT anon_refresh_set('joint')")
value "CREATE VIEW one AS SELECT copy, born, weight FROM placed" >/dev/null
is "a release with a key" "$(said "$answer")" "$(figures joint all one | tail -1)"
value "DROP VIEW one; SELECT anon_drop('placed')" >/dev/null

# ---- What cannot be linked, and what nobody may read.
value "CREATE VIEW clinic.keyless AS SELECT born, weight FROM clinic.patients; SELECT anon_publish('keyless', 'clinic.keyless', '{born}', 4, method => 'mdav', beside => 'ignore')"
like "without a key a notice gives the reason" "$(details "SELECT anon_refresh_set('joint')")" 'could not be measured: no columns identify a row in the sources of all releases'
like "and 'refuse' refuses" "$(value "SELECT anon_refresh_set('joint', beside => 'refuse')")" '22023: no columns identify a row'
value "SELECT anon_drop('keyless'); CREATE ROLE t_set_beside; GRANT USAGE ON SCHEMA clinic TO t_set_beside; GRANT SELECT ON clinic.patients TO t_set_beside;
  GRANT CREATE ON SCHEMA public TO t_set_beside; SET ROLE t_set_beside; SELECT anon_publish('theirs', 'clinic.patients', '{born}', 4, method => 'mdav', beside => 'ignore')"
answer=$(details "SELECT anon_refresh_set('joint', beside => 'refuse')")
like "another role's release is named, and not read" "$answer" 'release "theirs" of another role is of the same table.*What both tell together was not measured'
PGDATABASE=postgres value 'DROP DATABASE set_beside_t WITH (FORCE)'; value 'DROP ROLE t_set_beside' >/dev/null 2>&1
PGDATABASE=postgres value 'DROP ROLE IF EXISTS t_set_beside' >/dev/null
done_testing
