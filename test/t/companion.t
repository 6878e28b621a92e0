#!/bin/bash
# The companion of a release: what only the owner may read, and what surrounds it.
. test/t/tap.sh
fresh_database companion_t
value "CREATE ROLE t_comp_owner LOGIN; CREATE ROLE t_comp_reader LOGIN; CREATE ROLE t_comp_default LOGIN;
  CREATE TABLE people AS SELECT i AS id, i % 50 AS age, i * 7 % 101 AS pay FROM generate_series(1, 200) AS i;
  GRANT SELECT ON people TO t_comp_owner; GRANT ALL ON SCHEMA public TO t_comp_owner, t_comp_reader" >/dev/null
owner() { PGOPTIONS="-c client_min_messages=${2:-warning}" psql -X -q -At -v VERBOSITY=verbose -U t_comp_owner -c "$1" 2>&1; }
reader() { value "$1" -U t_comp_reader; }

# ---- Default privileges on the release are its owner's choice, and named.
owner "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO t_comp_default, t_comp_reader"
notices=$(owner "SELECT rows FROM anon_publish('r', 'people', '{age,pay}', 5, keep => '{id}', grant_to => '{t_comp_reader}')" notice)
like "readers by default privileges are named" "$notices" 'default privileges let others read the release'
like "and not those of grant_to" "$notices" 'with a right to read it: t_comp_default[.]'
is "without them there is no word" "$(owner "ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM t_comp_default, t_comp_reader;
  SELECT rows FROM anon_publish('quiet', 'people', '{age,pay}', 5)" notice | grep -c 'default privileges')" 0

# ---- Figures are the owner's.
is "the companion is the owner's" "$(value "SELECT relacl::text FROM pg_class WHERE relname = 'r_companion'" | sed 's/m\//\//; s/arwdDxt[m]*/all/')" '{t_comp_owner=all/t_comp_owner}'
is "the owner sees all figures" "$(owner "SELECT rows, loss > 0, seconds > 0, current FROM anon_releases WHERE release = 'r'::regclass")" '200|t|t|t'
is "a reader sees what a reader can count" "$(reader "SELECT release, source, owner, rows, classes, smallest_class, loss, dm, suppressed, seconds, current,
  changes, rebuilt, built IS NOT NULL, age IS NOT NULL, spec->>'k' FROM anon_releases WHERE release = 'r'::regclass")" \
  "r|people|t_comp_owner|200|$(reader 'SELECT count(*), min(n) FROM (SELECT count(*) AS n FROM r GROUP BY age, pay) AS c')||||||||t|t|5"
is "so does a member of the owner see all" "$(value "GRANT t_comp_owner TO t_comp_default; SET ROLE t_comp_default;
  SELECT loss > 0 FROM anon_releases WHERE release = 'r'::regclass; RESET ROLE; REVOKE t_comp_owner FROM t_comp_default")" t
psql -X -q -c "BEGIN; LOCK TABLE r_companion; SELECT pg_sleep(3)" >/dev/null 2>&1 &
until_asleep
is "lists do not wait for a lock on the companion, and leave its figures out" "$(owner "SET statement_timeout = '2s';
  SELECT rows, loss, current, promises FROM anon_releases WHERE release = 'r'::regclass")" '200|||5-anonymous'
wait
like "the comments have the promise and the counts" "$(value "SELECT obj_description('r'::regclass), col_description('r'::regclass, 1)")" \
  '^Masked by anonkit: 5-anonymous; 200 rows in [0-9]+ classes of at least [0-9]+[.][|]anonkit: built=[0-9]+ rows=200 classes=[0-9]+ smallest_class=[0-9]+$'
owner "SELECT anon_publish('values', 'people', '{age}', 4, sensitive => '{pay}', params => '{\"l\": 3, \"p\": 2, \"t\": 0.5}')" >/dev/null
like "promises on values in words" "$(value "SELECT obj_description('values'::regclass)")" '^Masked by anonkit: 4-anonymous, 2-sensitive, 3-diverse, 0.5-close; '

# One person's change, which the ranges hide: all that a stranger can read stays as it was, but for the time.
public() {
  reader "SELECT objoid::regclass, objsubid, regexp_replace(description, 'built=[0-9]+', '') FROM pg_description
    WHERE classoid = 'pg_class'::regclass AND objoid::regclass::text ~ '^one' ORDER BY 1, 2"
  reader "SELECT to_jsonb(l) - '{built,age}'::text[] FROM anon_releases AS l WHERE release = 'one'::regclass"
  reader "SELECT to_jsonb(i) - 'built' FROM anon_release_info('one') AS i"
  reader "SELECT relname, relkind, relnatts, pg_relation_size(oid), relacl FROM pg_class WHERE relname ~ '^one' ORDER BY 1"
  reader 'SELECT * FROM one ORDER BY secret'
}
value 'CREATE TABLE source AS SELECT i AS age, i AS secret FROM generate_series(1, 40) AS i; GRANT SELECT ON source TO t_comp_owner'
loss() { owner "SELECT loss FROM anon_releases WHERE release = 'one'::regclass"; }
owner "SELECT anon_publish('one', 'source', '{age}', 20, sensitive => '{secret}', grant_to => '{t_comp_reader}', method => 'mondrian')" >/dev/null
seen=$(public) before=$(loss)
like "a stranger sees the release" "$seen" '20-anonymous; 40 rows in 2 classes'
value 'UPDATE source SET age = 6 WHERE age = 5'
owner "SELECT anon_refresh('one')" >/dev/null
is "one person's value changes nothing that a stranger reads" "$(public)" "$seen"
is "and the owner sees that it did" "$([ "$(loss)" = "$before" ] && echo same || echo other)" other

# ---- A companion that is not as it was made: refreshes name it, the list shows null.
figures() { owner "SELECT count(loss) FROM anon_releases WHERE release = 'quiet'::regclass"; }
while IFS='|' read -r what change back; do
  owner "$change" >/dev/null
  is "$what: no figures in the list" "$(figures)" 0
  like "$what: a refresh names the table" "$(owner "SELECT anon_refresh('quiet')")" '55000: the companion of release "quiet" is not as anonkit made it.*DETAIL:  Table "(quiet_companion|child)" '
  owner "$back" >/dev/null
  is "$what: undone" "$(figures)" 1
done <<'END'
another column|ALTER TABLE quiet_companion ADD more int|DROP TABLE quiet_companion; SELECT anon_refresh('quiet')
a column gone|ALTER TABLE quiet_companion DROP content|DROP TABLE quiet_companion; SELECT anon_refresh('quiet')
a column renamed|ALTER TABLE quiet_companion RENAME content TO contents|ALTER TABLE quiet_companion RENAME contents TO content
another type|ALTER TABLE quiet_companion ALTER number TYPE numeric|ALTER TABLE quiet_companion ALTER number TYPE bigint
null allowed|ALTER TABLE quiet_companion ALTER at DROP NOT NULL|ALTER TABLE quiet_companion ALTER at SET NOT NULL
row-level security|ALTER TABLE quiet_companion ENABLE ROW LEVEL SECURITY|ALTER TABLE quiet_companion DISABLE ROW LEVEL SECURITY
a rule|CREATE RULE also AS ON INSERT TO quiet_companion DO ALSO NOTHING|DROP RULE also ON quiet_companion
a trigger|CREATE TRIGGER t BEFORE INSERT ON quiet_companion FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()|DROP TRIGGER t ON quiet_companion
a check constraint|ALTER TABLE quiet_companion ADD CONSTRAINT c CHECK (number >= 0)|ALTER TABLE quiet_companion DROP CONSTRAINT c
a child|CREATE TABLE child () INHERITS (quiet_companion)|DROP TABLE child
a parent|CREATE TABLE parent (at timestamptz NOT NULL); ALTER TABLE quiet_companion INHERIT parent|ALTER TABLE quiet_companion NO INHERIT parent; DROP TABLE parent
an index on an expression|CREATE INDEX i ON quiet_companion ((length(item)))|DROP INDEX i
an index with a condition|CREATE INDEX i ON quiet_companion (item, number) WHERE length(item) > 0|DROP INDEX i
an index of another class|CREATE INDEX i ON quiet_companion (item text_pattern_ops, number)|DROP INDEX i
a deferrable primary key|ALTER TABLE quiet_companion DROP CONSTRAINT quiet_companion_pkey, ADD PRIMARY KEY (item, number) DEFERRABLE|ALTER TABLE quiet_companion DROP CONSTRAINT quiet_companion_pkey, ADD PRIMARY KEY (item, number)
no primary key|ALTER TABLE quiet_companion DROP CONSTRAINT quiet_companion_pkey|ALTER TABLE quiet_companion ADD PRIMARY KEY (item, number)
another default|ALTER TABLE quiet_companion ALTER release SET DEFAULT 'r'::regclass|ALTER TABLE quiet_companion ALTER release SET DEFAULT 'quiet'::regclass
not logged|ALTER TABLE quiet_companion SET UNLOGGED|ALTER TABLE quiet_companion SET LOGGED
END
owner "SELECT anon_publish('coins', 'people', '{age}', 5, 'mondrian', params => '{\"algorithm\": \"grid\"}')" >/dev/null
psql -X -q -c "BEGIN; LOCK TABLE coins_companion; SELECT pg_sleep(1)" >/dev/null 2>&1 &
until_asleep
is "REFRESH waits for the companion that has a secret" "$(owner 'REFRESH MATERIALIZED VIEW coins')" ''
wait
owner 'ALTER TABLE coins_companion ADD more int' >/dev/null
like "and names what is wrong with it" "$(owner 'REFRESH MATERIALIZED VIEW coins')" '55000: the companion of release "coins" is not as anonkit made it.*Table "coins_companion" has other columns'
owner 'DROP TABLE coins_companion' >/dev/null
like "or that it is gone" "$(owner 'REFRESH MATERIALIZED VIEW coins')" '55000: the secret seed of release "coins" is missing.*which held it, is gone'
owner 'DROP MATERIALIZED VIEW coins' >/dev/null
value 'ALTER TABLE quiet_companion OWNER TO t_comp_reader'
like "another owner: the way out" "$(owner "SELECT anon_refresh('quiet')")" 'HINT:  Use ALTER TABLE public.quiet_companion OWNER TO t_comp_owner'
value 'ALTER TABLE quiet_companion OWNER TO t_comp_owner'
owner "CREATE TABLE second (LIKE quiet_companion INCLUDING ALL); ALTER TABLE second ALTER release SET DEFAULT 'quiet'::regclass" >/dev/null
is "two companions: no figures in the list" "$(figures)" 0
like "two companions: a refresh names both" "$(owner "SELECT anon_refresh('quiet')")" '55000: release "quiet" has two companions.*They are tables "(second|quiet_companion)" and "(second|quiet_companion)"'
owner 'DROP TABLE second'
reader "CREATE TABLE forged (LIKE quiet_companion INCLUDING ALL); ALTER TABLE forged ALTER release SET DEFAULT 'quiet'::regclass" >/dev/null
is "a stranger's table is none" "$(figures) $(owner "SELECT rows FROM anon_refresh('quiet')")" '1 200'
for content in null '[]' '"x"' '{"rows": "many", "loss": {}, "xid": 1e300}' '{"rows": 1e300, "classes": null, "reproducible": 7}'; do
  owner "UPDATE quiet_companion SET content = '$content'"
  is "a content of $content is no figure" "$(owner "SELECT rows = 1e300, loss FROM anon_release_info('quiet')" | grep -c ERROR)" 0
done
owner "SELECT anon_refresh('quiet')" >/dev/null
is "a refresh writes it anew" "$(figures)" 1

# Reading the list runs nobody's code: neither a policy's nor a cast's.
owner "CREATE TABLE ran (who text); GRANT INSERT ON ran TO PUBLIC;
  CREATE FUNCTION spy() RETURNS boolean LANGUAGE plpgsql AS 'BEGIN INSERT INTO public.ran VALUES (current_user); RETURN true; END';
  CREATE POLICY p ON quiet_companion USING (spy()); ALTER TABLE quiet_companion FORCE ROW LEVEL SECURITY" >/dev/null
value 'SELECT count(*) FROM anon_releases' >/dev/null
is "no policy ran" "$(value 'SELECT count(*) FROM ran')" 0
owner "ALTER TABLE quiet_companion NO FORCE ROW LEVEL SECURITY; DROP POLICY p ON quiet_companion" >/dev/null

# A name of 63 bytes, and a name that is taken.
long=$(printf 'é%.0s' {1..31})
owner "SELECT anon_publish('$long', 'people', '{age}', 5)" >/dev/null
is "a long name is cut at a letter" "$(value "SELECT count(*), max(octet_length(relname)) <= 63 FROM pg_class WHERE relname ~ '^é+_companion\$'")" '1|t'
owner 'CREATE TABLE taken_companion (a int)'
is "a name that is taken gets a number" "$(owner "SELECT rows FROM anon_publish('taken', 'people', '{age}', 5);
  SELECT count(*) FROM taken_companion1")" $'200\n1'
owner "SELECT anon_drop('taken'), anon_drop('$long'), anon_drop('values')" >/dev/null

# ---- What refreshes say and refuse.
owner 'CREATE UNIQUE INDEX ON r (id)'
value 'INSERT INTO people VALUES (200, 12345, 54321)'
for way in "anon_refresh('r')" "anon_refresh('r', concurrently => true)"; do
  answer=$(owner "SELECT $way")
  like "$way: a unique index names no row" "$answer" 'DETAIL:  Two rows agree in the columns of a unique index'
  is "$way: nor a key" "$(grep -cE '\(200\)|=\(|12345' <<<"$answer")" 0
done
value 'DELETE FROM people WHERE age = 12345'
# after_older OTHER OWN: the owner's statement in a transaction whose snapshot is older than what another session does.
after_older() {
  printf '%s\n' 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM people;' "\\! psql -X -q -At -U t_comp_owner -c \"$1\"" "$2;" |
    psql -X -q -At -v VERBOSITY=verbose -U t_comp_owner 2>&1
}
like "a transaction with an older snapshot does not refresh" \
  "$(after_older "SELECT anon_refresh('r')" "SELECT anon_refresh('r')")" '40001: release "r" was built after this transaction began'
like "nor over REFRESH MATERIALIZED VIEW" \
  "$(after_older 'REFRESH MATERIALIZED VIEW r' "SELECT anon_refresh('r')")" '40001: release "r" was built after'
value 'DELETE FROM people WHERE id = 7'
like "nor over the rows of REFRESH MATERIALIZED VIEW CONCURRENTLY" \
  "$(after_older 'REFRESH MATERIALIZED VIEW CONCURRENTLY r' "SELECT anon_refresh('r')")" '40001: release "r" was built after'
value 'INSERT INTO people SELECT 7, age, pay FROM people WHERE id = 8'
owner "SELECT anon_refresh('r')" >/dev/null
is "one that changed no row is no obstacle" \
  "$(after_older 'REFRESH MATERIALIZED VIEW CONCURRENTLY r' "SELECT rows FROM anon_refresh('r')" | tail -n 1)" 200
is "one with a newer snapshot does" "$(owner "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT rows FROM anon_refresh('r'); SELECT rows FROM anon_refresh('r'); COMMIT")" $'200\n200'

# A drop goes after the refresh of a transaction that has read the release, and neither dies.
owner "SELECT anon_publish('keyed', 'people', '{age}', 5, key => '{id}')" >/dev/null
is "others see no classes of a release with a key, two of which may have equal cells" "$(reader "SELECT rows, classes, smallest_class FROM anon_releases
  WHERE release = 'keyed'::regclass") $(value "SELECT col_description('keyed'::regclass, 1) ~ 'class'")" '200|| f'
(owner "BEGIN; SELECT count(*) FROM keyed; SELECT pg_sleep(1.5); SELECT rows FROM anon_refresh('keyed'); COMMIT" >build/companion_refresh) &
until_asleep
is "a drop waits for a reader's refresh" "$(owner "SELECT anon_drop('keyed'); SELECT to_regclass('keyed') IS NULL")" $'\nt'
wait
is "which is done" "$(tail -n 1 build/companion_refresh)" 200
rm -f build/companion_refresh

# ---- Publications.
value 'CREATE PUBLICATION everything FOR ALL TABLES'
notices=$(owner "SELECT rows FROM anon_publish('sent', 'people', '{age}', 5)" notice)
like "a publication of all tables is named" "$notices" 'NOTICE:  00000: a publication sends private tables of the release to its subscribers'
like "with tables and the way out" "$notices" 'Publications: everything. Tables: sent_companion.*FOR TABLE'
is "and a refresh works" "$(owner "SELECT rows FROM anon_refresh('sent')")" 200
value "CREATE TABLE visits AS SELECT id AS person, age % 3 AS kind FROM people; GRANT SELECT ON visits TO t_comp_owner"
value "DO \$\$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO t_comp_owner', current_database()); END \$\$"
like "so are the tables of a set" "$(owner "SELECT rows FROM anon_publish_set('sent_set', '{\"people\": {\"qi\": [\"age\"], \"key\": [\"id\"]},
  \"visits\": {\"qi\": [\"kind\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', k => 5)" notice)" \
  'Publications: everything[.] Tables: anon_set_companion, (people, visits|visits, people)[.]'
value 'DROP PUBLICATION everything'

# ---- A set that grows: readers see neither who waits nor who has changed.
public_set() {
  reader "SELECT objoid::regclass, objsubid, description FROM pg_description WHERE classoid = 'pg_class'::regclass AND objoid::regclass::text ~ '^grown' ORDER BY 1, 2"
  reader "SELECT to_jsonb(l) - 'age' FROM anon_releases AS l WHERE release = 'grown.anon_set'::regclass"
  reader "SELECT relname, relkind, relnatts, pg_relation_size(oid), relacl FROM pg_class WHERE relnamespace = 'grown'::regnamespace AND relname !~ 'companion|toast' ORDER BY 1"
  reader 'SELECT ctid, xmin, * FROM grown.people'
  reader 'SELECT ctid, xmin, * FROM grown.visits'
}
value "CREATE TABLE waiting AS SELECT 1000 + i AS id, 7 AS age, 8000 AS pay FROM generate_series(1, 12) AS i"
owner "SELECT rows FROM anon_publish_set('grown', '{\"people\": {\"qi\": [\"age\"], \"keep\": [\"pay\"], \"key\": [\"id\"]},
  \"visits\": {\"qi\": [\"kind\"], \"parent\": \"people\", \"parent_key\": [\"person\"]}}', k => 5, key => '{id}', beside => 'ignore'); SELECT anon_grant_set('grown', 't_comp_reader')" >/dev/null
seen=$(public_set)
like "a reader sees the set" "$seen" 'people'
value "UPDATE people SET age = age + 1 WHERE id % 3 = 0; DELETE FROM visits WHERE person % 7 = 0; INSERT INTO people SELECT * FROM waiting WHERE id <= 1004"
like "four new persons wait" "$(owner "SELECT sum(rows) FROM anon_refresh_set('grown', beside => 'ignore')" notice)" 'NOTICE:  00000: nothing was added to set "grown".*They wait for others[.].*0$'
is "and change nothing that a reader sees" "$(public_set)" "$seen"
value "INSERT INTO people SELECT * FROM waiting WHERE id BETWEEN 1005 AND 1006"
owner 'CREATE UNIQUE INDEX once ON grown.people (pay) WHERE pay = 8000'
answer=$(owner "SELECT anon_refresh_set('grown', beside => 'ignore')")
like "a unique index names no row of a batch" "$answer" 'DETAIL:  Two rows agree in the columns of a unique index'
is "nor a key of one" "$(grep -cE '=\(' <<<"$answer")" 0
owner 'DROP INDEX grown.once'
older=$(after_older "SELECT sum(rows) FROM anon_refresh_set('grown', beside => 'ignore')" \
  "SELECT anon_refresh_set('grown', beside => 'ignore')")
is "a batch" "$(sed -n 2p <<<"$older")" 6
like "a transaction with an older snapshot adds none" "$older" '40001: set "grown" was built after this transaction began'
is "rows of others stay where they are" "$(reader 'SELECT ctid, xmin, * FROM grown.people' | head -n 200)" "$(grep '^(' <<<"$seen" | head -n 200)"
value "INSERT INTO people SELECT * FROM waiting WHERE id > 1006"
owner 'DROP TABLE grown.anon_set_companion'
like "without its companion it does not grow" "$(owner "SELECT anon_refresh_set('grown')")" '55000: set "grown" has lost the list of its persons'

if [ "$(value 'SHOW server_version_num')" -ge 150000 ]; then
  value 'CREATE PUBLICATION of_schema FOR TABLES IN SCHEMA public'
  like "so is one of the schema's tables" "$(owner "SELECT rows FROM anon_publish('sent_too', 'people', '{age}', 5, key => '{id}')" notice)" \
    'Publications: of_schema. Tables: sent_too_companion, sent_too_places'
  value 'DROP PUBLICATION of_schema'
fi

# ---- Forged releases, and relations that do not exist.
owner "CREATE TABLE places (age int, name text, anon_until int, anon_weight float8)" >/dev/null
call() { echo "anon_until IS NULL AND anon_release_spec('$1'::regclass, '$2', 'people'::regclass, 'people'::regclass)"; }
while IFS='|' read -r what columns source spec; do
  owner "CREATE VIEW forged_view AS SELECT $columns FROM places WHERE $(call "$source" "$spec")" >/dev/null
  is "$what: not listed" "$(value "SELECT count(*) FROM anon_releases WHERE release = 'forged_view'::regclass")" 0
  like "$what: no release" "$(owner "SELECT anon_refresh('forged_view')")" \
    '42809: "forged_view" is not a release|55000: the state of the release is not as the last refresh left it'
  owner 'DROP VIEW forged_view'
done <<'END'
another column beside|age, name, anon_weight|people|{"k": 3, "qi": ["age"]}
another column|name, anon_weight|people|{"k": 3, "qi": ["age"]}
a column twice|age, age AS again, anon_weight|people|{"k": 3, "qi": ["age", "name"]}
another order|name, age, anon_weight|people|{"k": 3, "qi": ["age", "name"]}
no weight|age|people|{"k": 3, "qi": ["age"]}
a weight that is not wanted|age, anon_weight|people|{"k": 3, "qi": ["age"], "weight": false}
a system column|age, ctid, anon_weight|people|{"k": 3, "qi": ["age", "ctid"]}
a spec that is no object|age|people|[]
a list that is none|age|people|{"qi": "age", "weight": false}
no source|age, anon_weight|999999|{"k": 3, "qi": ["age"]}
END
while IFS='|' read -r what arguments; do
  owner "CREATE MATERIALIZED VIEW forged_view AS SELECT * FROM anon_release($arguments) AS r(age int) WITH NO DATA" >/dev/null
  is "$what: not listed" "$(value "SELECT count(*) FROM anon_releases WHERE release = 'forged_view'::regclass")" 0
  like "$what: no release" "$(owner "SELECT anon_refresh('forged_view')")" '42809: "forged_view" is not a release'
  owner 'DROP MATERIALIZED VIEW forged_view'
done <<'END'
a spec that is no object|'people', '[1]'
a spec that is a text|'people', '"x"'
a table of labels without a number|'people', '{"qi": ["age"], "hierarchies": {"age": {"table": -1}}}'
a table of labels that is gone|'people', '{"qi": ["age"], "hierarchies": {"age": {"table": 1}}}', ARRAY[999999::regclass]
no source|'999999'::regclass, '{"k": 3, "qi": ["age"], "method": "mdav"}'
END
# Each relation of each function in turn does not exist.
is "no function looks up a relation that does not exist" "$(value "
  CREATE TABLE probed (call text, state text);
  DO \$\$
  DECLARE f record; arguments text[]; type oid; call text;
  BEGIN
    FOR f IN SELECT p.* FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
      JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'anonkit' WHERE d.refclassid = 'pg_extension'::regclass LOOP
      FOR place IN 0..f.pronargs - 1 LOOP
        CONTINUE WHEN f.proargtypes[place] NOT IN ('regclass'::regtype, 'regclass[]'::regtype);
        arguments := '{}';
        FOR i IN 0..f.pronargs - 1 LOOP
          type := f.proargtypes[i];
          CONTINUE WHEN i <> place AND i >= f.pronargs - f.pronargdefaults AND f.proargnames[i + 1] NOT IN ('functions', 'k_f');
          arguments := arguments || format('%I => %s', f.proargnames[i + 1], CASE
            WHEN type = 'regclass'::regtype THEN CASE WHEN i = place THEN '999999::regclass' ELSE '''people''::regclass' END
            WHEN type = 'regclass[]'::regtype THEN CASE WHEN i = place THEN 'ARRAY[999999, 999999]::regclass[]' ELSE 'ARRAY[''people'']::regclass[]' END
            WHEN f.proargnames[i + 1] = 'functions' THEN '''{sum}''' WHEN type = 'text[]'::regtype THEN '''{age}'''
            WHEN type IN ('int'::regtype, 'bigint'::regtype) THEN '3' WHEN type = 'text'::regtype THEN '''mdav'''
            WHEN type = 'jsonb'::regtype THEN '''{\"k\": 3, \"qi\": [\"age\"], \"method\": \"mdav\"}'''
            ELSE 'NULL::' || format_type(type, NULL) END);
        END LOOP;
        IF f.proname IN ('anon_audit', 'anon_assert') THEN arguments := arguments || 'qi => ''{age}'''::text; END IF;
        call := format('%s %s(%s)%s', CASE WHEN f.prokind = 'p' THEN 'CALL' ELSE 'SELECT FROM' END, f.oid::regproc,
          array_to_string(arguments, ', '), CASE WHEN f.proname = 'anon_release' THEN ' AS r(age int)' END);
        BEGIN
          EXECUTE call;
        EXCEPTION WHEN OTHERS THEN
          INSERT INTO probed VALUES (call, SQLSTATE);
        END;
      END LOOP;
    END LOOP;
  END \$\$;
  SELECT call FROM probed WHERE state LIKE 'XX%'; SELECT count(*) > 30 FROM probed WHERE state = '42P01'")" t

export PGDATABASE=postgres
value 'DROP DATABASE companion_t WITH (FORCE)'
value 'DROP ROLE t_comp_owner, t_comp_reader, t_comp_default'
done_testing
