
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
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED COST 10000 ROWS 10
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  places regclass := @extschema@.anon_release_places(release);
  spec jsonb := (SELECT info.spec FROM @extschema@.anon_release_info(release) AS info);
BEGIN
  IF places IS NULL THEN
    RAISE EXCEPTION '"%" is not a release with a key', release USING ERRCODE = 'wrong_object_type';
  END IF;
  RETURN QUERY SELECT a.model, a.attribute, a.level, a.detail FROM @extschema@.anon_audit(places,
    ARRAY(SELECT jsonb_array_elements_text(spec->'qi')) || ARRAY['anon_since', 'anon_until'],
    ARRAY(SELECT jsonb_array_elements_text(spec->'sensitive')),
    q => (spec->>'q')::float8, variance_of => coalesce(spec->>'variance_of', 'rare'),
    hierarchies => spec->'hierarchies', protected => spec->'protected',
    unit => CASE WHEN spec ? 'unit' THEN '{anon_unit}' ELSE '{}' END::text[]) AS a;
END $$;

COMMENT ON FUNCTION anon_audit_history(regclass) IS
'The level of all versions of a release with a key together, under each privacy model; see anon_audit. Only '
'the owner may call it, since it reads the places.';

CREATE FUNCTION anon_audit_versions(
  versions regclass[],
  qi text[],
  sensitive text[],
  key text[],
  asked int DEFAULT NULL)
RETURNS TABLE (measure text, value float8, detail jsonb)
AS 'MODULE_PATHNAME', 'anon_audit_versions'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100000 ROWS 8;

COMMENT ON FUNCTION anon_audit_versions(regclass[], text[], text[], text[], int) IS
'The disclosure by intersecting stored versions of a release, from any tool, to an attacker who knows every '
'person''s class in every version. The versions must still have the key that links their rows to persons. A '
'place is a person with certain sensitive values. Reports the places; the fewest places with one history of '
'classes; the fewest possible sensitive values of a place, and the per cent of places with one; the per cent '
'of persons whose exact quasi-identifiers can be solved from means; and m-invariance: the m of the versions, '
'or 0 if the values of a person''s class change. detail of m-invariance shows the worst class and its '
'version. With asked it counts the classes and records whose m is less than that.';
