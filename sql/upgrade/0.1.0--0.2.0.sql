\echo Use "ALTER EXTENSION anonkit UPDATE TO '0.2.0'" to load this file. \quit

-- From 0.1.0 to 0.2.0: the old objects go, but for anon_release(regclass, jsonb), on which releases depend; the
-- pieces of the install script, which make appends, bring the new ones.
--
-- Hierarchies were rows of two tables, and are values now. Tables that hold any are left to the database's owner
-- as ordinary tables, renamed, to make such values of; releases that use them are to be published again.
DO $$
DECLARE
  -- Of the script's connection; nothing of another schema is called below.
  search_path_before text := pg_catalog.current_setting('search_path');
  extension oid := (SELECT e.oid FROM pg_catalog.pg_extension AS e WHERE e.extname = 'anonkit');
  member record;
  holds_rows boolean;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  SELECT count(*) > 0 INTO holds_rows FROM @extschema@.anon_hierarchy;
  -- The youngest first: what was made later may depend on what was made before.
  FOR member IN
    SELECT d.classid, d.objid, c.relkind, pg_describe_object(d.classid, d.objid, 0) AS name
    FROM pg_depend AS d LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = extension AND d.deptype = 'e'
    ORDER BY d.objid DESC
  LOOP
    IF member.relkind = 'v' THEN
      EXECUTE format('DROP VIEW %s', member.objid::regclass);
    ELSIF member.relkind = 'r' THEN
      -- First out of the extension, which else goes on to name it to pg_dump.
      EXECUTE format('ALTER EXTENSION anonkit DROP TABLE %s', member.objid::regclass);
      IF holds_rows THEN
        EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, pg_database_owner', member.objid::regclass);
        EXECUTE format('ALTER TABLE %s RENAME TO %I', member.objid::regclass,
          (SELECT relname FROM pg_class WHERE oid = member.objid) || '_0_1_0');
      ELSE
        EXECUTE format('DROP TABLE %s', member.objid::regclass);
      END IF;
    ELSIF member.classid = 'pg_proc'::regclass
        AND member.objid <> '@extschema@.anon_release(regclass, jsonb)'::regprocedure THEN
      EXECUTE format('DROP FUNCTION %s', member.objid::regprocedure);
    END IF;
  END LOOP;
  IF holds_rows THEN
    RAISE WARNING 'hierarchies of anonkit 0.1.0 are left in tables anon_hierarchy_0_1_0 and anon_hierarchy_leaf_0_1_0'
      USING HINT = 'Publish releases that use them again, with hierarchies as values, and drop the tables.';
  END IF;
  PERFORM pg_catalog.set_config('search_path', search_path_before, true);
END $$;

