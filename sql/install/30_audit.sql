
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
  population regclass DEFAULT NULL)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;

COMMENT ON FUNCTION anon_audit(regclass, text[], text[], text[], float8, text, float8[], regclass, float8,
  text, jsonb, jsonb, int, text[], jsonb, text[], regclass) IS
'The level that a relation achieves under each privacy model. Classes are what GROUP BY makes of qi. '
'A release knows its columns: without qi its quasi-identifiers, sensitive columns, a unit that it publishes, '
'hierarchies and aggregates are taken from its query. '
'detail names the worst class by its values in qi. With functions also k^f-anonymity (k^(f,d) if d is above '
'0): the fewest records that somebody who knows these aggregates of a record cannot tell apart; source is '
'where the original values are read for the guarantee candidates, else the worst that they may be counts. '
'With q also (k,p,q,r)-anonymity: p and r of the classes that hold a value rarer than q. '
't-closeness of a sensitive column that has a hierarchy is by the hierarchical distance. With protected, the '
'values of such a column and labels of its hierarchy, also extended p-sensitivity. With n also '
'(n,t)-closeness: a class is compared with the records that agree with it in the first one, two, ... columns '
'of qi, where they are at least n, and with all records; the least distance counts. With unit, the columns '
'that say whose a row is, every model counts persons, and k-anonymity of histories is the smallest number of '
'persons whose rows fall to the same classes, as many to each. With asked, an object of models and levels, '
'detail also counts the classes and records that fall short of the level asked for. With population, a relation '
'that contains this one, masked alike or not at all, also k-map and delta-presence.';

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
  categories text[] DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert(regclass, text[], text[], int, int, int, float8, float8, float8, float8,
  float8, int, text[], float8, text, float8[], regclass, float8, float8, text, jsonb, jsonb, int, text[],
  text, text[]) IS
'Raises check_violation, naming the model, the level promised and the level found, unless the relation '
'satisfies every model given: k-anonymity, p-sensitivity (extended if protected is given), distinct '
'l-diversity (recursive (c,l)-diversity if c is given), entropy l-diversity, t-closeness ((n,t)-closeness '
'if n is given), '
'(alpha,k)-anonymity, (k,e)-anonymity, with q (k,p,q,r)-anonymity by p, q and r, and with k_f '
'k^f-anonymity, as anon_audit measures it. A release knows its columns: without qi they are taken from its query, as in anon_audit. With unit every model counts persons; unit_rows => ''together'' '
'also asserts k-anonymity of histories.';

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
'What p-sensitive k-anonymity a relation allows, before anybody anonymises it: how often the distinct values '
'of each sensitive column occur, the most frequent first, and the sums of those; the largest p that any '
'release can have; and for the given p a number of classes that no release can exceed. The last row, without '
'attribute, is about all columns together. Protected values count as one with all that is below them. With '
'unit there is also a row for the unit, of which every class needs p different ones, as of values.';

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
'What a method makes of a table, without a release: class sizes, DM (sum of squared class sizes), AVG '
'(mean class size over k), SSE and SST on the standardized columns, loss = 100*SSE/SST, and with '
'lower_bound (true, or the seconds to spend on it) the percentage that no classes of k records can go below, '
'and the gap to it; with functions '
'the mean width of the intervals in which these aggregates of a record can be read off the release. '
'Promises are named as in the methods. With unit they count persons. With by_column also, for each quasi-identifier in '
'attribute, the percentage of cells changed, the shift of the mean in standard deviations, and the loss.';
