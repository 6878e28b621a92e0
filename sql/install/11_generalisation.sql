
-- ---- Look: full-domain generalisation
-- -------------------------------------------------------------
--
-- Rows as of the other methods; masked holds labels of the columns' hierarchies. In a suppressed
-- record class_id, class_size and masked are null. hierarchies is an object of columns and
-- hierarchies. A category without one is published or suppressed; any other column must have one.

CREATE FUNCTION anon_incognito(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  keep text[] DEFAULT '{}',
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  metric text DEFAULT 'ncp',
  local_suppression boolean DEFAULT false,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_incognito'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_incognito(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text, boolean, text[], text[], text[], jsonb, jsonb) IS
'Full-domain generalisation of least loss by Incognito (LeFevre, DeWitt, Ramakrishnan 2005): of all '
'combinations of levels, one for each quasi-identifier, that keep k and every model that is given, the '
'one of the least metric (prec, ncp, dm, avg or entropy). max_suppression is the largest share of the '
'records, 0 to 1, that may be suppressed for it; null: none. local_suppression publishes records with '
'single cells suppressed where that costs less. Raises an error for a number without a hierarchy, a value'
' without a leaf, more than 10,000,000 combinations of levels, or if no combination will do. '
'With unit k, p and l count persons; other models are refused.';

CREATE FUNCTION anon_mingen(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  keep text[] DEFAULT '{}',
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  metric text DEFAULT 'ncp',
  local_suppression boolean DEFAULT false,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mingen'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mingen(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text, boolean, text[], text[], text[], jsonb, jsonb) IS
'Full-domain generalisation by MinGen (Sweeney 2002): looks at every combination of levels. The answer is'
' that of anon_incognito, which is to be preferred. Raises an error for more than 100,000 combinations, '
'and as anon_incognito. '
'With unit k, p and l count persons; other models are refused.';

CREATE FUNCTION anon_datafly(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  keep text[] DEFAULT '{}',
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  local_suppression boolean DEFAULT false,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_datafly'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_datafly(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, boolean, text[], text[], text[], jsonb, jsonb) IS
'Full-domain generalisation by Datafly (Sweeney 2002): the quasi-identifier of the most distinct values '
'is generalised by a level, until all but so few records are in classes that keep k and every model that '
'is given; these are suppressed. max_suppression is their largest share; null: k records, as published. '
'Greedy: others lose less. Raises errors as anon_incognito. '
'With unit k, p and l count persons; other models are refused.';

CREATE FUNCTION anon_argus(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  keep text[] DEFAULT '{}',
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  identifying text[] DEFAULT NULL,
  complete boolean DEFAULT true,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_argus'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_argus(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text[], boolean, text[], text[], text[], jsonb, jsonb) IS
'Generalisation by mu-Argus (Hundepool and Willenborg 1996; Sweeney 2002): every quasi-identifier is '
'generalised until each of its values has k records; combinations of 2 and 3 values that fewer have lose '
'cells. identifying says of each quasi-identifier whether it is identifying, more or most: combinations '
'of different ones are tested, all if it is null. With max_suppression columns are generalised further '
'while more than that share of the records would lose cells. complete suppresses cells and then records '
'until k and every model that is given hold; without it the result is as published, the smallest class '
'tells the k that was reached, no model can be given, and anon_publish refuses it. Raises errors as '
'anon_incognito. '
'With unit k, p and l count persons; other models are refused.';

CREATE FUNCTION anon_topdown(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  keep text[] DEFAULT '{}',
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  target text DEFAULT NULL,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_topdown'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_topdown(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text, text[], text[], text[], jsonb, jsonb) IS
'Generalisation by top-down specialisation (Fung, Wang, Yu 2005): all values start suppressed; the value '
'whose children say most for the anonymity that they cost is replaced by them, as long as k and every '
'model that is given hold, and no more than max_suppression of the records are suppressed. target is a '
'column of class labels that a classifier is to learn: only what tells it is specialised. Raises errors '
'as anon_incognito. '
'With unit k, p and l count persons; other models are refused.';


-- ---- The lattice of generalisations ---------------------------------------------------------------

CREATE FUNCTION anon_lattice(
  tbl regclass,
  qi text[],
  hierarchies jsonb,
  k int,
  sensitive text[] DEFAULT '{}',
  t float8 DEFAULT NULL,
  t_each float8[] DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  frontier boolean DEFAULT true,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL)
RETURNS TABLE (
  levels int[], minimal boolean, feasible boolean, k_reached bigint, suppressed bigint, classes bigint,
  prec float8, dm float8, ncp float8, avg float8, entropy float8)
AS 'MODULE_PATHNAME', 'anon_lattice'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000;

COMMENT ON FUNCTION anon_lattice(regclass, text[], jsonb, int, text[], float8, float8[], int, int, float8,
  float8, float8, float8, float8, boolean, text[], text[], text[], jsonb) IS
'The combinations of levels, one for each quasi-identifier, that full-domain generalisation chooses from:'
' the minimal ones (they keep what is asked, none below does), or with frontier false all, up to 100,000.'
' k_reached is the smallest class before anything is suppressed, suppressed are the records of classes '
'that break a promise, feasible says whether no more than max_suppression are. The metrics are those of '
'what is published, ncp and entropy in percent; avg counts all records. Raises errors as anon_incognito. '
'With unit smallest and feasible count persons.';
