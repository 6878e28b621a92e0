
-- ---- The old list of releases --------------------------------------------------------------------
DO $$
BEGIN
  IF pg_catalog.to_regclass('@extschema@.anon_releases_0_1_0') IS NOT NULL THEN
    CREATE OR REPLACE VIEW @extschema@.anon_releases_0_1_0 AS
    SELECT r.release, r.source, r.spec, r.built, r.current, r.rows, r.classes, r.smallest_class,
      r.mean_class::pg_catalog.float8, r.loss::pg_catalog.float8, r.ncp::pg_catalog.float8, r.prec::pg_catalog.float8,
      r.il::pg_catalog.float8, r.dm, r.avg::pg_catalog.float8, r.lower_bound::pg_catalog.float8, r.suppressed,
      r.suppressed_cells AS blanked, r.reproducible, r.seconds::pg_catalog.float8
    FROM @extschema@.anon_releases AS r;
    ALTER EXTENSION anonkit DROP VIEW @extschema@.anon_releases_0_1_0;
  END IF;
END $$;
