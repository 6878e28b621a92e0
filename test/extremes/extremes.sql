-- The matrix of extremes: every function of the extension by every extreme relation, extreme argument and
-- unusual kind of relation. Functions and arguments come from the catalog; an argument that this file does not
-- know is an error, so that a new function gets its cells. A cell is right if its call returns, or raises an
-- error of an SQLSTATE other than XX000 whose texts contain no value of the relation. Figures are no NaN and not infinite.
DROP SCHEMA IF EXISTS extremes, extremes_set CASCADE;
DROP FOREIGN DATA WRAPPER IF EXISTS extremes CASCADE;
CREATE SCHEMA extremes;

-- Relations, with columns x and y (quasi-identifiers), c (a category), s (sensitive) and id.
CREATE TABLE relations (name text PRIMARY KEY, qi text[] DEFAULT '{x,y}', hierarchies text DEFAULT
  '{"x": {"range": [5, 10]}, "y": {"range": [5, 10]}}');

CREATE FUNCTION add_relation(name text, type text, value text, y text DEFAULT 'i::float8', c text DEFAULT '''c'' || i % 2',
  rows int DEFAULT 12, s text DEFAULT '''s'' || i % 3') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I AS SELECT i AS id, (%s)::%s AS x, %s AS y, %s AS c, %s AS s FROM generate_series(1, %s) i',
                 name, value, type, y, c, s, rows);
  INSERT INTO relations VALUES (name);
END $$;

CREATE FUNCTION pick(variadic vals text[]) RETURNS text IMMUTABLE LANGUAGE sql AS
  $$ SELECT format('(ARRAY[%s])[1 + i %% %s]', (SELECT string_agg(quote_literal(v), ', ') FROM unnest(vals) v), cardinality(vals)) $$;

SELECT add_relation('ordinary', 'float8', 'i * 3 % 7'),
  add_relation('huge', 'float8', pick('1e308', '-1e308')),
  add_relation('largest', 'float8', pick('1.7976931348623157e308', '-1.7976931348623157e308')),
  add_relation('one_far', 'float8', 'CASE i WHEN 1 THEN 1e308 ELSE i END'),
  add_relation('two_huge', 'float8', pick('1e308', '-1e308'), y => 'CASE i % 2 WHEN 0 THEN -1.5e308 ELSE 1.5e308 END'),
  add_relation('denormal', 'float8', 'i % 5 * 5e-324'),
  add_relation('all_scales', 'float8', pick('1e308', '5e-324', '0', '-2.2250738585072014e-308', '-1e308')),
  add_relation('not_numbers', 'float8', pick('NaN', '1')),
  add_relation('infinities', 'float8', pick('Infinity', '-Infinity', '1')),
  add_relation('float4s', 'float4', pick('3.4028235e38', '-3.4028235e38', '1e-45')),
  add_relation('int2s', 'int2', pick('32767', '-32768')),
  add_relation('int4s', 'int4', pick('2147483647', '-2147483648')),
  add_relation('int8s', 'int8', pick('9223372036854775807', '-9223372036854775808', '9007199254740993')),
  add_relation('long_numbers', 'numeric', 'repeat(''7'', 1000)::numeric * (i % 3 - 1)'),
  add_relation('long_fractions', 'numeric', '(''0.'' || repeat(''1234567'', 140))::numeric + i % 3'),
  add_relation('numeric_not_numbers', 'numeric', pick('NaN', '1')),
  add_relation('dates', 'date', pick('4713-01-01 BC', '5874897-12-31', '2001-02-03')),
  add_relation('endless_dates', 'date', pick('infinity', '-infinity')),
  add_relation('timestamps', 'timestamp', pick('4713-01-01 00:00:00 BC', '294276-12-31 23:59:59.999999')),
  add_relation('endless_timestamps', 'timestamptz', pick('infinity', '-infinity', '2001-02-03')),
  add_relation('ranges', 'numrange', pick('[1e300,1e308)', '[-1e308,-1e300)')),
  add_relation('endless_ranges', 'int8range', pick('(,)', '[1,)', '(,5)', 'empty')),
  add_relation('int8_ranges', 'int8range', pick('[9223372036854775806,9223372036854775807)', '[-9223372036854775808,1)')),
  add_relation('no_rows', 'float8', '1', rows => 0),
  add_relation('one_row', 'float8', '1', rows => 1),
  add_relation('one_value', 'float8', '7', y => '7.0::float8', c => '''c''::text', s => '''s''::text'),
  add_relation('nulls', 'float8', 'NULL', y => 'NULL::float8', c => 'NULL::text', s => 'NULL::text'),
  add_relation('long_texts', 'text', 'repeat(chr(96 + i), 65536)', c => 'repeat(chr(96 + i), 65536)',
               s => 'repeat(chr(96 + i), 65536)'),
  add_relation('all_letters', 'text', '(SELECT string_agg(chr(n), '''') FROM generate_series(i * 64, i * 64 + 63) n)',
               c => '(SELECT string_agg(chr(n), '''') FROM generate_series(i * 65536 + 64, i * 65536 + 127) n)',
               s => '(SELECT string_agg(chr(n), '''') FROM generate_series(i * 1024, i * 1024 + 63) n)'),
  add_relation('sensitive_numbers', 'float8', 'i * 3 % 7', s => 'CASE i % 3 WHEN 0 THEN 1e308 WHEN 1 THEN -1e308 ELSE 5e-324 END'),
  add_relation('sensitive_infinities', 'float8', 'i * 3 % 7', s => 'CASE i % 2 WHEN 0 THEN ''NaN''::float8 ELSE ''Infinity'' END') \g /dev/null
CREATE TABLE no_columns ();
INSERT INTO no_columns SELECT FROM generate_series(1, 12);
INSERT INTO relations VALUES ('no_columns');
-- A result of all columns also has columns of its own.
DO $$
BEGIN
  EXECUTE (SELECT format('CREATE TABLE columns_1590 AS SELECT i AS id, i AS x, i %% 5 AS y, ''c'' || i %% 2 AS c, ''s'' || i %% 3 AS s, %s
    FROM generate_series(1, 12) i', string_agg(format('i %% %s AS q%s', n % 7 + 2, n), ', ')) FROM generate_series(1, 1585) n);
END $$;
INSERT INTO relations VALUES ('columns_1590', ARRAY(SELECT 'q' || n FROM generate_series(1, 12) n), NULL);
UPDATE relations SET hierarchies = '{"x": {"prefix": 2}, "y": {"range": [5]}}' WHERE name IN ('long_texts', 'all_letters');
UPDATE relations SET hierarchies = '{"x": {"date": ["year", "decade"]}, "y": {"range": [5]}}' WHERE name LIKE '%dates' OR name LIKE '%timestamps';
UPDATE relations SET hierarchies = (SELECT jsonb_object_agg(q, '{"range": [5]}'::jsonb)::text FROM unnest(qi) q) WHERE hierarchies IS NULL;
CREATE TABLE events AS SELECT id, 1.5 * id AS at FROM ordinary;
ANALYZE;

-- Functions of the extension, by the catalog.
-- The steps of distributed releases (anonkit_...) are functions for one caller: test/t/distributed.t has them.
CREATE VIEW functions AS
SELECT p.oid, p.proname::text AS name, p.prokind, p.proretset, p.provariadic, p.pronargs - p.pronargdefaults AS required,
       p.prorettype = 'record'::regtype AND p.proallargtypes IS NULL AS needs_columns, a.names, a.types
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'anonkit'
JOIN pg_proc p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND p.proname NOT LIKE 'anonkit\_%',
LATERAL (SELECT array_agg(coalesce(p.proargnames[n], '') ORDER BY n) AS names, array_agg(format_type(p.proargtypes[n - 1], NULL) ORDER BY n) AS types
         FROM generate_series(1, p.pronargs) n) a;

-- An ordinary value of an argument, as an expression; null if this file does not know the argument.
CREATE FUNCTION argument(function text, name text, type text, relation relations) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN function IN ('anon_publish', 'anon_publish_distributed') AND name = 'release' THEN '''extremes.made'''
    WHEN name = 'layout' THEN '''{}''::jsonb'
    WHEN name = 'name' AND type = 'regnamespace' THEN '''extremes_set''::regnamespace'
    WHEN name = 'name' THEN '''extremes_made'''
    WHEN name = 'role' THEN '''public'''
    WHEN name = 'sources' THEN format('ARRAY[''extremes.%s'']::regclass[]', relation.name)
    WHEN name = 'release' THEN '''extremes.release''::regclass'
    WHEN name = 'releases' THEN 'ARRAY[''extremes.release'', ''extremes.beside'']::regclass[]'
    WHEN name = 'versions' THEN format('ARRAY[''extremes.%1$s'', ''extremes.%1$s'']::regclass[]', relation.name)
    WHEN name = 'schema' THEN '''extremes''::regnamespace'
    WHEN function = 'anon_publish_set' AND name = 'tables' THEN format('%L::jsonb', jsonb_build_object('extremes.' || relation.name,
      jsonb_build_object('qi', relation.qi, 'sensitive', '{s}'::text[], 'key', '{id}'::text[]), 'extremes.events',
      jsonb_build_object('qi', '{at}'::text[], 'parent', 'extremes.' || relation.name, 'parent_key', '{id}'::text[])))
    -- The comment makes the call one of the relation.
    WHEN name = 'tables' AND type = 'jsonb' THEN format('%L::jsonb /* extremes.%s */', jsonb_build_object(relation.name,
      jsonb_build_object('qi', relation.qi, 'sensitive', '{s}'::text[])), relation.name)
    WHEN name = 'context' THEN '''{"purpose": "a test", "review_due": "2999-01-31"}''::jsonb'
    WHEN name = 'tables' THEN '''{}''::regclass[]'
    WHEN type = 'regclass' THEN format('''extremes.%s''::regclass', relation.name)
    WHEN name IN ('qi', 'vals') AND type <> 'text[]' THEN CASE WHEN relation.name ~ 'date|time|range|text|letter|long|column' THEN 'ARRAY[y, y]::float8[]' ELSE 'ARRAY[x, x]::float8[]' END
    WHEN function = 'anon_univariate' AND name = 'qi' THEN '''{x}''::text[]'
    WHEN name = 'qi' THEN quote_literal(relation.qi) || '::text[]'
    WHEN name = 'sensitive' AND type = 'anyelement' THEN 's'
    WHEN name = 'sensitive' THEN '''{s}''::text[]'
    WHEN function = 'anon_withdraw_class' AND name = 'key' THEN '''{1}''::text[]'
    WHEN name = 'key' THEN '''{id}''::text[]'
    WHEN name = 'hierarchies' THEN quote_literal(relation.hierarchies) || '::jsonb'
    WHEN name = 'hierarchy' THEN quote_literal(coalesce(relation.hierarchies::jsonb -> 'x', '{"range": [5]}')) || '::jsonb'
    WHEN name = 'spec' THEN format('''{"qi": ["x", "y"], "k": 2, "method": "mdav", "recode": "range", "keep": ["c"]}''::jsonb')
    WHEN name = 'cuts' THEN '''[{"qi": 1, "cut": 0}]''::jsonb'
    WHEN name = 'ks' THEN '''{2, 3}''::int[]'
    WHEN name = 'column_name' THEN '''x'''
    WHEN name = 'schedule' THEN '''0 3 * * *'''
    WHEN name = 'small' THEN '''withhold'''
    WHEN name = 'scales' THEN '''{1, 1}''::float8[]'
    WHEN name = 'value' THEN CASE type WHEN 'text' THEN 'x::text' ELSE 'x' END
    WHEN name = 'widths' AND type = 'numeric[]' THEN '''{5, 10}''::numeric[]'
    WHEN name = 'low' THEN '0::numeric'
    WHEN name = 'high' THEN '100::numeric'
    WHEN name = 'width' THEN '10::numeric'
    WHEN name = 'length' THEN '5'
    WHEN name = 'level' THEN '1'
    WHEN name = 'k' THEN '2'
    WHEN name = 'l' THEN '2'
    WHEN name = 'p' THEN CASE function WHEN 'anon_kpqr' THEN '1' ELSE '2' END
    WHEN name = 't' THEN '0.9::float8'
    WHEN name = 'q' THEN '0.5::float8'
    WHEN name = 'r' THEN '0.5::float8'
  END $$;

-- Arguments that make a call meaningful without being required: promises, and what a spec may give instead.
CREATE FUNCTION is_given(function text, name text) RETURNS boolean LANGUAGE sql AS $$
  SELECT name IN ('qi', 'k', 'ks') AND function NOT IN ('anon_spec', 'anon_report')
    OR name = 'hierarchies' AND function IN ('anon_argus', 'anon_datafly', 'anon_incognito', 'anon_lattice', 'anon_mingen', 'anon_topdown')
    OR (function, name) IN (('anon_assert', 'sensitive'), ('anon_audit', 'sensitive'), ('anon_infer', 'sensitive'), ('anon_infer', 'key'),
      ('anon_utility', 'key'), ('anon_linkage', 'key'), ('anon_audit_releases', 'key'), ('anon_risk', 'sensitive'),
      ('anon_microaggregate', 'sensitive'), ('anon_microaggregate', 't'), ('anon_publish', 'sensitive'), ('anon_tclose', 'sensitive'),
      ('anon_tclose', 't'), ('anon_psensitive', 'sensitive'), ('anon_psensitive', 'p'), ('anon_kpqr', 'sensitive'), ('anon_kpqr', 'p'),
      ('anon_kpqr', 'q'), ('anon_kpqr', 'r'), ('anon_replay', 'sensitive'), ('anon_capacity', 'sensitive')) $$;

-- The statement that calls a function on a relation, with one argument replaced.
CREATE FUNCTION statement(f functions, relation relations, place int DEFAULT 0, value text DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  arguments text := '';
  written text;
  from_relation boolean := false;
BEGIN
  FOR n IN 1 .. cardinality(f.names) LOOP
    IF n = place THEN
      written := value;
    ELSIF n <= f.required OR is_given(f.name, f.names[n]) THEN
      written := argument(f.name, f.names[n], f.types[n], relation);
      IF written IS NULL THEN RAISE EXCEPTION 'test/extremes/extremes.sql has no value for argument "%" of %', f.names[n], f.oid::regprocedure; END IF;
    ELSE
      CONTINUE;
    END IF;
    from_relation := from_relation OR written ~ '^(s|x|x::text|ARRAY\[., .\]::float8\[\])$';
    arguments := concat_ws(', ', nullif(arguments, ''), CASE
      WHEN f.provariadic <> 0 AND n = cardinality(f.names) THEN 'VARIADIC ' || written
      WHEN f.provariadic <> 0 OR f.names[n] = '' THEN written
      ELSE format('%I => %s', f.names[n], written) END);
  END LOOP;
  RETURN CASE
    WHEN f.prokind = 'p' THEN format('CALL %I(%s)', f.name, arguments)
    WHEN f.prokind = 'w' THEN format('SELECT count(*) FROM (SELECT %I(%s) OVER () FROM extremes.%I) AS classes', f.name, arguments, relation.name)
    WHEN f.needs_columns THEN format('SELECT count(*) FROM %I(%s) AS (x numrange, y numrange, c text)', f.name, arguments)
    WHEN from_relation THEN format('SELECT count(*) FROM (SELECT %I(%s) FROM extremes.%I) AS calls', f.name, arguments, relation.name)
    ELSE format('SELECT count(*) FILTER (WHERE calls::text ~ ''[(,](%s)[,)]'') FROM (SELECT * FROM %I(%s)) AS calls',
      -- Levels of models may be infinite.
      CASE WHEN f.name IN ('anon_audit', 'anon_audit_history', 'anon_audit_releases') THEN 'NaN' ELSE 'NaN|-?Infinity' END, f.name, arguments) END;
END $$;

CREATE TABLE cells (nr serial PRIMARY KEY, section text, function text, relation text, argument text, value text,
  setup text, call text, state text, message text);

-- Every function by every relation. What takes a release gets one of the relation. anon_profile and anon_propose look
-- at every pair of columns, which takes minutes for 1,590.
INSERT INTO cells (section, function, relation, setup, call)
SELECT 'relations', f.oid::regprocedure, r.name,
       CASE WHEN f.names[1] = 'release' AND f.types[1] = 'regclass' OR f.names[1] = 'releases' THEN
         (SELECT string_agg(format('SELECT anon_publish(''extremes.%s'', ''extremes.%s'', %L, 2, method => ''mdav'', sensitive => ''{s}''%s)',
            made, r.name, r.qi, CASE WHEN f.name ~ 'history$|withdraw' THEN ', key => ''{id}''' WHEN f.name ~ 'swap$' THEN ', recode => ''swap'', class_column => ''class no''' END), '; ') FROM unnest(CASE f.names[1] WHEN 'releases' THEN '{made,made_beside}' ELSE '{made}' END::text[]) AS made) END,
       replace(replace(statement(f, r), '''extremes.release''', '''extremes.made'''), '''extremes.beside''', '''extremes.made_beside''')
FROM functions f, relations r WHERE NOT (f.name IN ('anon_profile', 'anon_propose') AND r.name = 'columns_1590')
  AND (r.name = 'ordinary' OR f.names[1] IN ('release', 'releases') OR strpos(statement(f, r), 'extremes.' || r.name) > 0) ORDER BY f.oid::regprocedure::text, r.name;

-- Pairs of relations: an ordinary one and an extreme one, either way.
INSERT INTO cells (section, function, relation, argument, call)
SELECT 'pairs', f.oid::regprocedure, r.name, f.names[n], statement(f, r, n, '''extremes.ordinary''::regclass')
FROM functions f, relations r, generate_series(1, 2) n WHERE f.names[1] = 'original' ORDER BY f.name, r.name, n;

-- Every number among the arguments by every extreme.
INSERT INTO cells (section, function, relation, argument, value, call)
SELECT 'arguments', f.oid::regprocedure, r.name, f.names[n], v.value, statement(f, r, n, v.value)
FROM functions f, relations r, generate_series(1, cardinality(f.names)) n,
LATERAL (SELECT format('%L::%s', value, f.types[n]) AS value FROM unnest(CASE
    WHEN f.types[n] IN ('double precision', 'numeric') THEN '{1e308,-1e308,5e-324,NaN,Infinity,-Infinity,0,-1,1}'::text[]
    WHEN f.types[n] = 'integer' THEN '{2147483647,-2147483648,0,-1,1,1000}'
    WHEN f.types[n] = 'bigint' THEN '{9223372036854775807,-9223372036854775808,0,-1,1}'
    WHEN f.types[n] IN ('double precision[]', 'numeric[]') THEN '{"{}","{NULL}","{1e308,-1e308}","{NaN,1}","{Infinity,1}","{5e-324,5e-324}","{{1,2},{3,4}}","{1,2,3}"}'
    WHEN f.types[n] = 'integer[]' THEN '{"{}","{NULL}","{2147483647,-2147483648}","{{1,2},{3,4}}"}'
    WHEN f.types[n] = 'text[]' THEN '{"{}","{NULL}","{\"\"}","{{x,y},{x,y}}","{x,x}"}'
    WHEN f.types[n] = 'text' THEN ARRAY['', repeat('long', 16384), 'é' || chr(1114109)]
    WHEN f.types[n] = 'jsonb' THEN '{"null","{}","[]","1e308","\"x\"","{\"x\": null}","{\"x\": {\"range\": [1e-300, 1e308]}}","{\"x\": {\"range\": []}}","[[]]","{\"x\": {\"prefix\": 2147483648}}"}'
    END) AS value UNION ALL SELECT format('NULL::%s', CASE f.types[n] WHEN 'anyelement' THEN 'text' WHEN 'anyarray' THEN 'text[]'
      WHEN 'anycompatiblearray' THEN 'float8[]' ELSE f.types[n] END)) v
WHERE r.name = 'ordinary' ORDER BY f.oid::regprocedure::text, n, v.value;

-- Sampling weights of every kind and size.
INSERT INTO cells (section, function, relation, argument, value, call)
SELECT 'weights', f.oid::regprocedure, r.name, f.names[n], c, statement(f, r, n, quote_literal(c))
FROM functions f, relations r, generate_series(1, cardinality(f.names)) n, unnest('{x,y,c,s,id}'::text[]) c
WHERE f.names[n] = 'sampling_weight' AND r.name <> 'no_columns' ORDER BY f.oid::regprocedure::text, r.name, c;

-- Every relation among the arguments by every kind of relation.
CREATE SEQUENCE some_sequence;
CREATE INDEX some_index ON ordinary (id);
CREATE TYPE some_composite AS (x float8, y float8, c text, s text, id int);
CREATE VIEW some_view AS SELECT * FROM ordinary;
CREATE VIEW failing_view AS SELECT id, x / 0 AS x, y, c, s FROM ordinary;
CREATE MATERIALIZED VIEW empty_matview AS SELECT * FROM ordinary WITH NO DATA;
CREATE TABLE partitioned (LIKE ordinary) PARTITION BY RANGE (id);
CREATE UNLOGGED TABLE unlogged AS SELECT * FROM ordinary;
CREATE FOREIGN DATA WRAPPER extremes;
CREATE SERVER some_server FOREIGN DATA WRAPPER extremes;
CREATE FOREIGN TABLE some_foreign_table (id int, x float8, y float8, c text, s text) SERVER some_server;
CREATE TABLE dropped ();
CREATE TABLE kinds (name text, oid oid);
INSERT INTO kinds SELECT relname, oid FROM pg_class WHERE relnamespace = 'extremes'::regnamespace AND relname IN
  ('some_sequence', 'some_index', 'some_composite', 'some_view', 'failing_view', 'empty_matview', 'partitioned', 'unlogged', 'some_foreign_table', 'dropped');
INSERT INTO kinds VALUES ('unknown', 999999), ('zero', 0), ('pg_class', 'pg_class'::regclass), ('pg_statistic', 'pg_statistic'::regclass),
  ('toast', (SELECT reltoastrelid FROM pg_class WHERE oid = 'extremes.long_texts'::regclass)), ('pg_settings', 'pg_settings'::regclass),
  ('information_schema', 'information_schema.columns'::regclass);
DROP TABLE dropped;
INSERT INTO cells (section, function, relation, argument, value, call)
SELECT 'kinds', f.oid::regprocedure, k.name, f.names[n], k.oid::text,
       statement(f, r, n, CASE f.types[n] WHEN 'regclass' THEN format('%s::oid::regclass', k.oid) ELSE format('ARRAY[%s::oid]::regclass[]', k.oid) END)
FROM functions f, relations r, kinds k, generate_series(1, cardinality(f.names)) n
WHERE r.name = 'ordinary' AND f.types[n] IN ('regclass', 'regclass[]') ORDER BY f.oid::regprocedure::text, n, k.name;

SELECT anon_publish('extremes.release', 'extremes.ordinary', '{x,y}', 2, method => 'mdav', sensitive => '{s}') \g /dev/null
SELECT anon_publish('extremes.beside', 'extremes.ordinary', '{x,y}', 3, method => 'mdav', sensitive => '{s}', beside => 'ignore') \g /dev/null

SELECT anon_publish_set('extremes_set', '{"extremes.ordinary": {"qi": ["x", "y"], "key": ["id"]}, "extremes.events": {"qi": ["at"],
  "parent": "extremes.ordinary", "parent_key": ["id"]}}', 2, beside => 'ignore') \g /dev/null

-- Values of six letters and more that no message may contain. The limits of types are no secrets.
CREATE FUNCTION cell_values(relation text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE found text[];
BEGIN
  IF relation IN ('no_columns', 'columns_1590') OR to_regclass('extremes.' || relation) IS NULL
     OR NOT EXISTS (SELECT FROM relations r WHERE r.name = relation) THEN RETURN '{}'; END IF;
  EXECUTE format('SELECT array_agg(DISTINCT left(v, 30)) FROM extremes.%I, LATERAL (VALUES (x::text), (c::text), (s::text)) vs(v)
                  WHERE length(v) > 5 AND v !~ ''infinity|Infinity''', relation) INTO found;
  RETURN coalesce(found, '{}');
END $$;

-- Tries every `every`-th cell, and undoes what it did. The log names the cell that ends a backend.
CREATE PROCEDURE walk(every int, first int) LANGUAGE plpgsql AS $$
DECLARE
  cell cells;
  text_of text; detail text; hint text; got text; found bigint;
BEGIN
  FOR cell IN SELECT * FROM cells WHERE nr >= first AND (nr - first) % every = 0 ORDER BY nr LOOP
    RAISE LOG 'extremes: cell % %', cell.nr, cell.call;
    got := 'result'; text_of := NULL; found := 0;
    BEGIN
      IF cell.setup IS NOT NULL THEN EXECUTE cell.setup; END IF;
      IF cell.call LIKE 'CALL%' THEN EXECUTE cell.call; ELSE EXECUTE cell.call INTO found; END IF;
      IF found > 0 AND cell.call ~ 'FILTER' AND cell.relation !~ 'numbers|infinit|endless' THEN got := 'NaN'; END IF;
      RAISE SQLSTATE 'UNDO1';
    EXCEPTION WHEN SQLSTATE 'UNDO1' THEN NULL;
    WHEN assert_failure OR OTHERS THEN
      GET STACKED DIAGNOSTICS got = RETURNED_SQLSTATE, text_of = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
      text_of := concat_ws(' | ', text_of, nullif(detail, ''), nullif(hint, ''));
    END;
    UPDATE cells SET state = got, message = text_of WHERE nr = cell.nr;
    COMMIT;
  END LOOP;
END $$;

-- Functions that no relation makes succeed, but for those that need pg_cron, or a transaction of their own.
CREATE VIEW never_called AS
SELECT function FROM cells WHERE section = 'relations' AND state IS NOT NULL AND function !~ '^anon_(schedule|refresh_job)\('
GROUP BY function HAVING count(*) FILTER (WHERE state = 'result') = 0;

CREATE VIEW wrong AS
SELECT * FROM cells c WHERE state = 'XX000' OR state LIKE 'XX%' OR state IN ('42601', '57014', 'NaN') OR state IN ('53100', '53200')
  OR EXISTS (SELECT FROM unnest(cell_values(c.relation)) v WHERE strpos(c.message, v) > 0);
