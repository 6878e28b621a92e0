
-- ---- Look: full-domain generalisation -----------------------------------------------------------
--
-- Rows as of the other methods; masked holds labels of the columns' hierarchies. In a suppressed
-- record class_id, class_size and masked are null. hierarchies is an object of columns and
-- hierarchies. A category without one is published or suppressed; any other column must have one.

CREATE FUNCTION anon_incognito(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_incognito'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_incognito(${types}) IS
'Full-domain generalisation of least loss by Incognito (LeFevre, DeWitt, Ramakrishnan 2005): among all '
'combinations of levels, one for each quasi-identifier, that keep k and every given model, the one of the '
'least metric (prec, ncp, dm, avg or entropy). max_suppression is the largest share of suppressed records, 0 '
'to 1; null: none. local_suppression publishes records with single cells suppressed where that costs less. '
'Raises an error for a number without a hierarchy, a value without a leaf, more than 10,000,000 combinations '
'of levels, or if no combination is feasible. With unit k, p, l, dominance, risk_mean and risk_above count '
'persons; other models are refused. '
'population is a relation that has the records and others: then k_map and delta_presence are promised, and the '
'population is generalised alike.';

CREATE FUNCTION anon_mingen(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mingen'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mingen(${types}) IS
'Full-domain generalisation by MinGen (Sweeney 2002): evaluates every combination of levels. The result '
'equals that of anon_incognito, which is faster. Raises an error for more than 100,000 combinations, and like'
' anon_incognito. With unit k, p, l, dominance, risk_mean and risk_above count persons; other models are '
'refused.';

CREATE FUNCTION anon_datafly(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_datafly'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_datafly(${types}) IS
'Full-domain generalisation by Datafly (Sweeney 2002): generalises the quasi-identifier with the most '
'distinct values by one level, until few enough records are in classes that break k or a given model. These '
'are suppressed. max_suppression is their largest share; null: k records, as published. Greedy: other methods'
' lose less. Raises errors like anon_incognito. With unit k, p, l, dominance, risk_mean and risk_above '
'count persons; other models are refused.';

CREATE FUNCTION anon_argus(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_argus'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_argus(${types}) IS
'Generalisation by mu-Argus (Hundepool and Willenborg 1996; Sweeney 2002): every quasi-identifier is '
'generalised until each of its values has k records. Combinations of 2 and 3 values with fewer records lose '
'cells. identifying gives each quasi-identifier a role, identifying, more or most: combinations of different '
'roles are tested, or all if it is null. With max_suppression columns are generalised further while more than'
' that share of the records would lose cells. complete suppresses cells and then records until k and every '
'given model hold. Without it the result is as published: the smallest class shows the k reached, no model '
'can be given, and anon_publish refuses it. Raises errors like anon_incognito. With unit k, p, l and '
'dominance count persons; other models are refused.';

CREATE FUNCTION anon_topdown(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_topdown'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_topdown(${types}) IS
'Generalisation by top-down specialisation (Fung, Wang, Yu 2005): all values start suppressed. Each step '
'replaces the value with the best ratio of information to lost anonymity by its children, as long as k and '
'every given model hold and at most max_suppression of the records are suppressed. target is a column of '
'class labels for a classifier: only values that help to predict it are specialised. Raises errors like '
'anon_incognito, and where all records in one class break a promise, though anon_incognito might suppress some '
'of them. With unit k, p, l, dominance, risk_mean and risk_above count persons; other models are refused.';


-- ---- The lattice of generalisations ---------------------------------------------------------------

CREATE FUNCTION anon_lattice(${arguments})
RETURNS TABLE (
  levels int[], minimal boolean, feasible boolean, k_reached bigint, suppressed bigint, classes bigint,
  prec float8, dm float8, ncp float8, avg float8, entropy float8)
AS 'MODULE_PATHNAME', 'anon_lattice'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 1000;

COMMENT ON FUNCTION anon_lattice(${types}) IS
'The combinations of levels, one for each quasi-identifier, available to full-domain generalisation: the '
'minimal ones (feasible, and none below is), or with frontier false all, up to 100,000. k_reached is the '
'smallest class before suppression, suppressed counts the records of classes that break a promise, feasible '
'is true if they are at most max_suppression, and not all. The metrics are those of the published records, ncp and entropy'
' in percent; avg counts all records. Raises errors like anon_incognito. With unit k_reached and feasible '
'count persons.';
