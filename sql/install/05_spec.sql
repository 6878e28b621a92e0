
-- ---- The options as one value -------------------------------------------------------------------
--
-- src/pg/spec/options.def declares the arguments of all functions that take options; make puts them in the place of
-- the words in braces.

CREATE FUNCTION anon_spec(${arguments})
RETURNS jsonb
AS 'MODULE_PATHNAME', 'anon_spec'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 100;

COMMENT ON FUNCTION anon_spec(${types}) IS
'The given options as one value, for the argument spec of the methods, anon_lattice, anon_publish, anon_evaluate, '
'anon_sweep, anon_explore, anon_replay, anon_replay_qi, anon_audit, anon_assert and anon_capacity. An option may be given there and in spec if '
'both say the same; an argument at its default says nothing. An option that the function or its method does not '
'have is an error. Audits and assertions take the promises and what they are measured by, and pass over options of '
'how a release is made.';
