-- A table of the shape of census.csv, a file of the literature: 1,080 records of 13 skewed numbers, some of which depend on
-- each other. FEDTAX has 1,080 distinct values, FICA has 375. No random generator is used, so that it is equal everywhere.
CREATE TEMP TABLE generated_census AS
WITH draws AS (
  SELECT i, ARRAY(SELECT (i * (7919 + 104729 * j) % 100003 + 0.5) / 100003 FROM generate_series(1, 12) AS j) AS u
  FROM generate_series(1, 1080) AS i)
SELECT round(-20000 * ln(u[1]))::int AS "TAXINC", round(-9000 * ln((u[1] + u[2]) / 2))::int AS "POTHVAL",
  (row_number() OVER (ORDER BY u[1] + u[3], i))::int AS "FEDTAX", (row_number() OVER (ORDER BY u[1] + u[4], i) * 375 / 1081)::int AS "FICA",
  round(-30000 * ln(u[5]))::int AS "AFNLWGT", round(-20000 * ln((2 * u[1] + u[6]) / 3))::int AS "AGI",
  round(-4000 * ln(u[7]))::int AS "EMCONTRB", round(-25000 * ln((u[1] + u[7]) / 2))::int AS "ERNVAL",
  round(-5000 * ln(u[8]))::int AS "INTVAL", round(-28000 * ln((u[1] + u[8]) / 2))::int AS "PEARNVAL",
  round(-26000 * ln((3 * u[1] + u[9]) / 4))::int AS "PTOTVAL", round(-1500 * ln(u[10]))::int AS "STATETAX",
  round(-24000 * ln((u[9] + u[11]) / 2))::int AS "WSALVAL"
FROM draws;
