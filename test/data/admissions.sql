-- admissions(persons, shape): fictional hospital visits, several rows per patient, computed by
-- hashes, so that patients are reproducible. A patient keeps sex and zip; age and date advance, and
-- diagnoses recur. Visits per patient: '1', '2', '5', or 'heavy', a Pareto tail of exponent 1.5 cut
-- at 200: most patients come once, a few very often.

CREATE FUNCTION admissions_hash(seed text) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((hashtextextended(seed, 42) >> 11) & 4503599627370495) / 4503599627370496.0
$$;

CREATE FUNCTION admissions(persons int, shape text)
RETURNS TABLE (patient_id int, visit int, age int, sex text, zip int, admitted date, diagnosis text, cost int)
LANGUAGE sql STABLE AS $$
  SELECT p, v,
    (90 * (admissions_hash('a' || p) + admissions_hash('b' || p)) / 2)::int + v / 4,
    CASE WHEN admissions_hash('s' || p) < 0.52 THEN 'f' ELSE 'm' END,
    10000 + 50 * (40 * admissions_hash('z' || p) ^ 2)::int,
    date '2024-01-01' + (330 * admissions_hash('d' || p))::int + 7 * v,
    (ARRAY['asthma', 'bronchitis', 'cancer', 'diabetes', 'flu', 'fracture', 'heart failure', 'stroke'])
      [1 + (8 * admissions_hash(CASE WHEN admissions_hash('r' || p || '.' || v) < 0.5 THEN 'c' || p
                                     ELSE 'c' || p || '.' || v END))::int % 8],
    (200 * exp(3 * admissions_hash('e' || p || '.' || v)))::int
  FROM generate_series(1, persons) AS p,
    generate_series(1, CASE shape
      WHEN 'heavy' THEN least(200, floor(power(1 - admissions_hash('n' || p), -1 / 1.5)))::int
      ELSE shape::int END) AS v
$$;
