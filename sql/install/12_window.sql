
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
'Internal: anon_mdav_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_mdav_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_vmdav_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_vmdav_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_mondrian_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_mondrian_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_microaggregate_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_microaggregate_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_microaggregate_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_microaggregate_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_tclose_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_tclose_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_psensitive_class of an array of type float8[], the form that PostgreSQL prints in views.';

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
'Internal: anon_psensitive_class of an array of type float8[], the form that PostgreSQL prints in views.';

COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, float8[]) IS
'The class of a row, from 1, within its window partition, by the better p-sensitive clustering (see '
'anon_psensitive).';
COMMENT ON FUNCTION anon_psensitive_class(int, int, anyelement, float8[], text, float8[]) IS
'The class of a row, from 1, within its window partition, by the better p-sensitive clustering (see '
'anon_psensitive); with one scale for each quasi-identifier, so that partitions agree (null: each partition '
'is standardised separately). small is error, or flag: class 0 in a partition of fewer than k rows.';
