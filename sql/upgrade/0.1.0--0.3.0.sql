\echo Use "ALTER EXTENSION anonkit UPDATE TO '0.2.0'" to load this file. \quit

-- From 0.1.0 to 0.2.0: drops the old objects except anon_release(regclass, jsonb), on which
-- releases depend. make appends the pieces of the install script, which create the new ones.
--
-- Hierarchies were rows of two tables, and are values now. Tables with rows stay with the
-- database's owner, renamed, as ordinary tables; the owner can turn them into such values. Releases
-- with hierarchies must be published again.
DO $$
DECLARE
  -- The setting of the script's connection; the code below calls nothing of another schema.
  search_path_before text := pg_catalog.current_setting('search_path');
  extension oid := (SELECT e.oid FROM pg_catalog.pg_extension AS e WHERE e.extname = 'anonkit');
  member record;
  holds_rows boolean;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  SELECT count(*) > 0 INTO holds_rows FROM @extschema@.anon_hierarchy;
  -- In descending order of age, since later objects may depend on earlier ones.
  FOR member IN
    SELECT d.classid, d.objid, c.relkind, pg_describe_object(d.classid, d.objid, 0) AS name
    FROM pg_depend AS d LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = extension AND d.deptype = 'e'
    ORDER BY d.objid DESC
  LOOP
    IF member.relkind = 'v' THEN
      EXECUTE format('DROP VIEW %s', member.objid::regclass);
    ELSIF member.relkind = 'r' THEN
      -- Removes the table from the extension first; otherwise pg_dump would still consider it a
      -- member.
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

