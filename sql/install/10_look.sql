
-- ---- Look: the classes and masked values of a table, without a release --------------------------
--
-- One row per record. source is its tid, null where the relation has none (a view, a foreign table). class_id counts
-- from 1. masked holds the masked quasi-identifiers and the columns in keep.

CREATE FUNCTION anon_microaggregate(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_microaggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_microaggregate(${types}) IS
'Microaggregation of least loss: MDAV (or the optimal classes of a single numeric column), improved by a '
'search over moves, swaps, splits and merges of classes. Every class satisfies every given model, for every '
'sensitive column: t-closeness (t; t_each: one t for each; with n (n,t)-closeness, see anon_tclose), '
'p-sensitivity (p), distinct l-diversity (l; recursive with c), entropy l-diversity (entropy_l), '
'(alpha,k)-anonymity (alpha), (k,e)-anonymity (e, in days for dates, in seconds for timestamps), '
'enhanced beta-likeness (beta), delta-disclosure (delta), '
'(k,p,q,r)-anonymity (q, r and p; see anon_kpqr), with protected extended p-sensitivity (see '
'anon_psensitive). effort is fast or thorough. seed changes the search. refine_seconds limits it, and then '
'the result is not reproducible. Without a promise no class divides records that are equal in all '
'quasi-identifiers, unless duplicates is divide. unit names the columns that identify the person of a row; '
'then k and every model count persons, except (n,t)-closeness, (k,p,q,r)-anonymity, beta-likeness and '
'delta-disclosure, which are refused, and dominance is the largest share of a class that one person may have. '
'risk_mean is the largest mean of 1 / the members of a record''s class, and risk_above the largest share of records '
'for which that exceeds risk_threshold. With '
'unit_rows => ''together'' k persons share each history of classes, and max_suppression is the share of rows '
'that persons with more rows than k others may leave out; otherwise it is the largest share of suppressed '
'outliers. Columns in categories are codes of any type; ordered and orders give labels an order, by their '
'numbers or a list. coarsen rounds and truncates kept numbers. '
'With transparent, classes are formed without regard to which record has which sensitive value. Classes that '
'break a promise withhold their sensitive values (null), and so does a share decoys (0.05) of the others: an '
'adversary who knows the code learns no more than the values of a class. p, l, entropy_l, c, alpha, e and '
'protected values can be promised so. An error if more than the share max_withheld (1) of the records would be withheld. With '
'adapt, such as 0.05, the least size of classes is chosen set by set, so that a random part of that size breaks '
'a promise (p, l or alpha) with that probability at most: less is withheld, and more lost. '
'With block_size the records are divided into blocks of about so many neighbours, which are partitioned in '
'threads; a search across the borders follows. Large tables are divided so without it: those '
'with categories under any promise, those of numbers if nothing is promised beside k, and neither if a unit, ranges or a thorough search is wanted. The number of threads never changes the result.';

CREATE FUNCTION anon_tclose(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_tclose'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_tclose(${types}) IS
'k-anonymous t-closeness through microaggregation (Soria-Comas, Domingo-Ferrer, Sanchez, Martinez 2015). '
'algorithm merge, k_first and t_first are its Algorithms 1, 2 and 3 (merge with gamma uses the classes of '
'V-MDAV instead of MDAV); sabre is that of Cao, Karras, Kalnis and Tan (2011); best starts a search from all '
'of them. Distances are ordered for numbers, dates and enums, hierarchical for columns with a hierarchy, and '
'equal for others. t is above 0 and at most 1; t_each gives one for each sensitive column. With n, '
'(n,t)-closeness (Li, Li, Venkatasubramanian 2010): a class is within t of all records, or of those that '
'agree with it in the first one, two, ... columns of qi, if they are at least n. With unit k and t count '
'persons: classes of rows are united until the promises hold; best searches. '
'block_size is as in anon_microaggregate.';

CREATE FUNCTION anon_mondrian(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mondrian'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;
COMMENT ON FUNCTION anon_mondrian(${types}) IS
'Generalisation by Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): classes are cut in two at the median of a '
'quasi-identifier, recursively, while every part keeps k and every given model. algorithm strict leaves equal'
' values on one side; relaxed divides them to halve the class; best takes the cut of least loss, and then searches for less loss (NCP), '
'thoroughly unless refine is fast. grid publishes boxes of a public grid of widths, and secret coins skip cuts, so that '
'every table with the published numbers of records stays possible. With unit k and every model count persons, see '
'anon_microaggregate. unit_rows as in anon_microaggregate. '
'transparent, decoys, max_withheld and adapt are as in anon_microaggregate.';

CREATE FUNCTION anon_kpqr(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_kpqr'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_kpqr(${types}) IS
'(k,p,q,r)-anonymity (Domingo-Ferrer, Sebe, Solanas 2008): a class with a sensitive value rarer than the '
'share q has at least p distinct values, and at least r times the variance of the records with rare values '
'(variance_of rare) or of all. algorithm heuristic is the paper''s, from random records (seed); best searches'
' for the least loss. A unit is refused.';

CREATE FUNCTION anon_psensitive(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_psensitive'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_psensitive(${types}) IS
'p-sensitive k-anonymity: every class has at least p distinct values of every sensitive column. algorithm '
'enhanced is EnhancedPKClustering (Truta, Campan, Meyer 2007), greedy GreedyPKClustering (Campan, Truta, '
'Miller, Sinca 2007), auto the better of the two; microaggregation grows classes from random records '
'(Solanas, Sebe, Domingo-Ferrer 2008; seed); best searches for the least loss. Classes are published as '
'ranges, or as labels if quasi-identifiers have hierarchies, unless recode is given. protected names values '
'of sensitive columns, or labels of their hierarchies. Each counts as one value with all values below it: '
'extended p-sensitivity (Campan, Truta 2006). With unit k and p count persons: classes of rows are united '
'until the promises hold; best searches.';

CREATE FUNCTION anon_mdav(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mdav(${types}) IS
'Microaggregation by MDAV (Domingo-Ferrer and Torra 2005): classes of k to 2k-1 records with one masked value'
' in every quasi-identifier. refine: none, fast or thorough search for less loss. No class divides records '
'that are equal in all quasi-identifiers, so classes of many equal records are larger. duplicates divide '
'makes the paper''s classes, with equal records ordered by a hash keyed by seed. unit names the columns that '
'identify the person of a row: classes have k different persons, and skip further rows of their persons. unit_rows as in '
'anon_microaggregate. '
'With transparent, classes that break a promise (p, l, entropy_l, c, alpha or e) withhold their sensitive '
'values, see anon_microaggregate. '
'block_size is as in anon_microaggregate: then the classes are not exactly those of MDAV.';

CREATE FUNCTION anon_vmdav(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_vmdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_vmdav(${types}) IS
'Microaggregation by V-MDAV (Solanas and Martinez-Balleste 2006): like MDAV, but a class takes a near record,'
' up to 2k-1 in all, if it is nearer to the class than gamma times its distance to the others. With unit, '
'classes of k different persons, as in anon_mdav. '
'Promises and transparent are as in anon_mdav. '
'block_size is as in anon_mdav.';

CREATE FUNCTION anon_univariate(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_univariate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_univariate(${types}) IS
'Optimal microaggregation of one numeric quasi-identifier (Hansen and Mukherjee 2003): no partition into '
'classes of at least k records has a lower SSE. '
'A unit is refused: the classes are optimal for rows.';

CREATE FUNCTION anon_aggregate(${arguments})
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_aggregate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_aggregate(${types}) IS
'k^f- and k^(f,d)-anonymity against attackers who know an aggregate of a record (Gkountouna, Lepenioti, '
'Terrovitis 2013). functions are sum, avg, min, max and weighted_sum (with weights); d is the relative error '
'of the attackers'' knowledge. guarantee candidates: the known value matches at least k published records; '
'identical: at least k published records have one interval of it. algorithm greedy is the paper''s Algorithm '
'1; optimal loses least among all runs in the order of the aggregate; best also tries classes of any records.'
' domain common measures all columns by one range. Numbers are published as ranges, [v,v] for a value that '
'was not generalised. A unit is refused: rows are counted.';
