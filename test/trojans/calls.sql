-- The calls of the matrix: the SQL function, the relation that the call names ('people' or 'release'), and
-- the statement. PEOPLE, RELEASE and KEYED stand for relations of a trojan, h for its column. The caller's own
-- statement has typed arguments, so that it means the extension's function.
CREATE TABLE trojans.calls (nr int GENERATED ALWAYS AS IDENTITY, function text, named text, statement text);

-- Rows that refer to people.
CREATE TABLE of_callers.visits AS SELECT 1 + i % 12 AS id, i AS day FROM generate_series(1, 36) AS i;
GRANT SELECT ON of_callers.visits TO PUBLIC;

-- Methods: the hostile column in each role.
INSERT INTO trojans.calls (function, named, statement)
SELECT method, 'people', format('SELECT * FROM anonkit.%s(PEOPLE, %s) AS m', method, roles)
FROM unnest('{anon_microaggregate,anon_mdav,anon_vmdav,anon_mondrian,anon_univariate}'::text[]) AS method,
  (VALUES ($$'{age,h}'::text[], 2$$), ($$'{age}'::text[], 2, keep => '{h}'::text[]$$),
    ($$'{age}'::text[], 2, unit => '{h}'::text[]$$), ($$'{age,h}'::text[], 2, categories => '{h}'::text[]$$),
    ($$'{age,h}'::text[], 2, categories => '{h}'::text[], keep => '{illness}'::text[]$$)) AS r (roles)
WHERE NOT (method = 'anon_univariate' AND roles LIKE '%categories%');
INSERT INTO trojans.calls (function, named, statement) VALUES
('anon_microaggregate', 'people', $$SELECT * FROM anonkit.anon_microaggregate(PEOPLE, '{age}'::text[], 2, sensitive => '{h}'::text[], p => 2) AS m$$),
('anon_microaggregate', 'people', $$SELECT * FROM anonkit.anon_microaggregate(PEOPLE, '{age}'::text[], 2, sensitive => '{h}'::text[], t => 0.9) AS m$$),
('anon_microaggregate', 'people', $$SELECT * FROM anonkit.anon_microaggregate(PEOPLE, '{age}'::text[], 2, keep => '{income}'::text[], coarsen => '{"income": {"round": 10}}'::jsonb) AS m$$),
('anon_microaggregate', 'people', $$SELECT * FROM anonkit.anon_microaggregate(PEOPLE, '{age}'::text[], 2, keep => '{h}'::text[], coarsen => '{"h": {"round": 10}}'::jsonb) AS m$$),
('anon_microaggregate', 'people', $$SELECT * FROM anonkit.anon_microaggregate(PEOPLE, '{age,h}'::text[], 2, orders => '{"h": ["c", "b", "a"]}'::jsonb) AS m$$),
('anon_spec', 'people', $$SELECT * FROM anonkit.anon_mdav(PEOPLE, '{age,h}'::text[], 2, spec => anonkit.anon_spec(keep => '{id}'::text[])) AS m$$),
('anon_tclose', 'people', $$SELECT * FROM anonkit.anon_tclose(PEOPLE, '{age}'::text[], '{h}'::text[], 2, 0.9) AS m$$),
('anon_psensitive', 'people', $$SELECT * FROM anonkit.anon_psensitive(PEOPLE, '{age}'::text[], '{h}'::text[], 4, 2) AS m$$),
('anon_kpqr', 'people', $$SELECT * FROM anonkit.anon_kpqr(PEOPLE, '{age}'::text[], '{h}'::text[], 4, 2, 0.9, 0.5) AS m$$),
('anon_aggregate', 'people', $$SELECT * FROM anonkit.anon_aggregate(PEOPLE, '{age,income}'::text[], 2, sensitive => '{h}'::text[]) AS m$$),
('anon_aggregate', 'people', $$SELECT * FROM anonkit.anon_aggregate(PEOPLE, '{age,h}'::text[], 2) AS m$$);
INSERT INTO trojans.calls (function, named, statement)
SELECT method, 'people', format('SELECT * FROM anonkit.%s(PEOPLE, %s) AS m', method, roles)
FROM unnest('{anon_incognito,anon_mingen,anon_datafly,anon_argus,anon_topdown,anon_lattice}'::text[]) AS method,
  (VALUES ($$'{age,h}'::text[], '{"age": {"range": [2, 4]}, "h": {"prefix": 4}}'::jsonb, 2$$),
    ($$'{age}'::text[], '{"age": {"range": [2, 4]}}'::jsonb, 2, sensitive => '{h}'::text[], l => 2$$),
    ($$'{age,id}'::text[], '{"age": {"range": [2, 4]}, "id": {"table": "TROJAN.people", "columns": ["id", "h"]}}'::jsonb, 2$$)) AS r (roles);

-- Window functions and blocks.
INSERT INTO trojans.calls (function, named, statement)
SELECT f, 'people', format('SELECT anonkit.%s(2, VARIADIC ARRAY[p.age, p.income]::float8[]) OVER () FROM TROJAN.people AS p', f)
FROM unnest('{anon_mdav_class,anon_vmdav_class,anon_mondrian_class,anon_microaggregate_class}'::text[]) AS f;
INSERT INTO trojans.calls (function, named, statement) VALUES
('anon_microaggregate_class', 'people', $$SELECT anonkit.anon_microaggregate_class(2, 2, NULL::float8, p.h, VARIADIC ARRAY[p.age]::float8[]) OVER () FROM TROJAN.people AS p$$),
('anon_tclose_class', 'people', $$SELECT anonkit.anon_tclose_class(2, 0.9, p.h, VARIADIC ARRAY[p.age]::float8[]) OVER () FROM TROJAN.people AS p$$),
('anon_psensitive_class', 'people', $$SELECT anonkit.anon_psensitive_class(4, 2, p.h, VARIADIC ARRAY[p.age]::float8[]) OVER () FROM TROJAN.people AS p$$),
('anon_blocks', 'people', $$SELECT anonkit.anon_blocks(PEOPLE, '{age,income}'::text[], 8)$$),
('anon_blocks', 'people', $$SELECT anonkit.anon_blocks(PEOPLE, '{h}'::text[], 8)$$),
('anon_block', 'people', $$SELECT anonkit.anon_block('{"qi": ["age"], "cuts": 1}'::jsonb, p.age::float8) FROM TROJAN.people AS p$$),

-- Hierarchies.
('anon_hierarchy_prefix', 'people', $$SELECT anonkit.anon_hierarchy_prefix(3)$$),
('anon_hierarchy_range', 'people', $$SELECT anonkit.anon_hierarchy_range('{5,10}'::numeric[])$$),
('anon_hierarchy_fanout', 'people', $$SELECT anonkit.anon_hierarchy_fanout(0::numeric, 10::numeric, 1::numeric)$$),
('anon_hierarchy_date', 'people', $$SELECT anonkit.anon_hierarchy_date('{month,year}'::text[])$$),
('anon_hierarchy_auto', 'people', $$SELECT anonkit.anon_hierarchy_auto(PEOPLE, 'income'::text)$$),
('anon_hierarchy_auto', 'people', $$SELECT anonkit.anon_hierarchy_auto(PEOPLE, 'h'::text)$$),
('anon_hierarchy_table', 'people', $$SELECT anonkit.anon_hierarchy_table(PEOPLE, '{id,h}'::text[])$$),
('anon_hierarchy_table', 'people', $$SELECT anonkit.anon_hierarchy_table(PEOPLE)$$),
('anon_generalize', 'people', $$SELECT anonkit.anon_generalize(p.h, '{"prefix": 9}'::jsonb, 1) FROM TROJAN.people AS p$$),
('anon_generalize', 'people', $$SELECT anonkit.anon_generalize(p.id, '{"table": "TROJAN.people", "columns": ["id", "h"]}'::jsonb, 1) FROM TROJAN.people AS p$$),
('anon_hierarchy_labels', 'people', $$SELECT anonkit.anon_hierarchy_labels('{"prefix": 9}'::jsonb, ARRAY(SELECT p.h FROM TROJAN.people AS p))$$),
('anon_hierarchy_levels', 'people', $$SELECT anonkit.anon_hierarchy_levels('{"table": "TROJAN.people", "columns": ["id", "h"]}'::jsonb)$$),

-- Releases of the caller's own over the owner's table.
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,income}'::text[], 2, keep => '{h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,h}'::text[], 2)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, sensitive => '{h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, keep => '{illness}'::text[], unit => '{h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, keep => '{h}'::text[], params => '{"coarsen": {"h": {"round": 10}}}'::jsonb)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, keep => '{h}'::text[], pseudonym => '{h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,income}'::text[], 2, sensitive => '{h}'::text[], key => '{id}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,income}'::text[], 2, sensitive => '{illness}'::text[], key => '{id,h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,income}'::text[], 2, sensitive => '{illness}'::text[], key => '{id}'::text[], unit => '{h}'::text[])$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,h}'::text[], 1, 'incognito'::text, hierarchies => '{"age": {"range": [2, 4]}, "h": {"prefix": 4}}'::jsonb, population => 'of_callers.people'::regclass, k_map => 2)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, 'of_callers.people'::regclass, '{age}'::text[], 1, 'incognito'::text, hierarchies => '{"age": {"range": [2, 4]}}'::jsonb, population => PEOPLE, k_map => 2)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, 'of_callers.people'::regclass, '{age,h}'::text[], 1, 'incognito'::text, hierarchies => '{"age": {"range": [2, 4]}, "h": {"prefix": 4}}'::jsonb, population => PEOPLE, k_map => 2)$$),
('anon_release', 'people', $$SELECT * FROM anonkit.anon_release(PEOPLE, '{"qi": ["age"], "k": 2, "method": "mdav"}'::jsonb) AS release (age int)$$),
('anon_set_spec', 'people', $$SELECT anonkit.anon_set_spec(ARRAY[PEOPLE], ARRAY[PEOPLE], '{}'::jsonb)$$),
('anon_release_spec', 'people', $$SELECT anonkit.anon_release_spec(PEOPLE, '{}'::jsonb, PEOPLE, PEOPLE)$$),

('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,income}'::text[], 2, keep => '{h}'::text[], recode => 'swap'::text)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,h}'::text[], 2, recode => 'swap'::text)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, sensitive => '{h}'::text[], recode => 'swap'::text)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age,h}'::text[], 2, sensitive => '{illness}'::text[], recode => 'swap'::text, class_column => 'class'::text)$$),
('anon_publish', 'people', $$SELECT * FROM anonkit.anon_publish('of_callers.one'::text, PEOPLE, '{age}'::text[], 2, keep => '{h}'::text[], context => '{"purpose": "x"}'::jsonb)$$),

-- The owner's releases.
('anon_refresh', 'release', $$SELECT * FROM anonkit.anon_refresh(RELEASE)$$),
('anon_refresh', 'release', $$SELECT * FROM anonkit.anon_refresh(KEYED)$$),
('anon_withdraw_class', 'release', $$SELECT anonkit.anon_withdraw_class(KEYED, '{1}'::text[])$$),
('anon_drop', 'release', $$SELECT anonkit.anon_drop(RELEASE)$$),
('anon_drop', 'release', $$SELECT anonkit.anon_drop(KEYED)$$),
('anon_release_info', 'release', $$SELECT * FROM anonkit.anon_release_info(RELEASE)$$),
('anon_release_info', 'release', $$SELECT * FROM anonkit.anon_release_info(KEYED)$$),
('anon_release_info', 'release', $$SELECT * FROM anonkit.anon_releases$$),
('anon_release_places', 'release', $$SELECT anonkit.anon_release_places(KEYED)$$),
('anon_refresh', 'release', $$SELECT * FROM anonkit.anon_refresh(SWAPPED)$$),
('anon_assert_swap', 'release', $$SELECT anonkit.anon_assert_swap(SWAPPED)$$),
('anon_assert', 'release', $$SELECT anonkit.anon_assert(SWAPPED, '{class}'::text[], k => 2)$$),
('anon_audit_releases', 'release', $$SELECT * FROM anonkit.anon_audit_releases(ARRAY[RELEASE, SWAPPED], '{id}'::text[])$$),
('anon_sweep', 'people', $$SELECT * FROM anonkit.anon_sweep(PEOPLE, '{age,h}'::text[], '{2}'::int[], '{mdav}'::text[], params => '{"recode": "swap"}'::jsonb, cells => 1)$$),
('anon_assert_history', 'release', $$SELECT anonkit.anon_assert_history(KEYED)$$),
('anon_audit_history', 'release', $$SELECT * FROM anonkit.anon_audit_history(KEYED)$$),
('anon_audit_releases', 'release', $$SELECT * FROM anonkit.anon_audit_releases(ARRAY[RELEASE, KEYED], '{id}'::text[])$$),
('anon_audit', 'release', $$SELECT * FROM anonkit.anon_audit(RELEASE)$$),
('anon_audit', 'release', $$SELECT * FROM anonkit.anon_audit(KEYED)$$),
('anon_assert', 'release', $$SELECT anonkit.anon_assert(RELEASE, k => 2)$$),
('anon_report', 'release', $$SELECT anonkit.anon_report(RELEASE)$$),
('anon_report', 'release', $$SELECT anonkit.anon_report(KEYED, internal => true)$$),
('anon_report', 'release', $$SELECT anonkit.anon_report(SWAPPED)$$),
('anon_report', 'release', $$SELECT anonkit.anon_report(RELEASE, context => '{"purpose": "x"}'::jsonb, format => 'json'::text)$$),
('anon_context', 'release', $$SELECT anonkit.anon_context(RELEASE)$$),
('anon_context', 'release', $$SELECT anonkit.anon_context(KEYED, '{"purpose": "x"}'::jsonb)$$),
('anon_history', 'release', $$SELECT * FROM anonkit.anon_history(RELEASE)$$),
('anon_history', 'release', $$SELECT * FROM anonkit.anon_history(KEYED)$$),
('anon_refresh_job', 'release', $$CALL anonkit.anon_refresh_job(RELEASE)$$),
('anon_refresh_job', 'release', $$CALL anonkit.anon_refresh_job(KEYED, 'withdraw'::text)$$),
('anon_schedule', 'release', $$SELECT anonkit.anon_schedule(RELEASE, '* * * * *'::text)$$),
('anon_unschedule', 'release', $$SELECT anonkit.anon_unschedule(RELEASE)$$),

-- Measurements of any relation.
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{age,h}'::text[])$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{age}'::text[], '{h}'::text[])$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{age}'::text[], unit => '{h}'::text[])$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{age,h}'::text[], population => PEOPLE)$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{h}'::text[], population => 'of_callers.people'::regclass)$$),
('anon_assert', 'people', $$SELECT anonkit.anon_assert(PEOPLE, '{h}'::text[], k => 2)$$),
('anon_assert', 'people', $$SELECT anonkit.anon_assert(PEOPLE, '{age}'::text[], '{h}'::text[], p => 2)$$),
('anon_capacity', 'people', $$SELECT * FROM anonkit.anon_capacity(PEOPLE, '{h}'::text[], 2)$$),
('anon_capacity', 'people', $$SELECT * FROM anonkit.anon_capacity(PEOPLE, '{h}'::text[], 1, t => 0.5, beta => 2, categories => '{h}'::text[])$$),
('anon_evaluate', 'people', $$SELECT * FROM anonkit.anon_evaluate(PEOPLE, '{age,h}'::text[], 2)$$),
('anon_evaluate', 'people', $$SELECT * FROM anonkit.anon_evaluate(PEOPLE, '{age}'::text[], 2, 'microaggregate'::text, '{h}'::text[], '{"p": 2}'::jsonb)$$),
('anon_replay', 'people', $$SELECT * FROM anonkit.anon_replay(PEOPLE, '{age}'::text[], 2, 'microaggregate'::text, '{h}'::text[], p => 2)$$),
('anon_replay', 'people', $$SELECT * FROM anonkit.anon_replay(PEOPLE, '{income}'::text[], 2, sensitive => '{h}'::text[], key => '{id,illness}'::text[], arrivals => 'age'::text)$$),
('anon_replay_qi', 'people', $$SELECT * FROM anonkit.anon_replay_qi(PEOPLE, '{age,h}'::text[], 2, sensitive => '{illness}'::text[], cells => 2, persons => 1, classes => 1, tries => 2)$$),
('anon_audit_versions', 'people', $$SELECT * FROM anonkit.anon_audit_versions(ARRAY[PEOPLE], '{age,h}'::text[], '{illness}'::text[], '{id}'::text[])$$),
('anon_audit_versions', 'people', $$SELECT * FROM anonkit.anon_audit_versions(ARRAY[PEOPLE, 'of_callers.people'::regclass], '{age}'::text[], '{h}'::text[], '{id}'::text[])$$),
('anon_audit_versions', 'people', $$SELECT * FROM anonkit.anon_audit_versions(ARRAY['of_callers.people'::regclass, PEOPLE], '{age}'::text[], '{illness}'::text[], '{id,h}'::text[])$$),
('anon_audit_versions', 'people', $$SELECT * FROM anonkit.anon_audit_versions(ARRAY['of_callers.people'::regclass, PEOPLE], '{age,h}'::text[], '{illness}'::text[], '{id}'::text[], suppressed => '{"h": "a"}'::jsonb)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{age,h}'::text[], '{illness}'::text[])$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{age}'::text[], '{h}'::text[], PEOPLE)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk('of_callers.people'::regclass, '{age,h}'::text[], '{}'::text[], PEOPLE)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{age}'::text[], sampling_weight => 'h'::text)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{age,h}'::text[], suppressed => '{"h": "a"}'::jsonb)$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{h}'::text[], suppressed => '{"h": "a"}'::jsonb)$$),
('anon_audit', 'people', $$SELECT * FROM anonkit.anon_audit(PEOPLE, '{age,h}'::text[], wildcards => true)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{age,h}'::text[], unit => '{id}'::text[], wildcards => true)$$),
('anon_assert', 'people', $$SELECT anonkit.anon_assert(PEOPLE, '{h}'::text[], k => 1, suppressed => '{"h": "a"}'::jsonb)$$),
('anon_risk', 'people', $$SELECT * FROM anonkit.anon_risk(PEOPLE, '{h}'::text[], unit => '{id}'::text[], sampling_weight => 'income'::text)$$),
('anon_grant_set', 'release', $$SELECT anonkit.anon_grant_set('TROJAN_set'::regnamespace, 'public'::text)$$),
('anon_refresh_set', 'release', $$SELECT * FROM anonkit.anon_refresh_set('TROJAN_set'::regnamespace)$$),
('anon_refresh_set', 'release', $$SELECT * FROM anonkit.anon_refresh_set('TROJAN_grown'::regnamespace)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "keep": ["illness"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2, key => '{id}'::text[])$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "person": ["h"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2, key => '{h}'::text[])$$),
('anon_drop_set', 'release', $$SELECT anonkit.anon_drop_set('TROJAN_set'::regnamespace)$$),
('anon_report_set', 'release', $$SELECT anonkit.anon_report_set('TROJAN_set'::regnamespace)$$),
('anon_report_set', 'release', $$SELECT anonkit.anon_report_set('TROJAN_set'::regnamespace, context => '{"purpose": "x"}'::jsonb, format => 'json'::text)$$),
('anon_context', 'release', $$SELECT anonkit.anon_context('TROJAN_set.anon_set'::regclass, '{}'::jsonb)$$),
('anon_release_info', 'release', $$SELECT * FROM anonkit.anon_release_info('TROJAN_set.anon_set'::regclass)$$),
('anon_audit_set', 'people', $$SELECT * FROM anonkit.anon_audit_set('TROJAN'::regnamespace, '{"people": {"qi": ["age", "h"]}}'::jsonb)$$),
('anon_audit_set', 'people', $$SELECT * FROM anonkit.anon_audit_set('TROJAN'::regnamespace, '{"people": {"qi": ["age"], "sensitive": ["h"]}}'::jsonb)$$),
('anon_audit_set', 'people', $$SELECT * FROM anonkit.anon_audit_set('TROJAN'::regnamespace, '{"people": {"person": ["h"]}}'::jsonb)$$),
('anon_assert_set', 'people', $$SELECT anonkit.anon_assert_set('TROJAN'::regnamespace, '{"people": {"qi": ["h"]}}'::jsonb, k => 1)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age", "h"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "keep": ["h"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "sensitive": ["h"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2, l => 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "key": ["h"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age", "h"], "means": ["age", "h"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "max_rows": 1, "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "since_first": ["h"], "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2)$$),
('anon_publish_set', 'people', $$SELECT * FROM anonkit.anon_publish_set('made_set'::text, '{"TROJAN.people": {"qi": ["age"], "sensitive": ["h"], "hierarchies": {"h": {"prefix": 2}}, "protected": {"h": ["*"]}, "key": ["id"]}, "of_callers.visits": {"qi": ["day"], "parent": "TROJAN.people", "parent_key": ["id"]}}'::jsonb, 2, alpha => 1)$$),
('anon_audit_set', 'people', $$SELECT * FROM anonkit.anon_audit_set('TROJAN'::regnamespace, '{"people": {"qi": ["age"], "sensitive": ["h"], "hierarchies": {"h": {"prefix": 2}}, "protected": {"h": ["*"]}}}'::jsonb)$$),
('anon_profile', 'people', $$SELECT * FROM anonkit.anon_profile(PEOPLE)$$),
('anon_propose', 'people', $$SELECT anonkit.anon_propose(PEOPLE)$$),
('anon_sweep', 'people', $$SELECT * FROM anonkit.anon_sweep(PEOPLE, '{age,h}'::text[], '{2,3}'::int[], '{mdav,mondrian}'::text[])$$),
('anon_sweep', 'people', $$SELECT * FROM anonkit.anon_sweep(PEOPLE, '{age}'::text[], '{2}'::int[], '{microaggregate}'::text[], '{h}'::text[], '{"p": 2}'::jsonb, cells => 2)$$),
('anon_explore', 'people', $$SELECT anonkit.anon_explore(PEOPLE, '{age,h}'::text[], '{2,3}'::int[], '{mdav,mondrian}'::text[])$$),
('anon_explore', 'people', $$SELECT anonkit.anon_explore(PEOPLE, '{age}'::text[], '{2}'::int[], sensitive => '{h}'::text[], params => '{"recode": "range", "nulls": "stratify"}'::jsonb)$$),
('anon_report', 'people', $$SELECT anonkit.anon_report(PEOPLE, qi => '{age,h}'::text[], asked => '{"k-anonymity": 2}'::jsonb)$$),
('anon_report', 'people', $$SELECT anonkit.anon_report(PEOPLE, true, qi => '{age}'::text[], sensitive => '{h}'::text[], source => 'of_callers.people'::regclass)$$),
('anon_report', 'people', $$SELECT anonkit.anon_report('of_callers.people'::regclass, true, qi => '{age}'::text[], sensitive => '{h}'::text[], source => PEOPLE)$$);
-- Distributed releases: without Citus all but the first are refused, and with it other roles' tables (own, check).
INSERT INTO trojans.calls (function, named, statement)
SELECT c.function, 'people', replace(replace(c.statement, 'FACTS',
  $$jsonb_build_object('source', PEOPLE::oid::bigint, 'parts', PEOPLE::oid::bigint, 'rows', PEOPLE::oid::bigint, 'step', 'form', 'spec', SPEC)$$),
  'SPEC', $$'{"qi": ["age", "h"], "k": 2, "method": "mdav"}'::jsonb$$)
FROM (VALUES
  ('anon_distributed_spec', 'SELECT anonkit.anon_distributed_spec(PEOPLE, SPEC, SPEC)'),
  ('anonkit_distributed_options', $$SELECT anonkit.anonkit_distributed_options(PEOPLE, '{age,h}'::text[], 2)$$),
  ('anonkit_distributed_columns', 'SELECT * FROM anonkit.anonkit_distributed_columns(PEOPLE, SPEC)'),
  ('anonkit_distributed_query', 'SELECT * FROM anonkit.anonkit_distributed_query(PEOPLE)'),
  ('anonkit_distributed_figures', 'SELECT anonkit.anonkit_distributed_figures()'),
  ('anonkit_distributed_note', $$SELECT anonkit.anonkit_distributed_note(PEOPLE, '{"rows": 1}'::jsonb)$$),
  ('anonkit_distributed_number', $$SELECT anonkit.anonkit_distributed_number('h'::text, 'text'::text)$$),
  ('anonkit_distributed_private', 'SELECT anonkit.anonkit_distributed_private(PEOPLE)'),
  ('anonkit_distributed_own', 'SELECT anonkit.anonkit_distributed_own(PEOPLE)'),
  ('anonkit_distributed_check', 'SELECT anonkit.anonkit_distributed_check(PEOPLE, SPEC)'),
  ('anonkit_distributed_begin', $$SELECT anonkit.anonkit_distributed_begin('public'::text, 'made'::text, PEOPLE, SPEC, '{}'::jsonb, '{}'::text[], 1)$$),
  ('anonkit_distributed_end', 'SELECT anonkit.anonkit_distributed_end(PEOPLE, FACTS)'),
  ('anonkit_distributed_sample', 'SELECT anonkit.anonkit_distributed_sample(PEOPLE, PEOPLE, 10, 10, 0)'),
  ('anonkit_distributed_axes', 'SELECT anonkit.anonkit_distributed_axes(PEOPLE, PEOPLE, SPEC)'),
  ('anonkit_distributed_keys', 'SELECT anonkit.anonkit_distributed_keys(PEOPLE)'),
  ('anonkit_distributed_scales', 'SELECT * FROM anonkit.anonkit_distributed_scales(PEOPLE, SPEC)'),
  ('anonkit_distributed_spread', 'SELECT anonkit.anonkit_distributed_spread(PEOPLE, FACTS)'),
  ('anonkit_distributed_part', 'SELECT anonkit.anonkit_distributed_part(PEOPLE, PEOPLE, 1, SPEC)'),
  ('anonkit_distributed_join', $$SELECT anonkit.anonkit_distributed_join(PEOPLE, FACTS, 1, 'x'::text)$$),
  ('anonkit_distributed_margins', 'SELECT anonkit.anonkit_distributed_margins(PEOPLE, FACTS)'),
  ('anonkit_distributed_prove_t', $$SELECT anonkit.anonkit_distributed_prove_t(FACTS, 'h'::text)$$),
  ('anonkit_distributed_form', 'SELECT anonkit.anonkit_distributed_form(PEOPLE, FACTS)'),
  ('anonkit_distributed_prove', 'SELECT anonkit.anonkit_distributed_prove(PEOPLE, FACTS)'),
  ('anonkit_distributed_show', 'SELECT anonkit.anonkit_distributed_show(PEOPLE, FACTS)'),
  ('anonkit_distributed_step', 'SELECT anonkit.anonkit_distributed_step(PEOPLE)'),
  ('anonkit_distributed_failure', 'SELECT anonkit.anonkit_distributed_failure(PEOPLE)'),
  ('anonkit_distributed_steps', 'CALL anonkit.anonkit_distributed_steps(PEOPLE)'),
  ('anonkit_distributed_again', 'SELECT anonkit.anonkit_distributed_again(PEOPLE)'),
  ('anon_publish_distributed', $$CALL anonkit.anon_publish_distributed('made'::text, PEOPLE, '{age,h}'::text[], 2)$$),
  ('anon_refresh_distributed', 'CALL anonkit.anon_refresh_distributed(PEOPLE)')) AS c (function, statement);
-- Comparisons of the owner's table with one of plain types, and with itself.
INSERT INTO trojans.calls (function, named, statement)
SELECT f, 'people', format('SELECT * FROM anonkit.%s(%s, %s, %s)', f, original, masked, roles)
FROM (VALUES ('PEOPLE', '''of_callers.people''::regclass'), ('''of_callers.people''::regclass', 'PEOPLE'), ('PEOPLE', 'PEOPLE')) AS r (original, masked),
  (VALUES ('anon_linkage', $$'{age,h}'::text[]$$), ('anon_linkage', $$'{age}'::text[], 'probabilistic'::text, '{id,h}'::text[]$$),
    ('anon_infer', $$'{age,h}'::text[], '{illness}'::text[]$$), ('anon_infer', $$'{age}'::text[], '{h}'::text[], 3, '{id}'::text[]$$),
    ('anon_utility', $$'{age,h}'::text[]$$), ('anon_utility', $$'{age}'::text[], sampling_weight => 'h'::text$$), ('anon_utility', $$'{age,income}'::text[], '{id,h}'::text[]$$)) AS c (f, roles);
