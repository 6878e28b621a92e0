
-- ---- Prove over time: audits of all versions together ------------------------------------------------

CREATE FUNCTION anon_assert_history(release regclass)
RETURNS void
AS 'MODULE_PATHNAME', 'anon_assert_history'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;

COMMENT ON FUNCTION anon_assert_history(regclass) IS
'Raises check_violation unless all versions of a release with a key together keep its promises. Classes are '
'the places with equal cells, first and last version. Only the owner may call it, since it reads the places.';

CREATE FUNCTION anon_audit_history(release regclass)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_history'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000 ROWS 10;

COMMENT ON FUNCTION anon_audit_history(regclass) IS
'The level of all versions of a release with a key together, under each privacy model; see anon_audit. Only '
'the owner may call it, since it reads the places.';

CREATE FUNCTION anon_audit_versions(
  versions regclass[],
  qi text[],
  sensitive text[],
  key text[],
  asked int DEFAULT NULL,
  m int DEFAULT NULL,
  suppressed jsonb DEFAULT NULL)
RETURNS TABLE (measure text, value float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_versions'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 8;

COMMENT ON FUNCTION anon_audit_versions(regclass[], text[], text[], text[], int, int, jsonb) IS
'The disclosure by intersecting stored versions of a release, from any tool, to an attacker who knows every '
'person''s class in every version. The versions must still have the key that links their rows to persons. A '
'place is a person with certain sensitive values. Reports the places; the fewest places with one history of '
'classes; the fewest possible sensitive values of a place, and the per cent of places with one; the per cent '
'of persons whose exact quasi-identifiers can be solved if classes publish means, null without numbers and dates among '
'them; and m-invariance: the m of the versions, or 0 if the values of a person''s class change. The possible values are an upper bound, so the per cent of places '
'with one is a lower bound: they are those that remain when classes are looked at one by one and nested classes are '
'subtracted, and an exact answer is NP-hard in general. detail of m-invariance shows the worst class and its '
'version. With m it counts the classes and records whose m is less than that. suppressed has by '
'quasi-identifier the text that another tool wrote for a suppressed cell, beside null: rows with all of them '
'suppressed are in no class, and are counted.';

CREATE FUNCTION anon_audit_releases(releases regclass[], key text[] DEFAULT NULL)
RETURNS TABLE (model text, attribute text, level float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_releases'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000000 ROWS 10;

COMMENT ON FUNCTION anon_audit_releases(regclass[], text[]) IS
'What several releases of the same persons tell together, to an attacker who knows everybody''s class in each of '
'them. Persons who agree in all classes are a joint class. The levels of all models on the joint classes of the persons '
'present come first: all releases together keep them; detail has the levels of each release alone, also with the rows of '
'persons who have left. Then, for each sensitive column, the '
'fewest values that stay possible for somebody, and the per cent of values determined. The possible values are an '
'upper bound, so the per cent is a lower bound: they are those that remain when classes are looked at one by one and '
'nested classes are subtracted, and an exact answer is NP-hard in general. For each quasi-identifier '
'that releases publish means of, it reports the per cent of persons whose value can be solved. key names the columns that '
'identify a row in all sources; null is the key of one of the releases, else the rows of the one table, else a '
'primary key. The classes of a release without a key are formed again from the present rows of its source. Only the '
'owner of all releases may call it.';
