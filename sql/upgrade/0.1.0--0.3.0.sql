\echo Use "ALTER EXTENSION anonkit UPDATE TO '0.3.0'" to load this file. \quit

-- From 0.1.0 to 0.3.0. make appends the removal of the old objects, and the pieces of the install
-- script.
--
-- Hierarchies were rows of two tables, and are values now. Tables with rows stay with the
-- database's owner, renamed, as ordinary tables; the owner can turn them into such values. Releases
-- with hierarchies must be published again. anon_releases had its columns in another order: under a
-- user's view it stays, too, as anon_releases_0_1_0.
DO $$
DECLARE
  -- The setting of the script's connection; the code below calls nothing of another schema.
  search_path_before text := pg_catalog.current_setting('search_path');
  member regclass;
  holds_rows boolean;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  SELECT count(*) > 0 INTO holds_rows FROM @extschema@.anon_hierarchy;
  IF holds_rows THEN
    FOR member IN
      SELECT c.oid FROM pg_depend AS d
      JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'anonkit'
      JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind = 'r'
      WHERE d.deptype = 'e'
    LOOP
      -- Otherwise pg_dump would still consider it a member.
      EXECUTE format('ALTER EXTENSION anonkit DROP TABLE %s', member);
      EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, pg_database_owner', member);
      EXECUTE format('ALTER TABLE %s RENAME TO %I', member, (SELECT relname FROM pg_class WHERE oid = member) || '_0_1_0');
    END LOOP;
    RAISE WARNING 'hierarchies of anonkit 0.1.0 are left in tables anon_hierarchy_0_1_0 and anon_hierarchy_leaf_0_1_0'
      USING HINT = 'Publish releases that use them again, with hierarchies as values, and drop the tables.';
  END IF;
  IF EXISTS (SELECT FROM pg_depend AS d JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
      WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = '@extschema@.anon_releases'::regclass
      AND r.ev_class <> d.refobjid) THEN
    ALTER VIEW @extschema@.anon_releases RENAME TO anon_releases_0_1_0;
  END IF;
  PERFORM pg_catalog.set_config('search_path', search_path_before, true);
END $$;
