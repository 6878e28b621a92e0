
-- ---- Replay: the disclosure to an adversary who knows the code ----------------------------------

CREATE FUNCTION anon_replay(${arguments})
RETURNS TABLE (
  attack int, persons int, tried int, consistent int,
  belief_before float8, belief_after float8, open int, determined int)
AS 'MODULE_PATHNAME', 'anon_replay'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000000 ROWS 8;

COMMENT ON FUNCTION anon_replay(${types}) IS
'Attacks the release of anon_publish with these arguments, as an adversary who knows the code, all '
'quasi-identifiers and all sensitive values outside one class (Wong, Fu, Wang, Pei 2007). One row for each of'
' some classes with several values, drawn by seed: its persons; arrangements of their values tried, and those'
' consistent with the release; the mean probability of the true value by the frequencies in the class '
'(belief_before) and by the consistent arrangements (belief_after); persons whose value the frequencies leave'
' open, and those of them that the replay determines. If a class has more arrangements than are tried, both '
'are estimates. With key and arrivals, the versions of a release over time are attacked: rows come refresh by '
'refresh, from the least to the greatest arrival, and nobody leaves. An arrangement is consistent if it gives all '
'versions. The adversary knows the coins of decoys, too, which the seed draws.';

CREATE FUNCTION anon_replay_qi(${arguments})
RETURNS TABLE (unknown text, attack int, attribute name, records int, box int, form int, code int)
AS 'MODULE_PATHNAME', 'anon_replay_qi'
LANGUAGE C STABLE PARALLEL RESTRICTED COST 1000000 ROWS 52;

COMMENT ON FUNCTION anon_replay_qi(${types}) IS
'Attacks the quasi-identifiers of the release of anon_publish with these arguments, as an adversary who knows the'
' code and the whole table but one cell, one record or one class. One row for each of some of them, drawn by '
'seed. Of its values, or of combinations drawn at random, box counts those that lie in the published ranges and '
'labels (for means, near the truth), form those with which the class has its published cells, and code those of them with '
'which the method makes the same release; each counts the truth. A cell is determined where one is left. Releases '
'with a secret seed are refused: an adversary does not know it.';
