
-- ---- Functions that are no more ------------------------------------------------------------------
--
-- The pieces above have replaced each function that stayed, or it has other arguments now.
DO $$
DECLARE
  -- The setting of the script's connection; the code below calls nothing of another schema.
  search_path_before text := pg_catalog.current_setting('search_path');
  function pg_catalog.regprocedure;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  SELECT p.oid INTO function FROM pg_depend AS d
    JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'anonkit'
    JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
    WHERE d.deptype = 'e' AND p.xmin <> pg_current_xact_id()::xid LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'cannot replace function %, because views or functions of users depend on it', function
      USING ERRCODE = 'dependent_objects_still_exist',
        DETAIL = 'The new version has it with other arguments.',
        HINT = 'Drop what uses it, which DROP FUNCTION names, and create that again after the update.';
  END IF;
  PERFORM pg_catalog.set_config('search_path', search_path_before, true);
END $$;
