-- Fictional hospital discharges: the sample data of the demo, the tests and the benchmarks.
--
--   CALL hospital_table('discharges', rows => 5000, seed => 1);     -- makes a table
--   SELECT * FROM hospital_discharges(rows => 5000, seed => 1);     -- its rows
--
-- Correlations resemble real ones. Age and sex decide the diagnosis and the weight. The diagnosis and age decide the
-- stay and the charge. The postal code raises or lowers the charge. A few postal codes, sexes and diagnoses are null;
-- a few weights are in pounds; a few charges are enormous.
--
-- Equal rows and seed give equal tables on every machine. All randomness is a hash of (row, purpose, seed). The
-- arithmetic is + - * / only, which IEEE 754 defines to the last bit. A larger table with an equal seed begins with
-- the rows of the smaller one.

-- A uniform number in [0, 1), a multiple of 2^-53: one for each row, purpose and seed.
CREATE FUNCTION hospital_uniform(id bigint, purpose int, seed bigint) RETURNS float8
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ((hashint8extended(id, seed * 1000 + purpose) >> 11) & 9007199254740991)::float8
         / 9007199254740992.0
$$;

-- A number of mean 0 and variance 1 that looks normal: the sum of six uniform ones.
CREATE FUNCTION hospital_normal(id bigint, purpose int, seed bigint) RETURNS float8
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (hospital_uniform(id, purpose, seed) + hospital_uniform(id, purpose + 1, seed)
        + hospital_uniform(id, purpose + 2, seed) + hospital_uniform(id, purpose + 3, seed)
        + hospital_uniform(id, purpose + 4, seed) + hospital_uniform(id, purpose + 5, seed) - 3.0)
        * 1.41421356237
$$;

-- The share of each diagnosis (ICD-10) within a group of age and sex, as a band of [0, 1), with its
-- usual days of stay and its charge.
CREATE VIEW hospital_diagnosis AS
WITH catalogue (code, birth, child, young, middle, old, for_sex, days, charge) AS (VALUES
  ('Z38.0', 84, 0, 0, 0, 0, NULL, 2.0, 3200), ('P07.3', 16, 0, 0, 0, 0, NULL, 18.0, 41000),
  ('J21.9', 0, 16, 0, 0, 0, NULL, 2.5, 6100), ('J45.9', 0, 12, 5, 3, 2, NULL, 2.2, 7400),
  ('K35.8', 0, 12, 8, 4, 1, NULL, 2.1, 14800), ('S06.0', 0, 9, 5, 2, 4, NULL, 1.6, 9900),
  ('G40.9', 0, 6, 4, 3, 2, NULL, 3.1, 11200), ('O80', 0, 0, 38, 0, 0, 'F', 1.9, 9100),
  ('O82', 0, 0, 17, 0, 0, 'F', 3.2, 15700), ('F32.2', 0, 2, 12, 8, 3, NULL, 7.4, 12300),
  ('F10.2', 0, 0, 9, 8, 2, NULL, 5.2, 9600), ('T40.2', 0, 0, 6, 3, 0, NULL, 2.4, 10900),
  ('K80.2', 0, 0, 8, 9, 4, NULL, 2.3, 16900), ('E11.9', 0, 1, 4, 9, 8, NULL, 3.6, 8800),
  ('B20', 0, 0, 2, 2, 0, NULL, 6.8, 18100), ('I21.4', 0, 0, 1, 11, 13, NULL, 4.4, 31500),
  ('I50.9', 0, 0, 0, 7, 21, NULL, 5.1, 15300), ('I63.9', 0, 0, 0, 6, 13, NULL, 5.6, 21800),
  ('J44.1', 0, 0, 0, 8, 12, NULL, 4.3, 11700), ('J18.9', 0, 6, 3, 6, 14, NULL, 4.6, 12600),
  ('A41.9', 0, 2, 2, 6, 12, NULL, 7.2, 28400), ('N39.0', 0, 2, 3, 3, 9, NULL, 3.7, 8300),
  ('C34.9', 0, 0, 0, 6, 6, NULL, 7.8, 33900), ('C50.9', 0, 0, 1, 6, 5, 'F', 3.3, 22700),
  ('C61', 0, 0, 0, 5, 6, 'M', 2.6, 20400), ('M17.1', 0, 0, 0, 10, 9, NULL, 2.7, 29800),
  ('S72.0', 0, 0, 0, 2, 14, NULL, 6.1, 26700)),
shares AS (
  SELECT code, patients.sex, share.age_group, share.weight, days, charge
  FROM catalogue, (VALUES ('F'), ('M')) AS patients (sex),
       LATERAL (VALUES (0, birth), (1, child), (2, young), (3, middle), (4, old))
         AS share (age_group, weight)
  WHERE share.weight > 0 AND coalesce(for_sex = patients.sex, true))
SELECT code, sex, age_group, days::float8, charge::float8,
       (sum(weight) OVER before - weight)::float8 / sum(weight) OVER everyone AS from_share,
       sum(weight) OVER before::float8 / sum(weight) OVER everyone AS to_share
FROM shares
WINDOW before AS (PARTITION BY sex, age_group ORDER BY code COLLATE "C"
                  ROWS UNBOUNDED PRECEDING),
       everyone AS (PARTITION BY sex, age_group);

CREATE FUNCTION hospital_discharges(rows int DEFAULT 5000, seed bigint DEFAULT 1)
RETURNS TABLE (name text, ssn text, birth_date date, admitted timestamp, discharged timestamp,
               postal_code text, sex text, weight numeric(5,1), diagnosis text,
               charge numeric(10,2))
LANGUAGE sql STABLE STRICT AS $$
WITH
-- Age in years: births, childhood, and an adult life whose second half fills most beds.
person AS (
  SELECT id,
    CASE WHEN hospital_uniform(id, 1, seed) < 0.52 THEN 'F' ELSE 'M' END AS sex,
    CASE WHEN hospital_uniform(id, 2, seed) < 0.05 THEN 0
         WHEN hospital_uniform(id, 2, seed) < 0.12 THEN hospital_uniform(id, 3, seed) * 18
         WHEN hospital_uniform(id, 2, seed) < 0.42 THEN 18 + hospital_uniform(id, 3, seed) * 32
         ELSE greatest(50, least(101, 71 + 12 * hospital_normal(id, 4, seed))) END AS age,
    timestamp '2023-01-01' + interval '1 minute'
      * floor(525600 * hospital_uniform(id, 10, seed)) AS admitted,
    -- Half of the patients live in a third of the districts.
    floor(60 * hospital_uniform(id, 11, seed)
             * (0.5 + 0.5 * hospital_uniform(id, 12, seed)))::int AS district
  FROM generate_series(1, rows::bigint) AS id),
patient AS (
  SELECT person.*,
    CASE WHEN age = 0 THEN 0 WHEN age < 18 THEN 1 WHEN age < 50 THEN 2 WHEN age < 68 THEN 3
         ELSE 4 END AS age_group,
    CASE WHEN age < 1 THEN 3.4 + 6.2 * age + 0.5 * hospital_normal(id, 13, seed)
         WHEN age < 18 THEN (6.5 + 3.0 * age) * (1 + 0.14 * hospital_normal(id, 13, seed))
         ELSE CASE sex WHEN 'F' THEN 71 ELSE 84 END
              + 14 * hospital_normal(id, 13, seed) - 0.35 * greatest(0, age - 65) END AS weight
  FROM person),
stay AS (
  SELECT patient.*, d.code, d.charge,
    -- A long tail: a few patients stay several times as long as usual.
    d.days * (0.50 + 0.18 / (1.03 - hospital_uniform(id, 21, seed)))
           * (0.75 + age / 140) AS days
  FROM patient
  JOIN hospital_diagnosis d ON d.sex = patient.sex AND d.age_group = patient.age_group
   AND hospital_uniform(id, 20, seed) >= d.from_share
   AND hospital_uniform(id, 20, seed) < d.to_share)
SELECT
  (CASE sex WHEN 'F'
   THEN '{Ada,Alma,Anna,Bella,Carla,Clara,Dora,Edith,Elena,Emma,Fay,Grace,Hanna,Ida,Irene,Julia,
          Karen,Laura,Lena,Maria,Mina,Nora,Olga,Paula,Rosa,Ruth,Sara,Tina,Vera,Zoe}'::text[]
   ELSE '{Adam,Albert,Anton,Ben,Carl,Daniel,David,Emil,Erik,Felix,Frank,Georg,Hugo,Ivan,Jack,Jonas,
          Karl,Leo,Luis,Mark,Max,Noah,Oscar,Otto,Paul,Peter,Sam,Theo,Tom,Victor}'::text[] END)
    [1 + floor(30 * hospital_uniform(id, 30, seed))::int] || ' ' ||
  ('{Abbott,Baker,Barnes,Brown,Carter,Cole,Cruz,Diaz,Evans,Fisher,Ford,Garcia,Gray,Green,Hall,
     Harris,Hill,Howard,Hughes,Jones,Kelly,King,Lee,Lewis,Lopez,Martin,Meyer,Miller,Moore,Morgan,
     Nguyen,O''Brien,Ortiz,Parker,Perez,Price,Reed,Reyes,Rivera,Rogers,Ross,Scott,Silva,Smith,
     Stone,Taylor,Turner,Walker,Ward,White,Wilson,Wood,Wright,Young}'::text[])
    [1 + floor(54 * hospital_uniform(id, 31, seed))::int],
  -- Numbers from 900 on are never issued; 48271 and 10^8 are coprime.
  overlay(overlay((900000000 + (id * 48271 + seed * 7919) % 100000000)::text
    PLACING '-' FROM 6 FOR 0) PLACING '-' FROM 4 FOR 0),
  admitted::date - floor(age * 365.2425)::int,
  admitted,
  admitted + interval '1 minute' * floor(1440 * days),
  CASE WHEN hospital_uniform(id, 40, seed) >= 0.006
    THEN lpad((1000 + district * 29)::text, 5, '0') END,
  CASE WHEN hospital_uniform(id, 41, seed) >= 0.003 THEN sex END,
  round((greatest(1.2, weight)
    * CASE WHEN hospital_uniform(id, 42, seed) < 0.002 THEN 2.2046 ELSE 1 END)::numeric, 1),
  CASE WHEN hospital_uniform(id, 43, seed) >= 0.004 THEN code END,
  round((charge * (0.45 + 0.55 * days / 4) * (0.7 + 0.6 * hospital_uniform(id, 50, seed))
    * (1.25 - district / 120.0::float8)
    * CASE WHEN hospital_uniform(id, 51, seed) < 0.001 THEN 12 ELSE 1 END)::numeric, 2)
FROM stay
ORDER BY id
$$;

CREATE PROCEDURE hospital_table(target text, rows int DEFAULT 5000, seed bigint DEFAULT 1)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (name text, ssn text, birth_date date, admitted timestamp, '
    'discharged timestamp, postal_code text, sex text, weight numeric(5,1), diagnosis text, '
    'charge numeric(10,2))', target);
  EXECUTE format('INSERT INTO %I SELECT * FROM hospital_discharges($1, $2)', target) USING rows, seed;
  EXECUTE format('ANALYZE %I', target);
END
$$;
