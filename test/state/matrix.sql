-- A release with a key, one with promises about a population, one by swapping, and two sets of tables, one of which grows, whose state is altered in every way: each column of each
-- table that anonkit keeps, and each table as a whole. Each function must then raise an error that names the table, or return what it returned before, or null; anon_drop
-- may drop. A table that PostgreSQL does not let its owner alter so is no cell.
SET client_min_messages = warning;
CREATE ROLE t_state_other;
CREATE DOMAIN t_number AS bigint;
CREATE TYPE t_own AS (n int);
CREATE TYPE t_enum AS ENUM ('a', 'b');
CREATE TABLE parent ();
CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;

CREATE TABLE visits AS SELECT i AS visit, 'p' || i % 200 AS patient, 20 + i % 60 * 7 % 50 AS age, i % 60 * 3.7 AS hours,
  (ARRAY['a', 'b'])[1 + i % 2]::t_enum AS side, 'v' || i * 11 % 7 AS job FROM generate_series(1, 240) AS i;
SELECT FROM anon_publish('r', 'visits', '{age,hours}', 4, sensitive => '{job}', keep => '{side}', l => 3,
  key => '{visit}', unit => '{patient}');
DELETE FROM visits WHERE age < 42;
INSERT INTO visits SELECT 1000 + i, 'q' || i, 30, i, 'a', 'v' || i FROM generate_series(1, 3) AS i;
SELECT FROM anon_refresh('r');
SELECT FROM anon_publish('beside', 'visits', '{age}', 4, beside => 'ignore');
CREATE VIEW everybody AS SELECT age, hours FROM visits UNION ALL SELECT age, hours + 10 FROM visits;
SELECT FROM anon_publish('mapped', 'visits', '{age,hours}', 4, method => 'incognito', k_map => 9, delta_presence => '[0.05, 0.9]', population => 'everybody',
  hierarchies => '{"age": {"range": [10, 100]}, "hours": {"range": [50, 500]}}', beside => 'ignore');
SELECT FROM anon_publish('swapped', 'visits', '{age,hours}', 4, sensitive => '{job}', keep => '{side}', recode => 'swap', class_column => 'class', beside => 'ignore');

SELECT FROM anon_publish('filed', 'visits', '{age,hours}', 4, sensitive => '{job}', beside => 'ignore',
  context => '{"purpose": "a cohort", "controls": ["contract", "log"], "valid_until": "2999-12-31", "review_due": "2999-06-30"}');

CREATE TABLE persons AS SELECT i AS id, i % 30 AS born FROM generate_series(1, 90) AS i;
CREATE TABLE stays AS SELECT i AS stay, 1 + i % 90 AS person, i % 3 AS ward FROM generate_series(1, 120) AS i;
SELECT FROM anon_publish_set('joined', '{"persons": {"qi": ["born"], "key": ["id"]}, "stays": {"qi": ["ward"], "parent": "persons", "parent_key": ["person"]}}', 4);
SELECT FROM anon_publish_set('grown', '{"persons": {"qi": ["born"], "key": ["id"]}, "stays": {"qi": ["ward"], "parent": "persons", "parent_key": ["person"]}}', 4,
  beside => 'ignore', key => '{id}');
ALTER VIEW grown.anon_set RENAME TO grown_set;
ALTER TABLE grown.anon_set_companion RENAME TO grown_set_companion;
INSERT INTO persons SELECT i, i % 30 FROM generate_series(91, 120) AS i;
INSERT INTO stays SELECT 120 + i, 90 + i, i % 2 FROM generate_series(1, 20) AS i;
-- The tables that anonkit keeps are named without a schema.
SET search_path = public, joined, grown;

-- An alteration and its kind. %1$s is the table, %2$I the column, %3$s its type.
CREATE TABLE alterations (kind text, statement text, types text[]);
INSERT INTO alterations VALUES
  ('null', 'ALTER TABLE %1$s ALTER %2$I DROP NOT NULL; UPDATE %1$s SET %2$I = NULL', NULL),
  ('null in one row', 'ALTER TABLE %1$s ALTER %2$I DROP NOT NULL; UPDATE %1$s SET %2$I = NULL WHERE ctid = (SELECT max(ctid) FROM %1$s WHERE %2$I IS NOT NULL)', NULL),
  ('nullable', 'ALTER TABLE %1$s ALTER %2$I DROP NOT NULL', NULL),
  ('dropped', 'ALTER TABLE %1$s DROP %2$I', NULL),
  ('dropped and added', 'ALTER TABLE %1$s DROP %2$I; ALTER TABLE %1$s ADD %2$I text', NULL),
  ('renamed', 'ALTER TABLE %1$s RENAME %2$I TO other_name', NULL),
  ('text', 'ALTER TABLE %1$s ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE text USING %2$I::text', NULL),
  ('numeric', 'ALTER TABLE %1$s ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE numeric USING 7', NULL),
  ('domain', 'ALTER TABLE %1$s ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE t_number USING 7', NULL),
  ('own type', 'ALTER TABLE %1$s ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE t_own USING ROW(7)::t_own', NULL),
  ('enum', 'ALTER TABLE %1$s ALTER %2$I DROP DEFAULT, ALTER %2$I TYPE t_enum USING ''a''', NULL),
  ('collation', 'ALTER TABLE %1$s ALTER %2$I TYPE text COLLATE "POSIX"', '{text}'),
  ('default', 'ALTER TABLE %1$s ALTER %2$I SET DEFAULT CASE WHEN random() > 2 THEN NULL::%3$s END', NULL),
  ('generated', 'ALTER TABLE %1$s DROP %2$I; ALTER TABLE %1$s ADD %2$I bigint GENERATED ALWAYS AS (7) STORED', NULL),
  ('check', 'ALTER TABLE %1$s ADD CHECK (%2$I IS NOT NULL OR true)', NULL),
  ('index', 'CREATE INDEX ON %1$s ((%2$I::text))', '{companion}'),
  ('least', 'UPDATE %1$s SET %2$I = -9223372036854775808', '{bigint}'),
  ('largest', 'UPDATE %1$s SET %2$I = 9223372036854775807', '{bigint}'),
  ('zero', 'UPDATE %1$s SET %2$I = 0', '{bigint,integer,"double precision"}'),
  ('two', 'UPDATE %1$s SET %2$I = 2', '{bigint,integer,"double precision"}'),
  ('least', 'UPDATE %1$s SET %2$I = -2147483648', '{integer}'),
  ('largest', 'UPDATE %1$s SET %2$I = 2147483647', '{integer}'),
  ('NaN', 'UPDATE %1$s SET %2$I = ''NaN''', '{"double precision"}'),
  ('infinity', 'UPDATE %1$s SET %2$I = ''-infinity''', '{"double precision"}'),
  ('1e308', 'UPDATE %1$s SET %2$I = 1e308', '{"double precision"}'),
  ('empty', 'UPDATE %1$s SET %2$I = ''''', '{bytea,text}'),
  ('long', 'UPDATE %1$s SET %2$I = convert_to(repeat(''x'', 70000), ''UTF8'')', '{bytea}'),
  ('long', 'UPDATE %1$s SET %2$I = repeat(''x'', 70000)', '{text}'),
  ('longer', 'UPDATE %1$s SET %2$I = %2$I || ''\x00''', '{bytea}'),
  ('zeros', 'UPDATE %1$s SET %2$I = decode(repeat(''00'', length(%2$I)), ''hex'')', '{bytea}'),
  ('empty', 'UPDATE %1$s SET %2$I = ''{}''', '{bigint[]}'),
  ('a null inside', 'UPDATE %1$s SET %2$I = ''{NULL}''', '{bigint[]}'),
  ('two dimensions', 'UPDATE %1$s SET %2$I = ''{{1,2},{3,4}}''', '{bigint[]}'),
  ('largest', 'UPDATE %1$s SET %2$I = ''{9223372036854775807}''', '{bigint[]}'),
  ('one', 'UPDATE %1$s SET %2$I = ''{1}''', '{bigint[]}'),
  ('infinity', 'UPDATE %1$s SET %2$I = ''infinity''', '{"timestamp with time zone"}'),
  ('null of JSON', 'UPDATE %1$s SET %2$I = ''null''', '{jsonb}'),
  ('empty', 'UPDATE %1$s SET %2$I = ''{}''', '{jsonb}'),
  ('list', 'UPDATE %1$s SET %2$I = ''[[]]''', '{jsonb}'),
  ('text inside', 'UPDATE %1$s SET %2$I = ''{"rows": "many", "loss": [], "figures": 7, "xid": -1, "oid": {}}''', '{jsonb}'),
  ('another', 'UPDATE %1$s SET %2$I = ''visits''', '{regclass}');
-- Bytes of the state or of the list of persons that are cut, or changed, at places all over.
INSERT INTO alterations SELECT format('cut after %s bytes', n), format('UPDATE %%1$s SET %%2$I = substr(%%2$I, 1, %s)', n), '{state}'
  FROM unnest(ARRAY[0, 1, 3, 4, 5, 35, 36, 40, 60, 75, 76, 84, 115, 116, 117, 119, 120, 150, 200, 250, 300]) AS n;
INSERT INTO alterations SELECT format('byte %s changed', n), format('UPDATE %%1$s SET %%2$I = set_byte(%%2$I, %s, 255 - get_byte(%%2$I, %s)) WHERE item IN (''state'', ''persons'')', n, n), '{state}'
  FROM (SELECT n FROM generate_series(0, 132, 3) AS n UNION SELECT n FROM generate_series(140, 400, 13) AS n) AS x;
INSERT INTO alterations VALUES
  ('no row', 'DELETE FROM %1$s', '{table}'),
  ('emptied', 'TRUNCATE %1$s', '{table}'),
  ('one row less', 'DELETE FROM %1$s WHERE ctid = (SELECT max(ctid) FROM %1$s)', '{table}'),
  ('rows twice', 'DO $do$ DECLARE c name; BEGIN SELECT conname INTO c FROM pg_constraint WHERE conrelid = ''%1$s''::regclass AND contype = ''p'';
     EXECUTE format(''ALTER TABLE %1$s DROP CONSTRAINT %%I'', c); INSERT INTO %1$s SELECT * FROM %1$s; END $do$', '{table}'),
  ('one row twice', 'DO $do$ DECLARE c name; BEGIN SELECT conname INTO c FROM pg_constraint WHERE conrelid = ''%1$s''::regclass AND contype = ''p'';
     EXECUTE format(''ALTER TABLE %1$s DROP CONSTRAINT %%I'', c); INSERT INTO %1$s SELECT * FROM %1$s ORDER BY ctid DESC LIMIT 1; END $do$', '{table}'),
  ('another row', 'INSERT INTO r_places SELECT (jsonb_populate_record(p, ''{"anon_since": 2}'')).* FROM r_places AS p LIMIT 1', '{places}'),
  ('another class', 'INSERT INTO r_places SELECT (jsonb_populate_record(p, ''{"anon_since": 2, "anon_class": 9000}'')).* FROM r_places AS p LIMIT 1', '{places}'),
  ('a person twice', 'UPDATE r_places SET anon_person = (SELECT max(anon_person) FROM r_places), anon_since = -1 WHERE anon_person = (SELECT min(anon_person) FROM r_places)', '{places}'),
  ('values exchanged', 'UPDATE r_places AS p SET job = q.job FROM r_places AS q WHERE q.anon_class = p.anon_class AND q.anon_person <> p.anon_person', '{places}'),
  ('weights in a class', 'UPDATE r_places SET anon_weight = 0.5 WHERE anon_person = (SELECT min(anon_person) FROM r_places)', '{places}'),
  ('state of another release', 'SELECT FROM anon_publish(''s'', ''visits'', ''{age,hours}'', 4, sensitive => ''{job}'', keep => ''{side}'', l => 3, key => ''{visit}'',
     unit => ''{patient}''); UPDATE r_companion AS r SET bytes = s.bytes FROM s_companion AS s WHERE r.item = ''state'' AND s.item = ''state''', '{companion}'),
  ('row-level security', 'ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY', '{table}'),
  ('forced row-level security', 'ALTER TABLE %1$s FORCE ROW LEVEL SECURITY', '{table}'),
  ('a policy', 'CREATE POLICY p ON %1$s USING (false); ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY', '{table}'),
  ('a rule', 'CREATE RULE r AS ON UPDATE TO %1$s DO INSTEAD NOTHING', '{table}'),
  ('a trigger', 'CREATE TRIGGER t BEFORE INSERT OR UPDATE ON %1$s FOR EACH ROW EXECUTE FUNCTION spy()', '{table}'),
  ('a parent', 'ALTER TABLE %1$s INHERIT parent', '{table}'),
  ('a child', 'CREATE TABLE child () INHERITS (%1$s)', '{table}'),
  ('another owner', 'ALTER TABLE %1$s OWNER TO t_state_other', '{table}'),
  ('unlogged', 'ALTER TABLE %1$s SET UNLOGGED', '{table}'),
  ('another column', 'ALTER TABLE %1$s ADD other int', '{table}'),
  ('a column with a default', 'ALTER TABLE %1$s ADD other int NOT NULL DEFAULT 7', '{table}'),
  ('no primary key', 'DO $do$ DECLARE c name; BEGIN SELECT conname INTO c FROM pg_constraint WHERE conrelid = ''%1$s''::regclass AND contype = ''p'';
     EXECUTE format(''ALTER TABLE %1$s DROP CONSTRAINT %%I'', c); END $do$', '{companion}');

-- The tables that anonkit keeps for a release.
CREATE TABLE kept (release text, "table" name);
INSERT INTO kept VALUES ('r', 'r_places'), ('r', 'r_companion'), ('mapped', 'mapped_companion'), ('swapped', 'swapped_companion'), ('filed', 'filed_companion'), ('anon_set', 'anon_set_companion'), ('grown_set', 'grown_set_companion');

-- All alterations of all tables and columns.
CREATE VIEW states AS
  SELECT release, "table", NULL::text AS "column", kind, format(statement, "table") AS statement FROM kept, alterations
  WHERE types && CASE WHEN "table" = 'r_places' THEN '{table,places}' ELSE '{table,companion}' END::text[] AND statement !~ '%2'
  AND (release = 'r' OR kind <> 'state of another release')
  UNION ALL SELECT release, "table", a.attname, kind, format(statement, "table", a.attname, format_type(a.atttypid, a.atttypmod))
  FROM kept JOIN pg_class AS c ON c.relname = "table" JOIN pg_attribute AS a ON c.oid = a.attrelid, alterations
  WHERE a.attnum > 0 AND NOT a.attisdropped AND statement ~ '%2'
  AND (types IS NULL OR format_type(a.atttypid, a.atttypmod) = ANY (types) OR types = '{companion}' AND "table" <> 'r_places'
    OR types = '{state}' AND a.attname = 'bytes' AND release IN ('r', 'grown_set'))
  -- These change nothing.
  AND (a.attnotnull OR kind <> 'nullable') AND (a.attname <> 'anon_met' OR kind !~ '^null') AND ("table" = 'r_places' OR kind <> 'zero');

CREATE TABLE calls (release text, call text, statement text);
INSERT INTO calls SELECT release, call, format(statement, release) FROM (VALUES
  ('{r,mapped,swapped,filed}'::text[], 'anon_refresh', $$SELECT (to_jsonb(f) - 'seconds')::text FROM anon_refresh('%s') AS f$$),
  ('{anon_set,grown_set}', 'anon_refresh_set', $$SELECT string_agg(f::text, ' ') FROM pg_class AS c, anon_refresh_set(relnamespace::regnamespace) AS f WHERE c.oid = '%s'::regclass$$),
  ('{anon_set,grown_set}', 'anon_report_set', $$SELECT length(anon_report_set(relnamespace::regnamespace, 1))::text FROM pg_class WHERE oid = '%s'::regclass$$),
  ('{anon_set}', 'anon_drop_set', $$SELECT anon_drop_set('joined')::text || CASE WHEN to_regclass('joined.persons') IS NULL THEN 'dropped' END$$),
  ('{grown_set}', 'anon_drop_set', $$SELECT anon_drop_set('grown')::text || CASE WHEN to_regclass('grown.persons') IS NULL THEN 'dropped' END$$),
  ('{swapped}', 'anon_assert_swap', $$SELECT anon_assert_swap('%s')::text || 'verified'$$),
  ('{r}', 'anon_assert_history', $$SELECT anon_assert_history('%s')::text || 'proved'$$),
  ('{r}', 'anon_audit_history', $$SELECT string_agg(a::text, ' ') FROM anon_audit_history('%s') AS a$$),
  ('{mapped}', 'anon_audit', $$SELECT string_agg(a::text, ' ') FROM anon_audit('%s') AS a$$),
  ('{r}', 'anon_withdraw_class', $$SELECT anon_withdraw_class('%s', '{4,p4}')::text || ' withdrawn'$$),
  ('{r,mapped}', 'anon_audit_releases', $$SELECT string_agg(a::text, ' ') FROM anon_audit_releases('{%s,beside}') AS a$$),
  ('{filed}', 'anon_context', $$SELECT anon_context('%s')::text$$),
  ('{r,mapped,swapped,filed,anon_set,grown_set}', 'anon_release_info', $$SELECT to_jsonb(i)::text FROM anon_release_info('%s') AS i$$),
  ('{r,mapped,swapped,filed,anon_set,grown_set}', 'anon_releases', $$SELECT (to_jsonb(i) - 'age')::text FROM anon_releases AS i WHERE release = '%s'::regclass$$),
  ('{r,mapped,swapped}', 'anon_drop', $$SELECT anon_drop('%1$s')::text || CASE WHEN to_regclass('%1$s') IS NULL THEN 'dropped' END$$)
  ) AS c(releases, call, statement), unnest(releases) AS release;

-- The answer of a call after an alteration, all of which is rolled back. Null: PostgreSQL refuses the alteration.
CREATE FUNCTION answer(alteration text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text; message text; detail text; altered boolean := false;
BEGIN
  EXECUTE alteration;
  altered := true;
  BEGIN
    EXECUTE call INTO result;
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    result := concat_ws(' ', 'ERROR', SQLSTATE, message, detail);
  END;
  RAISE EXCEPTION USING ERRCODE = 'ZZ000', MESSAGE = coalesce(result, 'null');
EXCEPTION
  WHEN SQLSTATE 'ZZ000' THEN RETURN SQLERRM;
  WHEN OTHERS THEN IF altered THEN RAISE; END IF; RETURN NULL;
END $$;

-- The page of a set whose companion is not as anonkit left it has no figures of the release, or does not tell if its source has changed.
CREATE TABLE page_without_figures AS
  SELECT c.release, answer(format(lost, "table"), statement) AS page
  FROM calls AS c JOIN kept USING (release), unnest('{TRUNCATE %I,DELETE FROM %I WHERE item = $$figures$$}'::text[]) AS lost WHERE call = 'anon_report_set';

-- True if an answer says no more than it may: an error that names a table of the state and is none of the server's own, nulls, or what
-- was true before. Three columns of the companion are no part of the state, and a release without a key has none.
CREATE FUNCTION is_right(release text, call text, "column" text, answer text, before text) RETURNS boolean LANGUAGE sql AS $$
  SELECT CASE
    WHEN answer ~ '^ERROR' THEN answer ~ '\m(r_places|r_companion|mapped_companion|swapped_companion|filed_companion|anon_set_companion|grown_set_companion)\M' AND answer !~ '^ERROR (XX|42|22)'
    WHEN call IN ('anon_release_info', 'anon_releases') THEN answer = 'null'
      OR NOT EXISTS (SELECT FROM jsonb_each(answer::jsonb) AS a WHERE a.value <> 'null' AND a.value IS DISTINCT FROM before::jsonb->a.key
        -- Figures of other contents are not current.
        AND NOT ("column" = 'content' AND (a.key, a.value) IN (('current', 'false'), ('rebuilt', 'true'))))
    WHEN call = 'anon_report_set' THEN answer = before OR answer IN (SELECT page FROM page_without_figures AS p WHERE p.release = is_right.release)
    WHEN call IN ('anon_drop', 'anon_drop_set') THEN answer IN ('dropped', 'null')
    WHEN call = 'anon_context' THEN answer IN (before, 'null')
    ELSE (release IN ('mapped', 'swapped', 'filed', 'anon_set', 'grown_set') OR "column" IN ('at', 'content', 'release')) AND answer = before END $$;

-- An answer, or the pairs of one that were others before, for a message.
CREATE FUNCTION difference(answer text, before text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN answer !~ '^{' OR before !~ '^{' THEN left(answer, 200) ELSE
    (SELECT string_agg(format('%s: %s, before %s', key, a.value, b.value), '; ') FROM jsonb_each(answer::jsonb) AS a FULL JOIN jsonb_each(before::jsonb) AS b USING (key)
      WHERE a.value IS DISTINCT FROM b.value) END $$;

-- The figures of two calls come from statistics, which arrive late. They answer anew each time, with the same statistics before and after.
SELECT set_config('stats_fetch_consistency', 'snapshot', false) WHERE current_setting('server_version_num')::int >= 150000;
ALTER TABLE calls ADD before text;
UPDATE calls SET before = answer('SELECT', statement) WHERE call NOT IN ('anon_release_info', 'anon_releases');
CREATE TABLE cells AS
  SELECT * FROM (SELECT s.*, c.call, answer(s.statement, c.statement) AS answer, coalesce(c.before, answer('SELECT', c.statement)) AS before
    FROM states AS s JOIN calls AS c USING (release) OFFSET 0) AS x
  WHERE answer IS NOT NULL;
