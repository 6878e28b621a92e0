-- The smallest whole path: a table, its release, the proof, the end.
CREATE TABLE staff (name text, age int, salary numeric(8,2), team text);
INSERT INTO staff VALUES
  ('Ann', 25, 2100.00, 'a'), ('Bob', 27, 2300.50, 'b'), ('Cid', 26, 2200.00, 'a'),
  ('Dot', 44, 4100.00, 'b'), ('Eve', 46, 4300.00, 'b'), ('Fay', 45, 4500.25, 'a'), ('Gus', 47, 4200.00, 'a');

SELECT rows, classes, smallest_class, suppressed
FROM anon_publish('staff_public', 'staff', '{age,salary}', 3, keep => '{team}', method => 'mdav');
SELECT * FROM staff_public ORDER BY age, salary, team;
SELECT model, level FROM anon_audit('staff_public', '{age,salary}');
SELECT anon_assert('staff_public', '{age,salary}', k => 3);
SELECT anon_assert('staff', '{age,salary}', k => 3);

REFRESH MATERIALIZED VIEW staff_public;
SELECT count(*) FROM staff_public;
DROP MATERIALIZED VIEW staff_public;
DROP TABLE staff;
