
-- ---- Replay: the disclosure to an adversary who knows the code ----------------------------------

CREATE FUNCTION anon_replay(
  tbl regclass,
  qi text[],
  k int,
  method text DEFAULT 'microaggregate',
  sensitive text[] DEFAULT '{}',
  params jsonb DEFAULT '{}',
  classes int DEFAULT 8,
  arrangements int DEFAULT 16,
  seed bigint DEFAULT 0,
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  q float8 DEFAULT NULL,
  r float8 DEFAULT NULL,
  variance_of text DEFAULT NULL,
  n int DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  max_suppression float8 DEFAULT NULL)
RETURNS TABLE (
  attack int, persons int, tried int, consistent int,
  belief_before float8, belief_after float8, open int, determined int)
AS 'MODULE_PATHNAME', 'anon_replay'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000000 ROWS 8;

COMMENT ON FUNCTION anon_replay(regclass, text[], int, text, text[], jsonb, int, int, bigint, float8,
  float8[], int, int, float8, float8, float8, float8, float8, float8, text, int, jsonb, text[], text[],
  jsonb, float8) IS
'Attacks the release of anon_publish with these arguments, as an adversary who knows the code, all '
'quasi-identifiers and all sensitive values outside one class (Wong, Fu, Wang, Pei 2007). One row for each of'
' some classes with several values, drawn by seed: its persons; arrangements of their values tried, and those'
' consistent with the release; the mean probability of the true value by the frequencies in the class '
'(belief_before) and by the consistent arrangements (belief_after); persons whose value the frequencies leave'
' open, and those of them that the replay determines. If a class has more arrangements than are tried, both '
'are estimates.';
