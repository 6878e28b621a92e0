\echo Use "CREATE EXTENSION anonkit" to load this file. \quit

-- ---- Look: the classes and masked values of a table, without a release --------------------------
--
-- One row per record. source is its tid, null where the relation has none (a view, a foreign table). class_id counts
-- from 1. masked holds the masked quasi-identifiers and the columns in keep.

CREATE FUNCTION anon_microaggregate(
  tbl regclass,
  qi text[],
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
  q float8 DEFAULT NULL,
  r float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  effort text DEFAULT 'fast',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  n int DEFAULT NULL,
  duplicates text DEFAULT 'whole',
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  unit_rows text DEFAULT NULL,
  transparent boolean DEFAULT false,
  decoys float8 DEFAULT NULL,
  max_withheld float8 DEFAULT NULL,
  adapt float8 DEFAULT NULL,
  block_size int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_microaggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_microaggregate(regclass, text[], int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, float8, text, float8[], text, text, text, text, float8, bigint,
  jsonb, jsonb, int, text, text[], text[], text[], jsonb, float8, jsonb, text,
  boolean, float8, float8, float8, int) IS
'Microaggregation of least loss: MDAV (or the optimal classes of a single numeric column), improved by a '
'search over moves, swaps, splits and merges of classes. Every class satisfies every given model, for every '
'sensitive column: t-closeness (t; t_each: one t for each; with n (n,t)-closeness, see anon_tclose), '
'p-sensitivity (p), distinct l-diversity (l; recursive with c), entropy l-diversity (entropy_l), '
'(alpha,k)-anonymity (alpha), (k,e)-anonymity (e, in days for dates, in seconds for timestamps), '
'(k,p,q,r)-anonymity (q, r and p; see anon_kpqr), with protected extended p-sensitivity (see '
'anon_psensitive). effort is fast or thorough. seed changes the search. refine_seconds limits it, and then '
'the result is not reproducible. Without a promise no class divides records that are equal in all '
'quasi-identifiers, unless duplicates is divide. unit names the columns that identify the person of a row; '
'then k and every model count persons, except (n,t)-closeness and (k,p,q,r)-anonymity, which are refused. With '
'unit_rows => ''together'' k persons share each history of classes, and max_suppression is the share of rows '
'that persons with more rows than k others may leave out; otherwise it is the largest share of suppressed '
'outliers. Columns in categories are codes of any type; ordered and orders give labels an order, by their '
'numbers or a list. coarsen rounds and truncates kept numbers. '
'With transparent, classes are formed without regard to which record has which sensitive value. Classes that '
'break a promise withhold their sensitive values (null), and so does a share decoys (0.05) of the others: an '
'adversary who knows the code learns no more than the values of a class. p, l, entropy_l, c, alpha and e can '
'be promised so. An error if more than the share max_withheld (1) of the records would be withheld. With '
'adapt, such as 0.05, the least size of classes is chosen set by set, so that a random part of that size breaks '
'a promise (p, l or alpha) with that probability at most: less is withheld, and more lost. '
'With block_size the records are divided into blocks of about so many neighbours, which are partitioned in '
'threads; a search across the borders follows. Large tables of numbers are divided so without it, unless a '
'promise, a unit, ranges or a thorough search is wanted. The number of threads never changes the result.';

CREATE FUNCTION anon_tclose(
  tbl regclass,
  qi text[],
  sensitive text[],
  k int,
  t float8 DEFAULT NULL,
  algorithm text DEFAULT 't_first',
  keep text[] DEFAULT '{}',
  t_each float8[] DEFAULT NULL,
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  gamma float8 DEFAULT NULL,
  n int DEFAULT NULL,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  block_size int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_tclose'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_tclose(regclass, text[], text[], int, float8, text, text[], float8[], float8[],
  text, text, text, text, float8, bigint, jsonb, float8, int, text[], text[], text[], jsonb, jsonb, int) IS
'k-anonymous t-closeness through microaggregation (Soria-Comas, Domingo-Ferrer, Sanchez, Martinez 2015). '
'algorithm merge, k_first and t_first are its Algorithms 1, 2 and 3 (merge with gamma uses the classes of '
'V-MDAV instead of MDAV); sabre is that of Cao, Karras, Kalnis and Tan (2011); best starts a search from all '
'of them. Distances are ordered for numbers, dates and enums, hierarchical for columns with a hierarchy, and '
'equal for others. t is above 0 and at most 1; t_each gives one for each sensitive column. With n, '
'(n,t)-closeness (Li, Li, Venkatasubramanian 2010): a class is within t of all records, or of those that '
'agree with it in the first one, two, ... columns of qi, if they are at least n. With unit k and t count '
'persons: classes of rows are united until the promises hold; best searches. '
'block_size is as in anon_microaggregate.';

CREATE FUNCTION anon_mondrian(
  tbl regclass,
  qi text[],
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
  q float8 DEFAULT NULL,
  r float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare',
  algorithm text DEFAULT 'strict',
  weights float8[] DEFAULT NULL,
  recode text DEFAULT NULL,
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  n int DEFAULT NULL,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  unit_rows text DEFAULT NULL,
  transparent boolean DEFAULT false,
  decoys float8 DEFAULT NULL,
  max_withheld float8 DEFAULT NULL,
  adapt float8 DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mondrian'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;
COMMENT ON FUNCTION anon_mondrian(regclass, text[], int, text[], text[], float8, float8[], int, int, float8,
  float8, float8, float8, float8, float8, text, text, float8[], text, text, text, float8, bigint, jsonb,
  int, text[], text[], text[], jsonb, float8, jsonb, text,
  boolean, float8, float8, float8) IS
'Generalisation by Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): classes are cut in two at the median of a '
'quasi-identifier, recursively, while every part keeps k and every given model. algorithm strict leaves equal'
' values on one side; relaxed halves; best cuts at the least loss, and then searches for less loss (NCP), '
'thoroughly unless refine is fast. With unit k and every model count persons, see anon_microaggregate. unit_rows as in '
'anon_microaggregate. '
'transparent, decoys, max_withheld and adapt are as in anon_microaggregate.';

CREATE FUNCTION anon_kpqr(
  tbl regclass,
  qi text[],
  sensitive text[],
  k int,
  p int,
  q float8,
  r float8,
  variance_of text DEFAULT 'rare',
  algorithm text DEFAULT 'heuristic',
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_kpqr'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_kpqr(regclass, text[], text[], int, int, float8, float8, text, text, text[],
  float8[], text, text, text, text, float8, bigint, jsonb, text[], text[], text[], jsonb, jsonb) IS
'(k,p,q,r)-anonymity (Domingo-Ferrer, Sebe, Solanas 2008): a class with a sensitive value rarer than the '
'share q has at least p distinct values, and at least r times the variance of the records with rare values '
'(variance_of rare) or of all. algorithm heuristic is the paper''s, from random records (seed); best searches'
' for the least loss. A unit is refused.';

CREATE FUNCTION anon_psensitive(
  tbl regclass,
  qi text[],
  sensitive text[],
  k int,
  p int,
  algorithm text DEFAULT 'auto',
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT NULL,
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_psensitive'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_psensitive(regclass, text[], text[], int, int, text, text[], float8[], text, text,
  text, text, float8, bigint, jsonb, jsonb, text[], text[], text[], jsonb, jsonb) IS
'p-sensitive k-anonymity: every class has at least p distinct values of every sensitive column. algorithm '
'enhanced is EnhancedPKClustering (Truta, Campan, Meyer 2007), greedy GreedyPKClustering (Campan, Truta, '
'Miller, Sinca 2007), auto the better of the two; microaggregation grows classes from random records '
'(Solanas, Sebe, Domingo-Ferrer 2008; seed); best searches for the least loss. Classes are published as '
'ranges, or as labels if quasi-identifiers have hierarchies, unless recode is given. protected names values '
'of sensitive columns, or labels of their hierarchies. Each counts as one value with all values below it: '
'extended p-sensitivity (Campan, Truta 2006). With unit k and p count persons: classes of rows are united '
'until the promises hold; best searches.';

CREATE FUNCTION anon_mdav(
  tbl regclass,
  qi text[],
  k int,
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  duplicates text DEFAULT 'whole',
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  max_suppression float8 DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  unit_rows text DEFAULT NULL,
  sensitive text[] DEFAULT '{}',
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  transparent boolean DEFAULT false,
  decoys float8 DEFAULT NULL,
  max_withheld float8 DEFAULT NULL,
  adapt float8 DEFAULT NULL,
  block_size int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mdav(regclass, text[], int, text[], float8[], text, text, text, text, float8,
  bigint, jsonb, text, text[], text[], text[], jsonb, float8, jsonb, text,
  text[], int, int, float8, float8, float8, float8, boolean, float8, float8, float8, int) IS
'Microaggregation by MDAV (Domingo-Ferrer and Torra 2005): classes of k to 2k-1 records with one masked value'
' in every quasi-identifier. refine: none, fast or thorough search for less loss. No class divides records '
'that are equal in all quasi-identifiers, so classes of many equal records are larger. duplicates divide '
'makes the paper''s classes, with equal records ordered by a hash keyed by seed. unit names the columns that '
'identify the person of a row: classes have k different persons, and skip further rows of their persons. unit_rows as in '
'anon_microaggregate. '
'With transparent, classes that break a promise (p, l, entropy_l, c, alpha or e) withhold their sensitive '
'values, see anon_microaggregate. '
'block_size is as in anon_microaggregate: then the classes are not exactly those of MDAV.';

CREATE FUNCTION anon_vmdav(
  tbl regclass,
  qi text[],
  k int,
  gamma float8 DEFAULT 0.2,
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  hierarchies jsonb DEFAULT NULL,
  duplicates text DEFAULT 'whole',
  unit text[] DEFAULT NULL,
  categories text[] DEFAULT NULL,
  ordered text[] DEFAULT NULL,
  orders jsonb DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  sensitive text[] DEFAULT '{}',
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  transparent boolean DEFAULT false,
  decoys float8 DEFAULT NULL,
  max_withheld float8 DEFAULT NULL,
  adapt float8 DEFAULT NULL,
  block_size int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_vmdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_vmdav(regclass, text[], int, float8, text[], float8[], text, text, text, text,
  float8, bigint, jsonb, text, text[], text[], text[], jsonb, jsonb,
  text[], int, int, float8, float8, float8, float8, boolean, float8, float8, float8, int) IS
'Microaggregation by V-MDAV (Solanas and Martinez-Balleste 2006): like MDAV, but a class takes a near record,'
' up to 2k-1 in all, if it is nearer to the class than gamma times its distance to the others. With unit, '
'classes of k different persons, as in anon_mdav. '
'Promises and transparent are as in anon_mdav. '
'block_size is as in anon_mdav.';

CREATE FUNCTION anon_univariate(
  tbl regclass,
  qi text[],
  k int,
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  refine text DEFAULT 'none',
  nulls text DEFAULT 'error',
  refine_seconds float8 DEFAULT 0,
  seed bigint DEFAULT 0,
  duplicates text DEFAULT 'whole',
  unit text[] DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_univariate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_univariate(regclass, text[], int, text[], float8[], text, text, text, text, float8,
  bigint, text, text[], jsonb) IS
'Optimal microaggregation of one numeric quasi-identifier (Hansen and Mukherjee 2003): no partition into '
'classes of at least k records has a lower SSE. '
'A unit is refused: the classes are optimal for rows.';

CREATE FUNCTION anon_aggregate(
  tbl regclass,
  qi text[],
  k int,
  functions text[] DEFAULT '{sum}',
  d float8 DEFAULT 0,
  guarantee text DEFAULT 'candidates',
  algorithm text DEFAULT 'optimal',
  weights float8[] DEFAULT NULL,
  domain text DEFAULT 'attribute',
  sensitive text[] DEFAULT '{}',
  p int DEFAULT NULL,
  keep text[] DEFAULT '{}',
  unit text[] DEFAULT NULL,
  coarsen jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_aggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_aggregate(regclass, text[], int, text[], float8, text, text, float8[], text,
  text[], int, text[], text[], jsonb) IS
'k^f- and k^(f,d)-anonymity against attackers who know an aggregate of a record (Gkountouna, Lepenioti, '
'Terrovitis 2013). functions are sum, avg, min, max and weighted_sum (with weights); d is the relative error '
'of the attackers'' knowledge. guarantee candidates: the known value matches at least k published records; '
'identical: at least k published records have one interval of it. algorithm greedy is the paper''s Algorithm '
'1; optimal loses least among all runs in the order of the aggregate; best also tries classes of any records.'
' domain common measures all columns by one range. Numbers are published as ranges, [v,v] for a value that '
'was not generalised. A unit is refused: rows are counted.';

-- ---- Look: full-domain generalisation -----------------------------------------------------------
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
'Full-domain generalisation of least loss by Incognito (LeFevre, DeWitt, Ramakrishnan 2005): among all '
'combinations of levels, one for each quasi-identifier, that keep k and every given model, the one of the '
'least metric (prec, ncp, dm, avg or entropy). max_suppression is the largest share of suppressed records, 0 '
'to 1; null: none. local_suppression publishes records with single cells suppressed where that costs less. '
'Raises an error for a number without a hierarchy, a value without a leaf, more than 10,000,000 combinations '
'of levels, or if no combination is feasible. With unit k, p and l count persons; other models are refused.';

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
'Full-domain generalisation by MinGen (Sweeney 2002): evaluates every combination of levels. The result '
'equals that of anon_incognito, which is faster. Raises an error for more than 100,000 combinations, and like'
' anon_incognito. With unit k, p and l count persons; other models are refused.';

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
'Full-domain generalisation by Datafly (Sweeney 2002): generalises the quasi-identifier with the most '
'distinct values by one level, until few enough records are in classes that break k or a given model. These '
'are suppressed. max_suppression is their largest share; null: k records, as published. Greedy: other methods'
' lose less. Raises errors like anon_incognito. With unit k, p and l count persons; other models are refused.';

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
'generalised until each of its values has k records. Combinations of 2 and 3 values with fewer records lose '
'cells. identifying gives each quasi-identifier a role, identifying, more or most: combinations of different '
'roles are tested, or all if it is null. With max_suppression columns are generalised further while more than'
' that share of the records would lose cells. complete suppresses cells and then records until k and every '
'given model hold. Without it the result is as published: the smallest class shows the k reached, no model '
'can be given, and anon_publish refuses it. Raises errors like anon_incognito. With unit k, p and l count '
'persons; other models are refused.';

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
'Generalisation by top-down specialisation (Fung, Wang, Yu 2005): all values start suppressed. Each step '
'replaces the value with the best ratio of information to lost anonymity by its children, as long as k and '
'every given model hold and at most max_suppression of the records are suppressed. target is a column of '
'class labels for a classifier: only values that help to predict it are specialised. Raises errors like '
'anon_incognito. With unit k, p and l count persons; other models are refused.';


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
'The combinations of levels, one for each quasi-identifier, available to full-domain generalisation: the '
'minimal ones (feasible, and none below is), or with frontier false all, up to 100,000. k_reached is the '
'smallest class before suppression, suppressed counts the records of classes that break a promise, feasible '
'is true if they are at most max_suppression. The metrics are those of the published records, ncp and entropy'
' in percent; avg counts all records. Raises errors like anon_incognito. With unit smallest and feasible '
'count persons.';

-- ---- Window functions: the class of a row within its window partition ---------------------------
--
-- The order of the rows has no effect. The long form takes one scale per quasi-identifier, which divides numbers
-- (null: standardised within the partition). Its argument small is 'error', or 'flag' for class 0 in a partition of
-- fewer than k rows.
--
-- PostgreSQL prints a window function's call without the word VARIADIC, as in a dumped view or in a
-- statement for another server. So each function has a form with an array, too.

CREATE FUNCTION anon_mdav_class(
  k int, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_mdav_class(
  k int, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_mdav_class(int, anycompatiblearray) IS
'anon_mdav_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_mdav_class(
  k int, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_mdav_class(
  k int, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_mdav_class(int, float8[], text, anycompatiblearray) IS
'anon_mdav_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_mdav_class(int, float8[]) IS
'The class of a row, from 1, within its window partition, by MDAV (see anon_mdav).';
COMMENT ON FUNCTION anon_mdav_class(int, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by MDAV (see anon_mdav); with one scale for each '
'quasi-identifier, so that partitions agree (null: each partition is standardised separately). small is '
'error, or flag: class 0 in a partition of fewer than k rows.';

CREATE FUNCTION anon_vmdav_class(
  k int, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_vmdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_vmdav_class(
  k int, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_vmdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_vmdav_class(int, anycompatiblearray) IS
'anon_vmdav_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_vmdav_class(
  k int, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_vmdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_vmdav_class(
  k int, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_vmdav_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_vmdav_class(int, float8[], text, anycompatiblearray) IS
'anon_vmdav_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_vmdav_class(int, float8[]) IS
'The class of a row, from 1, within its window partition, by V-MDAV with gamma 0.2 (see anon_vmdav).';
COMMENT ON FUNCTION anon_vmdav_class(int, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by V-MDAV with gamma 0.2 (see anon_vmdav); with one'
' scale for each quasi-identifier, so that partitions agree (null: each partition is standardised '
'separately). small is error, or flag: class 0 in a partition of fewer than k rows.';

CREATE FUNCTION anon_mondrian_class(
  k int, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mondrian_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_mondrian_class(
  k int, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mondrian_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_mondrian_class(int, anycompatiblearray) IS
'anon_mondrian_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_mondrian_class(
  k int, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mondrian_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_mondrian_class(
  k int, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_mondrian_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_mondrian_class(int, float8[], text, anycompatiblearray) IS
'anon_mondrian_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_mondrian_class(int, float8[]) IS
'The class of a row, from 1, within its window partition, by strict Mondrian (see anon_mondrian).';
COMMENT ON FUNCTION anon_mondrian_class(int, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by strict Mondrian (see anon_mondrian); with one '
'scale for each quasi-identifier, so that partitions agree (null: each partition is standardised separately).'
' small is error, or flag: class 0 in a partition of fewer than k rows.';

CREATE FUNCTION anon_microaggregate_class(
  k int, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_microaggregate_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_microaggregate_class(
  k int, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_microaggregate_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_microaggregate_class(int, anycompatiblearray) IS
'anon_microaggregate_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_microaggregate_class(
  k int, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_microaggregate_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_microaggregate_class(
  k int, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_microaggregate_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_microaggregate_class(int, float8[], text, anycompatiblearray) IS
'anon_microaggregate_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_microaggregate_class(int, float8[]) IS
'The class of a row, from 1, within its window partition, by the default method (see anon_microaggregate).';
COMMENT ON FUNCTION anon_microaggregate_class(int, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by the default method (see anon_microaggregate); '
'with one scale for each quasi-identifier, so that partitions agree (null: each partition is standardised '
'separately). small is error, or flag: class 0 in a partition of fewer than k rows.';

CREATE FUNCTION anon_microaggregate_class(
  k int, l int, t float8, sensitive anyelement, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_diverse_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_microaggregate_class(
  k int, l int, t float8, sensitive anyelement, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_diverse_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_microaggregate_class(int, int, float8, anyelement, anycompatiblearray) IS
'anon_microaggregate_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_microaggregate_class(
  k int, l int, t float8, sensitive anyelement, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_diverse_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_microaggregate_class(
  k int, l int, t float8, sensitive anyelement, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_diverse_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_microaggregate_class(int, int, float8, anyelement, float8[], text, anycompatiblearray) IS
'anon_microaggregate_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_microaggregate_class(int, int, float8, anyelement, float8[]) IS
'The class of a row, from 1, within its window partition, by the default method, l-diverse and t-close in the'
' sensitive value; a null l or t is not promised (see anon_microaggregate).';
COMMENT ON FUNCTION anon_microaggregate_class(int, int, float8, anyelement, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by the default method, l-diverse and t-close in the'
' sensitive value; a null l or t is not promised (see anon_microaggregate); with one scale for each '
'quasi-identifier, so that partitions agree (null: each partition is standardised separately). small is '
'error, or flag: class 0 in a partition of fewer than k rows.';

CREATE FUNCTION anon_tclose_class(
  k int, t float8, sensitive anyelement, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_tclose_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_tclose_class(
  k int, t float8, sensitive anyelement, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_tclose_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_tclose_class(int, float8, anyelement, anycompatiblearray) IS
'anon_tclose_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_tclose_class(
  k int, t float8, sensitive anyelement, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_tclose_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_tclose_class(
  k int, t float8, sensitive anyelement, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_tclose_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_tclose_class(int, float8, anyelement, float8[], text, anycompatiblearray) IS
'anon_tclose_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_tclose_class(int, float8, anyelement, float8[]) IS
'The class of a row, from 1, within its window partition, by Algorithm 3 of t-closeness through '
'microaggregation (see anon_tclose).';
COMMENT ON FUNCTION anon_tclose_class(int, float8, anyelement, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by Algorithm 3 of t-closeness through '
'microaggregation (see anon_tclose); with one scale for each quasi-identifier, so that partitions agree '
'(null: each partition is standardised separately). small is error, or flag: class 0 in a partition of fewer '
'than k rows.';

CREATE FUNCTION anon_psensitive_class(
  k int, p int, sensitive anyelement, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_psensitive_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_psensitive_class(
  k int, p int, sensitive anyelement, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_psensitive_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, anycompatiblearray) IS
'anon_psensitive_class of an array of type float8[]: the form that PostgreSQL prints in views.';

CREATE FUNCTION anon_psensitive_class(
  k int, p int, sensitive anyelement, scales float8[], small text, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_psensitive_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

CREATE FUNCTION anon_psensitive_class(
  k int, p int, sensitive anyelement, scales float8[], small text, qi anycompatiblearray)
RETURNS int
AS 'MODULE_PATHNAME', 'anon_psensitive_class'
LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, float8[], text, anycompatiblearray) IS
'anon_psensitive_class of an array of type float8[]: the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, float8[]) IS
'The class of a row, from 1, within its window partition, by the better p-sensitive clustering (see '
'anon_psensitive).';
COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by the better p-sensitive clustering (see '
'anon_psensitive); with one scale for each quasi-identifier, so that partitions agree (null: each partition '
'is standardised separately). small is error, or flag: class 0 in a partition of fewer than k rows.';

-- ---- Blocks of neighbouring rows ----------------------------------------------------------------
--
-- Cuts of the space are a value, as hierarchies are. Each block is a partition for the window
-- functions, on any number of servers.

CREATE FUNCTION anon_blocks(
  tbl regclass,
  qi text[],
  block_size int DEFAULT 100000,
  sample int DEFAULT 100000,
  seed bigint DEFAULT 0)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_blocks'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_blocks(regclass, text[], int, int, bigint) IS
'Cuts that divide a table into blocks of neighbouring rows, about block_size each, for anon_block. A k-d tree:'
' each cut is at the middle of the column of largest variance. The cuts depend on the values and the seed '
'only, never on the order of the rows: they come from a random sample of the distinct combinations of values,'
' with the exact number of rows of each. Rows with a null or a value that is not finite are left out. Cuts '
'tell where rows are dense, so they are no part of a release.';

CREATE FUNCTION anon_block(cuts jsonb, VARIADIC qi float8[])
RETURNS int
AS 'MODULE_PATHNAME', 'anon_block'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;

COMMENT ON FUNCTION anon_block(jsonb, float8[]) IS
'The block of a row, from 1, by the cuts of anon_blocks. Every row has exactly one, also a row unlike all '
'rows of the sample. Values compare as in ORDER BY: infinities lie at either end, NaN and nulls after all '
'numbers.';

-- ---- Hierarchies: values, or tables of their owners ---------------------------------------------
--
-- A hierarchy is a JSON object in the arguments of a function. These functions build and check one.
-- A steward who wants named hierarchies keeps them in a table; the extension stores none.

CREATE FUNCTION anon_hierarchy_prefix(length int, step int DEFAULT 1, mask text DEFAULT '*')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_prefix'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_prefix(int, int, text) IS
'A hierarchy of texts of at most length characters, such as postal codes: each level masks step more of them,'
' from the end. Shorter texts are padded with the mask; longer ones have no leaf.';

CREATE FUNCTION anon_hierarchy_range(
  widths numeric[],
  origin numeric DEFAULT 0,
  low numeric DEFAULT NULL,
  high numeric DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_range'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_range(numeric[], numeric, numeric, numeric) IS
'A hierarchy of numbers: each level has intervals of one width, one of which begins at origin. Each width is '
'a multiple of the previous one. Numbers below low, or not below high, have no leaf. Published as range '
'values.';

CREATE FUNCTION anon_hierarchy_fanout(low numeric, high numeric, width numeric, fanout int DEFAULT 2)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_fanout'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_fanout(numeric, numeric, numeric, int) IS
'A hierarchy of the numbers from low to below high: intervals of width, then fanout of them together, and so '
'on. Published as range values.';

CREATE FUNCTION anon_hierarchy_date(levels text[] DEFAULT '{month,quarter,year,decade}')
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_date'
LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;

COMMENT ON FUNCTION anon_hierarchy_date(text[]) IS
'A hierarchy of dates and timestamps: levels of day, week, month, quarter, year and decade, in that order. A '
'week can only be the last level, since weeks do not divide the longer units. Timestamps with time zone are '
'in UTC. Published as range values.';

CREATE FUNCTION anon_hierarchy_auto(tbl regclass, column_name text, fanout int DEFAULT 2, levels int DEFAULT 4)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_auto'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_hierarchy_auto(regclass, text, int, int) IS
'A hierarchy from the present values of a column of numbers, dates or timestamps. The lowest level has fanout'
' to the power of levels intervals of similar frequency; each level unites fanout of them. The outermost '
'intervals are open, so other values of the column have a label, too. Its cuts are values of the column, and '
'are published with the spec and the labels of a release. Published as range values.';

CREATE FUNCTION anon_hierarchy_table(tbl regclass, columns text[] DEFAULT NULL)
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_hierarchy_table'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000;

COMMENT ON FUNCTION anon_hierarchy_table(regclass, text[]) IS
'A hierarchy in a table, view or materialized view with a row for each value and a column for each level, the'
' value first; columns names them if not all. Every use reads the table, with the rights of the caller or of '
'the owner of a release. A last level of several labels gets one above it, *. Labels are published as texts; '
'numbers find their row in any spelling.';

-- ---- Labels of values ---------------------------------------------------------------------------

CREATE FUNCTION anon_generalize(value anyelement, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(anyelement, jsonb, int) IS
'The label of a value at a level of a hierarchy: the value itself at 0. Null stays null. A value without a '
'leaf is an error, and so is a level that the hierarchy does not have.';

-- For literals of unknown type.
CREATE FUNCTION anon_generalize(value text, hierarchy jsonb, level int)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_generalize'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_generalize(text, jsonb, int) IS
'The same of a text.';

CREATE FUNCTION anon_hierarchy_labels(hierarchy jsonb, vals anyarray)
RETURNS TABLE (place bigint, labels text[])
AS 'MODULE_PATHNAME', 'anon_hierarchy_labels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 1000;

COMMENT ON FUNCTION anon_hierarchy_labels(jsonb, anyarray) IS
'The labels of each value from level 0, the value itself, to the top. A null and a value without a leaf have '
'no row. Numbers are compared as numbers, other values as text; points in time are in UTC.';

CREATE FUNCTION anon_hierarchy_levels(hierarchy jsonb)
RETURNS TABLE (level int, description text, labels bigint)
AS 'MODULE_PATHNAME', 'anon_hierarchy_levels'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 1000 ROWS 10;

COMMENT ON FUNCTION anon_hierarchy_levels(jsonb) IS
'The levels of a hierarchy, from the values to the top, with the number of labels of each if it is known.';


-- ---- Publish: a release is a materialized view over anon_release ----------------------------------

CREATE FUNCTION anon_release(tbl regclass, spec jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb) IS
'The masked and verified rows of a release; the query behind the materialized views of anon_publish. Raises '
'check_violation if the masked rows break a promise of the spec.';

-- For hierarchies by table: the tables are constants of the query, which depends on them.
CREATE FUNCTION anon_release(tbl regclass, spec jsonb, tables regclass[])
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb, regclass[]) IS
'anon_release for hierarchies in tables: the spec refers to them by their positions in tables.';

CREATE FUNCTION anon_publish(
  release text,
  tbl regclass,
  qi text[],
  k int,
  method text DEFAULT 'microaggregate',
  sensitive text[] DEFAULT '{}',
  keep text[] DEFAULT '{}',
  params jsonb DEFAULT '{}',
  grant_to text[] DEFAULT '{}',
  lower_bound anyelement DEFAULT false,
  unit text[] DEFAULT NULL,
  key text[] DEFAULT NULL,
  max_wait int DEFAULT NULL,
  wait_loss float8 DEFAULT NULL,
  weight boolean DEFAULT NULL,
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
  max_suppression float8 DEFAULT NULL,
  coarsen jsonb DEFAULT NULL,
  transparent boolean DEFAULT NULL)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint, seconds float8)
AS 'MODULE_PATHNAME', 'anon_publish'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_publish(text, regclass, text[], int, text, text[], text[], jsonb, text[],
  anyelement, text[], text[], int, float8, boolean, float8, float8[], int, int, float8, float8, float8,
  float8, float8, float8, text, int, jsonb, text[], text[], jsonb, float8, jsonb,
  boolean) IS
'Creates the materialized view release from the table: masked quasi-identifiers, and the sensitive and kept '
'columns unchanged. Verifies it, grants SELECT to the roles in grant_to, and returns its figures; loss is '
'100*SSE/SST on the standardized columns. Publishes nothing on failure. Promises are named as in the methods '
'(see anon_microaggregate); params is an object of the method''s other arguments. unit names the columns that'
' identify the person of a row; then k and all promises count persons. key names the columns that identify a '
'record over time, and makes a release over time: a view whose versions keep every promise together. Its '
'state is in tables beside it. Newcomers wait until they form a class that loses at most wait_loss (5) times '
'as much as the first version, or until one has waited max_wait (14) refreshes. Column weight is the share of'
' a class that is still in the table. '
'With transparent, sensitive values of classes that break a promise are withheld, see anon_microaggregate: an '
'adversary who knows the code learns nothing more. Other promises on values draw a notice.';

CREATE FUNCTION anon_release_places(release regclass)
RETURNS regclass
AS 'MODULE_PATHNAME', 'anon_release_places'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;

COMMENT ON FUNCTION anon_release_places(regclass) IS
'The table of all places of a release over time; null for any other relation.';

CREATE FUNCTION anon_release_spec(source regclass, spec jsonb, waiting regclass, secret regclass)
RETURNS boolean
AS 'MODULE_PATHNAME', 'anon_release_spec'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

COMMENT ON FUNCTION anon_release_spec(regclass, jsonb, regclass, regclass) IS
'Always true. It is a part of the query of a release over time, and names its source.';

CREATE FUNCTION anon_refresh(release regclass, concurrently boolean DEFAULT false)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint, seconds float8)
AS 'MODULE_PATHNAME', 'anon_refresh'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_refresh(regclass, boolean) IS
'Rebuilds and verifies a release from the present rows of its source. The old release stays if that fails. '
'The new rows are computed, written and verified beside the old ones. Readers wait only while they are exchanged '
'and indexes are rebuilt. With concurrently readers never wait; that requires a unique index on a kept column. For '
'a release with a key, makes the next version, and readers never wait.';

CREATE FUNCTION anon_drop(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_drop'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_drop(regclass) IS
'Drops a release. Refuses any relation that is not one.';

CREATE FUNCTION anon_release_info(release regclass)
RETURNS TABLE (
  source regclass, spec jsonb, built timestamptz, current boolean, changes bigint, rebuilt boolean,
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, suppressed_cells bigint, saved float8, coarsened_cells bigint, reproducible boolean,
  version bigint, waiting bigint, vacant bigint, stale bigint, withheld bigint, seconds float8)
AS 'MODULE_PATHNAME', 'anon_release_info'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100 ROWS 1;

COMMENT ON FUNCTION anon_release_info(regclass) IS
'Source, spec and figures of a release; no row for any other relation. changes counts the rows that were written in '
'the source since the release was built, as the server''s statistics know, or is null; rebuilt tells that REFRESH '
'MATERIALIZED VIEW wrote other rows since; current, that neither happened.';

CREATE FUNCTION anon_release_runs(release regclass)
RETURNS TABLE (last_success timestamptz, last_failure timestamptz, schedule text)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE COST 1000 ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  history regclass := @extschema@.anon_history_of(release);
BEGIN
  IF history IS NOT NULL AND has_table_privilege(history, 'SELECT') THEN
    EXECUTE format('SELECT max(started) FILTER (WHERE status = ''success''),
      max(started) FILTER (WHERE status = ''failure'') FROM %s', history) INTO last_success, last_failure;
  END IF;
  IF to_regclass('cron.job') IS NOT NULL AND has_schema_privilege('cron', 'USAGE')
    AND has_table_privilege('cron.job', 'SELECT') THEN
    EXECUTE 'SELECT j.schedule FROM cron.job AS j WHERE j.jobname = $1 AND j.active LIMIT 1'
      INTO schedule USING @extschema@.anon_job_name(release);
  END IF;
  RETURN NEXT;
END $$;

COMMENT ON FUNCTION anon_release_runs(regclass) IS
'The last success and the last failure of anon_refresh_job for a release, and its schedule in pg_cron; null '
'where the caller has no right to see it.';

-- A release depends on anon_release, so all other materialized views can be skipped. A float4 becomes a
-- numeric of six digits.
CREATE VIEW anon_releases AS
SELECT c.oid::pg_catalog.regclass AS release, info.source, info.built,
  pg_catalog.date_trunc('second', pg_catalog.now() OPERATOR(pg_catalog.-) info.built) AS age,
  CASE WHEN runs.last_failure OPERATOR(pg_catalog.>) info.built THEN false ELSE info.current END AS current,
  info.changes, info.rebuilt, runs.last_success, runs.last_failure, runs.schedule,
  info.rows, info.classes, info.smallest_class, info.mean_class::pg_catalog.float4::pg_catalog.numeric AS mean_class,
  info.loss::pg_catalog.float4::pg_catalog.numeric AS loss, info.ncp::pg_catalog.float4::pg_catalog.numeric AS ncp,
  info.prec::pg_catalog.float4::pg_catalog.numeric AS prec, info.il::pg_catalog.float4::pg_catalog.numeric AS il,
  info.dm, info.avg::pg_catalog.float4::pg_catalog.numeric AS avg,
  info.lower_bound::pg_catalog.float4::pg_catalog.numeric AS lower_bound, info.suppressed, info.suppressed_cells,
  info.saved::pg_catalog.float4::pg_catalog.numeric AS saved, info.coarsened_cells, info.reproducible,
  info.version, info.waiting, info.vacant, info.stale, info.withheld,
  info.seconds::pg_catalog.float4::pg_catalog.numeric AS seconds, info.spec
FROM (
  SELECT DISTINCT r.ev_class
  FROM pg_catalog.pg_depend AS d
  JOIN pg_catalog.pg_rewrite AS r ON r.oid OPERATOR(pg_catalog.=) d.objid
  WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
  AND d.refobjid OPERATOR(pg_catalog.=) ANY (ARRAY[
    '@extschema@.anon_release(regclass, jsonb)'::pg_catalog.regprocedure,
    '@extschema@.anon_release(regclass, jsonb, regclass[])'::pg_catalog.regprocedure,
    '@extschema@.anon_release_spec(regclass, jsonb, regclass, regclass)'::pg_catalog.regprocedure]::pg_catalog.oid[])
) AS caller(oid)
JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) caller.oid
 AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['m', 'v']::pg_catalog."char"[]),
LATERAL @extschema@.anon_release_info(c.oid::pg_catalog.regclass) AS info,
LATERAL @extschema@.anon_release_runs(c.oid::pg_catalog.regclass) AS runs;

COMMENT ON VIEW anon_releases IS
'Every release of this database: where it comes from, when it was built, its figures then, to six digits, and how it '
'was asked for. current is false if the source has changed since (changes counts the rows written), if REFRESH '
'MATERIALIZED VIEW wrote other rows (rebuilt), or if a run of anon_refresh_job failed since. The server''s statistics '
'tell of changes, seconds later; current is null where they do not know, and while another session builds the '
'release. Of scheduled releases also the last success, the last failure and the schedule, for those who may see them.';

GRANT SELECT ON anon_releases TO PUBLIC;

-- ---- Prove: audits of any relation ----------------------------------------------------------------

CREATE FUNCTION anon_audit(
  rel regclass,
  qi text[] DEFAULT NULL,
  sensitive text[] DEFAULT '{}',
  functions text[] DEFAULT NULL,
  d float8 DEFAULT 0,
  guarantee text DEFAULT 'candidates',
  weights float8[] DEFAULT NULL,
  source regclass DEFAULT NULL,
  q float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare',
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  n int DEFAULT NULL,
  unit text[] DEFAULT NULL,
  asked jsonb DEFAULT NULL,
  categories text[] DEFAULT NULL,
  population regclass DEFAULT NULL,
  withheld boolean DEFAULT false)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;

COMMENT ON FUNCTION anon_audit(regclass, text[], text[], text[], float8, text, float8[], regclass, float8,
  text, jsonb, jsonb, int, text[], jsonb, text[], regclass,
  boolean) IS
'The level of a relation under each privacy model. Classes are the groups that GROUP BY forms on qi. A '
'release knows its columns: without qi its quasi-identifiers, sensitive columns, published unit, hierarchies '
'and aggregates come from its query. detail shows the worst class by its values in qi. With functions also '
'k^f-anonymity (k^(f,d) if d is above 0): the fewest records that an attacker who knows these aggregates of a'
' record cannot exclude. source is the relation with the original values for the guarantee candidates; '
'without it the worst possible values count. With q also (k,p,q,r)-anonymity: p and r of the classes with a '
'value rarer than q. t-closeness of a sensitive column with a hierarchy uses the hierarchical distance. With '
'protected, the values of such a column and labels of its hierarchy, also extended p-sensitivity. With n also'
' (n,t)-closeness: a class is compared with all records, and with the records that agree with it in the first'
' one, two, ... columns of qi, if they are at least n; the least distance counts. unit names the columns that'
' identify the person of a row. Then every model counts persons, and k-anonymity of histories is the smallest'
' number of persons with the same number of rows in every class. With asked, an object of models and levels, '
'detail also counts the classes and records that fall short of the given level. With population, a relation '
'that contains this one, masked in the same way or not at all, also k-map and delta-presence. '
'With withheld, classes whose records have null in every sensitive column withhold their values, as in a '
'transparent release: models of values judge the other classes, and detail counts the records withheld.';

CREATE FUNCTION anon_assert(
  rel regclass,
  qi text[] DEFAULT NULL,
  sensitive text[] DEFAULT '{}',
  k int DEFAULT NULL,
  p int DEFAULT NULL,
  l int DEFAULT NULL,
  entropy_l float8 DEFAULT NULL,
  c float8 DEFAULT NULL,
  t float8 DEFAULT NULL,
  alpha float8 DEFAULT NULL,
  e float8 DEFAULT NULL,
  k_f int DEFAULT NULL,
  functions text[] DEFAULT NULL,
  d float8 DEFAULT NULL,
  guarantee text DEFAULT NULL,
  weights float8[] DEFAULT NULL,
  source regclass DEFAULT NULL,
  q float8 DEFAULT NULL,
  r float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare',
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  n int DEFAULT NULL,
  unit text[] DEFAULT NULL,
  unit_rows text DEFAULT 'apart',
  categories text[] DEFAULT NULL,
  withheld boolean DEFAULT false)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert(regclass, text[], text[], int, int, int, float8, float8, float8, float8,
  float8, int, text[], float8, text, float8[], regclass, float8, float8, text, jsonb, jsonb, int, text[],
  text, text[],
  boolean) IS
'Raises check_violation, with the model, the promised level and the level found, unless the relation '
'satisfies every given model: k-anonymity, p-sensitivity (extended if protected is given), distinct '
'l-diversity (recursive (c,l)-diversity if c is given), entropy l-diversity, t-closeness ((n,t)-closeness if '
'n is given), (alpha,k)-anonymity, (k,e)-anonymity, with q (k,p,q,r)-anonymity by p, q and r, and with k_f '
'k^f-anonymity, as measured by anon_audit. A release knows its columns: without qi they come from its query, '
'as in anon_audit. With unit every model counts persons; unit_rows => ''together'' also asserts k-anonymity '
'of histories. '
'withheld is as in anon_audit.';

CREATE FUNCTION anon_capacity(
  rel regclass,
  sensitive text[],
  p int DEFAULT 2,
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  unit text[] DEFAULT NULL)
RETURNS TABLE (
  attribute text,
  frequencies bigint[],
  cumulated bigint[],
  largest_p int,
  max_clusters bigint)
AS 'MODULE_PATHNAME', 'anon_capacity'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 3;

COMMENT ON FUNCTION anon_capacity(regclass, text[], int, jsonb, jsonb, text[]) IS
'The limits of p-sensitive k-anonymity for a relation, before any anonymization: the frequencies of the '
'distinct values of each sensitive column in descending order, and their cumulated sums; the largest p of any'
' release; and for the given p an upper bound of the number of classes of any release. The last row, without '
'attribute, concerns all columns together. Protected values count as one with all values below them. With '
'unit there is also a row for the unit, since every class needs p different units.';

CREATE FUNCTION anon_evaluate(
  tbl regclass,
  qi text[],
  k int,
  method text DEFAULT 'microaggregate',
  sensitive text[] DEFAULT '{}',
  params jsonb DEFAULT '{}',
  lower_bound anyelement DEFAULT false,
  functions text[] DEFAULT NULL,
  unit text[] DEFAULT NULL,
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
  max_suppression float8 DEFAULT NULL,
  by_column boolean DEFAULT false)
RETURNS TABLE (measure text, value float8, attribute text)
AS 'MODULE_PATHNAME', 'anon_evaluate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 15;

COMMENT ON FUNCTION anon_evaluate(regclass, text[], int, text, text[], jsonb, anyelement, text[], text[],
  float8, float8[], int, int, float8, float8, float8, float8, float8, float8, text, int, jsonb, text[],
  text[], jsonb, float8, boolean) IS
'The result of a method on a table, without a release: class sizes, DM (sum of squared class sizes), AVG '
'(mean class size over k), SSE and SST on the standardized columns, loss = 100*SSE/SST. With lower_bound '
'(true, or a number of seconds) also a lower bound of the loss of all classes of k records that keep the '
'promises, and the gap to it. With functions also the mean width of the intervals of these aggregates in the '
'release. Promises are named as in the methods. With unit they count persons. With by_column also, for each '
'quasi-identifier in attribute, the percentage of cells changed, the shift of the mean in standard '
'deviations, and the loss.';

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

-- ---- Prove over time: audits of all versions together ------------------------------------------------

CREATE FUNCTION anon_assert_history(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert_history'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert_history(regclass) IS
'Raises check_violation unless all versions of a release with a key together keep its promises. Classes are '
'the places with equal cells, first and last version. Only the owner may call it, since it reads the places.';

CREATE FUNCTION anon_audit_history(release regclass)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED COST 10000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  places regclass := @extschema@.anon_release_places(release);
  spec jsonb := (SELECT info.spec FROM @extschema@.anon_release_info(release) AS info);
BEGIN
  IF places IS NULL THEN
    RAISE EXCEPTION '"%" is not a release with a key', release USING ERRCODE = 'wrong_object_type';
  END IF;
  RETURN QUERY SELECT a.model, a.attribute, a.level, a.detail FROM @extschema@.anon_audit(places,
    ARRAY(SELECT jsonb_array_elements_text(spec->'qi')) || ARRAY['anon_since', 'anon_until'],
    ARRAY(SELECT jsonb_array_elements_text(spec->'sensitive')),
    q => (spec->>'q')::float8, variance_of => coalesce(spec->>'variance_of', 'rare'),
    hierarchies => spec->'hierarchies', protected => spec->'protected',
    unit => CASE WHEN spec ? 'unit' THEN '{anon_unit}' ELSE '{}' END::text[]) AS a;
END $$;

COMMENT ON FUNCTION anon_audit_history(regclass) IS
'The level of all versions of a release with a key together, under each privacy model; see anon_audit. Only '
'the owner may call it, since it reads the places.';

CREATE FUNCTION anon_audit_versions(
  versions regclass[],
  qi text[],
  sensitive text[],
  key text[],
  asked int DEFAULT NULL)
RETURNS TABLE (measure text, value float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_versions'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 8;

COMMENT ON FUNCTION anon_audit_versions(regclass[], text[], text[], text[], int) IS
'The disclosure by intersecting stored versions of a release, from any tool, to an attacker who knows every '
'person''s class in every version. The versions must still have the key that links their rows to persons. A '
'place is a person with certain sensitive values. Reports the places; the fewest places with one history of '
'classes; the fewest possible sensitive values of a place, and the per cent of places with one; the per cent '
'of persons whose exact quasi-identifiers can be solved from means; and m-invariance: the m of the versions, '
'or 0 if the values of a person''s class change. detail of m-invariance shows the worst class and its '
'version. With asked it counts the classes and records whose m is less than that.';

-- ---- Measure a publication: risk, attacks, utility ----------------------------------------------

CREATE FUNCTION anon_risk(
  rel regclass,
  qi text[],
  sensitive text[] DEFAULT '{}',
  population regclass DEFAULT NULL,
  population_size bigint DEFAULT NULL,
  unit text[] DEFAULT NULL,
  threshold float8 DEFAULT 0.09,
  largest_set int DEFAULT 3)
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_risk'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 20;

COMMENT ON FUNCTION anon_risk(regclass, text[], text[], regclass, bigint, text[], float8, int) IS
'The re-identification risk of the records of a relation, one row per figure; shares are between 0 and 1. '
'Prosecutor risk is 1 / the size of a record''s class. Journalist and marketer risk refer to its size in the '
'population, which is the relation itself unless another is named. With population also population_uniques, '
'k_map and delta-presence; with population_size estimates of the population''s uniques by Pitman, Zayatz and '
'the slide negative binomial model. Special uniques are records that are unique by at most largest_set '
'columns (0: not computed), with SUDA scores. Per sensitive column: homogeneous classes, certain inferences '
'and values of a single record. unit names the columns that identify the person of a record; then persons are'
' counted.';

CREATE FUNCTION anon_linkage(
  original regclass,
  masked regclass,
  qi text[],
  method text DEFAULT 'distance',
  key text[] DEFAULT '{}',
  categories text[] DEFAULT '{}')
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_linkage'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 6;

COMMENT ON FUNCTION anon_linkage(regclass, regclass, text[], text, text[], text[]) IS
'Attacks a masked relation by linking each original record with the masked ones that match it best. method '
'distance compares standardised numbers (a range by its middle) and categories exactly, ties counted; method '
'probabilistic weighs agreements by Fellegi and Sunter with EM. key names columns of both relations that '
'identify a record. Without them the expected share of correct links is an upper bound. Columns in categories are codes.';

CREATE FUNCTION anon_infer(
  original regclass,
  masked regclass,
  qi text[],
  sensitive text[] DEFAULT '{}',
  k int DEFAULT 5,
  key text[] DEFAULT '{}',
  categories text[] DEFAULT '{}')
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_infer'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 20;

COMMENT ON FUNCTION anon_infer(regclass, regclass, text[], text[], int, text[], text[]) IS
'Attacks a masked relation by guessing the sensitive values of the original records: by the nearest class, by'
' the k nearest records and by naive Bayes, each against the base rate of the most frequent value. Numbers '
'with more than twenty distinct values are guessed by decile. key names columns that identify a record. With '
'it also the disclosure by the computation of ranges and centroids: true values at the ends of ranges, and '
'centroids that determine the last unknown value of a class. '
'Without key, values that are an end of any range. Columns in categories are codes.';

CREATE FUNCTION anon_utility(
  original regclass,
  masked regclass,
  qi text[],
  key text[] DEFAULT '{}',
  target text DEFAULT NULL,
  queries int DEFAULT 100,
  seed bigint DEFAULT 0)
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_utility'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 50;

COMMENT ON FUNCTION anon_utility(regclass, regclass, text[], text[], text, int, bigint) IS
'Statistics of a relation before and after masking: per column mean, variance, quantiles, Kolmogorov-Smirnov '
'and Hellinger distance; covariances, correlations, principal axes; with target the coefficients of its '
'linear regression on the other numbers; propensity-score mean squared error; mean relative error of random '
'range counts, drawn by seed; and NCP, DM, mean class size and, with key, the squared loss. qi are the '
'compared columns, which may include sensitive ones.';

-- ---- Schedule: automatic refreshes, and their history -------------------------------------------

CREATE FUNCTION anon_history_of(release regclass)
RETURNS regclass
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
SELECT h.oid::pg_catalog.regclass
FROM pg_catalog.pg_class AS r
JOIN pg_catalog.pg_class AS h ON h.relnamespace = r.relnamespace AND h.relowner = r.relowner
  AND h.relname = (pg_catalog.left(r.relname::pg_catalog.text, 55) || '_history')::pg_catalog.name AND h.relkind = 'r'
WHERE r.oid = release
$$;

COMMENT ON FUNCTION anon_history_of(regclass) IS
'The table of a release''s runs by anon_refresh_job, or null. Its name is the release''s with _history '
'behind, and it belongs to the same role.';

CREATE FUNCTION anon_history_row(release regclass)
RETURNS regclass
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  history regclass := @extschema@.anon_history_of(release);
  place text;
BEGIN
  IF history IS NULL THEN
    SELECT format('%I.%I', n.nspname, left(c.relname::text, 55) || '_history') INTO place
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release;
    EXECUTE format('CREATE TABLE %s (
      run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      started timestamptz NOT NULL, seconds double precision NOT NULL, by text NOT NULL,
      status text NOT NULL CHECK (status IN (''success'', ''failure'')),
      sqlstate text, message text, version bigint, rows bigint, figures jsonb,
      spec_fingerprint text NOT NULL, withdrawn regrole[])', place);
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', place);
    EXECUTE format('COMMENT ON TABLE %s IS ''anonkit: the runs of a release''', place);
    history := place::regclass;
  END IF;
  RETURN history;
END $$;

COMMENT ON FUNCTION anon_history_row(regclass) IS
'Creates the table of a release''s runs if it does not exist, and returns it. Used by anon_refresh_job.';

-- No SET clause: a procedure with one could not end transactions. Every name is qualified.
CREATE PROCEDURE anon_refresh_job(release regclass, on_failure text DEFAULT 'keep')
LANGUAGE plpgsql
AS $$
DECLARE
  started pg_catalog.timestamptz := pg_catalog.clock_timestamp();
  history pg_catalog.regclass;
  outcome pg_catalog.jsonb;
  state pg_catalog.text;
  words pg_catalog.text;
  readers pg_catalog.regrole[];
  reader pg_catalog.regrole;
BEGIN
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  IF on_failure IS NULL OR on_failure NOT IN ('keep', 'withdraw') THEN
    RAISE EXCEPTION 'unknown value for "on_failure"'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Choose one of ''keep'', ''withdraw''.';
  END IF;
  IF NOT EXISTS (SELECT FROM @extschema@.anon_release_info(release)) THEN
    RAISE EXCEPTION '"%" is not a release', release USING ERRCODE = 'wrong_object_type';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = release AND pg_get_userbyid(relowner) = current_user) THEN
    RAISE EXCEPTION 'only the owner of a release can run its job' USING ERRCODE = 'insufficient_privilege';
  END IF;
  history := @extschema@.anon_history_row(release);
  BEGIN
    SELECT to_jsonb(figures.*) INTO outcome FROM @extschema@.anon_refresh(release) AS figures;
  EXCEPTION WHEN OTHERS OR query_canceled THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, words = MESSAGE_TEXT;
  END;
  IF state IS NULL THEN
    -- Restores the rights of readers that a failure withdrew.
    EXECUTE format('SELECT withdrawn FROM %s ORDER BY run DESC LIMIT 1', history) INTO readers;
    FOREACH reader IN ARRAY coalesce(readers, '{}') LOOP
      IF reader::oid = 0 THEN
        EXECUTE format('GRANT SELECT ON %s TO PUBLIC', release);
      ELSIF EXISTS (SELECT FROM pg_roles WHERE oid = reader) THEN
        EXECUTE format('GRANT SELECT ON %s TO %s', release, reader);
      END IF;
    END LOOP;
    readers := NULL;
  ELSE
    EXECUTE format('SELECT withdrawn FROM %s ORDER BY run DESC LIMIT 1', history) INTO readers;
    IF on_failure = 'withdraw' THEN
      SELECT coalesce(readers, '{}') || coalesce(array_agg(DISTINCT acl.grantee)::regrole[], '{}') INTO readers
        FROM pg_class AS c, LATERAL aclexplode(c.relacl) AS acl
        WHERE c.oid = release AND acl.privilege_type = 'SELECT' AND acl.grantee <> c.relowner;
      FOREACH reader IN ARRAY readers LOOP
        EXECUTE format('REVOKE SELECT ON %s FROM %s CASCADE', release,
          CASE WHEN reader::oid = 0 THEN 'PUBLIC' ELSE reader::text END);
      END LOOP;
    END IF;
  END IF;
  EXECUTE format('INSERT INTO %s (started, seconds, by, status, sqlstate, message, version, rows, figures,
      spec_fingerprint, withdrawn)
    SELECT $1, extract(epoch FROM clock_timestamp() - $1), session_user, CASE WHEN $2 IS NULL THEN ''success''
      ELSE ''failure'' END, $2, $3, ($4->>''version'')::bigint, ($4->>''rows'')::bigint, $4,
      encode(sha256(convert_to(info.spec::text, ''UTF8'')), ''hex''), $5
    FROM @extschema@.anon_release_info($6) AS info', history)
    USING started, state, words, outcome, readers, release;
  COMMIT;
  IF state IS NOT NULL THEN
    RAISE EXCEPTION '%', words USING ERRCODE = state;
  END IF;
END $$;

COMMENT ON PROCEDURE anon_refresh_job(regclass, text) IS
'Refreshes a release and records the run in the table NAME_history. A failed run is recorded too, with its '
'SQLSTATE and message, in a transaction of its own; then the error is raised. With on_failure ''withdraw'' '
'only the owner may read the release after a failure until a run succeeds; with ''keep'' the last version '
'stays for its readers. Must be called outside of a transaction, by a scheduler.';

CREATE FUNCTION anon_job_name(release regclass)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$ SELECT 'anonkit release ' || release::pg_catalog.oid::pg_catalog.text $$;

COMMENT ON FUNCTION anon_job_name(regclass) IS
'The name of the pg_cron job that refreshes a release.';

CREATE FUNCTION anon_schedule(release regclass, schedule text, on_failure text DEFAULT 'keep')
RETURNS bigint
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = release);
  command text := format('CALL %I.anon_refresh_job(%s, %L)', '@extschema@', release::oid, on_failure);
  job bigint;
BEGIN
  IF on_failure NOT IN ('keep', 'withdraw') THEN
    RAISE EXCEPTION 'unknown value for "on_failure"'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Choose one of ''keep'', ''withdraw''.';
  END IF;
  IF NOT EXISTS (SELECT FROM @extschema@.anon_release_info(release)) THEN
    RAISE EXCEPTION '"%" is not a release', release USING ERRCODE = 'wrong_object_type';
  END IF;
  IF owner <> current_user THEN
    RAISE EXCEPTION 'only the owner of a release can schedule it'
      USING ERRCODE = 'insufficient_privilege', HINT = format('Become role %I first.', owner);
  END IF;
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron') THEN
    RAISE EXCEPTION 'extension "pg_cron" is not installed in this database'
      USING ERRCODE = 'feature_not_supported',
        HINT = format('Install it, or put this line into the crontab of an account that may connect as %I: %s '
          'psql -d %I -U %I -c "CALL %I.anon_refresh_job(''%s'', ''%s'')"',
          owner, schedule, current_database(), owner, '@extschema@',
          (SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c
            JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = release), on_failure);
  END IF;
  PERFORM @extschema@.anon_history_row(release);
  EXECUTE 'SELECT cron.schedule($1, $2, $3)' INTO job USING @extschema@.anon_job_name(release), schedule, command;
  RETURN job;
END $$;

COMMENT ON FUNCTION anon_schedule(regclass, text, text) IS
'Lets pg_cron refresh a release as its owner, by a schedule such as ''15 3 * * *''; a new schedule replaces '
'the old one. Returns the number of the job. Without pg_cron, raises an error whose hint is the crontab line.'
' on_failure: see anon_refresh_job.';

CREATE FUNCTION anon_unschedule(release regclass)
RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron') THEN
    RETURN false;
  END IF;
  EXECUTE 'SELECT count(cron.unschedule(jobid)) > 0 FROM cron.job WHERE jobname = $1 AND username = current_user'
    INTO found USING @extschema@.anon_job_name(release);
  RETURN found;
END $$;

COMMENT ON FUNCTION anon_unschedule(regclass) IS
'Ends the schedule of a release. False if it had none.';

-- ---- Choose: the roles of columns, and a comparison of methods ----------------------------------

CREATE FUNCTION anon_profile(tbl regclass)
RETURNS TABLE (
  column_name text, type text, distinct_values bigint, nulls bigint, distinction float8, separation float8,
  uniques_added bigint, role text, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 100000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  total bigint;
  named record;
  figures record;
  profiles jsonb[] := '{}';
  profile jsonb;
  quasi text[] := '{}';
  others text[];
  with_it bigint;
  without_it bigint;
  grouped CONSTANT text := 'SELECT count(*) FROM (SELECT FROM %s GROUP BY %s HAVING count(*) = 1) AS u';
BEGIN
  EXECUTE format('SELECT count(*) FROM %s', tbl) INTO total;
  FOR named IN
    SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, t.typcategory AS category,
      t.oid IN ('json'::regtype, 'jsonb'::regtype, 'xml'::regtype, 'bytea'::regtype) AS document,
      t.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) AS whole,
      -- Types without equality are compared by their texts.
      quote_ident(a.attname) || CASE WHEN t.oid IN ('json'::regtype, 'xml'::regtype) OR t.typcategory = 'G'
        THEN '::text' ELSE '' END AS expression
    FROM pg_attribute AS a
    JOIN pg_type AS d ON d.oid = a.atttypid
    JOIN pg_type AS t ON t.oid = CASE WHEN d.typtype = 'd' THEN d.typbasetype ELSE d.oid END
    WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
  LOOP
    EXECUTE format(
      'SELECT count(*) FILTER (WHERE NOT missing) AS values, coalesce(sum(n) FILTER (WHERE missing), 0) AS nulls,'
      ' coalesce(sum(n::numeric * n), 0) AS squares,'
      ' coalesce(avg(length) FILTER (WHERE NOT missing), 0) AS length'
      ' FROM (SELECT count(*) AS n, v IS NULL AS missing, length(v::text) AS length'
      ' FROM (SELECT %s AS v FROM %s) AS c GROUP BY v) AS g', named.expression, tbl)
    INTO figures;
    profile := jsonb_build_object('name', named.name, 'type', named.type, 'expression', named.expression,
      'values', figures.values, 'nulls', figures.nulls,
      'distinction', CASE WHEN total > 0 THEN figures.values::float8 / total ELSE 0 END,
      'separation', CASE WHEN total > 1
        THEN (1 - (figures.squares - total) / (total::numeric * (total - 1)))::float8 ELSE 0 END);
    profile := profile || CASE
      WHEN named.document OR (named.category = 'S' AND figures.length > 40) THEN
        '{"role": "free text", "reason": "long texts or documents may say anything: leave it out"}'::jsonb
      WHEN named.name ~* '(^|_)(ssn|email|e_mail|phone|iban|passport|firstname|lastname|surname|name)($|_)' THEN
        '{"role": "identifier", "reason": "its name is that of an identifier"}'::jsonb
      WHEN total > 1 AND figures.values > 0.95 * (total - figures.nulls) AND figures.nulls < total
        AND (named.category IN ('S', 'U') OR (named.whole AND figures.values = total)) THEN
        '{"role": "identifier", "reason": "nearly every record has a value of its own"}'::jsonb
      WHEN named.name ~*
        '(diagnos|disease|illness|drug|therapy|health|salary|income|wage|debt|religio|politic|ethnic|crim|sexual)'
      THEN '{"role": "sensitive", "reason": "its name is that of a sensitive attribute"}'::jsonb
      WHEN figures.values <= 1 THEN
        '{"role": "quasi-identifier", "reason": "it has one value and tells nobody apart: keeping it costs nothing"}'::jsonb
      ELSE
        '{"role": "quasi-identifier", "reason": "others may know it, and it tells records apart"}'::jsonb END;
    profiles := profiles || profile;
    IF profile ->> 'role' = 'quasi-identifier' THEN
      quasi := quasi || (profile ->> 'expression');
    END IF;
  END LOOP;
  FOREACH profile IN ARRAY profiles LOOP
    -- Counts the records that are unique by the quasi-identifiers with this column, and without it.
    others := array_remove(quasi, profile ->> 'expression');
    EXECUTE format(grouped, tbl, array_to_string(others || (profile ->> 'expression'), ', ')) INTO with_it;
    IF cardinality(others) > 0 THEN
      EXECUTE format(grouped, tbl, array_to_string(others, ', ')) INTO without_it;
    ELSE
      without_it := (total = 1)::int;
    END IF;
    RETURN QUERY SELECT profile ->> 'name', profile ->> 'type', (profile ->> 'values')::bigint,
      (profile ->> 'nulls')::bigint, (profile ->> 'distinction')::float8, (profile ->> 'separation')::float8,
      with_it - without_it, profile ->> 'role', profile ->> 'reason';
  END LOOP;
END
$$;

COMMENT ON FUNCTION anon_profile(regclass) IS
'The figures of each column of a table: distinct values, nulls, distinction (distinct values over records), '
'separation (the share of pairs of records with different values), the records that are unique by the '
'quasi-identifiers with it but not without it, and a proposed role: identifier, quasi-identifier, sensitive, '
'or free text to leave out, with the reason. The proposal uses names, types and counts; an expert on the data'
' must decide.';

CREATE FUNCTION anon_sweep(
  tbl regclass,
  qi text[],
  ks int[],
  methods text[] DEFAULT '{microaggregate}',
  sensitive text[] DEFAULT '{}',
  params jsonb DEFAULT '{}')
RETURNS TABLE (
  method text, k int, parameters jsonb, loss float8, ncp float8, risk_max float8, risk_mean float8, classes bigint,
  suppressed bigint, seconds float8, on_frontier boolean, error text)
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED COST 1000000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  one record;
  figures jsonb;
  failure text;
  found jsonb[] := '{}';
BEGIN
  FOR one IN
    SELECT m.method, c.k, p.value AS params
    FROM unnest(methods) WITH ORDINALITY AS m (method, place)
    CROSS JOIN unnest(ks) WITH ORDINALITY AS c (k, place)
    CROSS JOIN jsonb_array_elements(CASE jsonb_typeof(params) WHEN 'array' THEN params
      ELSE jsonb_build_array(params) END) WITH ORDINALITY AS p (value, place)
    ORDER BY m.place, p.place, c.place
  LOOP
    figures := '{}';
    failure := NULL;
    BEGIN
      SELECT jsonb_object_agg(e.measure, e.value) INTO figures
      FROM @extschema@.anon_evaluate(tbl, qi, one.k, one.method, sensitive, one.params) AS e;
    EXCEPTION
      -- An infeasible combination gets a row of its own.
      WHEN data_exception OR check_violation THEN
        failure := SQLERRM;
    END;
    found := found || (figures || jsonb_build_object('method', one.method, 'k', one.k, 'params', one.params,
      'error', failure));
  END LOOP;
  RETURN QUERY
  WITH swept AS (
    SELECT place, f ->> 'method' AS method, (f ->> 'k')::int AS k, f -> 'params' AS params,
      (f ->> 'loss')::float8 AS loss, (f ->> 'NCP')::float8 AS ncp,
      1 / nullif((f ->> 'smallest_class')::float8, 0) AS risk_max,
      (f ->> 'classes')::float8 / nullif((f ->> 'rows')::float8 - (f ->> 'suppressed')::float8, 0) AS risk_mean,
      (f ->> 'classes')::float8::bigint AS classes, (f ->> 'suppressed')::float8::bigint AS suppressed,
      (f ->> 'seconds')::float8 AS seconds, f ->> 'error' AS error
    FROM unnest(found) WITH ORDINALITY AS u (f, place)),
  costed AS (SELECT s.*, s.loss IS NULL AS by_ncp, coalesce(s.loss, s.ncp) AS cost FROM swept AS s)
  SELECT c.method, c.k, c.params, c.loss, c.ncp, c.risk_max, c.risk_mean, c.classes, c.suppressed, c.seconds,
    c.cost IS NOT NULL AND NOT EXISTS (
      SELECT FROM costed AS o
      WHERE o.by_ncp = c.by_ncp AND o.cost <= c.cost AND o.risk_mean <= c.risk_mean
        AND (o.cost < c.cost OR o.risk_mean < c.risk_mean)), c.error
  FROM costed AS c ORDER BY c.place;
END
$$;

COMMENT ON FUNCTION anon_sweep(regclass, text[], int[], text[], text[], jsonb) IS
'Evaluates each combination of methods, ks and parameters (params, an object or an array of objects) without '
'a release: loss, NCP, the largest and the mean re-identification risk, classes, suppressed records and '
'seconds. on_frontier is true if no other combination has both less loss (NCP for a method without squared '
'loss) and less mean risk. An infeasible combination has its error instead of figures.';

-- ---- Report: a page to file and to sign --------------------------------------------------------------

CREATE FUNCTION anon_report(
  release regclass,
  internal boolean DEFAULT false,
  threshold float8 DEFAULT 0.09,
  qi text[] DEFAULT NULL,
  sensitive text[] DEFAULT NULL,
  source regclass DEFAULT NULL,
  asked jsonb DEFAULT NULL)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_report'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000000;

COMMENT ON FUNCTION anon_report(regclass, boolean, float8, text[], text[], regclass, jsonb) IS
'All that is known of a release as one self-contained page of HTML: verdict, identity, risks and attacks, class sizes, '
'columns before and after, correlations, residual risks, history, and the statement that makes it again. The public '
'page holds no cell of the source and no count below k but 0; with internal it holds more, and says so. What needs the '
'source is left out, and said to be, for those who may not read it. threshold is the largest risk that is acceptable. '
'For another tool''s relation give qi, sensitive, source and, in asked, the levels of models that it is to have.';
