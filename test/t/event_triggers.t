#!/bin/bash
# Event triggers of a superuser: each command of a call runs them, as of any other role. One that alters what the call has just made ends
# the call, and the source's code runs as the publisher alone.
. test/t/tap.sh
fresh_database event_triggers_t
value "CREATE ROLE t_event_steward; CREATE ROLE t_event_reader; GRANT CREATE ON SCHEMA public TO t_event_steward;
  DO \$\$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO t_event_steward', current_database()); END \$\$;
  CREATE SEQUENCE run_as_superuser; GRANT ALL ON run_as_superuser TO PUBLIC; CREATE TABLE log (tag text); GRANT INSERT ON log TO PUBLIC;
  CREATE TABLE people AS SELECT i AS id, 20 + i * 7 % 30 AS age, i * 13 % 50 AS pay FROM generate_series(1, 60) AS i;
  CREATE TABLE stays AS SELECT i AS stay, 1 + i * 7 % 60 AS patient, i % 3 AS days FROM generate_series(1, 90) AS i;
  ALTER TABLE people ADD PRIMARY KEY (id); ALTER TABLE stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES people;
  CREATE FUNCTION note(int) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN
    IF current_user = 'postgres' THEN PERFORM nextval('public.run_as_superuser'); END IF; RETURN \$1; END \$\$;
  CREATE VIEW persons AS SELECT id, note(age) AS age, pay FROM people; GRANT SELECT ON people, stays, persons TO t_event_steward;
  CREATE TABLE wanted (tag text, object text, command text);
  CREATE FUNCTION act() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS \$\$
    DECLARE wish record; BEGIN
      DELETE FROM wanted USING pg_event_trigger_ddl_commands() AS d WHERE wanted.tag = tg_tag AND d.object_identity ~ wanted.object
        RETURNING wanted.command, d.object_identity INTO wish;
      IF FOUND THEN EXECUTE format(wish.command, wish.object_identity); END IF; END \$\$;
  CREATE EVENT TRIGGER acts ON ddl_command_end EXECUTE FUNCTION act()"
view="anon_publish('r', 'persons', '{age,pay}', 3, grant_to => '{t_event_reader}')"
secret="anon_publish('r', 'persons', '{age,pay}', 3, spec => '{\"recode\": \"swap\"}')"
keyed="anon_publish('r', 'persons', '{age,pay}', 3, key => '{id}')"
set="anon_publish_set('shared', '{\"people\": {\"qi\": [\"age\"]}, \"stays\": {\"qi\": [\"days\"]}}', k => 3)"
# with CALL TAG OBJECT COMMAND: the call, while an event trigger answers a command on the object.
with() { value "TRUNCATE wanted; INSERT INTO wanted VALUES ('$2', '$3', '$4')" -c 'SET ROLE t_event_steward' -c "SELECT FROM $1"; }
# refused NAME DETAIL CALL TAG OBJECT COMMAND
refused() { like "refused: $1" "$(with "${@:3}")" "ERROR:  55000: relation \"[a-z_]+\" was altered during the call.*DETAIL:  It $2\..*HINT:  Event triggers must"; }
give='ALTER TABLE %s OWNER TO postgres'
rename='ALTER TABLE %s RENAME TO other'
for call in "$view" "$secret"; do
  refused "a view is given away" "was given to another role" "$call" 'CREATE MATERIALIZED VIEW' 'r$' "$give"
  refused "a view is renamed" "was renamed, moved or dropped" "$call" 'CREATE MATERIALIZED VIEW' 'r$' "$rename"
  like "refused: a view is given away later" "$(with "$call" 'COMMENT' '.' 'ALTER TABLE r OWNER TO postgres')" '55000: the companion of release "r" is not as'
done
refused "a view over time is given away" "was given to another role" "$keyed" 'CREATE VIEW' 'r$' "$give"
for call in "$view" "$secret" "$keyed" "$set"; do
  refused "the companion is given away" "was given to another role" "$call" 'CREATE TABLE' 'companion$' "$give"
  refused "it is renamed" "was renamed, moved or dropped" "$call" 'CREATE TABLE' 'companion$' "$rename"
  refused "it is dropped" "was renamed, moved or dropped" "$call" 'COMMENT' 'companion$' 'DROP TABLE %s'
  refused "it has policies" "has row-level security" "$call" 'CREATE TABLE' 'companion$' 'ALTER TABLE %s ENABLE ROW LEVEL SECURITY'
  like "refused: others may read it" "$(with "$call" 'COMMENT' 'companion$' 'GRANT SELECT ON %s TO PUBLIC')" '42501: "[a-z_]+_companion" cannot be made private'
done
refused "places have rows" "has rows" "$keyed" 'CREATE TABLE' 'places$' \
  "INSERT INTO %s (anon_class, anon_person, anon_quasi, age, pay, anon_since, anon_weight) VALUES (1, ''a'', ''a'', 1, 1, 1, 1)"
refused "places have policies" "has row-level security" "$keyed" 'CREATE TABLE' 'places$' 'ALTER TABLE %s ENABLE ROW LEVEL SECURITY'
# The index of places is made when they have their rows.
of_row='SELECT anon_class, sha256(anon_person), anon_quasi, anon_met, age, pay, anon_since, anon_until, anon_weight FROM %1$s LIMIT 1'
for way in "INSERT INTO %1\$s $of_row" "COPY ($of_row) TO ''$PGHOST/place''; COPY %1\$s FROM ''$PGHOST/place'' (FREEZE)"; do
  like "refused: places get one more row by ${way%% *}" "$(with "$keyed" 'ALTER TABLE' 'places$' "$way")" \
    '55000: relation "r_places" was altered during the call.*DETAIL:  Its rows are not those that were verified'
done
like "refused: others may read places" "$(with "$keyed" 'ALTER TABLE' 'places$' 'GRANT SELECT ON %s TO PUBLIC')" '42501: "r_places" cannot be made private'
refused "a table of a set is given away" "was given to another role" "$set" 'CREATE TABLE' 'shared.people$' "$give"
refused "it is renamed" "was renamed, moved or dropped" "$set" 'CREATE TABLE' 'shared.people$' "$rename"
refused "it has a further column" "has other columns" "$set" 'CREATE TABLE' 'shared.people$' 'ALTER TABLE %s ADD made timestamptz DEFAULT now()'
refused "it has another type" "has other columns" "$set" 'CREATE TABLE' 'shared.stays$' 'ALTER TABLE %s ALTER days TYPE text'
refused "it has a further column later" "has other columns" "$set" 'ALTER TABLE' 'shared.people$' 'ALTER TABLE %s ADD made timestamptz DEFAULT now()'
refused "it has an index, which its rows would not be in" "has an index" "$set" 'CREATE TABLE' 'shared.people$' 'CREATE INDEX ON %s (age)'
refused "it has a constraint, which its rows would not meet" "has check constraints" "$set" 'CREATE TABLE' 'shared.people$' 'ALTER TABLE %s ADD CHECK (id > 1000)'
refused "the description is given away" "was given to another role" "$set" 'CREATE VIEW' 'anon_set$' "$give"
is "nothing is left" "$(value "SELECT count(*) FROM anon_releases") $(value "SELECT count(*) FROM pg_class WHERE relname ~ '^(r|r_.*|other|anon_set.*)\$'")" '0 0'

# A release that is given away while its new rows are merged: the source is read again as its owner before.
with "anon_publish('r', 'persons', '{age,pay}', 3, keep => '{id}', spec => '{\"recode\": \"swap\"}')" none . '' >/dev/null
value 'SET ROLE t_event_steward; CREATE UNIQUE INDEX ON r (id)'
like "refused: a release given away by a refresh" "$(with "anon_refresh('r', true)" 'REFRESH MATERIALIZED VIEW' 'r$' 'ALTER TABLE r OWNER TO postgres')" \
  '42501: permission denied for materialized view r'
is "no code of the source has run as a superuser" "$(value 'SELECT is_called FROM run_as_superuser')" f
value 'SET ROLE t_event_steward' -c "SELECT anon_drop('r')" >/dev/null

# Event triggers that log and grant what was asked for stop nothing.
value "CREATE FUNCTION logs() RETURNS event_trigger LANGUAGE plpgsql AS \$\$ BEGIN INSERT INTO public.log VALUES (tg_tag); END \$\$;
  CREATE EVENT TRIGGER logs_start ON ddl_command_start EXECUTE FUNCTION logs(); CREATE EVENT TRIGGER logs_end ON ddl_command_end EXECUTE FUNCTION logs();
  CREATE EVENT TRIGGER logs_drop ON sql_drop EXECUTE FUNCTION logs()"
for call in "$view" "$secret" "$keyed"; do
  is "a log of commands" "$(with "$call" none . '')$(value "SET ROLE t_event_steward; SELECT rows FROM anon_refresh('r')" -c "SELECT anon_drop('r')")" '60'
done
is "default rights by an event trigger are taken back" "$(with "$view" 'CREATE TABLE' 'companion$' 'GRANT SELECT ON %s TO PUBLIC')$(value "SELECT
  count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relname = 'r_companion' AND a.grantee <> c.relowner" -c "SELECT anon_drop('r')")" 0
is "a log of a set" "$(with "$set" none . '')$(value "SELECT sum(rows) > 0 FROM anon_refresh_set('shared')" -c "SELECT anon_drop_set('shared')")" t
like "which knows all commands" "$(value "SELECT string_agg(DISTINCT tag, ', ' ORDER BY tag) FROM log")" 'COMMENT, CREATE INDEX, CREATE MATERIALIZED VIEW, CREATE SCHEMA'

# The tables beside those of a release are no concern of event triggers that forbid DROP.
with "${set%)}, key => '{id}')" none . '' >/dev/null
value "CREATE FUNCTION forbid() RETURNS event_trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE '% is forbidden', tg_tag; END \$\$;
  CREATE EVENT TRIGGER forbids ON sql_drop EXECUTE FUNCTION forbid();
  INSERT INTO people SELECT 100 + i, 20 + i % 3, i FROM generate_series(1, 12) AS i; INSERT INTO stays SELECT 100 + i, 100 + i, i % 2 FROM generate_series(1, 12) AS i"
is "a set grows where DROP is forbidden" "$(value "SET ROLE t_event_steward; SELECT sum(rows) FROM anon_refresh_set('shared')")" 24
like "it is not dropped" "$(value "SET ROLE t_event_steward; SELECT anon_drop_set('shared')")" 'P0001: DROP VIEW is forbidden'
is "and is whole" "$(value "SELECT rows = (SELECT count(*) FROM shared.people) + (SELECT count(*) FROM shared.stays) FROM anon_releases")" t
export PGDATABASE=postgres
value 'DROP DATABASE event_triggers_t WITH (FORCE)'; value 'DROP ROLE t_event_steward, t_event_reader'
done_testing
