
-- ---- Measure a publication: risk, attacks, utility ----------------------------------------------

CREATE FUNCTION anon_risk(
  rel regclass,
  qi text[],
  sensitive text[] DEFAULT '{}',
  population regclass DEFAULT NULL,
  population_size bigint DEFAULT NULL,
  unit text[] DEFAULT NULL,
  threshold float8 DEFAULT 0.09,
  largest_set int DEFAULT 3,
  sampling_weight text DEFAULT NULL,
  suppressed jsonb DEFAULT NULL,
  wildcards boolean DEFAULT false)
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_risk'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 20;

COMMENT ON FUNCTION anon_risk(regclass, text[], text[], regclass, bigint, text[], float8, int, text, jsonb, boolean) IS
'The re-identification risk of the records of a relation, one row per figure; shares are between 0 and 1. '
'Prosecutor risk is 1 / the size of a record''s class. Journalist and marketer risk refer to its size in the '
'population, which is the relation itself unless another is named. With population also population_uniques, '
'k_map and delta-presence; with population_size estimates of the population''s uniques by Pitman, Zayatz and '
'the slide negative binomial model. sampling_weight names the column with the number of records of the '
'population that each record stands for: then the sums of weights are the classes'' sizes there, with the individual '
'risk of Benedetti and Franconi and the same estimates. Special uniques are records that are unique by at most largest_set '
'columns (0: not computed), with SUDA scores. Per sensitive column: homogeneous classes, certain inferences '
'and values of a single record. unit names the columns that identify the person of a record; then persons are'
' counted. suppressed is as in anon_audit. With wildcards, the risk of a prosecutor is 1 / the records that are compatible '
'with a record: null in a quasi-identifier is compatible with every value.';

CREATE FUNCTION anon_linkage(
  original regclass,
  masked regclass,
  qi text[],
  method text DEFAULT 'distance',
  key text[] DEFAULT '{}',
  categories text[] DEFAULT '{}')
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_linkage'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 8;

COMMENT ON FUNCTION anon_linkage(regclass, regclass, text[], text, text[], text[]) IS
'Attacks a masked relation by linking each original record with the masked ones that match it best. method '
'distance compares standardised numbers (a range by its middle) and categories exactly, ties counted; method '
'probabilistic weighs agreements by Fellegi and Sunter with EM. key names columns of both relations that '
'identify a record. Without them the expected share of correct links is an upper bound. unique_exact_matches counts '
'the unique original records that equal exactly one masked record, and unique_any_matches those that equal one or more. '
'A null equals a null; by distance it is at the mean, and 1 apart from numbers. Columns in categories are codes.';

CREATE FUNCTION anon_infer(
  original regclass,
  masked regclass,
  qi text[],
  sensitive text[] DEFAULT '{}',
  k int DEFAULT 5,
  key text[] DEFAULT '{}',
  categories text[] DEFAULT '{}',
  neighbours int DEFAULT NULL)
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_infer'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 20;

COMMENT ON FUNCTION anon_infer(regclass, regclass, text[], text[], int, text[], text[], int) IS
'Attacks a masked relation by guessing the sensitive values of the original records: by the nearest class, by'
' the nearest records (neighbours; 5) and by naive Bayes, each against the base rate of the most frequent value. Numbers '
'with more than twenty distinct values are guessed by decile. A published range of sensitive numbers is guessed right if it '
'contains the value, and counts by its middle if there are more than twenty, or if they overlap. key names columns that identify a record. With '
'it also the disclosure by the computation of ranges and centroids: true values at the ends of ranges, and '
'centroids from which the last unknown value of a class is computed right, of rounded centroids also by chance. '
'Without key, values that are an end of any range. A null is near and equal as in anon_linkage, and a value if it is sensitive. '
'Columns in categories are codes.';

CREATE FUNCTION anon_utility(
  original regclass,
  masked regclass,
  qi text[],
  key text[] DEFAULT '{}',
  target text DEFAULT NULL,
  queries int DEFAULT 100,
  seed bigint DEFAULT 0,
  sampling_weight text DEFAULT NULL)
RETURNS TABLE (measure text, attribute text, value float8, explanation text)
AS 'MODULE_PATHNAME', 'anon_utility'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 50;

COMMENT ON FUNCTION anon_utility(regclass, regclass, text[], text[], text, int, bigint, text) IS
'Statistics of a relation before and after masking: per column mean, variance, quantiles, Kolmogorov-Smirnov '
'and Hellinger distance; covariances, correlations, principal axes; with target the coefficients of its '
'linear regression on the other numbers; the mean change of correlations; propensity-score mean squared error; '
'K-marginal of pairs and of triples of columns (NIST''s SDNist), of which 500 are drawn by seed if there are more; mean '
'relative error of random range counts, drawn by seed; and NCP, DM, mean class size and, with key, the squared loss. qi are the '
'compared columns, which may include sensitive ones. sampling_weight names a column of both relations: then the '
'statistics, distances and counts are of the population; the losses and the propensity score remain of the records. '
'Statistics of a column leave out its nulls, and covariances the records with a null among the numbers; Hellinger '
'distance, K-marginal and propensity score take null for a value, no range count selects it, and nulls_original and '
'nulls_masked are its share.';
