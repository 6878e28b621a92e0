-- Turns csv_text, a table of text columns, into the table :"table" with types that fit the values. A column gets the
-- first of integer, bigint, numeric, date, timestamp and text that takes all its values.
--
-- A number with a leading zero is a code (a postal code, say) and stays text. A file whose columns are
-- not separated by commas may write decimals with one. Dates are taken as year-month-day, then as
-- month/day/year, then as day/month/year; with dots only as day.month.year.
--
-- The first rows rule out most types of a column, one look at all of them proves another, and the table is
-- written once.
SET datestyle = 'ISO, MDY';

CREATE TEMP TABLE csv_sample AS SELECT * FROM csv_text LIMIT 1000;

CREATE FUNCTION pg_temp.matches_all(rows regclass, col text, pattern text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  answer boolean;
BEGIN
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s WHERE %I !~ %L)', rows, col, pattern) INTO answer;
  RETURN answer;
END
$$;

CREATE FUNCTION pg_temp.takes_all(expression text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(%s) FROM csv_text', expression);
  RETURN true;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN false;
END
$$;

-- True if every value reads as it is written in that type, which takes a fraction of the time of a pattern.
CREATE FUNCTION pg_temp.writes_all(col text, type text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  answer boolean;
BEGIN
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM csv_text WHERE %1$I::%2$s::text <> %1$I)', col, type) INTO answer;
  RETURN answer;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN false;
END
$$;

-- The type of a column and the expression that reads it.
CREATE FUNCTION pg_temp.reading(col text, separator text, OUT type text, OUT expression text)
LANGUAGE plpgsql AS $$
DECLARE
  whole CONSTANT text := '[+-]?(0|[1-9][0-9]*)';
  day CONSTANT text := '([0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4})';
  no_dots CONSTANT text := '^[^.]{0,10}([ T]|$)';
  clock CONSTANT text := '[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?';
  day_first CONSTANT text := 'regexp_replace(%I, ''^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})'', ''\3-\2-\1'')';
  candidate record;
  filled boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM csv_text WHERE %I IS NOT NULL)', col) INTO filled;
  FOR candidate IN
    SELECT * FROM (VALUES
      ('integer', '^\s*' || whole || '\s*$', '%I::integer', true, NULL),
      ('bigint', '^\s*' || whole || '\s*$', '%I::bigint', true, NULL),
      ('numeric', '^\s*(' || whole || '([.][0-9]*)?|[+-]?[.][0-9]+)([eE][+-]?[0-9]+)?\s*$', '%I::numeric', false, NULL),
      ('numeric', CASE WHEN separator <> ',' THEN '^\s*(' || whole || '(,[0-9]*)?|[+-]?,[0-9]+)\s*$' END,
       'translate(%I, '','', ''.'')::numeric', false, NULL),
      -- Nobody writes month.day.year with dots.
      ('date', '^' || day || '$', '%I::date', false, no_dots),
      ('date', '^' || day || '$', day_first || '::date', false, NULL),
      ('timestamp', '^' || day || '(' || clock || ')?$', '%I::timestamp', false, no_dots),
      ('timestamp', '^' || day || '(' || clock || ')?$', day_first || '::timestamp', false, NULL))
      AS candidates (type, pattern, expression, is_written_one_way, also)
    WHERE filled AND pattern IS NOT NULL
  LOOP
    CONTINUE WHEN NOT pg_temp.matches_all('csv_sample', col, candidate.pattern);
    IF candidate.is_written_one_way AND pg_temp.writes_all(col, candidate.type)
       OR pg_temp.matches_all('csv_text', col, candidate.pattern)
         AND (candidate.also IS NULL OR pg_temp.matches_all('csv_text', col, candidate.also))
         AND pg_temp.takes_all(format(candidate.expression, col)) THEN
      type := candidate.type;
      expression := format(candidate.expression, col);
      RETURN;
    END IF;
  END LOOP;
  type := 'text';
  expression := format('%I', col);
END
$$;

SELECT format('CREATE TABLE %I AS SELECT %s FROM csv_text', :'table',
  string_agg(format('%s AS %I', r.expression, a.attname), ', ' ORDER BY a.attnum))
FROM pg_attribute AS a, LATERAL pg_temp.reading(a.attname, :'separator') AS r
WHERE a.attrelid = 'csv_text'::regclass AND a.attnum > 0 \gexec
DROP TABLE csv_text, csv_sample;
