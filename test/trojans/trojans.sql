-- Trojans: schemas of an unprivileged role, each with a table `people` and an object that carries code. The
-- code of a trojan counts in a sequence with the name of the role that runs it: a rollback keeps that.
--
-- Roles: t_trojan_owner has all trojans, t_trojan_grantee may read their tables and releases, and
-- t_trojan_stranger may read nothing.
SET client_min_messages = warning;
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY '{t_trojan_owner,t_trojan_grantee,t_trojan_stranger}'::text[] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE 'CREATE ROLE ' || role; END IF;
  END LOOP;
END $$;

DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO t_trojan_owner', current_database()); END $$;

CREATE SCHEMA trojans;
CREATE SCHEMA of_callers;
GRANT USAGE ON SCHEMA trojans TO PUBLIC;
GRANT USAGE, CREATE ON SCHEMA of_callers TO PUBLIC;

CREATE TABLE trojans.callers (place int, caller text);
INSERT INTO trojans.callers VALUES (1, current_user), (2, 't_trojan_owner'), (3, 't_trojan_grantee'),
  (4, 't_trojan_stranger');
DO $$
DECLARE
  role text;
BEGIN
  FOR role IN SELECT caller FROM trojans.callers LOOP EXECUTE format('CREATE SEQUENCE trojans.%I', 'as ' || role); END LOOP;
END $$;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA trojans TO PUBLIC;

-- The code of all trojans. Some are in the way of every call, so only the active one counts.
CREATE FUNCTION trojans.run(trojan text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF pg_catalog.current_setting('trojans.active', true) OPERATOR(pg_catalog.=) trojan THEN
    PERFORM pg_catalog.nextval(pg_catalog.format('trojans.%I', 'as ' OPERATOR(pg_catalog.||) current_user)::pg_catalog.regclass);
  END IF;
END $$;

CREATE FUNCTION trojans.forget() RETURNS void LANGUAGE sql AS $$
  SELECT pg_catalog.setval(pg_catalog.format('trojans.%I', 'as ' || caller)::regclass, 1, false) FROM trojans.callers
$$;

-- The roles that ran code since then.
CREATE FUNCTION trojans.ran() RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  role text;
  called boolean;
  roles text[] := '{}';
BEGIN
  FOR role IN SELECT caller FROM trojans.callers ORDER BY place LOOP
    EXECUTE format('SELECT is_called FROM trojans.%I', 'as ' || role) INTO called;
    IF called THEN roles := roles || role; END IF;
  END LOOP;
  RETURN roles;
END $$;

CREATE TABLE trojans.trojans (trojan text PRIMARY KEY, kind text NOT NULL);

-- A trojan: a schema of the owner.
CREATE FUNCTION trojans.add(trojan text, kind text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO trojans.trojans VALUES (trojan, kind);
  EXECUTE format('CREATE SCHEMA %I AUTHORIZATION t_trojan_owner', trojan);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', trojan);
END $$;

-- Its table: 24 persons; h has the hostile type.
CREATE FUNCTION trojans.people(trojan text, type text, one text, two text, three text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I.people (id int, age int, income numeric, illness text, h %s)', trojan, type);
  FOR i IN 1..24 LOOP
    EXECUTE format('INSERT INTO %I.people VALUES (%s, %s, %s, %L, %L)', trojan, i, 20 + i % 6, 100 * (i % 5), 'i' || i % 4,
      CASE i % 3 WHEN 0 THEN one WHEN 1 THEN two ELSE three END);
  END LOOP;
END $$;

-- A function of the owner with these arguments, result and value.
CREATE FUNCTION trojans.function(trojan text, name text, arguments text, result text, value text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE plpgsql IMMUTABLE AS %L', trojan, name, arguments, result,
    format('BEGIN PERFORM trojans.run(%L); RETURN %s; END', trojan, value));
END $$;

-- Casts between the type and those that anonkit knows.
CREATE FUNCTION trojans.casts(trojan text, type text, context text, others text[] DEFAULT
  '{text,varchar,name,int4,int8,numeric,float8,bool,date,timestamptz,json,jsonb,bytea,oid,regclass}') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  other text;
BEGIN
  FOREACH other IN ARRAY others LOOP
    PERFORM trojans.function(trojan, 'to_' || other, type, other, format('NULL::pg_catalog.%s', other));
    EXECUTE format('CREATE CAST (%s AS pg_catalog.%s) WITH FUNCTION %I.%I(%s) %s', type, other, trojan, 'to_' || other, type, context);
  END LOOP;
END $$;

-- Operators of the type with itself and with texts.
CREATE FUNCTION trojans.operators(trojan text, type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT o.name, o.meaning, t.a, t.b
    FROM (VALUES ('=', 'equal'), ('<>', 'unequal'), ('<', 'less'), ('>', 'more'), ('<=', 'most'), ('>=', 'least'))
      AS o (name, meaning), (VALUES (type, type), (type, 'pg_catalog.text'), ('pg_catalog.text', type)) AS t (a, b)
  LOOP
    PERFORM trojans.function(trojan, one.meaning, one.a || ', ' || one.b, 'boolean', 'true');
    EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %I.%I)', trojan, one.name, one.a, one.b, trojan,
      one.meaning);
  END LOOP;
END $$;

-- Default operator classes of the type. Only a superuser can create them, over the owner's functions.
CREATE FUNCTION trojans.operator_classes(trojan text, type text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OPERATOR CLASS %1$I.sorted DEFAULT FOR TYPE %2$s USING btree AS OPERATOR 1 %1$I.< (%2$s, %2$s),
    OPERATOR 2 %1$I.<= (%2$s, %2$s), OPERATOR 3 %1$I.= (%2$s, %2$s), OPERATOR 4 %1$I.>= (%2$s, %2$s), OPERATOR 5 %1$I.> (%2$s, %2$s),
    FUNCTION 1 %1$I.compare(%2$s, %2$s)', trojan, type);
  EXECUTE format('CREATE OPERATOR CLASS %1$I.hashed DEFAULT FOR TYPE %2$s USING hash AS OPERATOR 1 %1$I.= (%2$s, %2$s),
    FUNCTION 1 %1$I.hashed(%2$s)', trojan, type);
END $$;

-- ---- Types ---------------------------------------------------------------------------------------
SELECT trojans.add('implicit_cast', 'cast');
SELECT trojans.add('cast_to_text', 'cast');
SELECT trojans.add('cast_to_number', 'cast');
SELECT trojans.add('assignment_cast', 'cast');
SELECT trojans.add('explicit_cast', 'cast');
SELECT trojans.add('composite_cast', 'cast');
SELECT trojans.add('row_cast', 'cast');
SELECT trojans.add('operator', 'operator');
SELECT trojans.add('operator_class', 'operator class');
SELECT trojans.add('base_type', 'type');
SELECT trojans.add('number_domain', 'domain check');
SELECT trojans.add('text_domain', 'domain check');
SELECT trojans.add('range_type', 'type');
SELECT trojans.add('array_type', 'cast');
SELECT trojans.add('own_collation', 'collation');

-- A base type has its output function in C; comparisons are its trojan.
CREATE TYPE base_type.hostile;
CREATE FUNCTION base_type.read(cstring) RETURNS base_type.hostile LANGUAGE internal IMMUTABLE STRICT AS 'int4in';
CREATE FUNCTION base_type.write(base_type.hostile) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'int4out';
CREATE TYPE base_type.hostile (INPUT = base_type.read, OUTPUT = base_type.write, LIKE = int4);
ALTER TYPE base_type.hostile OWNER TO t_trojan_owner;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA trojans TO t_trojan_owner;
GRANT SELECT ON trojans.trojans TO t_trojan_owner;

SET SESSION AUTHORIZATION t_trojan_owner;
CREATE TYPE implicit_cast.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('implicit_cast', 'implicit_cast.hostile', 'AS IMPLICIT');
SELECT trojans.people('implicit_cast', 'implicit_cast.hostile', 'a', 'b', 'c');
-- With a single cast, no choice among casts is ambiguous.
CREATE TYPE cast_to_text.hostile AS (a int, b text);
SELECT trojans.casts('cast_to_text', 'cast_to_text.hostile', 'AS IMPLICIT', '{text}');
SELECT trojans.people('cast_to_text', 'cast_to_text.hostile', '(1,x)', '(2,y)', '(3,z)');
CREATE TYPE cast_to_number.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('cast_to_number', 'cast_to_number.hostile', 'AS IMPLICIT', '{int4}');
SELECT trojans.people('cast_to_number', 'cast_to_number.hostile', 'a', 'b', 'c');
CREATE TYPE assignment_cast.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('assignment_cast', 'assignment_cast.hostile', 'AS ASSIGNMENT');
SELECT trojans.people('assignment_cast', 'assignment_cast.hostile', 'a', 'b', 'c');
CREATE TYPE explicit_cast.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('explicit_cast', 'explicit_cast.hostile', '');
SELECT trojans.people('explicit_cast', 'explicit_cast.hostile', 'a', 'b', 'c');
CREATE TYPE composite_cast.hostile AS (a int, b text);
SELECT trojans.casts('composite_cast', 'composite_cast.hostile', 'AS IMPLICIT');
SELECT trojans.people('composite_cast', 'composite_cast.hostile', '(1,x)', '(2,y)', '(3,z)');
SELECT trojans.people('row_cast', 'text', 'a', 'b', 'c');
SELECT trojans.casts('row_cast', 'row_cast.people', 'AS IMPLICIT');
CREATE TYPE operator.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.operators('operator', 'operator.hostile');
SELECT trojans.people('operator', 'operator.hostile', 'a', 'b', 'c');
CREATE TYPE operator_class.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.operators('operator_class', 'operator_class.hostile');
SELECT trojans.function('operator_class', 'compare', 'operator_class.hostile, operator_class.hostile', 'int', '0');
SELECT trojans.function('operator_class', 'hashed', 'operator_class.hostile', 'int', '0');
SELECT trojans.people('operator_class', 'operator_class.hostile', 'a', 'b', 'c');
SELECT trojans.operators('base_type', 'base_type.hostile');
SELECT trojans.casts('base_type', 'base_type.hostile', 'AS IMPLICIT');
SELECT trojans.function('base_type', 'compare', 'base_type.hostile, base_type.hostile', 'int', '0');
SELECT trojans.function('base_type', 'hashed', 'base_type.hostile', 'int', '0');
SELECT trojans.people('base_type', 'base_type.hostile', '1', '2', '3');
SELECT trojans.function('number_domain', 'is_valid', 'int', 'boolean', 'true');
CREATE DOMAIN number_domain.hostile AS int CHECK (number_domain.is_valid(VALUE));
SELECT trojans.people('number_domain', 'number_domain.hostile', '1', '2', '3');
SELECT trojans.function('text_domain', 'is_valid', 'text', 'boolean', 'true');
CREATE DOMAIN text_domain.hostile AS text CHECK (text_domain.is_valid(VALUE));
SELECT trojans.people('text_domain', 'text_domain.hostile', 'a', 'b', 'c');
SELECT trojans.function('range_type', 'difference', 'float8, float8', 'float8', '1');
CREATE TYPE range_type.hostile AS RANGE (subtype = float8, subtype_diff = range_type.difference);
SELECT trojans.casts('range_type', 'range_type.hostile', 'AS IMPLICIT');
SELECT trojans.people('range_type', 'range_type.hostile', '[1,2)', '[2,3)', '[3,4)');
CREATE TYPE array_type.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('array_type', 'array_type.hostile', 'AS IMPLICIT');
SELECT trojans.people('array_type', 'array_type.hostile[]', '{a}', '{b,c}', '{c}');
CREATE COLLATION own_collation.hostile (LOCALE = 'C');
SELECT trojans.people('own_collation', 'text COLLATE own_collation.hostile', 'a', 'b', 'c');
RESET SESSION AUTHORIZATION;
SELECT trojans.operator_classes('operator_class', 'operator_class.hostile');
SELECT trojans.operator_classes('base_type', 'base_type.hostile');

-- ---- Relations -----------------------------------------------------------------------------------
SELECT trojans.add('policy', 'policy');
SELECT trojans.add('view', 'view');
SELECT trojans.add('rule', 'rule');
SELECT trojans.add('trigger', 'trigger');
SELECT trojans.add('generated_column', 'generated column');
SELECT trojans.add('index_expression', 'index expression');
SELECT trojans.add('column_default', 'default');
SELECT trojans.add('child_table', 'policy');
SET SESSION AUTHORIZATION t_trojan_owner;
SELECT trojans.people('policy', 'text', 'a', 'b', 'c');
SELECT trojans.function('policy', 'is_visible', 'int', 'boolean', 'true');
ALTER TABLE policy.people ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON policy.people USING (policy.is_visible(id));
SELECT trojans.people('view', 'text', 'a', 'b', 'c');
ALTER TABLE view.people RENAME TO persons;
SELECT trojans.function('view', 'show', 'text', 'text', '$1');
CREATE VIEW view.people AS SELECT id, age, income, illness, view.show(h) AS h FROM view.persons;
SELECT trojans.people('rule', 'text', 'a', 'b', 'c');
SELECT trojans.function('rule', 'note', 'int', 'int', '$1');
CREATE RULE noted AS ON INSERT TO rule.people DO ALSO SELECT rule.note(NEW.id);
CREATE RULE noted_again AS ON UPDATE TO rule.people DO ALSO SELECT rule.note(NEW.id);
SELECT trojans.people('trigger', 'text', 'a', 'b', 'c');
CREATE FUNCTION trigger.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM trojans.run('trigger'); RETURN NEW; END $$;
CREATE TRIGGER noted BEFORE INSERT OR UPDATE OR DELETE ON trigger.people FOR EACH ROW EXECUTE FUNCTION trigger.note();
CREATE TRIGGER noted_once AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON trigger.people EXECUTE FUNCTION trigger.note();
SELECT trojans.people('generated_column', 'text', 'a', 'b', 'c');
SELECT trojans.function('generated_column', 'derive', 'text', 'text', '$1');
ALTER TABLE generated_column.people DROP h, ADD h text GENERATED ALWAYS AS (generated_column.derive(illness)) STORED;
SELECT trojans.people('index_expression', 'text', 'a', 'b', 'c');
SELECT trojans.function('index_expression', 'derive', 'text', 'text', '$1');
CREATE INDEX ON index_expression.people (index_expression.derive(h)) WHERE index_expression.derive(h) > 'a';
CREATE STATISTICS index_expression.derived ON index_expression.derive(h), id FROM index_expression.people;
SELECT trojans.people('column_default', 'text', 'a', 'b', 'c');
SELECT trojans.function('column_default', 'choose', '', 'text', '''a''');
ALTER TABLE column_default.people ALTER h SET DEFAULT column_default.choose();
SELECT trojans.people('child_table', 'text', 'a', 'b', 'c');
SELECT trojans.function('child_table', 'is_visible', 'int', 'boolean', 'true');
CREATE TABLE child_table.child () INHERITS (child_table.people);
ALTER TABLE child_table.child ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON child_table.child USING (child_table.is_visible(id));
RESET SESSION AUTHORIZATION;

-- A foreign table of this database, over a view with code.
SELECT trojans.add('foreign_table', 'foreign table') FROM pg_available_extensions WHERE name = 'postgres_fdw';
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw') AS has_fdw \gset
\if :has_fdw
CREATE EXTENSION postgres_fdw SCHEMA trojans;
SELECT format('CREATE SERVER trojans FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)',
  split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database()) \gexec
GRANT USAGE ON FOREIGN SERVER trojans TO t_trojan_owner;
CREATE USER MAPPING FOR PUBLIC SERVER trojans OPTIONS (user 't_trojan_owner', password_required 'false');
ALTER ROLE t_trojan_owner LOGIN;
SET SESSION AUTHORIZATION t_trojan_owner;
CREATE TYPE foreign_table.hostile AS ENUM ('a', 'b', 'c');
SELECT trojans.casts('foreign_table', 'foreign_table.hostile', 'AS IMPLICIT');
SELECT trojans.people('foreign_table', 'foreign_table.hostile', 'a', 'b', 'c');
ALTER TABLE foreign_table.people RENAME TO persons;
CREATE FOREIGN TABLE foreign_table.people (id int, age int, income numeric, illness text, h foreign_table.hostile)
  SERVER trojans OPTIONS (schema_name 'foreign_table', table_name 'persons');
RESET SESSION AUTHORIZATION;
\endif

-- ---- Names that a call might look up -------------------------------------------------------------
SELECT trojans.add('aggregate', 'aggregate');
SELECT trojans.add('built_in_operator', 'operator');
SELECT trojans.add('cron', 'schema name');
SELECT trojans.add('old_schema', 'schema name');
SELECT trojans.add('overload', 'overload');
SET SESSION AUTHORIZATION t_trojan_owner;
SELECT trojans.people(name, 'text', 'a', 'b', 'c') FROM unnest('{aggregate,built_in_operator,cron,old_schema,overload}'::text[]) AS name;
-- Functions and aggregates of the names of PostgreSQL's own, in the first schema of the search path.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY '{count,min,max,sum,avg,string_agg,array_agg,jsonb_agg,jsonb_object_agg}'::text[] LOOP
    PERFORM trojans.function('aggregate', name || '_step', 'text, anyelement', 'text', '$1');
    EXECUTE format('CREATE AGGREGATE aggregate.%I(anyelement) (SFUNC = aggregate.%I, STYPE = text)', name, name || '_step');
  END LOOP;
  FOREACH name IN ARRAY '{coalesce,format,round,length,to_jsonb,jsonb_build_object,now,clock_timestamp,sha256,encode,lower}'::text[] LOOP
    PERFORM trojans.function('aggregate', name, 'VARIADIC anyarray', 'text', 'NULL');
    PERFORM trojans.function('aggregate', name, 'anyelement', 'text', 'NULL');
  END LOOP;
END $$;
DO $$
DECLARE
  type text;
BEGIN
  FOREACH type IN ARRAY '{int4,int8,text,name,oid,numeric,float8,jsonb,timestamptz,"\"char\""}'::text[] LOOP
    PERFORM trojans.function('built_in_operator', 'compare', format('pg_catalog.%1$s, pg_catalog.%1$s', type), 'boolean', 'true');
    EXECUTE (SELECT string_agg(format('CREATE OPERATOR built_in_operator.%s (LEFTARG = pg_catalog.%2$s, RIGHTARG = pg_catalog.%2$s,
      FUNCTION = built_in_operator.compare)', operator, type), ';') FROM unnest('{=,<>,<,>,<=,>=,||}'::text[]) AS operator);
  END LOOP;
END $$;
-- A schema of the name that pg_cron's has.
SELECT trojans.function('cron', 'list', 'text', 'text', '$1');
SELECT trojans.function('cron', 'schedule', 'text, text, text', 'bigint', '1');
SELECT trojans.function('cron', 'unschedule', 'bigint', 'boolean', 'true');
CREATE VIEW cron.job AS SELECT 1::bigint AS jobid, cron.list('* * * * *') AS schedule, cron.list('x') AS command, 'localhost'::text AS nodename,
  5432 AS nodeport, current_database()::text AS database, current_user::text AS username, true AS active, cron.list('anonkit release') AS jobname;
CREATE VIEW cron.job_run_details AS SELECT 1::bigint AS jobid, cron.list('x') AS status;
GRANT SELECT ON cron.job, cron.job_run_details TO PUBLIC;
RESET SESSION AUTHORIZATION;

-- ---- Tables beside a release, which their owner alters after its publication ----------------------
SELECT trojans.add(name, kind) FROM (VALUES ('state_policy', 'policy'), ('state_rule', 'rule'), ('state_trigger', 'trigger'),
  ('state_index', 'index expression'), ('state_default', 'default'), ('state_child', 'policy'), ('state_type', 'cast'),
  ('history_type', 'cast'), ('history_policy', 'policy')) AS t (name, kind);
SET SESSION AUTHORIZATION t_trojan_owner;
CREATE TYPE state_type.hostile AS (a int, b text);
CREATE TYPE history_type.hostile AS (a int, b text);
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT trojan FROM trojans.trojans WHERE trojan ~ '^(state|history)_' LOOP
    PERFORM trojans.people(name, 'text', 'a', 'b', 'c');
    PERFORM trojans.function(name, 'is_visible', '', 'boolean', 'true');
    EXECUTE format('CREATE FUNCTION %I.note() RETURNS trigger LANGUAGE plpgsql AS %L', name,
      format('BEGIN PERFORM trojans.run(%L); RETURN NEW; END', name));
    IF name = 'state_type' THEN PERFORM trojans.casts(name, name || '.hostile', 'AS IMPLICIT'); END IF;
    IF name = 'history_type' THEN PERFORM trojans.casts(name, name || '.hostile', 'AS IMPLICIT', '{timestamptz}'); END IF;
  END LOOP;
END $$;
RESET SESSION AUTHORIZATION;

-- Functions of the extension's names in the schema where it was installed, and in its present one.
GRANT CREATE, USAGE ON SCHEMA anonkit TO t_trojan_owner;
GRANT USAGE ON SCHEMA anonkit TO PUBLIC;
CREATE VIEW trojans.functions AS
SELECT p.oid, p.proname::text AS name, p.pronargs, p.proargnames AS names, p.proargtypes::oid[] AS types
FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid JOIN pg_extension AS e ON e.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass AND e.extname = 'anonkit';
CREATE FUNCTION trojans.namesakes(trojan text, target text, other_types boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT f.name, (SELECT string_agg(format('%I %s', f.names[place], CASE WHEN other_types THEN CASE type
        WHEN 'regclass'::regtype THEN 'oid' WHEN 'text[]'::regtype THEN 'varchar[]' WHEN 'jsonb'::regtype THEN 'json'
        WHEN 'int'::regtype THEN 'bigint' WHEN 'text'::regtype THEN 'varchar' WHEN 'float8'::regtype THEN 'numeric'
        ELSE format_type(type, NULL) END ELSE format_type(type, NULL) END), ', ' ORDER BY place)
      FROM unnest(f.types) WITH ORDINALITY AS t (type, place)) AS arguments
    FROM trojans.functions AS f
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS text LANGUAGE plpgsql AS %L', target, one.name, one.arguments,
        format('BEGIN PERFORM trojans.run(%L); RETURN NULL; END', trojan));
    EXCEPTION WHEN duplicate_function THEN
      NULL;  -- without an argument of these types
    END;
  END LOOP;
END $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA trojans TO t_trojan_owner;
GRANT SELECT ON trojans.functions TO t_trojan_owner;
SET SESSION AUTHORIZATION t_trojan_owner;
SELECT trojans.namesakes('old_schema', 'old_schema', false);
SELECT trojans.namesakes('overload', 'anonkit', true);

-- ---- Rights ----------------------------------------------------------------------------------
SELECT format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO t_trojan_grantee', trojan) 
FROM trojans.trojans \gexec
RESET SESSION AUTHORIZATION;
