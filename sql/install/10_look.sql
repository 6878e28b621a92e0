
-- ---- Look: the classes and masked values of a table, without a release ----------------------------

CREATE FUNCTION anon_mdav(
  tbl regclass,
  qi text[],
  k int,
  keep text[] DEFAULT '{}',
  weights float8[] DEFAULT NULL,
  standardize text DEFAULT 'zscore',
  recode text DEFAULT 'centroid',
  nulls text DEFAULT 'error')
RETURNS TABLE (source tid, class_id int, class_size int, masked jsonb)
AS 'MODULE_PATHNAME', 'anon_mdav'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 10000;

COMMENT ON FUNCTION anon_mdav(regclass, text[], int, text[], float8[], text, text, text) IS
'Microaggregation by MDAV (Domingo-Ferrer and Torra 2005): classes of k to 2k-1 records that share '
'one masked value in every quasi-identifier. One row a record.';
