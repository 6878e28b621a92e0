\echo Use "CREATE EXTENSION anonkit" to load this file. \quit

-- ---- Look: the classes and masked values of a table, without a release ----------------------------
--
-- One row a record. source is its tid, null where the relation has none (a view, a foreign table);
-- class_id counts from 1; masked holds the masked quasi-identifiers and the columns in keep.

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
  n int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_microaggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_microaggregate(regclass, text[], int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, float8, text, float8[], text, text, text, text, float8, bigint,
  jsonb, jsonb, int) IS
'Microaggregation of least loss: MDAV (or the optimal classes of a single numeric column), improved by a '
'search over moves, swaps, splits and merges of classes. Every class keeps every model that is given, for '
'every sensitive column: t-closeness (t; t_each: one t for each; with n (n,t)-closeness, see anon_tclose), '
'p-sensitivity (p), distinct l-diversity '
'(l; recursive with c), entropy l-diversity (entropy_l), (alpha,k)-anonymity (alpha), (k,e)-anonymity (e, '
'in days of dates, seconds of timestamps), (k,p,q,r)-anonymity (q, r and p; see anon_kpqr), with protected '
'extended p-sensitivity (see anon_psensitive). effort is fast or thorough; seed makes another search; '
'refine_seconds ends it early, and then the result cannot be reproduced.';

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
  n int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_tclose'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_tclose(regclass, text[], text[], int, float8, text, text[], float8[], float8[],
  text, text, text, text, float8, bigint, jsonb, float8, int) IS
'k-anonymous t-closeness through microaggregation (Soria-Comas, Domingo-Ferrer, Sanchez, Martinez 2015): '
'algorithm merge, k_first and t_first are its Algorithms 1, 2 and 3 (merge with gamma on the classes of '
'V-MDAV, not of MDAV); sabre is that of Cao, Karras, Kalnis and Tan (2011); best searches on from all of '
'them. Distances are ordered for numbers, dates and enums, of a hierarchy where one is given, equal for '
'anything else. t is above 0 and at most 1; t_each gives one for each sensitive column. With n, '
'(n,t)-closeness (Li, Li, Venkatasubramanian 2010): a class is within t of all records, or of those that agree '
'with it in the first one, two, ... columns of qi, if they are at least n.';

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
  n int DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mondrian'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;
COMMENT ON FUNCTION anon_mondrian(regclass, text[], int, text[], text[], float8, float8[], int, int, float8,
  float8, float8, float8, float8, float8, text, text, float8[], text, text, text, float8, bigint,
  jsonb, int) IS
'Generalisation by Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): classes are cut in two at the median of a '
'quasi-identifier, again and again, while every part keeps k and every model that is given. algorithm '
'strict leaves equal values on one side; relaxed halves; best cuts wherever the least is lost, and then '
'searches for less loss (NCP), thoroughly unless refine is fast.';

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
  hierarchies jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_kpqr'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_kpqr(regclass, text[], text[], int, int, float8, float8, text, text, text[],
  float8[], text, text, text, text, float8, bigint, jsonb) IS
'(k,p,q,r)-anonymity (Domingo-Ferrer, Sebe, Solanas 2008): a class that holds a sensitive value rarer than '
'the share q has at least p distinct values, and at least r times the variance of the records with rare '
'values (variance_of rare) or of all. algorithm heuristic is the paper''s, from random records (seed); best '
'searches for the least loss.';

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
  protected jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_psensitive'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_psensitive(regclass, text[], text[], int, int, text, text[], float8[], text, text,
  text, text, float8, bigint, jsonb, jsonb) IS
'p-sensitive k-anonymity: every class has at least p distinct values of every sensitive column. algorithm '
'enhanced is EnhancedPKClustering (Truta, Campan, Meyer 2007), greedy GreedyPKClustering (Campan, Truta, Miller, '
'Sinca 2007), auto the better of the two; microaggregation grows classes from random records (Solanas, Sebe, '
'Domingo-Ferrer 2008; seed); best searches for the least loss. Classes are published as ranges, or as labels '
'where quasi-identifiers have hierarchies, unless recode says otherwise. protected names values of sensitive '
'columns, or labels of their hierarchies, which then count as one value with all that is below them: extended '
'p-sensitivity (Campan, Truta 2006).';

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
  hierarchies jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mdav(regclass, text[], int, text[], float8[], text, text, text, text, float8,
  bigint, jsonb) IS
'Microaggregation by MDAV (Domingo-Ferrer and Torra 2005): classes of k to 2k-1 records that share one '
'masked value in every quasi-identifier. refine: none, fast or thorough search for less loss.';

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
  hierarchies jsonb DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_vmdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_vmdav(regclass, text[], int, float8, text[], float8[], text, text, text, text, float8,
  bigint, jsonb) IS
'Microaggregation by V-MDAV (Solanas and Martinez-Balleste 2006): like MDAV, but a class takes in a near '
'record, up to 2k-1 in all, if it is nearer to the class than gamma times its distance to the others.';

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
  seed bigint DEFAULT 0)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_univariate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_univariate(regclass, text[], int, text[], float8[], text, text, text, text, float8,
  bigint) IS
'Optimal microaggregation of one numeric quasi-identifier (Hansen and Mukherjee 2003): no partition into '
'classes of at least k records has a lower SSE.';

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
  keep text[] DEFAULT '{}')
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_aggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_aggregate(regclass, text[], int, text[], float8, text, text, float8[], text,
  text[], int, text[]) IS
'k^f- and k^(f,d)-anonymity against attackers who know an aggregate of a record (Gkountouna, Lepenioti, '
'Terrovitis 2013). functions are sum, avg, min, max and weighted_sum (with weights), d how exactly they '
'are known. guarantee candidates: the value that is known fits at least k published records; identical: '
'at least k records are published with one interval of it. algorithm greedy is the paper''s Algorithm 1; '
'optimal loses least of all runs in the order of the aggregate; best also tries classes of any records. domain common measures all columns by one range. Numbers are published as ranges, '
'[v,v] where a value was not generalised.';

-- ---- Look: full-domain generalisation --------------------------------------------------------------
--
-- Rows as of the other methods; masked holds labels of the columns' hierarchies. Of a suppressed record
-- class_id, class_size and masked are null. hierarchies is an object of columns and names of hierarchies; a
-- category without one is published or suppressed, any other column must have one.

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
  local_suppression boolean DEFAULT false)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_incognito'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_incognito(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text, boolean) IS
'Full-domain generalisation of least loss by Incognito (LeFevre, DeWitt, Ramakrishnan 2005): of all '
'combinations of levels, one for each quasi-identifier, that keep k and every model that is given, the '
'one of the least metric (prec, ncp, dm, avg or entropy). max_suppression is the largest share of the '
'records, 0 to 1, that may be suppressed for it; null: none. local_suppression publishes records with '
'single cells suppressed where that costs less. Raises an error for a number without a hierarchy, a value'
' without a leaf, more than 10,000,000 combinations of levels, or if no combination will do.';

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
  local_suppression boolean DEFAULT false)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mingen'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mingen(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text, boolean) IS
'Full-domain generalisation by MinGen (Sweeney 2002): looks at every combination of levels. The answer is'
' that of anon_incognito, which is to be preferred. Raises an error for more than 100,000 combinations, '
'and as anon_incognito.';

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
  local_suppression boolean DEFAULT false)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_datafly'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_datafly(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, boolean) IS
'Full-domain generalisation by Datafly (Sweeney 2002): the quasi-identifier of the most distinct values '
'is generalised by a level, until all but so few records are in classes that keep k and every model that '
'is given; these are suppressed. max_suppression is their largest share; null: k records, as published. '
'Greedy: others lose less. Raises errors as anon_incognito.';

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
  complete boolean DEFAULT true)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_argus'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_argus(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text[], boolean) IS
'Generalisation by mu-Argus (Hundepool and Willenborg 1996; Sweeney 2002): every quasi-identifier is '
'generalised until each of its values has k records; combinations of 2 and 3 values that fewer have lose '
'cells. identifying says of each quasi-identifier whether it is identifying, more or most: combinations '
'of different ones are tested, all if it is null. With max_suppression columns are generalised further '
'while more than that share of the records would lose cells. complete suppresses cells and then records '
'until k and every model that is given hold; without it the result is as published, the smallest class '
'tells the k that was reached, no model can be given, and anon_publish refuses it. Raises errors as '
'anon_incognito.';

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
  target text DEFAULT NULL)
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_topdown'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_topdown(regclass, text[], jsonb, int, text[], text[], float8, float8[], int, int,
  float8, float8, float8, float8, float8, text) IS
'Generalisation by top-down specialisation (Fung, Wang, Yu 2005): all values start suppressed; the value '
'whose children say most for the anonymity that they cost is replaced by them, as long as k and every '
'model that is given hold, and no more than max_suppression of the records are suppressed. target is a '
'column of class labels that a classifier is to learn: only what tells it is specialised. Raises errors '
'as anon_incognito.';


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
  frontier boolean DEFAULT true)
RETURNS TABLE (
  levels int[], minimal boolean, feasible boolean, k_reached bigint, suppressed bigint, classes bigint,
  prec float8, dm float8, ncp float8, avg float8, entropy float8)
AS 'MODULE_PATHNAME', 'anon_lattice'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000;

COMMENT ON FUNCTION anon_lattice(regclass, text[], jsonb, int, text[], float8, float8[], int, int, float8,
  float8, float8, float8, float8, boolean) IS
'The combinations of levels, one for each quasi-identifier, that full-domain generalisation chooses from:'
' the minimal ones (they keep what is asked, none below does), or with frontier false all, up to 100,000.'
' k_reached is the smallest class before anything is suppressed, suppressed are the records of classes '
'that break a promise, feasible says whether no more than max_suppression are. The metrics are those of '
'what is published, ncp and entropy in percent; avg counts all records. Raises errors as anon_incognito.';
-- ---- Hierarchies: value generalisation hierarchies as data ----------------------------------------
--
-- One name, one hierarchy in the database, as with schemas. It belongs to a role, the one that made it;
-- that role, and whoever has its rights, may read and change it, and the roles that it is shared with
-- may read it: cut points and leaves can tell something of the data that they were made from.
--
-- All functions run with the caller's rights, and the tables are closed. What a role may see or change
-- of them, it sees and changes through the four views below, whose conditions are also those of what
-- is written (WITH CHECK OPTION). There is no row-level security: pg_dump by a database owner who is
-- no superuser would refuse to read such tables. It reads and restores these by the rights of
-- pg_database_owner.

CREATE TABLE anon_hierarchy (
  name text NOT NULL CHECK (name OPERATOR(pg_catalog.<>) '') PRIMARY KEY,
  owner text NOT NULL,
  readers text[] NOT NULL DEFAULT '{}',
  kind text NOT NULL CHECK (kind IN ('table', 'prefix', 'range', 'date', 'auto')),
  height int NOT NULL CHECK (height OPERATOR(pg_catalog.>=) 1),
  rule jsonb NOT NULL DEFAULT '{}');

COMMENT ON TABLE anon_hierarchy IS
'Value generalisation hierarchies. height is the level at which every value is suppressed; rule says how '
'labels are made, for the kinds whose labels are made and not listed. See the view anon_hierarchies.';

-- Values are texts; number is the same in one spelling, where the text is a number that no other leaf
-- spells. Kept apart by row, so that one value is looked up without reading the others.
CREATE TABLE anon_hierarchy_leaf (
  hierarchy text NOT NULL REFERENCES anon_hierarchy ON DELETE CASCADE,
  leaf text COLLATE "C" NOT NULL,
  number text COLLATE "C",
  labels text[] NOT NULL,
  PRIMARY KEY (hierarchy, leaf));

CREATE UNIQUE INDEX anon_hierarchy_leaf_number ON anon_hierarchy_leaf (hierarchy, number);

COMMENT ON TABLE anon_hierarchy_leaf IS
'The values of hierarchies of kind table, each with its labels from level 1 upwards.';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.anon_hierarchy', '');
SELECT pg_catalog.pg_extension_config_dump('@extschema@.anon_hierarchy_leaf', '');

GRANT SELECT, INSERT, UPDATE, DELETE ON anon_hierarchy, anon_hierarchy_leaf TO pg_database_owner;

-- A hierarchy whose role is gone falls to the owner of the database.
CREATE VIEW anon_hierarchy_own WITH (security_barrier) AS
SELECT h.name, h.owner, h.readers, h.kind, h.height, h.rule
FROM @extschema@.anon_hierarchy AS h
WHERE coalesce(pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(h.owner)), 'USAGE'),
  pg_catalog.pg_has_role('pg_database_owner', 'USAGE'))
WITH CASCADED CHECK OPTION;

COMMENT ON VIEW anon_hierarchy_own IS
'The hierarchies that the current role may change. Use the functions: they check what is written.';

CREATE VIEW anon_hierarchy_own_leaf WITH (security_barrier) AS
SELECT l.hierarchy, l.leaf, l.number, l.labels
FROM @extschema@.anon_hierarchy_leaf AS l
WHERE EXISTS (SELECT FROM @extschema@.anon_hierarchy_own AS h WHERE h.name OPERATOR(pg_catalog.=) l.hierarchy)
WITH CASCADED CHECK OPTION;

COMMENT ON VIEW anon_hierarchy_own_leaf IS
'The leaves of the hierarchies that the current role may change.';

CREATE VIEW anon_hierarchies WITH (security_barrier) AS
SELECT h.name, h.owner, h.readers, h.kind, h.height AS levels,
  (SELECT pg_catalog.count(*) FROM @extschema@.anon_hierarchy_leaf AS l
   WHERE h.kind OPERATOR(pg_catalog.=) 'table' AND l.hierarchy OPERATOR(pg_catalog.=) h.name) AS leaves,
  h.rule
FROM @extschema@.anon_hierarchy AS h
WHERE coalesce(pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(h.owner)), 'USAGE'),
    pg_catalog.pg_has_role('pg_database_owner', 'USAGE'))
  OR 'public' OPERATOR(pg_catalog.=) ANY (h.readers)
  OR EXISTS (SELECT FROM pg_catalog.unnest(h.readers) AS reader
    WHERE pg_catalog.pg_has_role(pg_catalog.to_regrole(pg_catalog.quote_ident(reader)), 'USAGE'));

COMMENT ON VIEW anon_hierarchies IS
'The hierarchies that the current role may use: whose they are, with whom they are shared, their kind, the '
'number of levels above the values, of listed leaves, and the rule by which labels are made.';

CREATE VIEW anon_hierarchy_leaves WITH (security_barrier) AS
SELECT l.hierarchy, l.leaf, l.number, l.labels
FROM @extschema@.anon_hierarchy_leaf AS l
WHERE EXISTS (SELECT FROM @extschema@.anon_hierarchies AS h WHERE h.name OPERATOR(pg_catalog.=) l.hierarchy);

COMMENT ON VIEW anon_hierarchy_leaves IS
'The leaves of the hierarchies that the current role may use, each with its labels from level 1 upwards.';

GRANT SELECT ON anon_hierarchies, anon_hierarchy_leaves TO PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON anon_hierarchy_own TO PUBLIC;
GRANT SELECT, INSERT ON anon_hierarchy_own_leaf TO PUBLIC;

CREATE FUNCTION anon_hierarchy_drop(name text)
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM @extschema@.anon_hierarchy_own AS h WHERE h.name = anon_hierarchy_drop.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('there is no hierarchy "%s" of yours', name);
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_drop(text) IS
'Drops a hierarchy. Releases that use it stay, and cannot be refreshed until there is one of that name again.';

CREATE FUNCTION anon_hierarchy_share(name text, roles text[])
RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY coalesce(roles, '{NULL}') LOOP
    IF role IS NULL THEN
      RAISE null_value_not_allowed USING MESSAGE = 'roles must not be null';
    ELSIF role <> 'public' AND to_regrole(quote_ident(role)) IS NULL THEN
      RAISE undefined_object USING MESSAGE = format('role "%s" does not exist', role);
    END IF;
  END LOOP;
  UPDATE @extschema@.anon_hierarchy_own AS h SET readers = roles WHERE h.name = anon_hierarchy_share.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('there is no hierarchy "%s" of yours', name);
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_share(text, text[]) IS
'Lets these roles use a hierarchy, beside its owner, and no others; public is everybody.';

-- ---- What becomes of values -----------------------------------------------------------------------

-- How values of an element type can be generalised: integer, number, date, timestamp, timestamptz, text.
CREATE FUNCTION anon_value_class(type oid)
RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  base oid := type;
BEGIN
  WHILE EXISTS (SELECT FROM pg_type AS t WHERE t.oid = base AND t.typtype = 'd') LOOP
    base := (SELECT t.typbasetype FROM pg_type AS t WHERE t.oid = base);
  END LOOP;
  RETURN CASE
    WHEN base IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
    WHEN base IN ('numeric'::regtype, 'float4'::regtype, 'float8'::regtype) THEN 'number'
    WHEN base IN ('date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype) THEN (
      SELECT t.typname::text FROM pg_type AS t WHERE t.oid = base)
    ELSE 'text'
  END;
END $$;

COMMENT ON FUNCTION anon_value_class(oid) IS
'How hierarchies see values of a type; used by anon_hierarchy_labels.';

-- Which values a hierarchy is about; an error if it is not about these.
CREATE FUNCTION anon_hierarchy_check(hierarchy text, kind text, rule jsonb, class text)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wanted text := CASE kind
    WHEN 'prefix' THEN 'text'
    WHEN 'range' THEN CASE WHEN (rule->>'whole')::boolean THEN 'integer' ELSE 'number' END
    WHEN 'date' THEN 'date'
    WHEN 'auto' THEN rule->>'class'
  END;
BEGIN
  -- Bounds that suit integers suit any number, and whole days any point in time.
  IF kind = 'table' OR class = wanted OR (wanted = 'integer' AND class = 'number')
      OR (wanted = 'date' AND class IN ('timestamp', 'timestamptz')) THEN
    RETURN;
  END IF;
  RAISE datatype_mismatch USING
    MESSAGE = format('hierarchy "%s" is not about values of this type', hierarchy),
    DETAIL = format('It is of kind %s, about values of class %s; these are of class %s.', kind, wanted, class),
    HINT = 'Use another hierarchy, or cast the values.';
END $$;

COMMENT ON FUNCTION anon_hierarchy_check(text, text, jsonb, text) IS
'An error unless a hierarchy can generalise values of that class; used by anon_hierarchy_labels.';

-- The labels from level 1 upwards of numbers: intervals of each level's width, or between its cuts; a
-- number outside of the bounds, or not finite, has none.
CREATE FUNCTION anon_number_labels(kind text, rule jsonb, vals numeric[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  origin numeric := rule->>'origin';
  lowest numeric := coalesce((rule->>'low')::numeric, '-Infinity');
  highest numeric := coalesce((rule->>'high')::numeric, 'Infinity');
BEGIN
  RETURN QUERY
  WITH level AS MATERIALIZED (
    SELECT l.nr,
      CASE kind WHEN 'range' THEN l.given::numeric END AS width,
      CASE kind WHEN 'auto' THEN ARRAY(SELECT jsonb_array_elements_text(l.given)::numeric) END AS cuts
    FROM jsonb_array_elements(rule->'levels') WITH ORDINALITY AS l(given, nr)
  ), part AS (
    SELECT v.place, level.nr, b.low, b.high
    FROM unnest(vals) WITH ORDINALITY AS v(number, place) CROSS JOIN level,
      -- mod has the sign of the dividend.
      LATERAL (SELECT v.number - mod(mod(v.number - origin, level.width) + level.width, level.width) AS low) AS step,
      LATERAL (SELECT width_bucket(v.number, level.cuts) AS nr) AS bucket,
      LATERAL (SELECT CASE kind WHEN 'range' THEN step.low ELSE level.cuts[bucket.nr] END AS low,
        CASE kind WHEN 'range' THEN step.low + level.width ELSE level.cuts[bucket.nr + 1] END AS high) AS b
    WHERE v.number > '-Infinity' AND v.number < 'Infinity' AND v.number >= lowest
      AND v.number < highest
  )
  SELECT part.place, array_agg(CASE WHEN part.low IS NULL THEN '(' ELSE '[' END
    || format('%s,%s)', trim_scale(part.low), trim_scale(part.high)) ORDER BY part.nr) || '(,)'::text
  FROM part GROUP BY part.place;
END $$;

COMMENT ON FUNCTION anon_number_labels(text, jsonb, numeric[]) IS
'The labels of numbers by a rule; used by anon_hierarchy_labels.';

-- The same of points in time, in UTC: days, weeks and so on, or between cuts. Bounds are written as class
-- says, as dates or as timestamps.
CREATE FUNCTION anon_time_labels(kind text, rule jsonb, class text, vals timestamp[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  WITH level AS MATERIALIZED (
    SELECT l.nr, l.given#>>'{}' AS unit,
      CASE l.given#>>'{}' WHEN 'quarter' THEN '3 months' WHEN 'decade' THEN '10 years'
        ELSE CASE kind WHEN 'date' THEN '1 ' || (l.given#>>'{}') END END::interval AS length,
      CASE kind WHEN 'auto' THEN ARRAY(SELECT jsonb_array_elements_text(l.given)::timestamp) END AS cuts
    FROM jsonb_array_elements(rule->'levels') WITH ORDINALITY AS l(given, nr)
  ), part AS (
    SELECT v.place, level.nr, b.low, b.high
    FROM unnest(vals) WITH ORDINALITY AS v(moment, place) CROSS JOIN level,
      LATERAL (SELECT CASE kind WHEN 'date' THEN date_trunc(level.unit, v.moment) END AS low) AS step,
      LATERAL (SELECT width_bucket(v.moment, level.cuts) AS nr) AS bucket,
      LATERAL (SELECT CASE kind WHEN 'date' THEN step.low ELSE level.cuts[bucket.nr] END AS low,
        CASE kind WHEN 'date' THEN step.low + level.length ELSE level.cuts[bucket.nr + 1] END AS high) AS b
    WHERE isfinite(v.moment)
  )
  SELECT part.place, array_agg(CASE WHEN part.low IS NULL THEN '(' ELSE '[' END || CASE class
      WHEN 'date' THEN format('%s,%s)', part.low::date, part.high::date)
      WHEN 'timestamp' THEN format('%s,%s)', part.low, part.high)
      ELSE format('%s,%s)', part.low::timestamptz, part.high::timestamptz)
    END ORDER BY part.nr) || '(,)'::text
  FROM part GROUP BY part.place;
END $$;

COMMENT ON FUNCTION anon_time_labels(text, jsonb, text, timestamp[]) IS
'The labels of points in time by a rule; used by anon_hierarchy_labels.';

-- The labels from level 1 upwards of listed leaves. One is looked up in the index, several are matched
-- with all leaves at once.
CREATE FUNCTION anon_leaf_labels(hierarchy text, numbers boolean, keys text[])
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF cardinality(keys) > 1 THEN
    RETURN QUERY
    SELECT k.place, l.labels
    FROM unnest(keys) WITH ORDINALITY AS k(key, place) JOIN @extschema@.anon_hierarchy_leaves AS l
      ON k.key = CASE WHEN numbers THEN l.number ELSE l.leaf END
    WHERE l.hierarchy = anon_leaf_labels.hierarchy;
  ELSIF numbers THEN
    RETURN QUERY SELECT 1::bigint, l.labels FROM @extschema@.anon_hierarchy_leaves AS l
    WHERE l.hierarchy = anon_leaf_labels.hierarchy AND l.number = keys[1];
  ELSE
    RETURN QUERY SELECT 1::bigint, l.labels FROM @extschema@.anon_hierarchy_leaves AS l
    WHERE l.hierarchy = anon_leaf_labels.hierarchy AND l.leaf = keys[1];
  END IF;
END $$;

COMMENT ON FUNCTION anon_leaf_labels(text, boolean, text[]) IS
'The labels of listed leaves, given as texts or as numbers in one spelling; used by anon_hierarchy_labels.';

-- DateStyle and TimeZone are pinned: what a release publishes depends on nothing but the data.
CREATE FUNCTION anon_hierarchy_labels(hierarchy text, vals anyarray)
RETURNS TABLE (place bigint, labels text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1000
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  kind text;
  rule jsonb;
  height int;
  class text := @extschema@.anon_value_class((SELECT t.typelem FROM pg_type AS t WHERE t.oid = pg_typeof(vals)));
  numeric_class boolean := class IN ('integer', 'number');
BEGIN
  SELECT h.kind, h.rule, h.levels INTO kind, rule, height
  FROM @extschema@.anon_hierarchies AS h WHERE h.name = hierarchy;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('hierarchy "%s" does not exist', hierarchy),
      HINT = 'The view anon_hierarchies lists those that you may use.';
  END IF;
  PERFORM @extschema@.anon_hierarchy_check(hierarchy, kind, rule, class);

  IF kind = 'prefix' THEN
    RETURN QUERY
    SELECT v.place, ARRAY[t.value] || ARRAY(
      SELECT rpad(left(t.value, greatest(r.length - level * r.step, 0)), r.length, r.mask)
      FROM generate_series(1, height) AS level ORDER BY level)
    FROM jsonb_to_record(rule) AS r(length int, step int, mask text),
      unnest(vals) WITH ORDINALITY AS v(value, place), LATERAL (SELECT format('%s', v.value) AS value) AS t
    WHERE v.value IS NOT NULL AND char_length(t.value) <= r.length;
  ELSIF kind = 'table' AND numeric_class THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_leaf_labels(hierarchy, true, ARRAY(SELECT trim_scale(number)::text
      FROM unnest(vals::numeric[]) WITH ORDINALITY AS n(number, nr) ORDER BY nr)) AS l ON l.place = v.place;
  ELSIF kind = 'table' THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_leaf_labels(hierarchy, false, ARRAY(SELECT format('%s', value)
      FROM unnest(vals) WITH ORDINALITY AS n(value, nr) ORDER BY nr)) AS l ON l.place = v.place
    WHERE v.value IS NOT NULL;
  ELSIF numeric_class THEN
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_number_labels(kind, rule, vals::numeric[]) AS l ON l.place = v.place;
  ELSE
    RETURN QUERY
    SELECT v.place, ARRAY[format('%s', v.value)] || l.labels
    FROM unnest(vals) WITH ORDINALITY AS v(value, place)
    JOIN @extschema@.anon_time_labels(kind, rule, class, vals::timestamp[]) AS l ON l.place = v.place;
  END IF;
END $$;

COMMENT ON FUNCTION anon_hierarchy_labels(text, anyarray) IS
'Of each of the values: its labels from level 0, itself, to the top. A null and a value without a leaf have no '
'row. Numbers are compared as numbers, anything else as texts, points in time are in UTC.';

CREATE FUNCTION anon_label(vals anyarray, hierarchy text, level int)
RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  labels text[];
BEGIN
  SELECT l.labels INTO labels FROM @extschema@.anon_hierarchy_labels(hierarchy, vals) AS l;
  IF NOT FOUND THEN
    RAISE data_exception USING MESSAGE = format('a value has no leaf in hierarchy "%s"', hierarchy);
  ELSIF level NOT BETWEEN 0 AND cardinality(labels) - 1 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('hierarchy "%s" has no level %s', hierarchy, level),
      DETAIL = format('Its levels are 0, the values themselves, to %s.', cardinality(labels) - 1);
  END IF;
  RETURN labels[level + 1];
END $$;

COMMENT ON FUNCTION anon_label(anyarray, text, int) IS
'The label of the only value of the array; used by anon_generalize.';

CREATE FUNCTION anon_generalize(value anyelement, hierarchy text, level int)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS 'SELECT @extschema@.anon_label(ARRAY[value], hierarchy, level)';

COMMENT ON FUNCTION anon_generalize(anyelement, text, int) IS
'What a value is called at a level of a hierarchy: itself at 0. Null stays null; a value without a leaf is an '
'error, and so is a level that the hierarchy does not have.';

-- For literals, whose type is not known.
CREATE FUNCTION anon_generalize(value text, hierarchy text, level int)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS 'SELECT @extschema@.anon_label(ARRAY[value], hierarchy, level)';

COMMENT ON FUNCTION anon_generalize(text, text, int) IS
'The same of a text.';

CREATE FUNCTION anon_hierarchy_levels(name text)
RETURNS TABLE (level int, description text, labels bigint)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
BEGIN
  SELECT k.kind, k.rule, k.levels INTO h FROM @extschema@.anon_hierarchies AS k
  WHERE k.name = anon_hierarchy_levels.name;
  IF NOT FOUND THEN
    RAISE undefined_object USING MESSAGE = format('hierarchy "%s" does not exist', name),
      HINT = 'The view anon_hierarchies lists those that you may use.';
  END IF;
  RETURN QUERY
  SELECT l.nr,
    CASE
      WHEN l.nr = 0 THEN 'the values'
      WHEN l.nr = h.levels THEN 'suppressed'
      WHEN h.kind = 'prefix' THEN format('the first %s characters',
        (h.rule->>'length')::int - l.nr * (h.rule->>'step')::int)
      WHEN h.kind = 'range' THEN format('intervals of %s', h.rule->'levels'->>(l.nr - 1))
      WHEN h.kind = 'date' THEN h.rule->'levels'->>(l.nr - 1)
      WHEN h.kind = 'auto' THEN 'intervals of like frequency'
      ELSE 'labels'
    END,
    CASE
      WHEN l.nr = h.levels THEN 1
      WHEN h.kind = 'table' AND l.nr = 0 THEN (
        SELECT count(*) FROM @extschema@.anon_hierarchy_leaves AS leaf
        WHERE leaf.hierarchy = anon_hierarchy_levels.name)
      WHEN h.kind = 'table' THEN (
        SELECT count(DISTINCT leaf.labels[l.nr]) FROM @extschema@.anon_hierarchy_leaves AS leaf
        WHERE leaf.hierarchy = anon_hierarchy_levels.name)
      WHEN h.kind = 'auto' AND l.nr > 0 THEN jsonb_array_length(h.rule->'levels'->(l.nr - 1)) + 1
    END
  FROM generate_series(0, h.levels) AS l(nr);
END $$;

COMMENT ON FUNCTION anon_hierarchy_levels(text) IS
'The levels of a hierarchy, from the values to the top, and how many labels each has where that is known.';
-- ---- Hierarchies: how they are made ---------------------------------------------------------------
--
-- Each returns the number of levels above the values. The last of them suppresses: one label for all.

CREATE FUNCTION anon_hierarchy_define(name text, kind text, height int, rule jsonb)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF coalesce(name, '') = '' THEN
    RAISE null_value_not_allowed USING MESSAGE = 'a hierarchy needs a name';
  END IF;
  INSERT INTO @extschema@.anon_hierarchy_own (name, owner, readers, kind, height, rule)
  VALUES (anon_hierarchy_define.name, current_user, '{}', anon_hierarchy_define.kind,
    anon_hierarchy_define.height, anon_hierarchy_define.rule)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RAISE duplicate_object USING MESSAGE = format('hierarchy "%s" already exists', name),
      HINT = 'Choose another name, or use anon_hierarchy_drop first.';
  END IF;
  RETURN height;
END $$;

COMMENT ON FUNCTION anon_hierarchy_define(text, text, int, jsonb) IS
'Enters a hierarchy of the current role; used by the functions that make hierarchies.';

-- The columns of a table, quoted, as texts: the named ones, or all.
CREATE FUNCTION anon_level_columns(tbl regclass, columns text[])
RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  missing text;
BEGIN
  IF columns IS NULL THEN
    RETURN ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute AS a
      WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum);
  END IF;
  SELECT c.name INTO missing FROM unnest(columns) AS c(name)
  WHERE NOT EXISTS (SELECT FROM pg_attribute AS a
    WHERE a.attrelid = tbl AND a.attnum > 0 AND NOT a.attisdropped AND a.attname = c.name);
  IF FOUND THEN
    RAISE undefined_column USING MESSAGE = format('column "%s" does not exist', missing),
      HINT = 'Columns are named as in the table, without quotes.';
  END IF;
  RETURN ARRAY(SELECT quote_ident(c.name) FROM unnest(columns) WITH ORDINALITY AS c(name, nr) ORDER BY c.nr);
END $$;

COMMENT ON FUNCTION anon_level_columns(regclass, text[]) IS
'The quoted columns of a table; used by anon_hierarchy_from_table.';

-- The rows of a table as arrays of texts: leaf first. They are read with the caller's rights.
CREATE FUNCTION anon_level_rows(tbl regclass, columns text[])
RETURNS SETOF text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
AS $$
BEGIN
  -- What format makes of null is no null.
  RETURN QUERY EXECUTE format('SELECT ARRAY[%s] FROM %s AS source', (
    SELECT string_agg(format('CASE WHEN source.%s IS NOT NULL THEN format(''%%s'', source.%s) END', c.name, c.name),
      ', ' ORDER BY c.nr)
    FROM unnest(columns) WITH ORDINALITY AS c(name, nr)), tbl);
END $$;

COMMENT ON FUNCTION anon_level_rows(regclass, text[]) IS
'The rows of a table as texts; used by anon_hierarchy_from_table.';

-- An error unless every row has a label at every level, every value is there once, and every label is part
-- of one label of the level above. Level 0 is the values. An error counts values and never shows one.
CREATE FUNCTION anon_check_levels(leaf_rows text[], columns int)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  failing record;
BEGIN
  WITH label AS MATERIALIZED (
    SELECT nr - 1 AS level, r.labels[nr] AS label, r.labels[nr + 1] AS above
    FROM (SELECT leaf_row::text[] AS labels FROM unnest(leaf_rows) AS leaf_row OFFSET 0) AS r,
      generate_series(1, columns) AS nr
  ), failure (level, message, detail, values) AS (
    SELECT level, 'a label of the hierarchy is null', 'Level %s is null for %s values.', count(*)
    FROM label WHERE label IS NULL GROUP BY level
    UNION ALL
    SELECT 0, 'the hierarchy has a value twice', 'Level %s has %s values more than once.', count(*)
    FROM (SELECT FROM label WHERE level = 0 GROUP BY label HAVING count(*) > 1) AS twice
    UNION ALL
    SELECT level, 'the hierarchy is not a tree',
      'At level %s, %s values have a label that is part of several labels of the level above.', sum(values)
    FROM (SELECT level, count(*) AS values FROM label GROUP BY level, label HAVING count(DISTINCT above) > 1) AS split
    GROUP BY level
  )
  SELECT f.message, format(f.detail, f.level, f.values) AS detail INTO failing
  FROM failure AS f WHERE f.values > 0 ORDER BY f.level, f.message LIMIT 1;
  IF FOUND THEN
    RAISE data_exception USING MESSAGE = failing.message, DETAIL = failing.detail,
      HINT = 'Columns are levels, leaf first, and each label belongs to one label of the next column.';
  END IF;
END $$;

COMMENT ON FUNCTION anon_check_levels(text[], int) IS
'An error unless rows of labels are a tree; used by anon_hierarchy_from_table.';

CREATE FUNCTION anon_hierarchy_from_table(name text, tbl regclass, columns text[] DEFAULT NULL)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  quoted text[] := @extschema@.anon_level_columns(tbl, columns);
  leaf_rows text[];
  top bigint;
  height int := cardinality(quoted) - 1;
BEGIN
  IF cardinality(quoted) = 0 THEN
    RAISE invalid_parameter_value USING MESSAGE = 'a hierarchy needs a column for its values';
  END IF;
  leaf_rows := ARRAY(SELECT leaf_row::text FROM @extschema@.anon_level_rows(tbl, quoted) AS leaf_row);
  IF cardinality(leaf_rows) = 0 THEN
    RAISE data_exception USING MESSAGE = 'a hierarchy needs values', DETAIL = 'The table has no rows.';
  END IF;
  PERFORM @extschema@.anon_check_levels(leaf_rows, cardinality(quoted));

  top := (SELECT count(DISTINCT (leaf_row::text[])[height + 1]) FROM unnest(leaf_rows) AS leaf_row);
  IF top > 1 OR height = 0 THEN
    height := height + 1;
  END IF;
  PERFORM @extschema@.anon_hierarchy_define(name, 'table', height, '{}');
  INSERT INTO @extschema@.anon_hierarchy_own_leaf (hierarchy, leaf, number, labels)
  SELECT anon_hierarchy_from_table.name, r.labels[1],
    CASE WHEN r.number IS NOT NULL AND count(*) OVER (PARTITION BY r.number) = 1 THEN r.number END,
    r.labels[2:] || CASE WHEN height = cardinality(r.labels) THEN ARRAY['*'] ELSE '{}' END
  FROM (
    SELECT leaf.labels, CASE WHEN leaf.labels[1] ~ '^[-+]?[0-9]{1,60}(\.[0-9]{0,60})?$'
      THEN trim_scale(leaf.labels[1]::numeric)::text END AS number
    FROM (SELECT leaf_row::text[] AS labels FROM unnest(leaf_rows) AS leaf_row OFFSET 0) AS leaf
  ) AS r;
  RETURN height;
END $$;

COMMENT ON FUNCTION anon_hierarchy_from_table(text, regclass, text[]) IS
'A hierarchy out of a table with a row for each value and a column for each level, the value first; columns '
'names them if not all. A last level of several labels gets one above it, *. Labels are published as texts; '
'numbers find their leaf however it is spelled.';

CREATE FUNCTION anon_hierarchy_prefix(name text, length int, step int DEFAULT 1, mask text DEFAULT '*')
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (length BETWEEN 1 AND 1000 AND step BETWEEN 1 AND length AND char_length(mask) = 1) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING
      MESSAGE = 'length must be 1 to 1000, step 1 to length, and mask a single character';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'prefix', (length + step - 1) / step,
    jsonb_build_object('length', length, 'step', step, 'mask', mask));
END $$;

COMMENT ON FUNCTION anon_hierarchy_prefix(text, int, int, text) IS
'A hierarchy of texts of at most length characters, such as postal codes: each level masks step more of them, '
'from the end. Shorter texts are filled up with the mask; longer ones have no leaf.';

CREATE FUNCTION anon_hierarchy_range(
  name text,
  widths numeric[],
  origin numeric DEFAULT 0,
  low numeric DEFAULT NULL,
  high numeric DEFAULT NULL)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wrong int;
BEGIN
  IF (cardinality(widths) BETWEEN 1 AND 100 AND array_ndims(widths) = 1 AND origin > '-Infinity' AND origin < 'Infinity') IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'widths must be an array of numbers, and origin a number';
  ELSIF EXISTS (SELECT FROM unnest(widths) AS width WHERE (width > 0 AND width < 'Infinity') IS NOT TRUE) THEN
    RAISE invalid_parameter_value USING MESSAGE = 'widths must be finite and above 0';
  ELSIF low >= high THEN
    RAISE invalid_parameter_value USING MESSAGE = 'low must be below high';
  END IF;
  SELECT level INTO wrong FROM generate_series(2, cardinality(widths)) AS level
  WHERE widths[level] <= widths[level - 1] OR mod(widths[level], widths[level - 1]) <> 0 ORDER BY level LIMIT 1;
  IF FOUND THEN
    RAISE invalid_parameter_value USING MESSAGE = 'the hierarchy is not a tree',
      DETAIL = format('The width of level %s is not a multiple of the one before.', wrong);
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'range', cardinality(widths) + 1, jsonb_build_object(
    'levels', (SELECT jsonb_agg(trim_scale(width) ORDER BY nr) FROM unnest(widths) WITH ORDINALITY AS w(width, nr)),
    'origin', trim_scale(origin), 'low', trim_scale(low), 'high', trim_scale(high),
    'whole', (SELECT bool_and(number % 1 = 0) FROM unnest(widths || origin) AS number)));
END $$;

COMMENT ON FUNCTION anon_hierarchy_range(text, numeric[], numeric, numeric, numeric) IS
'A hierarchy of numbers: at each level intervals of a width, one of which begins at origin. Each width is a '
'multiple of the one before. Numbers below low, or not below high, have no leaf. Published as range values.';

CREATE FUNCTION anon_hierarchy_fanout(name text, low numeric, high numeric, width numeric, fanout int DEFAULT 2)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  widths numeric[] := '{}';
  next_width numeric := width;
BEGIN
  IF (low < high AND low > '-Infinity' AND high < 'Infinity' AND width > 0 AND width < 'Infinity' AND fanout >= 2) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'low must be below high, width above 0, and fanout at least 2';
  END IF;
  WHILE cardinality(widths) = 0 OR next_width < high - low LOOP
    widths := widths || next_width;
    next_width := next_width * fanout;
  END LOOP;
  RETURN @extschema@.anon_hierarchy_range(name, widths, low, low, high);
END $$;

COMMENT ON FUNCTION anon_hierarchy_fanout(text, numeric, numeric, numeric, int) IS
'A hierarchy of the numbers from low to below high: intervals of width, then fanout of them together, and so '
'on. Published as range values.';

CREATE FUNCTION anon_hierarchy_date(name text, levels text[] DEFAULT '{month,quarter,year,decade}')
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  units constant text[] := '{day,week,month,quarter,year,decade}';
BEGIN
  IF (cardinality(levels) > 0 AND array_ndims(levels) = 1 AND array_position(levels, NULL) IS NULL
      AND levels <@ units) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'levels must be an array of units of time',
      HINT = format('Choose from %s.', array_to_string(units, ', '));
  ELSIF EXISTS (SELECT FROM generate_series(2, cardinality(levels)) AS level
      WHERE array_position(units, levels[level]) <= array_position(units, levels[level - 1])) THEN
    RAISE invalid_parameter_value USING MESSAGE = 'levels must be in the order of their length',
      DETAIL = format('The order is %s.', array_to_string(units, ', '));
  ELSIF 'week' = ANY (levels) AND levels[cardinality(levels)] <> 'week' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'the hierarchy is not a tree',
      DETAIL = 'A week can be part of two months, quarters, years or decades.',
      HINT = 'Leave week out, or make it the last.';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'date', cardinality(levels) + 1,
    jsonb_build_object('levels', levels));
END $$;

COMMENT ON FUNCTION anon_hierarchy_date(text, text[]) IS
'A hierarchy of dates and timestamps: levels of day, week, month, quarter, year and decade, in that order; a week '
'can only be the last, since none of the others is made of weeks. Timestamps with time zone are in UTC. '
'Published as range values.';

-- The values of a column, as numbers or as points in time in UTC, at which parts of like frequency begin:
-- the i-th of parts - 1 cuts. Nulls and values that are not finite do not count.
CREATE FUNCTION anon_frequency_cuts(tbl regclass, quoted_column text, class text, parts int)
RETURNS TABLE (nr int, cut text)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
AS $$
DECLARE
  numeric_class boolean := class IN ('integer', 'number');
BEGIN
  -- A cut at the lowest value would have nothing below it: it is at the second.
  RETURN QUERY EXECUTE format($query$
    WITH ranked AS (
      SELECT source.value, row_number() OVER (ORDER BY source.value) - 1 AS rank, count(*) OVER () AS n,
        min(source.value) OVER () AS lowest
      FROM (SELECT rel.%s::%s AS value FROM %s AS rel) AS source WHERE %s
    )
    SELECT i, %s FROM generate_series(1, $1 - 1) AS i
    JOIN ranked ON ranked.rank = (i * ranked.n) / $1
    CROSS JOIN (SELECT min(above.value) AS value FROM ranked AS above WHERE above.value > above.lowest) AS second,
    LATERAL (SELECT greatest(ranked.value, second.value) AS value) AS r
    WHERE second.value IS NOT NULL$query$,
    quoted_column, CASE WHEN numeric_class THEN 'numeric' ELSE 'timestamp' END, tbl,
    CASE WHEN numeric_class THEN $c$source.value > '-Infinity' AND source.value < 'Infinity'$c$
      ELSE 'isfinite(source.value)' END,
    CASE WHEN numeric_class THEN 'trim_scale(r.value)::text' ELSE 'r.value::text' END) USING parts;
END $$;

COMMENT ON FUNCTION anon_frequency_cuts(regclass, text, text, int) IS
'Quantiles of a column; used by anon_hierarchy_auto.';

CREATE FUNCTION anon_hierarchy_auto(
  name text,
  tbl regclass,
  column_name text,
  fanout int DEFAULT 2,
  levels int DEFAULT 4)
RETURNS int
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  quoted text := (@extschema@.anon_level_columns(tbl, ARRAY[column_name]))[1];
  class text := @extschema@.anon_value_class((SELECT a.atttypid FROM pg_attribute AS a
    WHERE a.attrelid = tbl AND quote_ident(a.attname) = quoted AND NOT a.attisdropped));
  cuts jsonb;
BEGIN
  IF class = 'text' THEN
    RAISE datatype_mismatch USING
      MESSAGE = format('column "%s" cannot have an automatic hierarchy', column_name),
      DETAIL = 'Its values are neither numbers nor dates.';
  ELSIF (fanout BETWEEN 2 AND 4096 AND levels BETWEEN 1 AND 12 AND fanout ^ levels <= 4096) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING
      MESSAGE = 'fanout must be at least 2, levels at least 1, and fanout to the power of levels at most 4096';
  END IF;
  -- The cuts of each level are some of those below. Where values are few, levels can be alike, or have no cut.
  WITH cut AS MATERIALIZED (
    SELECT c.nr, c.cut, dense_rank() OVER (ORDER BY c.cut COLLATE "C") AS same
    FROM @extschema@.anon_frequency_cuts(tbl, quoted, class, (fanout ^ levels)::int) AS c
  ), level AS (
    SELECT l.nr, (
      SELECT jsonb_agg(one.cut ORDER BY one.nr)
      FROM (SELECT DISTINCT ON (cut.same) cut.nr, cut.cut FROM cut
        WHERE cut.nr % (fanout ^ (l.nr - 1))::int = 0 ORDER BY cut.same, cut.nr) AS one) AS cuts
    FROM generate_series(1, levels) AS l(nr)
  )
  SELECT jsonb_agg(d.cuts ORDER BY d.nr) INTO cuts
  FROM (SELECT DISTINCT ON (level.cuts) level.nr, level.cuts FROM level WHERE level.cuts IS NOT NULL
    ORDER BY level.cuts, level.nr) AS d;
  IF cuts IS NULL THEN
    RAISE data_exception USING
      MESSAGE = format('column "%s" cannot have an automatic hierarchy', column_name),
      DETAIL = 'It has fewer than two distinct values.';
  END IF;
  RETURN @extschema@.anon_hierarchy_define(name, 'auto', jsonb_array_length(cuts) + 1,
    jsonb_build_object('levels', cuts, 'class', class));
END $$;

COMMENT ON FUNCTION anon_hierarchy_auto(text, regclass, text, int, int) IS
'A hierarchy of a column of numbers, dates or timestamps, out of what it holds now: at the lowest level '
'fanout to the power of levels intervals of like frequency, at each level fanout of them together. The '
'outermost are open, so it can also be used when the column holds other values. Its cuts are values of the '
'column: share it with those who may know them. Published as range values.';

-- ---- Publish: a release is a materialized view over anon_release ----------------------------------

CREATE FUNCTION anon_release(tbl regclass, spec jsonb)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'anon_release'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_release(regclass, jsonb) IS
'The masked and verified rows of a release; the query behind the materialized views that anon_publish '
'makes. Raises check_violation if the masked rows do not satisfy what the spec promises.';

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
  lower_bound boolean DEFAULT false)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, blanked bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_publish'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_publish(text, regclass, text[], int, text, text[], text[], jsonb, text[],
  boolean) IS
'Makes the materialized view release out of the table: masked quasi-identifiers, the sensitive and the '
'kept columns as they are, nothing else. Verifies it, grants SELECT to the roles in grant_to, and '
'returns its figures; loss is 100*SSE/SST on the standardized columns. Publishes nothing on failure.';

CREATE FUNCTION anon_refresh(release regclass)
RETURNS TABLE (
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, blanked bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_refresh'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000 ROWS 1;

COMMENT ON FUNCTION anon_refresh(regclass) IS
'Builds and verifies a release again from what its source holds now. The old release stays if that '
'fails.';

CREATE FUNCTION anon_drop(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_drop'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000;

COMMENT ON FUNCTION anon_drop(regclass) IS
'Drops a release. Refuses any relation that is not one.';

CREATE FUNCTION anon_release_info(release regclass)
RETURNS TABLE (
  source regclass, spec jsonb, built timestamptz, current boolean,
  rows bigint, classes bigint, smallest_class bigint, mean_class float8,
  loss float8, ncp float8, prec float8, il float8, dm float8, avg float8, lower_bound float8,
  suppressed bigint, blanked bigint, reproducible boolean, seconds float8)
AS 'MODULE_PATHNAME', 'anon_release_info'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 ROWS 1;

COMMENT ON FUNCTION anon_release_info(regclass) IS
'Source, spec and figures of a release; no row for any other relation.';

CREATE VIEW anon_releases AS
SELECT c.oid::pg_catalog.regclass AS release, info.*
FROM pg_catalog.pg_class AS c, LATERAL @extschema@.anon_release_info(c.oid::pg_catalog.regclass) AS info
WHERE c.relkind OPERATOR(pg_catalog.=) 'm';

COMMENT ON VIEW anon_releases IS
'Every release of this database: where it comes from, how it was asked for, when it was built, and '
'its figures then; current tells whether it was refreshed otherwise since.';

GRANT SELECT ON anon_releases TO PUBLIC;

-- ---- Prove: audits of any relation ----------------------------------------------------------------

CREATE FUNCTION anon_audit(
  rel regclass,
  qi text[],
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
  n int DEFAULT NULL)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;

COMMENT ON FUNCTION anon_audit(regclass, text[], text[], text[], float8, text, float8[], regclass, float8,
  text, jsonb, jsonb, int) IS
'The level that a relation achieves under each privacy model. Classes are what GROUP BY makes of qi. '
'detail names the worst class by its values in qi. With functions also k^f-anonymity (k^(f,d) if d is above '
'0): the fewest records that somebody who knows these aggregates of a record cannot tell apart; source is '
'where the original values are read for the guarantee candidates, else the worst that they may be counts. '
'With q also (k,p,q,r)-anonymity: p and r of the classes that hold a value rarer than q. '
't-closeness of a sensitive column that has a hierarchy is by the hierarchical distance. With protected, the '
'values of such a column and labels of its hierarchy, also extended p-sensitivity. With n also '
'(n,t)-closeness: a class is compared with the records that agree with it in the first one, two, ... columns '
'of qi, where they are at least n, and with all records; the least distance counts.';

CREATE FUNCTION anon_assert(
  rel regclass,
  qi text[],
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
  functions text[] DEFAULT '{sum}',
  d float8 DEFAULT 0,
  guarantee text DEFAULT 'candidates',
  weights float8[] DEFAULT NULL,
  source regclass DEFAULT NULL,
  q float8 DEFAULT NULL,
  r float8 DEFAULT NULL,
  variance_of text DEFAULT 'rare',
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL,
  n int DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert(regclass, text[], text[], int, int, int, float8, float8, float8, float8,
  float8, int, text[], float8, text, float8[], regclass, float8, float8, text, jsonb,
  jsonb, int) IS
'Raises check_violation, naming the model, the level promised and the level found, unless the relation '
'satisfies every model given: k-anonymity, p-sensitivity (extended if protected is given), distinct '
'l-diversity (recursive (c,l)-diversity if c is given), entropy l-diversity, t-closeness ((n,t)-closeness '
'if n is given), '
'(alpha,k)-anonymity, (k,e)-anonymity, with q (k,p,q,r)-anonymity by p, q and r, and with k_f '
'k^f-anonymity, as anon_audit measures it.';

CREATE FUNCTION anon_capacity(
  rel regclass,
  sensitive text[],
  p int DEFAULT 2,
  hierarchies jsonb DEFAULT NULL,
  protected jsonb DEFAULT NULL)
RETURNS TABLE (
  attribute text,
  frequencies bigint[],
  cumulated bigint[],
  largest_p int,
  max_clusters bigint)
AS 'MODULE_PATHNAME', 'anon_capacity'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 3;

COMMENT ON FUNCTION anon_capacity(regclass, text[], int, jsonb, jsonb) IS
'What p-sensitive k-anonymity a relation allows, before anybody anonymises it: how often the distinct values '
'of each sensitive column occur, the most frequent first, and the sums of those; the largest p that any '
'release can have; and for the given p a number of classes that no release can exceed. The last row, without '
'attribute, is about all columns together. Protected values count as one with all that is below them.';

CREATE FUNCTION anon_evaluate(
  tbl regclass,
  qi text[],
  k int,
  method text DEFAULT 'microaggregate',
  sensitive text[] DEFAULT '{}',
  params jsonb DEFAULT '{}',
  lower_bound boolean DEFAULT false,
  functions text[] DEFAULT NULL)
RETURNS TABLE (measure text, value float8)
AS 'MODULE_PATHNAME', 'anon_evaluate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 15;

COMMENT ON FUNCTION anon_evaluate(regclass, text[], int, text, text[], jsonb, boolean, text[]) IS
'What a method makes of a table, without a release: class sizes, DM (sum of squared class sizes), AVG '
'(mean class size over k), SSE and SST on the standardized columns, loss = 100*SSE/SST, and with '
'lower_bound the percentage that no classes of k records can go below, and the gap to it; with functions '
'the mean width of the intervals in which these aggregates of a record can be read off the release.';
