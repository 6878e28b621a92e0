#!/bin/bash
# Relations that a release's options name are read as the release's owner, for callers who may read them; forged releases do
# not make a caller act, or spoil the lists of all.
. test/t/tap.sh
PGDATABASE=postgres value 'CREATE ROLE t_named_owner LOGIN; CREATE ROLE t_named_reader LOGIN; CREATE ROLE t_named_other LOGIN' >/dev/null
fresh_database named_by_release_t
value 'GRANT CREATE ON SCHEMA public TO t_named_owner; GRANT CREATE ON DATABASE named_by_release_t TO t_named_owner'
owner() { value "$@" -U t_named_owner; }
reader() { value "$@" -U t_named_reader; }

# A label or an age of a view is read by a function of the owner, which refuses every other role.
owner "CREATE FUNCTION mine(x text) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN
    IF current_user <> 't_named_owner' THEN RAISE 'foreign code ran as %', current_user; END IF; RETURN x; END \$\$;
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 50 AS age, (ARRAY['asthma', 'flu', 'gout'])[1 + i * i % 37 % 3] AS illness FROM generate_series(1, 200) AS i;
  CREATE TABLE words AS SELECT DISTINCT illness AS a, left(illness, 1) AS b FROM people;
  CREATE VIEW labels AS SELECT mine(a) AS a, b FROM words;
  CREATE VIEW everybody AS SELECT mine(age::text)::int AS age FROM people;
  CREATE TABLE census AS SELECT age FROM people; ALTER TABLE census ENABLE ROW LEVEL SECURITY;
  CREATE POLICY half ON census FOR SELECT TO t_named_reader USING (age > 40);
  SELECT FROM anon_publish('labelled', 'people', '{age}', 5, sensitive => '{illness}', t => 0.5, hierarchies => '{\"illness\": {\"table\": \"labels\"}}');
  SELECT FROM anon_publish('within', 'people', '{age}', 5, 'incognito', hierarchies => '{\"age\": {\"range\": [10, 20, 40]}}', population => 'everybody', k_map => 5);
  SELECT FROM anon_publish('counted', 'people', '{age}', 5, 'incognito', hierarchies => '{\"age\": {\"range\": [10, 20, 40]}}', population => 'census', k_map => 5);
  GRANT SELECT ON labelled, within, counted, people TO t_named_reader, t_named_other; GRANT SELECT ON labels, everybody, census TO t_named_reader" >/dev/null

for caller in postgres t_named_owner t_named_reader; do
  [ $caller = postgres ] && user=$(value 'SELECT current_user') || user=$caller
  is "$caller audits with labels" "$(value "SELECT count(*) FROM anon_audit('labelled') WHERE model = 't-closeness' AND level <= 0.5" -U "$user")" 1
  is "$caller audits with a population" "$(value "SELECT count(*) FROM anon_audit('within') WHERE model = 'k-map' AND level >= 5" -U "$user")" 1
  is "$caller asserts" "$(value "SELECT anon_assert('labelled', t => 0.5), anon_assert('within', k_map => 5)" -U "$user")" '|'
  is "$caller reports" "$(value "SELECT count(*) FROM unnest('{labelled,within}'::regclass[]) AS r WHERE anon_report(r) ~ 'k-anonymity'" -U "$user")" 2
  is "$caller names the release's labels" "$(value "SELECT count(*) FROM anon_audit('labelled', '{age}', '{illness}', hierarchies => '{\"illness\": {\"table\": \"words\"}}')" -U "$user" 2>&1 |
    grep -c foreign)" 0
done
for call in "anon_audit('labelled')" "anon_audit('within')" "anon_report('labelled')" "anon_report('within')"; do
  like "without the right to read what the release names: $call" "$(value "SELECT count(*) FROM $call" -U t_named_other)" '^ERROR:  42501: permission denied for view (labels|everybody)'
done
owner "CREATE SCHEMA closed; CREATE TABLE closed.words AS TABLE words; GRANT SELECT ON closed.words TO t_named_reader;
  SELECT FROM anon_publish('of_closed', 'people', '{age}', 5, sensitive => '{illness}', t => 0.5, hierarchies => '{\"illness\": {\"table\": \"closed.words\"}}');
  GRANT SELECT ON of_closed TO t_named_reader" >/dev/null
like "the right to a table is none in a schema that the caller may not use" "$(reader "SELECT count(*) FROM anon_audit('of_closed')")" \
  '^ERROR:  42501: permission denied for schema closed'
like "row-level security would hide rows from the reader" "$(reader "SELECT count(*) FROM anon_audit('counted')")" \
  '^ERROR:  0A000: row-level security hides rows of "census" from the caller'
is "but not from the owner" "$(owner "SELECT count(*) FROM anon_audit('counted') WHERE model = 'k-map'")" 1

# A set's tables of labels.
owner "CREATE TABLE persons AS SELECT id, age FROM people; ALTER TABLE persons ADD PRIMARY KEY (id);
  CREATE TABLE stays AS SELECT i AS id, i % 200 + 1 AS person, 1 + i % 3 AS day, (ARRAY['asthma', 'flu', 'gout'])[1 + i * i % 37 % 3] AS illness FROM generate_series(1, 400) AS i;
  ALTER TABLE stays ADD PRIMARY KEY (id), ADD FOREIGN KEY (person) REFERENCES persons;
  SELECT FROM anon_publish_set('linked', '{\"persons\": {\"qi\": [\"age\"]}, \"stays\": {\"qi\": [\"day\"], \"sensitive\": [\"illness\"],
    \"hierarchies\": {\"illness\": {\"table\": \"labels\"}}, \"protected\": {\"illness\": [\"f\"]}}}', 5, alpha => 0.9);
  GRANT USAGE ON SCHEMA linked TO t_named_reader, t_named_other; GRANT SELECT ON ALL TABLES IN SCHEMA linked TO t_named_reader, t_named_other" >/dev/null
is "a report of a set runs the labels' code as the set's owner" "$(value "SELECT anon_report_set('linked') ~ 'Candidates'")" t
is "for a reader of the labels, too" "$(reader "SELECT anon_report_set('linked') ~ 'Candidates'")" t
like "and for nobody else" "$(value "SELECT anon_report_set('linked')" -U t_named_other)" '^ERROR:  42501: permission denied for view labels'

# A view that says that it is a distributed release does not get a superuser to drop a table.
value "CREATE TABLE victim AS SELECT 1 AS part, age, illness FROM people" >/dev/null
owner "CREATE VIEW forged AS SELECT age, illness FROM victim AS published WHERE anon_distributed_spec('people'::regclass, '{}', '{}')"
like "the table belongs to another role" "$(value "SELECT anon_drop('forged')")" '^ERROR:  42501: table "victim" belongs to another role than release "forged"'
is "and stays" "$(value 'SELECT count(*) FROM victim')" 200

# Comments are the owners'.
owner "COMMENT ON COLUMN labelled.age IS 'anonkit: built=-900000000000000000 rows=400 classes=75 smallest_class=5'"
is "no comment spoils the list for others" "$(reader "SELECT release, built, rows FROM anon_releases WHERE release = 'labelled'::regclass")" 'labelled||400'

# Figures of a session that several roles share.
figures="SELECT anonkit_distributed_figures() ->> 'loss' IS NOT NULL"
value "GRANT t_named_owner TO t_named_reader" >/dev/null
like "another role of the session sees no figures of the owner's release" "$(reader "BEGIN; SET ROLE t_named_owner; REFRESH MATERIALIZED VIEW labelled; RESET ROLE; $figures")" \
  '^ERROR:  55000: the role has made no release in this transaction'
like "nor does a later transaction" "$(owner "REFRESH MATERIALIZED VIEW labelled" -c "$figures")" '^ERROR:  55000'
is "the owner does" "$(owner "BEGIN; REFRESH MATERIALIZED VIEW labelled; $figures")" t
done_testing
