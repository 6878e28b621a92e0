-- A table of people who arrive, leave and change, night by night, and the judge's input for a
-- release of it. Variables: rows, seed, source (a table with columns age, education, hours, weight
-- and job, or '' for a generated one).
SELECT pg_catalog.setseed(:seed / 1000.0) AS ignored \gset
CREATE TABLE pool (id int PRIMARY KEY, age int, education int, hours int, fnlwgt int, job text);
INSERT INTO pool
  SELECT i, 17 + (60 * random() * random())::int, 4 + (6 * random() + 6 * random())::int,
    20 + (20 * random() + 20 * random())::int, (1000 * exp(6 * random()))::int,
    'job ' || (14 * random() * sqrt(random()))::int
  FROM generate_series(1, 3 * :rows) AS i;
-- The person of a row, for releases with a unit: ten rows a person or so.
ALTER TABLE pool ADD patient text;
UPDATE pool SET patient = 'p' || id % (1 + :rows / 10);
CREATE TABLE people AS SELECT * FROM pool WHERE id <= :rows;
ALTER TABLE people ADD PRIMARY KEY (id);

-- The judge's input. Quasi-identifiers are those of the night.
CREATE TABLE shown (version int, person text, cells text, value text, age text, education text,
  hours text, fnlwgt text);
CREATE INDEX ON shown (person);

-- One per cent leaves and one per cent arrives, a tenth of it people who were there before. A
-- quarter per cent changes a quasi-identifier, and a quarter per cent gets somebody else's job.
CREATE FUNCTION night(share float8 DEFAULT 0.01, updates float8 DEFAULT 0.0025) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n int := (SELECT count(*) FROM people);
  moves int := ceil(share * n);
  changes int := ceil(updates * n);
BEGIN
  DELETE FROM people WHERE id IN (SELECT id FROM people ORDER BY random() LIMIT moves);
  INSERT INTO people SELECT * FROM pool AS p
    WHERE NOT EXISTS (SELECT FROM people WHERE people.id = p.id)
    ORDER BY EXISTS (SELECT FROM shown WHERE person = p.id::text) AND random() > 0.1, random()
    LIMIT moves;
  UPDATE people SET age = age + 1
    WHERE id IN (SELECT id FROM people ORDER BY random() LIMIT changes);
  UPDATE people SET job = other.job
    FROM (SELECT id, row_number() OVER () AS place FROM (SELECT id FROM people ORDER BY random() LIMIT changes) AS p) AS one
    JOIN (SELECT job, row_number() OVER () AS place FROM (SELECT job FROM pool ORDER BY random() LIMIT changes) AS p) AS other
      USING (place)
    WHERE people.id = one.id;
END $$;

-- The secret and the version in the state of a release: see src/pg/over_time/state_bytes.hpp.
CREATE FUNCTION state_of(release text, OUT secret bytea, OUT version int) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT substr(bytes, 5, 32), get_byte(bytes, 36) + 256 * get_byte(bytes, 37) FROM %I WHERE item = ''state''',
    release || '_companion') INTO secret, version;
END $$;

-- The places of release NAME, linked to people by the secret. A value that is withheld may be any, so each is
-- another one to the judge. Two mutants: 'absence' removes people
-- who left, 'mean' publishes another mean as soon as a person has left. 'units' shows the
-- person of each row.
CREATE FUNCTION show_places(release text, mutant text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($show$
    INSERT INTO shown
    SELECT s.version, concat_ws('/', CASE WHEN %2$L = 'units' THEN who.patient END, who.id),
      concat_ws(' ', p.age, p.education, p.hours, p.fnlwgt,
        CASE WHEN %2$L = 'mean' THEN md5(string_agg(now.id::text, ' ') OVER class) END),
      coalesce(p.job, 'withheld from ' || who.id), now.age::text, now.education::text, now.hours::text, now.fnlwgt::text
    FROM %1$I AS p CROSS JOIN state_of(%3$L) AS s
    JOIN pool AS who ON p.anon_person = sha256(s.secret || convert_to(who.id::text, 'UTF8') || '\x00'
      || CASE WHEN %2$L = 'units' THEN convert_to(who.patient, 'UTF8') || '\x00' ELSE '' END)
    LEFT JOIN people AS now ON now.id = who.id
    WHERE p.anon_until IS NULL AND (%2$L IN ('', 'units') OR now.id IS NOT NULL)
    WINDOW class AS (PARTITION BY p.anon_class ORDER BY now.id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    $show$, release || '_places', mutant, release);
END $$;

-- The rows of a release without a key, which keeps the person for the judge's eyes alone.
CREATE FUNCTION show_rows(release text, version int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($show$
    INSERT INTO shown
    SELECT %2$s, p.id::text, concat_ws(' ', p.age, p.education, p.hours, p.fnlwgt), p.job,
      now.age::text, now.education::text, now.hours::text, now.fnlwgt::text
    FROM %1$I AS p JOIN people AS now USING (id) $show$, release, version);
END $$;
