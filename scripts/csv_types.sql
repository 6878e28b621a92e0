-- Turns csv_text, a table of text columns, into the table :"table" with the types that the values bear:
-- the first of integer, bigint, numeric, date, timestamp and text that takes every value of a column.
--
-- A number with a leading zero is a code (a postal code, say) and stays text. A file whose columns are
-- not separated by commas may write decimals with one. Dates are taken as year-month-day, then as
-- month/day/year, then as day/month/year; with dots only as day.month.year.

CREATE FUNCTION pg_temp.takes_all(expression text, datestyle text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('datestyle', datestyle, true);
  EXECUTE format('SELECT count(%s) FROM csv_text', expression);
  RETURN true;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN false;
END
$$;

CREATE FUNCTION pg_temp.matches_all(col text, pattern text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  answer boolean;
BEGIN
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM csv_text WHERE %I !~ %L)', col, pattern) INTO answer;
  RETURN answer;
END
$$;

-- The expression that reads a column in its type, and the way its dates are written.
CREATE FUNCTION pg_temp.reading(col text, separator text, OUT type text, OUT expression text,
                                OUT datestyle text)
LANGUAGE plpgsql AS $$
DECLARE
  whole CONSTANT text := '[+-]?(0|[1-9][0-9]*)';
  day CONSTANT text := '([0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4})';
  clock CONSTANT text := '[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?';
  candidate record;
  filled boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM csv_text WHERE %I IS NOT NULL)', col) INTO filled;
  FOR candidate IN
    SELECT * FROM (VALUES
      ('integer', '^\s*' || whole || '\s*$', '%I::integer', 'ISO, MDY'),
      ('bigint', '^\s*' || whole || '\s*$', '%I::bigint', 'ISO, MDY'),
      ('numeric', '^\s*(' || whole || '([.][0-9]*)?|[+-]?[.][0-9]+)([eE][+-]?[0-9]+)?\s*$',
       '%I::numeric', 'ISO, MDY'),
      ('numeric', CASE WHEN separator <> ',' THEN '^\s*(' || whole || '(,[0-9]*)?|[+-]?,[0-9]+)\s*$' END,
       'translate(%I, '','', ''.'')::numeric', 'ISO, MDY'),
      ('date', '^' || day || '$', '%I::date', 'ISO, MDY'),
      ('date', '^' || day || '$', '%I::date', 'ISO, DMY'),
      ('timestamp', '^' || day || '(' || clock || ')?$', '%I::timestamp', 'ISO, MDY'),
      ('timestamp', '^' || day || '(' || clock || ')?$', '%I::timestamp', 'ISO, DMY'))
      AS candidates (type, pattern, expression, datestyle)
    WHERE filled AND pattern IS NOT NULL
  LOOP
    -- Nobody writes month.day.year with dots.
    CONTINUE WHEN candidate.datestyle = 'ISO, MDY' AND candidate.type IN ('date', 'timestamp')
      AND NOT pg_temp.matches_all(col, '^[^.]{0,10}([ T]|$)');
    IF pg_temp.matches_all(col, candidate.pattern)
       AND pg_temp.takes_all(format(candidate.expression, col), candidate.datestyle) THEN
      type := candidate.type;
      expression := format(candidate.expression, col);
      datestyle := candidate.datestyle;
      RETURN;
    END IF;
  END LOOP;
  type := 'text';
  expression := format('%I', col);
  datestyle := 'ISO, MDY';
END
$$;

-- Column by column, since each may write its dates in its own way.
CREATE FUNCTION pg_temp.give_types(target text, separator text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  col record;
  r record;
BEGIN
  FOR col IN
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = 'csv_text'::regclass AND attnum > 0 ORDER BY attnum
  LOOP
    r := pg_temp.reading(col.name, separator);
    CONTINUE WHEN r.type = 'text';
    PERFORM set_config('datestyle', r.datestyle, true);
    EXECUTE format('ALTER TABLE csv_text ALTER COLUMN %I TYPE %s USING %s', col.name, r.type, r.expression);
  END LOOP;
  EXECUTE format('ALTER TABLE csv_text RENAME TO %I', target);
END
$$;

SELECT pg_temp.give_types(:'table', :'separator') \gset
