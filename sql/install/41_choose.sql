
-- ---- Choose: the roles of columns, and a comparison of methods ----------------------------------

CREATE FUNCTION anon_profile(tbl regclass)
RETURNS TABLE (
  column_name text, type text, distinct_values bigint, nulls bigint, distinction float8, separation float8,
  uniques_added bigint, role text, reason text)
AS 'MODULE_PATHNAME', 'anon_profile'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10;

COMMENT ON FUNCTION anon_profile(regclass) IS
'The figures of each column of a table: distinct values, nulls, distinction (distinct values over records), '
'separation (the share of pairs of records with different values), the records that are unique by the '
'quasi-identifiers with it but not without it, and a proposed role with its reason: identifier, unit (the person '
'of a row, where persons have several), quasi-identifier, sensitive, free text to leave out, or other for types that '
'cannot be masked. The proposal uses values, types and names; an expert on the data must decide.';

CREATE FUNCTION anon_propose(tbl regclass, k int DEFAULT 5)
RETURNS text
AS 'MODULE_PATHNAME', 'anon_propose'
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 100000;

COMMENT ON FUNCTION anon_propose(regclass, int) IS
'The statement of a first release of a table, from the roles that anon_profile proposes: classes of at least k '
'records or persons, and two values of each sensitive column in each class. Read it before you run it. An error if no '
'column looks like a quasi-identifier.';

CREATE FUNCTION anon_sweep(${arguments})
RETURNS TABLE (
  method text, k int, parameters jsonb, loss float8, ncp float8, risk_max float8, risk_mean float8, classes bigint,
  suppressed bigint, seconds float8, on_frontier boolean, determined_by_form float8, determined_by_code float8,
  error text, promises text, remarks text)
AS 'MODULE_PATHNAME', 'anon_sweep'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 10;

COMMENT ON FUNCTION anon_sweep(${types}) IS
'Evaluates each combination of methods, ks and parameters (params, an object or an array of objects) without '
'a release: loss, NCP, the largest and the mean re-identification risk, classes, suppressed records and '
'seconds. Risks are those of the published records; with unit, members of a class are persons. on_frontier is '
'true if no other combination is better in loss (NCP for a method without squared loss) or mean risk, and at '
'least as good in the other. With cells, so many drawn cells are attacked as anon_replay_qi does: the shares of '
'them that the form of the release (determined_by_form) and the code (determined_by_code) determine for an '
'adversary who knows all other cells. Both are null for releases that cannot be replayed, such as those with a '
'secret seed. For recode ''swap'' they follow by subtraction, since every column is published as it is. promises has the '
'promises in words, and remarks the adversary of the risks by swapping and the reasons of figures that are null. An '
'infeasible combination has its error instead of figures.';

CREATE FUNCTION anon_explore(${arguments})
RETURNS text
AS 'MODULE_PATHNAME', 'anon_explore'
LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;

COMMENT ON FUNCTION anon_explore(${types}) IS
'The combinations of anon_sweep, at most 64, as one self-contained page of HTML to choose by: a chart of risk and loss whose '
'points can be chosen by pointer or keyboard, and of the chosen point its figures, the statement that publishes it, its class '
'sizes and its quasi-identifiers before and after masking. The page holds figures and values of the source: it is not to be '
'published, and says so. It loads nothing. Nulls in numbers form strata where the table has any, unless the call says '
'otherwise.';
