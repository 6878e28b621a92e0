
-- ---- Prove: audits of any relation ----------------------------------------------------------------

CREATE FUNCTION anon_audit(${arguments})
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;

COMMENT ON FUNCTION anon_audit(${types}) IS
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
' number of persons with the same number of rows in every class. Dominance is the largest share of a class''s'
' rows that belong to one person, and joint values are the candidates for a value that a person has in each '
'of their classes: the fewest, and the share of persons with a single one. With asked, an object of models '
'and levels, detail also says whether the given level is kept, and counts the classes and records that fall short of it, '
'where classes have levels of their own; a model that cannot be measured is an error. With population, a relation '
'that contains this one, masked in the same way or not at all, also k-map and delta-presence; hierarchies of qi give '
'its values the published labels. '
'With withheld, classes whose records have null in every sensitive column withhold their values, as in a '
'transparent release: models of values judge the other classes, and detail counts the records withheld. '
'With suppressed, an object of the text that another tool wrote for a suppressed cell of each quasi-identifier, these '
'cells are null, and a row whose quasi-identifiers are all null is in no class: no model judges it, and detail counts it. '
'With wildcards also k-anonymity with wildcards: the fewest records that are compatible with a record, where null in a '
'quasi-identifier, a suppressed cell, is compatible with every value. Other models still judge the classes of GROUP BY.';

CREATE FUNCTION anon_assert(${arguments})
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert(${types}) IS
'Raises check_violation, with the model, the promised level and the level found, unless the relation '
'satisfies every given model: k-anonymity, p-sensitivity (extended if protected is given), distinct '
'l-diversity (recursive (c,l)-diversity if c is given), entropy l-diversity, t-closeness ((n,t)-closeness if '
'n is given), (alpha,k)-anonymity, (k,e)-anonymity, with q (k,p,q,r)-anonymity by p, q and r, and with k_f '
'k^f-anonymity, as measured by anon_audit. A release knows its columns: without qi they come from its query, '
'as in anon_audit. With unit every model counts persons; unit_rows => ''together'' also asserts k-anonymity '
'of histories, and dominance the largest share of a class''s rows that belong to one person. risk_mean is the mean risk '
'of all records, and risk_above the share of those whose risk exceeds risk_threshold. k_map and delta_presence are '
'about population, a relation that contains this one; hierarchies give its values the published labels. '
'withheld and suppressed are as in anon_audit.';

CREATE FUNCTION anon_assert_swap(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert_swap'
LANGUAGE C VOLATILE PARALLEL UNSAFE COST 100000;

COMMENT ON FUNCTION anon_assert_swap(regclass) IS
'Raises check_violation unless the rows of a release by swapping (recode ''swap'') are what its private classes and '
'its secret make of the source, and the classes keep k and all promises. Rows are computed again, and compared in both '
'directions. An error says if the source has changed since the classes were written. Only the owner may call it, '
'since it reads the companion and the source.';

CREATE FUNCTION anon_capacity(${arguments})
RETURNS TABLE (
  attribute text,
  frequencies bigint[],
  cumulated bigint[],
  largest_p int,
  max_clusters bigint)
AS 'MODULE_PATHNAME', 'anon_capacity'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 3;

COMMENT ON FUNCTION anon_capacity(${types}) IS
'The limits of p-sensitive k-anonymity for a relation, before any anonymization: the frequencies of the '
'distinct values of each sensitive column in descending order, and their cumulated sums; the largest p of any'
' release; and for the given p an upper bound of the number of classes of any release. The last row, without '
'attribute, concerns all columns together. Protected values count as one with all values below them. With '
'unit there is also a row for the unit, since every class needs p different units. Every kind of l-diversity, '
'alpha, beta, delta and t add values that every class needs, dominance adds units, and risk_mean bounds the classes of all '
'columns together. beta and t bound the sizes of classes, too; t by a hierarchy bounds nothing, and beta, delta and t cannot '
'be combined with a unit. A bound of 0 means that no release of all rows keeps the promises.';

CREATE FUNCTION anon_evaluate(${arguments})
RETURNS TABLE (measure text, value float8, attribute text)
AS 'MODULE_PATHNAME', 'anon_evaluate'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 15;

COMMENT ON FUNCTION anon_evaluate(${types}) IS
'The result of a method on a table, without a release: class sizes, DM (sum of squared class sizes), AVG '
'(mean class size over k), SSE and SST on the standardized columns, loss = 100*SSE/SST. With lower_bound '
'(true, or a number of seconds) also a lower bound of the loss of all classes of k records that keep the '
'promises, and the gap to it. With functions also the mean width of the intervals of these aggregates in the '
'release. Promises are named as in the methods. With unit they count persons. With by_column also, for each '
'quasi-identifier in attribute, the percentage of cells changed, the shift of the mean in standard '
'deviations, and the loss.';
