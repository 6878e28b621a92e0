
-- ---- The old objects ----------------------------------------------------------------------------
--
-- Functions on which views of releases, or a user's objects, depend stay: the pieces below replace
-- them. So does anon_releases under a user's view, as long as the new one adds columns only at its
-- end; until then it has its columns without their functions.
DO $$
DECLARE
  -- The setting of the script's connection; the code below calls nothing of another schema.
  search_path_before text := pg_catalog.current_setting('search_path');
  member record;
  stub text;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  -- In descending order of age, since later objects may depend on earlier ones.
  FOR member IN
    SELECT d.classid, d.objid, c.relkind FROM pg_depend AS d
    JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'anonkit'
    LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
    WHERE d.deptype = 'e' ORDER BY c.relkind IS DISTINCT FROM 'v', d.objid DESC
  LOOP
    BEGIN
      IF member.relkind = 'v' THEN
        EXECUTE format('DROP VIEW %s', member.objid::regclass);
      ELSIF member.relkind = 'r' THEN
        -- Otherwise pg_dump would still consider it a member.
        EXECUTE format('ALTER EXTENSION anonkit DROP TABLE %s', member.objid::regclass);
        EXECUTE format('DROP TABLE %s', member.objid::regclass);
      ELSIF member.classid = 'pg_proc'::regclass THEN
        EXECUTE format('DROP ROUTINE %s', member.objid::regprocedure);
      END IF;
    EXCEPTION WHEN dependent_objects_still_exist THEN
      IF member.relkind = 'v' THEN
        SELECT string_agg(format('NULL::%s%s AS %I', format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attcollation <> t.typcollation THEN format(' COLLATE %s', a.attcollation::regcollation) END,
            a.attname), ', ' ORDER BY a.attnum)
          INTO stub FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
          WHERE a.attrelid = member.objid AND a.attnum > 0;
        EXECUTE format('CREATE OR REPLACE VIEW %s AS SELECT %s', member.objid::regclass, stub);
      END IF;
    END;
  END LOOP;
  PERFORM pg_catalog.set_config('search_path', search_path_before, true);
END $$;
