-- One call of the fuzzer: run in a subtransaction that is always rolled back, its result recounted in plain SQL.
CREATE SCHEMA fuzz;
CREATE TYPE fuzz.mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN fuzz.small AS int CHECK (VALUE < 10);
CREATE TABLE fuzz.empty ();

-- The outcome of a call: 'ok', the SQLSTATE of its error, or 'broken' with the finding of a check.
-- A check is a query that returns no rows on success.
CREATE FUNCTION fuzz.try(call text, checks text[], OUT outcome text, OUT message text) LANGUAGE plpgsql AS $$
DECLARE
  query text;
BEGIN
  EXECUTE call;
  outcome := 'ok';
  FOREACH query IN ARRAY checks LOOP
    EXECUTE format('SELECT string_agg(c::text, '', '') FROM (%s) AS c', query) INTO message;
    IF message IS NOT NULL THEN outcome := 'broken'; EXIT; END IF;
  END LOOP;
  RAISE EXCEPTION USING ERRCODE = 'FZ000';
EXCEPTION WHEN SQLSTATE 'FZ000' THEN
  NULL;
WHEN query_canceled OR others THEN
  -- An error of a check is a defect of the fuzzer, not of the call.
  outcome := CASE WHEN outcome = 'ok' THEN 'check ' ELSE '' END || SQLSTATE;
  message := SQLERRM;
END $$;
