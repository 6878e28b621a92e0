-- The published tables of the two sets of matrix.sql, altered in every way by their owner, before every function of sets. Each one
-- must return what it returned before, or raise an error that names the table, the set or the column. A refresh that returns has
-- verified what it left, and its figures are those of the tables.
ALTER TABLE joined.persons RENAME TO joined_persons;
ALTER TABLE joined.stays RENAME TO joined_stays;
ALTER TABLE grown.persons RENAME TO grown_persons;
ALTER TABLE grown.stays RENAME TO grown_stays;
CREATE ROLE t_state_granted;

CREATE TABLE released AS SELECT name, ARRAY[to_regclass(format('%1$s.%1$s_persons', name))::oid, to_regclass(format('%1$s.%1$s_stays', name))::oid] AS tables
  FROM unnest('{joined,grown}'::name[]) AS name;
CREATE FUNCTION rows_of(name name) RETURNS bigint[] LANGUAGE plpgsql AS $$ DECLARE counts bigint[] := '{}'; n bigint; t oid; BEGIN
  FOR t IN SELECT unnest(tables) FROM released AS r WHERE r.name = rows_of.name LOOP
    IF EXISTS (SELECT FROM pg_class WHERE oid = t) THEN EXECUTE format('SELECT count(*) FROM ONLY %s', t::regclass) INTO n; END IF;
    counts := counts || n;
  END LOOP;
  RETURN counts;
END $$;
-- By the present names of the tables.
CREATE FUNCTION described(name name) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object(names[1], '{"qi": ["born"], "key": ["id"]}'::jsonb, names[2], jsonb_build_object('qi', '["ward"]'::jsonb, 'parent', names[1], 'parent_key', '["person"]'::jsonb))
  FROM (SELECT array_agg(coalesce((SELECT relname FROM pg_class WHERE oid = t), format('%s_table_%s', name, n)) ORDER BY n) FROM released AS r, unnest(tables) WITH ORDINALITY AS u (t, n)
    WHERE r.name = described.name) AS x (names) $$;
-- The figures of a refresh, once the tables have been asserted and counted. A set that grows has the rows of its new persons more.
CREATE FUNCTION refreshed(name name) RETURNS text LANGUAGE plpgsql AS $$
DECLARE before bigint[] := rows_of(name); after bigint[]; said text; rows bigint[];
BEGIN
  SELECT string_agg(regexp_replace(f::text, '^.*?,', '('), ' '), array_agg(f.rows) INTO said, rows FROM anon_refresh_set(name::regnamespace, beside => 'ignore') AS f;
  after := rows_of(name);
  PERFORM anon_assert_set(name::regnamespace, described(name), k => 4);
  IF name = 'grown' THEN after := ARRAY[after[1] - before[1], after[2] - before[2]]; END IF;
  IF rows <> after THEN RAISE 'figures % of a refresh that wrote %', rows, after; END IF;
  RETURN said;
END $$;

-- Changes of the source are counts of statistics, which arrive late.
CREATE TABLE published_calls AS SELECT release, call, format(statement, release) AS statement FROM (VALUES
  ('anon_refresh_set', $$SELECT refreshed('%1$s')$$),
  ('anon_report_set', $$SELECT regexp_replace(anon_report_set('%1$s', 1), '.*', 'a page')$$),
  ('anon_audit_set', $$SELECT string_agg(a::text, ' ') FROM anon_audit_set('%1$s', described('%1$s'), k => 4, largest_m => 1) AS a$$),
  ('anon_grant_set', $$SELECT anon_grant_set('%1$s', 't_state_granted')::text || 'granted'$$),
  ('anon_releases', $$SELECT (to_jsonb(i) - '{age,release,changes,current}'::text[])::text FROM anon_releases AS i JOIN pg_class AS c ON c.oid = release WHERE relnamespace = '%1$s'::regnamespace$$),
  ('anon_drop_set', $$SELECT anon_drop_set('%1$s')::text || (to_regnamespace('%1$s') IS NULL)$$)
  ) AS c(call, statement), unnest('{joined,grown}'::text[]) AS release;

INSERT INTO alterations VALUES
  ('set not null', 'ALTER TABLE %1$s ALTER %2$I SET NOT NULL', '{published}'),
  ('unique', 'ALTER TABLE %1$s ADD UNIQUE (%2$I)', '{published}'),
  ('unique in pairs', 'CREATE UNIQUE INDEX ON %1$s (%2$I, ctid)', '{published}'),
  ('identity', 'ALTER TABLE %1$s ALTER %2$I SET NOT NULL, ALTER %2$I ADD GENERATED ALWAYS AS IDENTITY', '{published}'),
  ('small', 'ALTER TABLE %1$s ALTER %2$I TYPE smallint USING 7', '{published}'),
  ('range of dates', 'ALTER TABLE %1$s ALTER %2$I TYPE daterange USING NULL', '{published}'),
  ('storage', 'ALTER TABLE %1$s ALTER %2$I SET STATISTICS 10', '{published}'),
  ('no keys', 'ALTER TABLE %1$s DROP CONSTRAINT IF EXISTS joined_stays_person_fkey, DROP CONSTRAINT IF EXISTS stays_person_fkey', '{published table}'),
  ('added', 'ALTER TABLE %1$s ADD more text', '{published table}'),
  ('added and dropped', 'ALTER TABLE %1$s ADD more text; ALTER TABLE %1$s DROP more', '{published table}'),
  ('renamed', 'ALTER TABLE %1$s RENAME TO another', '{published table}'),
  ('moved', 'ALTER TABLE %1$s SET SCHEMA public', '{published table}'),
  ('gone', 'DROP TABLE %1$s CASCADE', '{published table}');

ALTER TABLE published_calls ADD before text;
UPDATE published_calls SET before = answer('SELECT', statement) WHERE call <> 'anon_releases';
INSERT INTO cells SELECT x.* FROM (
  SELECT s.*, c.call, answer(s.statement, c.statement) AS answer, coalesce(c.before, answer('SELECT', c.statement)) AS before FROM (
    SELECT split_part("table", '_', 1) AS release, "table", NULL::text AS "column", kind, format(statement, "table") AS statement
      FROM unnest('{joined_persons,joined_stays,grown_persons,grown_stays}'::name[]) AS "table", alterations
      WHERE types && '{table,published table}' AND statement !~ '%2'
    UNION ALL SELECT split_part("table", '_', 1), "table", a.attname, kind, format(statement, "table", a.attname, format_type(a.atttypid, a.atttypmod))
      FROM unnest('{joined_persons,joined_stays,grown_persons,grown_stays}'::name[]) AS "table" JOIN pg_attribute AS a ON a.attrelid = "table"::text::regclass, alterations
      WHERE a.attnum > 0 AND NOT a.attisdropped AND statement ~ '%2' AND (types IS NULL OR types = '{published}' OR format_type(a.atttypid, a.atttypmod) = ANY (types))
    ) AS s JOIN published_calls AS c USING (release) OFFSET 0) AS x
  WHERE answer IS NOT NULL;

-- True if an answer is what it was before, or an error of anonkit's own that names the table, the set or the promise. An audit measures the altered rows.
CREATE FUNCTION is_right_published(release text, "table" text, call text, kind text, answer text, before text) RETURNS boolean LANGUAGE sql AS $$
  SELECT CASE
    WHEN answer ~ '^ERROR' THEN answer ~ format('\m(table "(%s|another)"|schema "%s")', "table", release) AND answer !~ '^ERROR (XX|21|23|28|40|P0|22(?!000))' OR answer ~ '^ERROR 23514 the tables violate P\(k,all\)'
      OR call = 'anon_drop_set' AND answer ~ '^ERROR 2BP01'
    WHEN call = 'anon_audit_set' THEN answer = before OR answer ~ '^\(0,\d+,90,'
    WHEN call = 'anon_releases' THEN answer IN (before, 'null')
    ELSE answer = before END $$;

CREATE VIEW wrong_cells AS SELECT * FROM cells WHERE CASE WHEN release IN ('joined', 'grown') THEN NOT is_right_published(release, "table", call, kind, answer, before)
  ELSE NOT is_right(release, call, "column", answer, before) END;
