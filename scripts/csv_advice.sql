-- Advice for a steward about the columns of the table :"table" before they get roles, one line each. It covers texts
-- that look like nulls, texts that are intervals with an order, and columns that identify.

CREATE FUNCTION pg_temp.counted(source text, condition text, col text, OUT filled bigint, OUT matching bigint)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT count(value), count(*) FILTER (WHERE %s) FROM (SELECT %I FROM %s) AS listed(value)',
    condition, col, source) INTO filled, matching;
END
$$;

-- True if no two values are equal, as the first rows tell, and then all.
CREATE FUNCTION pg_temp.is_unique(relation text, col text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  few bigint;
  answer boolean;
BEGIN
  EXECUTE format('SELECT count(%1$I), count(%1$I) >= 20 AND count(DISTINCT %1$I) = count(%1$I)
    FROM (SELECT * FROM %2$I LIMIT 5000) AS first', col, relation) INTO few, answer;
  IF answer AND few = 5000 THEN
    EXECUTE format('SELECT count(DISTINCT %1$I) = count(%1$I) FROM %2$I', col, relation) INTO answer;
  END IF;
  RETURN answer;
END
$$;

-- By row whose text is not unknown: whether it is a number.
CREATE FUNCTION pg_temp.are_numbers(relation text, col text, unknown text, number text) RETURNS SETOF boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT value ~ %L FROM (SELECT %I FROM %I) AS listed(value) WHERE NOT %s',
    '^\s*' || number || '\s*$', col, relation, unknown);
END
$$;

CREATE FUNCTION pg_temp.advice(relation text, col text, type regtype) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  unknown CONSTANT text := 'btrim(value) IN ('''', ''?'', ''-'', ''.'', ''NA'', ''N/A'', ''n/a'', ''NULL'', ''null'', ''None'', ''unknown'', ''Unknown'')';
  number CONSTANT text := '-?[0-9]+(?:[.][0-9]+)?';
  -- From one number to a larger one, in any brackets; or from or up to one.
  bounds CONSTANT text := 'regexp_match(value, ''^\s*[\[(]?\s*(' || number || ')\s*(?:-|–|,|to)\s*(' || number || ')\s*[\])]?\s*$'')';
  open_end CONSTANT text := 'value ~ ''^\s*([<>]=?\s*' || number || '|' || number || '\s*[+])\s*$''';
  rows text := quote_ident(relation);
  n record;
  others_are_numbers boolean;
BEGIN
  IF type = 'text'::regtype THEN
    SELECT * INTO n FROM pg_temp.counted(rows, unknown, col);
    IF n.matching > 0 THEN
      SELECT count(*) FILTER (WHERE NOT coalesce(is_number, true)) = 0 INTO STRICT others_are_numbers
      FROM pg_temp.are_numbers(relation, col, unknown, number) AS listed(is_number);
      RETURN NEXT format('"%s": %s of its texts look like nulls (''?'', blanks or the like); %s', col, n.matching,
        CASE WHEN others_are_numbers THEN 'empty these fields, and it loads as numbers with nulls (docs/guide/nulls.md)'
        ELSE 'they count as one category more, as nulls would' END);
    END IF;
    SELECT * INTO n FROM pg_temp.counted(format('(SELECT DISTINCT %I FROM %s LIMIT 1000) AS few', col, rows),
      format('coalesce((%s)[1]::numeric < (%1$s)[2]::numeric, false) OR %s', bounds, open_end), col);
    IF n.matching >= 2 AND n.matching >= 0.9 * n.filled THEN
      RETURN NEXT format('"%s": its texts are intervals, which have an order; say so with ordered => ''{%s}''', col, quote_ident(col));
    END IF;
  END IF;
  IF type IN ('text', 'integer', 'bigint') AND pg_temp.is_unique(relation, col) THEN
    RETURN NEXT format('"%s": unique to every row, as identifiers are; leave it out', col);
  END IF;
END
$$;

SELECT advice
FROM pg_attribute AS a, LATERAL pg_temp.advice(:'table', a.attname, a.atttypid) WITH ORDINALITY AS given(advice, place)
WHERE a.attrelid = format('%I', :'table')::regclass AND a.attnum > 0
ORDER BY a.attnum, given.place;
