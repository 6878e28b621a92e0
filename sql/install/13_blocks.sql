
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

