#!/bin/bash
# Releases with a key and values that need care: classes of nulls, changed lengths and names of types, domains without nulls,
# values of equal hashes, and sources that refresh their own release.
. test/t/tap.sh
fresh_database over_time_values_t

# Readers cannot tell a class of nulls from one that withholds its values. So it is one from the first night: distances are relative
# to the other classes, and no refresh fails for a value.
people="CREATE TABLE people AS SELECT i AS id, (i - 1) / 5 * 1000 + i AS age"
release="SELECT rows, withheld FROM anon_publish('r', 'people', '{age}', 5, sensitive => '{illness}', t => 0.54, key => '{id}', max_wait => 1, params => '{\"decoys\": 0}')"
gone="DROP VIEW r; DROP TABLE people"
is "a first version with classes of nulls" "$(value "$people, CASE WHEN i > 14 THEN 'x' END AS illness FROM generate_series(1, 30) AS i" -c "$release")" '30|15'
is "keeps its promise in the audit" "$(value "SELECT level <= 0.54 FROM anon_audit('r', withheld => true) WHERE model = 't-closeness'" -c "$gone")" t
value "$people, 'x' || i % 2 AS illness FROM generate_series(1, 60) AS i" -c "$release" >/dev/null
value "INSERT INTO people SELECT 1000 + i, 1000000 + (i - 1) / 5 * 1000 + i, CASE WHEN i > 30 OR i > 20 AND i % 5 = 0 THEN 'x0' END FROM generate_series(1, 60) AS i"
first=$(value "SELECT rows, withheld FROM anon_refresh('r')")
like "newcomers with classes of nulls" "$first" '^120\|(20|25|30)$'
is "the same figures a night later" "$(value "SELECT rows, withheld FROM anon_refresh('r')")" "$first"
is "every version keeps its promise" "$(value "SELECT anon_assert_history('r')" -c "$gone")" ''
is "decoys with a key, of any method" "$(value "$people, 'x' || i % 2 AS illness FROM generate_series(1, 60) AS i" \
  -c "SELECT withheld FROM anon_publish('r', 'people', '{age}', 5, 'tclose', '{illness}', t => 0.5, key => '{id}', params => '{\"decoys\": 0}')" -c "$gone")" 0

# The places have the lengths and precisions of the first version.
value "CREATE TABLE visits AS SELECT i AS id, i % 40 AS age, ('d' || i % 5)::varchar(4) AS illness, (i % 9 + 0.25)::numeric(6, 2) AS dose, timestamp(0) '2020-01-01' AS seen
    FROM generate_series(1, 100) AS i;
  SELECT FROM anon_publish('v', 'visits', '{age}', 4, sensitive => '{illness}', keep => '{dose,seen}', l => 2, key => '{id}')" >/dev/null
for change in 'illness TYPE varchar(40)' 'dose TYPE numeric(10, 4)' 'seen TYPE timestamp(3)' 'dose TYPE numeric'; do
  like "another length or precision: $change" "$(value "BEGIN; ALTER TABLE visits ALTER $change; SELECT anon_refresh('v')")" \
    "^ERROR:  55000: the source's columns are not those that the release was made of"
done
is "the same ones" "$(value "SELECT version FROM anon_refresh('v')")" 2
value "SELECT FROM anon_publish('plain', 'visits', '{age}', 4, keep => '{illness}')" >/dev/null
like "a plain REFRESH does not store longer values either" "$(value "BEGIN; ALTER TABLE visits ALTER illness TYPE varchar(40); REFRESH MATERIALIZED VIEW plain")" \
  '^ERROR:  42804: column "illness" would change its type from character varying\(4\) to character varying\(40\)'

# Withheld values are nulls, which a restore would not put into such a domain.
value "CREATE DOMAIN diagnosis AS text NOT NULL; CREATE DOMAIN main AS diagnosis; CREATE TABLE cases AS SELECT i AS id, i % 40 AS age, 'd' || i % 5 AS illness FROM generate_series(1, 100) AS i;
  CREATE VIEW strict AS SELECT id, age, illness::main AS illness FROM cases"
for role in sensitive keep; do
  like "a domain that forbids nulls: $role" "$(value "SELECT FROM anon_publish('c', 'strict', '{age}', 4, $role => '{illness}', key => '{id}')")" \
    '^ERROR:  0A000: column "illness" is of domain main, which forbids nulls.*Cast the column'
done
is "as a quasi-identifier it is never null" "$(value "SELECT rows FROM anon_publish('c', 'strict', '{illness}', 4, key => '{id}')")" 100

# Names inside the text of a value.
value "CREATE TYPE ward AS ENUM ('x', 'y', 'z'); CREATE TYPE bed AS (ward ward, number int);
  CREATE TABLE moves AS SELECT i AS id, i % 40 AS age, ARRAY[(ARRAY['x', 'y', 'z'])[1 + i % 3]]::ward[] AS wards, ('x', i % 3)::bed AS bed, 'visits'::regclass AS made FROM generate_series(1, 100) AS i" >/dev/null
for column in wards bed made; do
  value "SELECT FROM anon_publish('m', 'moves', '{age}', 4, keep => '{$column}', key => '{id}')" >/dev/null
  case $column in made) change='ALTER TABLE visits RENAME TO calls' ;; *) change="ALTER TYPE ward RENAME VALUE 'x' TO 'xx'" ;; esac
  like "a name was changed: $column" "$(value "BEGIN; $change; SELECT anon_refresh('m')")" \
    '^ERROR:  55000.*Table "m_places" has rows that were added, changed or removed, or names in type (public\.)?(ward\[\]|bed|regclass) were changed'
  is "and changed back: $column" "$(value "SELECT version FROM anon_refresh('m')" -c "DROP VIEW m")" 2
done

# Values that types hash to 0 differ from null.
value "CREATE TABLE zeros AS SELECT i AS id, i % 40 AS age, CASE i % 3 WHEN 0 THEN 0 WHEN 1 THEN 2 END::float8 AS dose, 'NaN'::numeric AS kept FROM generate_series(1, 100) AS i;
  SELECT FROM anon_publish('z', 'zeros', '{age}', 4, sensitive => '{dose}', keep => '{kept}', key => '{id}')" >/dev/null
is "0 becomes null" "$(value "UPDATE zeros SET dose = NULL WHERE dose = 0" -c "SELECT changed FROM anon_refresh('z')")" 33
is "NaN becomes null" "$(value "UPDATE zeros SET kept = NULL" -c "SELECT changed FROM anon_refresh('z')")" 100

# A source whose function refreshes the release that is made of it.
value "CREATE TABLE flag (raised boolean); INSERT INTO flag VALUES (false);
  CREATE FUNCTION again() RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN
    IF (SELECT raised FROM public.flag) THEN UPDATE public.flag SET raised = false; PERFORM public.anon_refresh('public.own'); END IF; RETURN true; END \$\$;
  CREATE VIEW circle AS SELECT id, age FROM cases WHERE again();
  SELECT FROM anon_publish('own', 'circle', '{age}', 4, key => '{id}'); UPDATE flag SET raised = true" >/dev/null
like "is told so" "$(value "SELECT anon_refresh('own')")" '^ERROR:  55006: release "own" is being refreshed by this session'
is "and the next refresh works" "$(value "UPDATE flag SET raised = false" -c "SELECT version FROM anon_refresh('own')")" 2
done_testing
