\echo Use "ALTER EXTENSION anonkit UPDATE TO '0.3.0'" to load this file. \quit

-- From 0.2.0 to 0.3.0. make appends the removal of the old objects, and the pieces of the install
-- script.
--
-- Figures were in comments, where everybody reads them. The next anon_refresh of a release moves
-- them into its companion.
