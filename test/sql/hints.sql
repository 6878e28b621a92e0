-- Hints of errors about options: each names a way out that is accepted.
\set ON_ERROR_STOP on
BEGIN;
SET client_min_messages = warning;
SELECT no_plan();

CREATE TABLE people AS SELECT i AS id, i / 2 AS person, i * 7 % 23 AS age, i * 11 % 17 AS size, (ARRAY['flu', 'asthma', 'none', 'gout'])[1 + i % 4] AS illness, i % 13 AS bill
FROM generate_series(0, 59) AS i;
CREATE FUNCTION pg_temp.hint(options jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
  PERFORM FROM anon_publish('refused', 'people', beside => 'ignore', spec => '{"qi": ["age", "size"], "k": 3, "sensitive": ["bill"]}'::jsonb || options);
  DROP MATERIALIZED VIEW IF EXISTS refused;
  RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
  RETURN hint;
END $$;
CREATE TABLE followed (options jsonb, hint text, way_out jsonb);
INSERT INTO followed VALUES
  ('{"transparent": true, "t": 0.3}', 'p, l, entropy_l, c, alpha, e, risk_mean and risk_above can.', '{"transparent": true, "risk_mean": 0.4, "l": 2}'),
  ('{"transparent": true, "t": 0.3, "key": ["id"]}', 'p, l, entropy_l, c, alpha and e can.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "unit": ["person"], "l": 2}', 'Leave the unit out, or transparent.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "duplicates": "divide", "l": 2}', 'Leave duplicates out.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "max_suppression": 0.1, "l": 2}', 'Leave max_suppression out.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "adapt": 0.5, "l": 2, "key": ["id"]}', 'Leave adapt out.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "max_withheld": 0.5, "l": 2, "key": ["id"]}', 'Leave max_withheld out.', '{"transparent": true, "l": 2}'),
  ('{"transparent": true, "adapt": 0.5, "c": 3, "l": 2}', 'p, l and alpha can.', '{"transparent": true, "adapt": 0.5, "l": 2}'),
  ('{"adapt": 0.5, "l": 2}', 'Give transparent => true.', '{"transparent": true, "adapt": 0.5, "l": 2}'),
  ('{"adapt": 0.5, "t": 0.9}', 'Leave them out.', '{"t": 0.9}'),
  ('{"decoys": 0.1, "l": 2, "unit": ["person"]}', 'Leave them out.', '{"l": 2, "unit": ["person"]}'),
  ('{"method": "mdav", "transparent": true, "l": 4}', 'Promise less, take a larger k, or give adapt.', '{"method": "mdav", "transparent": true, "l": 4, "k": 6}'),
  ('{"method": "mdav", "transparent": true, "c": 0.1, "l": 2}', 'Promise less, or take a larger k.', '{"method": "mdav", "transparent": true, "c": 9, "l": 2}'),
  ('{"max_wait": 3}', 'Name the columns by which a record is known again in key, or leave these out.', '{}'),
  ('{"k_map": 3, "population": "people", "unit": ["person"]}', 'Leave it out, or the unit.', '{"unit": ["person"]}'),
  ('{"k_map": 3, "population": "people", "key": ["id"]}', 'Leave it out, or the key.', '{}'),
  ('{"method": "mdav", "k_map": 3, "population": "people", "l": 2}', 'Methods ''incognito''%', '{"method": "incognito", "k_map": 3, "population": "people", "l": 2,
    "hierarchies": {"age": {"range": [5, 10, 30]}, "size": {"range": [5, 10, 20]}}}'),
  ('{"k_map": 3, "population": "people", "beta": 2}', 'No method keeps all of these promises. Leave one out.', '{"beta": 2}'),
  ('{"method": "mdav", "l": 2}', 'Method ''microaggregate'' can%', '{"l": 2}'),
  ('{"recode": "swap", "seed": 7, "sensitive": []}', 'Leave seed out.', '{"recode": "swap", "sensitive": []}'),
  ('{"seed": 7, "secret_seed": true}', 'Leave seed out; secret_seed => false makes it count.', '{"seed": 7, "secret_seed": false}'),
  ('{"outward": "grid", "widths": {"age": 2, "size": 2}}', 'recode => ''range'' publishes ranges.', '{"outward": "grid", "recode": "range", "widths": {"age": 2, "size": 2}}'),
  ('{"method": "mondrian", "algorithm": "grid", "outward": "grid", "widths": {"age": 2, "size": 2}}', 'Leave outward out: the boxes end on the grid.',
    '{"method": "mondrian", "algorithm": "grid", "widths": {"age": 2, "size": 2}}'),
  ('{"outward": "grid", "widths": {"age": 2}, "key": ["id"]}', '', '{}');
SELECT alike(pg_temp.hint(options), hint, 'the hint of ' || options::text) FROM followed;
SELECT is(pg_temp.hint(way_out), 'accepted', 'its way out: ' || way_out::text) FROM followed;
SELECT * FROM finish();
ROLLBACK;
