-- The cells: every call with every trojan by every caller, and their judgement.
CREATE TABLE of_callers.people AS SELECT i AS id, 20 + i % 6 AS age, 100.0 * (i % 5) AS income, 'i' || i % 4 AS illness,
  (ARRAY['a', 'b', 'c'])[1 + i % 3] AS h FROM generate_series(1, 24) AS i;
GRANT SELECT ON of_callers.people TO PUBLIC;

CREATE TABLE trojans.cells AS
SELECT row_number() OVER (ORDER BY c.nr, t.trojan, r.place) AS nr, c.nr AS call, c.function, c.named, t.trojan, t.kind, r.caller,
  replace(replace(replace(replace(replace(replace(replace(c.statement, 'PEOPLE', format('''%s.people''::regclass', t.trojan)), 'RELEASE',
    format('''%s.release''::regclass', t.trojan)), 'KEYED', format('''%s.keyed''::regclass', t.trojan)),
    'SWAPPED', format('''%s.swapped''::regclass', t.trojan)), 'LABELLED', format('''%s.labelled''::regclass', t.trojan)),
    'WITHIN', format('''%s.within''::regclass', t.trojan)), 'TROJAN', t.trojan) AS statement
FROM trojans.calls AS c, trojans.trojans AS t, trojans.callers AS r;
ALTER TABLE trojans.cells ADD PRIMARY KEY (nr);

-- The roles that ran code in a cell, and in plain statements of the same caller on the relations that calls name.
CREATE TABLE trojans.ran_in (nr bigint PRIMARY KEY, roles text[]);
CREATE TABLE trojans.plain (trojan text, caller text, named text, roles text[], PRIMARY KEY (trojan, caller, named));

-- A script for psql: one statement as a caller, and the record of its runs.
CREATE FUNCTION trojans.script(trojan text, caller text, statement text, record text) RETURNS text LANGUAGE sql AS $$
SELECT format(E'SELECT trojans.forget();\nSET trojans.active = %L;\nSET search_path = %I, anonkit, public, pg_catalog;\nSET SESSION AUTHORIZATION %I;\n%s;\n'
  'RESET SESSION AUTHORIZATION;\nRESET search_path;\nRESET trojans.active;\n%s;\n', trojan, trojan, caller,
  CASE WHEN statement LIKE 'CALL%' THEN statement ELSE format(E'BEGIN;\n%s;\nROLLBACK', statement) END, record)
$$;

CREATE VIEW trojans.plain_script AS
SELECT trojans.script(t.trojan, r.caller, format('SELECT * FROM %I.%s', t.trojan || p.of, p.relation),
  format('INSERT INTO trojans.plain VALUES (%L, %L, %L, trojans.ran()) ON CONFLICT (trojan, caller, named) DO UPDATE'
    ' SET roles = plain.roles || excluded.roles', t.trojan, r.caller, p.named)) AS line
FROM trojans.trojans AS t, trojans.callers AS r, (VALUES ('', 'people', 'people'), ('', 'release', 'release'), ('', 'keyed', 'release'), ('', 'swapped', 'release'), ('', 'labelled', 'release'), ('', 'within', 'release'), ('_set', 'people', 'release'),
  ('_grown', 'people', 'release')) AS p (of, relation, named);

-- Code of the owner may run as the owner, and as those whose plain statement runs it.
CREATE VIEW trojans.judged AS
SELECT c.*, r.roles, r.roles <@ (p.roles || 't_trojan_owner'::text) AS permitted
FROM trojans.cells AS c JOIN trojans.ran_in AS r USING (nr) JOIN trojans.plain AS p USING (trojan, caller, named);

CREATE VIEW trojans.uncalled AS
SELECT DISTINCT name FROM trojans.functions WHERE name NOT IN (SELECT function FROM trojans.calls);
CREATE VIEW trojans.without_function AS
SELECT DISTINCT function FROM trojans.calls WHERE function NOT IN (SELECT name FROM trojans.functions);

-- The owner's releases of its tables. Some trojans forbid one.
CREATE VIEW trojans.release_script AS
SELECT format($$SET SESSION AUTHORIZATION t_trojan_owner;
SELECT FROM anonkit.anon_publish('%1$s.release'::text, '%1$s.people'::regclass, '{age,income}'::text[], 2,
  keep => '{h}'::text[], grant_to => '{t_trojan_grantee}'::text[]);
SELECT FROM anonkit.anon_publish('%1$s.keyed'::text, '%1$s.people'::regclass, '{age,income}'::text[], 2,
  sensitive => '{illness}'::text[], key => '{id}'::text[], grant_to => '{t_trojan_grantee}'::text[]);
SELECT FROM anonkit.anon_publish('%1$s.swapped'::text, '%1$s.people'::regclass, '{age,income}'::text[], 2,
  sensitive => '{illness}'::text[], keep => '{h}'::text[], recode => 'swap'::text, class_column => 'class'::text, grant_to => '{t_trojan_grantee}'::text[]);
SELECT FROM anonkit.anon_publish('%1$s.labelled'::text, '%1$s.people'::regclass, '{age}'::text[], 2, sensitive => '{id}'::text[], t => 0.9,
  params => '{"hierarchies": {"id": {"table": "%1$s.people", "columns": ["id", "h"]}}}'::jsonb, grant_to => '{t_trojan_grantee}'::text[]);
SELECT FROM anonkit.anon_publish('%1$s.within'::text, '%1$s.people'::regclass, '{age,h}'::text[], 2, 'incognito'::text, population => '%1$s.people'::regclass,
  k_map => 2, params => '{"hierarchies": {"age": {"range": [2, 4]}}}'::jsonb, grant_to => '{t_trojan_grantee}'::text[]);
SELECT FROM anonkit.anon_publish_set('%1$s_set'::text, '{"%1$s.people": {"qi": ["age"], "keep": ["h"], "key": ["id"]},
  "of_callers.visits": {"qi": ["day"], "parent": "%1$s.people", "parent_key": ["id"]}}'::jsonb, 2);
SELECT anonkit.anon_grant_set('%1$s_set'::regnamespace, 't_trojan_grantee'::text);
BEGIN;
CREATE TEMP TABLE later AS SELECT * FROM %1$s.people WHERE id > 12;
DELETE FROM %1$s.people WHERE id > 12;
SELECT FROM anonkit.anon_publish_set('%1$s_grown'::text, '{"%1$s.people": {"qi": ["age"], "keep": ["h"], "key": ["id"]},
  "of_callers.visits": {"qi": ["day"], "parent": "%1$s.people", "parent_key": ["id"]}}'::jsonb, 2, key => '{id}'::text[]);
SELECT anonkit.anon_grant_set('%1$s_grown'::regnamespace, 't_trojan_grantee'::text);
INSERT INTO %1$s.people SELECT * FROM later;
DROP TABLE later;
COMMIT;
RESET SESSION AUTHORIZATION;$$, trojan) AS line FROM trojans.trojans;

-- The owner alters every table beside its releases, which anonkit made, and adds a history of its own making.
CREATE VIEW trojans.alterations AS
SELECT * FROM (VALUES
  ('state_policy', 'ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY; CREATE POLICY visible ON %1$s USING (state_policy.is_visible())'),
  ('history_policy', 'ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY; CREATE POLICY visible ON %1$s USING (history_policy.is_visible())'),
  ('state_rule', 'CREATE RULE noted AS ON INSERT TO %1$s DO ALSO SELECT state_rule.is_visible()'),
  ('state_rule', 'CREATE RULE noted_again AS ON UPDATE TO %1$s DO ALSO SELECT state_rule.is_visible()'),
  ('state_rule', 'CREATE RULE noted_last AS ON DELETE TO %1$s DO ALSO SELECT state_rule.is_visible()'),
  ('state_trigger', 'CREATE TRIGGER noted BEFORE INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW EXECUTE FUNCTION state_trigger.note()'),
  ('state_index', 'CREATE INDEX ON %1$s ((state_index.is_visible()))'),
  ('state_default', 'ALTER TABLE %1$s ADD more boolean DEFAULT state_default.is_visible()'),
  ('state_child', 'CREATE TABLE %1$s_child () INHERITS (%1$s)'),
  ('state_child', 'ALTER TABLE %1$s_child ENABLE ROW LEVEL SECURITY; CREATE POLICY visible ON %1$s_child USING (state_child.is_visible())')
) AS a (trojan, command);
GRANT SELECT ON ALL TABLES IN SCHEMA trojans TO t_trojan_owner;

CREATE FUNCTION trojans.alter_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT trojan, release FROM trojans.trojans, unnest('{release,keyed}'::text[]) AS release WHERE trojan ~ '^history_' LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I.%I (run bigint, started timestamptz, seconds float8, by text, status text, sqlstate text,
      message text, version bigint, rows bigint, figures jsonb, spec_fingerprint text, withdrawn regrole[])', one.trojan, one.release || '_history');
    EXECUTE format('INSERT INTO %I.%I VALUES (1, now(), 1, %L, %L)', one.trojan, one.release || '_history', 'me', 'success');
    EXECUTE format('GRANT SELECT ON %I.%I TO PUBLIC', one.trojan, one.release || '_history');
  END LOOP;
  FOR one IN
    SELECT c.command, format('%I.%I', n.nspname, r.relname) AS name FROM trojans.alterations AS c JOIN pg_namespace AS n ON n.nspname IN (c.trojan, c.trojan || '_set', c.trojan || '_grown')
    JOIN pg_class AS r ON r.relnamespace = n.oid WHERE r.relkind = 'r' AND (r.relname <> 'people' OR n.nspname <> c.trojan)
    UNION ALL
    SELECT format('ALTER TABLE %%s ALTER %I DROP DEFAULT, ALTER %1$I DROP NOT NULL, ALTER %1$I TYPE %2$I.hostile USING ROW(1, 2)::%2$I.hostile',
      a.attname, n.nspname), format('%I.%I', n.nspname, r.relname)
    FROM pg_namespace AS n JOIN pg_class AS r ON r.relnamespace = n.oid JOIN pg_attribute AS a ON a.attrelid = r.oid
    WHERE r.relkind = 'r' AND r.relname <> 'people' AND a.attnum > 0
      AND (n.nspname = 'state_type' OR (n.nspname = 'history_type' AND a.attname = 'started'))
  LOOP
    BEGIN
      EXECUTE format(one.command, one.name);
    EXCEPTION WHEN OTHERS THEN
      NULL;  -- a column of the release keeps its type
    END;
  END LOOP;
END $$;
