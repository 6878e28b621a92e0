#!/bin/bash
# Privileges: no function reads, publishes, refreshes or drops with rights that the caller lacks.
. test/t/tap.sh
fresh_database privileges_t
value "
  CREATE ROLE t_steward LOGIN; CREATE ROLE t_reader LOGIN; CREATE ROLE t_partial LOGIN; CREATE ROLE t_ward LOGIN;
  CREATE TABLE people (id int, age int, pay int, ward text);
  INSERT INTO people SELECT i, i % 50, i * 7 % 101, CASE WHEN i % 4 = 0 THEN 'north' ELSE 'south' END
  FROM generate_series(1, 200) AS i;
  GRANT SELECT ON people TO t_steward; GRANT SELECT (id, age, ward) ON people TO t_partial;
  CREATE SCHEMA public_data AUTHORIZATION t_steward; GRANT USAGE ON SCHEMA public_data TO PUBLIC;
  CREATE SCHEMA secret; CREATE TABLE secret.people AS SELECT * FROM people; GRANT SELECT ON secret.people TO t_steward"

# A plain role publishes with no right but those on the source and the target schema.
is "a role without superuser publishes" "$(value "SELECT rows FROM anon_publish('public_data.release', 'people',
  '{age,pay}', 5, sensitive => '{ward}', grant_to => '{t_reader}')" -U t_steward)" 200
is "a reader without rights on the source reads the release" "$(value 'SELECT count(*) FROM public_data.release' -U t_reader)" 200
like "and not the source" "$(value 'SELECT count(*) FROM people' -U t_reader)" '42501: permission denied for table people'
like "nor through anon_mdav" "$(value "SELECT count(*) FROM anon_mdav('people', '{age}', 5)" -U t_reader)" \
  '42501: permission denied for table people'
like "nor through anon_audit" "$(value "SELECT anon_audit('people', '{age}')" -U t_reader)" '42501: permission denied'
like "nor through anon_assert" "$(value "SELECT anon_assert('people', '{age}', k => 1)" -U t_reader)" '42501: permission denied'
like "nor through the release's own query" "$(value "SELECT * FROM anon_release('people',
  '{\"method\": \"mdav\", \"qi\": [\"age\"], \"k\": 5}') AS r (age int)" -U t_reader)" '42501: permission denied'
is "a reader audits the release" "$(value "SELECT level >= 5 FROM anon_audit('public_data.release', '{age,pay}') WHERE model = 'k-anonymity'" -U t_reader)" t
is "everybody sees that it is a release" "$(value "SELECT release, rows FROM anon_releases" -U t_reader)" \
  'public_data.release|200'
like "a reader cannot refresh" "$(value "SELECT anon_refresh('public_data.release')" -U t_reader)" \
  '42501: must be owner of materialized view release'
like "a reader cannot drop" "$(value "SELECT anon_drop('public_data.release')" -U t_reader)" \
  '42501: must be owner of materialized view release'
like "a reader cannot publish where he may not create" "$(value "SELECT anon_publish('public_data.mine',
  'public_data.release', '{age}', 5)" -U t_reader)" '42501: permission denied for schema public_data'
like "a schema without USAGE hides its tables" "$(value "SELECT anon_mdav('secret.people', '{age}', 5)" -U t_steward)" \
  '42501: permission denied for schema secret'
like "also by oid" "$(value "SELECT count(*) FROM anon_mdav($(value "SELECT 'secret.people'::regclass::oid")::regclass,
  '{age}', 5)" -U t_steward)" '42501: permission denied for schema secret'
is "the owner refreshes" "$(value "SELECT rows FROM anon_refresh('public_data.release')" -U t_steward)" 200
is "and the reader still reads" "$(value 'SELECT count(*) FROM public_data.release' -U t_reader)" 200

# Columns.
like "no right on one quasi-identifier" "$(value "SELECT anon_mdav('people', '{age,pay}', 5)" -U t_partial)" \
  '42501: permission denied for table people'
like "no right on a kept column" "$(value "SELECT anon_mdav('people', '{age}', 5, '{pay}')" -U t_partial)" '42501: permission denied'
is "rights on the named columns suffice, without a tid" "$(value "SELECT count(*), count(source)
  FROM anon_mdav('people', '{age}', 5, '{ward}')" -U t_partial)" '200|0'
value 'GRANT USAGE, CREATE ON SCHEMA public TO t_partial'
is "also to publish" "$(value "SELECT rows FROM anon_publish('partial', 'people', '{age}', 5, keep => '{ward}')" -U t_partial)" 200
is "and to audit" "$(value "SELECT level >= 1 FROM anon_audit('people', '{age}') WHERE model = 'k-anonymity'" -U t_partial)" t

# Rights that are gone are gone at the next refresh, by whomever: a release is read with its owner's rights.
value 'REVOKE SELECT ON people FROM t_steward'
like "refresh by the owner without rights" "$(value "SELECT anon_refresh('public_data.release')" -U t_steward)" \
  '42501: permission denied for table people'
like "refresh by the superuser" "$(value "SELECT anon_refresh('public_data.release')")" '42501: permission denied for table people'
is "the release is still there" "$(value 'SELECT count(*) FROM public_data.release' -U t_reader)" 200

# Row-level security.
value "GRANT SELECT ON people TO t_ward, t_steward; ALTER TABLE people ENABLE ROW LEVEL SECURITY;
  CREATE POLICY north ON people TO t_ward USING (ward = 'north'); CREATE POLICY everything ON people TO t_steward USING (true);
  GRANT CREATE ON SCHEMA public TO t_ward"
is "a policy decides what is anonymised" "$(value "SELECT count(*) FROM anon_mdav('people', '{age}', 5)" -U t_ward)" 50
is "and audited" "$(value "SELECT detail->'size' <= '50' FROM anon_audit('people', '{ward}') WHERE model = 'k-anonymity'" -U t_ward)" t
is "and published" "$(value "SELECT rows FROM anon_publish('north', 'people', '{age,pay}', 5, keep => '{ward}')" -U t_ward)" 50
is "a refresh by the superuser shows no more" "$(value "SELECT rows FROM anon_refresh('north')")" 50
value 'REFRESH MATERIALIZED VIEW north'
is "nor does a plain one" "$(value "SELECT count(*), string_agg(DISTINCT ward, ',') FROM north")" '50|north'
is "k is judged on what the caller may see" "$(value "SELECT anon_mdav('people', '{age}', 51)" -U t_ward | head -n 1)" \
  'ERROR:  22023: k is larger than the number of rows'
is "no policy for a role, no rows" "$(value "GRANT SELECT ON people TO t_reader" && value "SELECT anon_mdav('people', '{age}', 5)" -U t_reader | head -n 1)" \
  'ERROR:  22000: there are no rows to anonymize'
like "row_security = off is an error, not a bypass" \
  "$(PGOPTIONS='-c row_security=off' value "SELECT anon_mdav('people', '{age}', 5)" -U t_ward)" '42501: query would be affected by row-level security'
is "a view reads with its owner's rights" "$(value "CREATE VIEW all_people AS SELECT * FROM people; GRANT SELECT ON all_people TO t_ward" &&
  value "SELECT count(*) FROM anon_mdav('all_people', '{age}', 5)" -U t_ward)" 200

# A table of labels is a table: its owner decides on its readers.
value "CREATE TABLE wards (ward text, side text); INSERT INTO wards VALUES ('north', 'cold'), ('south', 'warm')" -U t_ward
levels="\"recode\": \"hierarchy\", \"hierarchies\": {\"ward\": {\"table\": \"wards\"}}"
is "the owner uses it" "$(value "SELECT anon_generalize('north', '{\"table\": \"wards\"}', 1)" -U t_ward)" cold
like "nobody else does" "$(value "SELECT anon_generalize('north', '{\"table\": \"wards\"}', 1)" -U t_reader)" '42501: permission denied for table wards'
like "or builds a hierarchy of it" "$(value "SELECT anon_hierarchy_table('wards')" -U t_reader)" '42501: permission denied for table wards'
value 'GRANT SELECT ON wards TO t_reader' -U t_ward
is "whom it is granted to uses it" "$(value "SELECT anon_generalize('north', '{\"table\": \"wards\"}', 1)" -U t_reader)" cold
like "an automatic one reads with the caller's rights, too" \
  "$(value "SELECT anon_hierarchy_auto('secret.people', 'pay')" -U t_reader)" '42501: permission denied'
like "a publisher needs it, too" "$(value "SELECT anon_publish('public_data.by_ward', 'people', '{ward}', 5, 'mdav', params => '{$levels}')" -U t_steward)" \
  '42501: permission denied for table wards'
value 'GRANT SELECT ON wards TO t_steward' -U t_ward
is "and who has it publishes" "$(value "SELECT rows FROM anon_publish('public_data.by_ward', 'people', '{ward}', 5, 'mdav', params => '{$levels}')" -U t_steward)" 200
value 'REVOKE SELECT ON wards FROM t_steward' -U t_ward
like "a refresh reads it as the release's owner, whoever refreshes" "$(value "SELECT rows FROM anon_refresh('public_data.by_ward')")" \
  '42501: permission denied for table wards'
like "nor can its owner drop it under a release" "$(value 'DROP TABLE wards' -U t_ward)" '2BP01: cannot drop table wards'

# A function in the source runs with the rights of the release's owner, for any role that refreshes
# it.
value "CREATE TABLE who (name text); GRANT INSERT ON who TO PUBLIC; GRANT CREATE ON SCHEMA public TO t_steward"
value "CREATE FUNCTION spy(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN length(current_user); END';
  CREATE VIEW trap AS SELECT spy(i) AS a FROM generate_series(1, 9) AS i;
  SELECT rows FROM anon_publish('trapped', 'trap', '{a}', 3)" -U t_steward >/dev/null
is "the owner's rights at a refresh" "$(value "SELECT rows FROM anon_refresh('trapped')" && value 'SELECT DISTINCT a FROM trapped')" $'9\n9'

value "DROP OWNED BY t_steward, t_reader, t_partial, t_ward CASCADE; DROP ROLE t_steward, t_reader, t_partial, t_ward"
done_testing
