
-- ---- The old list of releases --------------------------------------------------------------------
DO $$
DECLARE
  -- The setting of the script's connection; the code below calls nothing of another schema.
  search_path_before text := pg_catalog.current_setting('search_path');
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  IF EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e'
      AND objid = to_regclass('@extschema@.anon_releases_0_1_0')) THEN
    CREATE OR REPLACE VIEW @extschema@.anon_releases_0_1_0 AS
    SELECT r.release, r.source, r.spec, r.built, r.current, r.rows, r.classes, r.smallest_class,
      r.mean_class::float8, r.loss::float8, r.ncp::float8, r.prec::float8, r.il::float8, r.dm, r.avg::float8,
      r.lower_bound::float8, r.suppressed, r.suppressed_cells AS blanked, r.reproducible, r.seconds::float8
    FROM @extschema@.anon_releases AS r;
    ALTER EXTENSION anonkit DROP VIEW @extschema@.anon_releases_0_1_0;
  END IF;
  PERFORM pg_catalog.set_config('search_path', search_path_before, true);
END $$;
