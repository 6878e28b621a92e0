
-- ---- Functions that are no more ------------------------------------------------------------------
--
-- The pieces above have replaced each function that stayed, or it has other arguments now.
DO $$
DECLARE
  function pg_catalog.regprocedure;
BEGIN
  SELECT p.oid INTO function FROM pg_catalog.pg_depend AS d
    JOIN pg_catalog.pg_extension AS e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
      AND d.refobjid = e.oid AND e.extname = 'anonkit'
    JOIN pg_catalog.pg_proc AS p ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
    WHERE d.deptype = 'e' AND p.xmin <> pg_catalog.pg_current_xact_id()::pg_catalog.xid LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'cannot replace function %, because views or functions of users depend on it', function
      USING ERRCODE = 'dependent_objects_still_exist',
        DETAIL = 'The new version has it with other arguments.',
        HINT = 'Drop what uses it, which DROP FUNCTION names, and create that again after the update.';
  END IF;
END $$;
