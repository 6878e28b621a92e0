#!/bin/bash
# A trusted extension: the owner of a database installs and uses anonkit without being a superuser.
. test/t/tap.sh
export PGDATABASE=postgres
value 'DROP DATABASE IF EXISTS trusted_t' >/dev/null
value 'DROP ROLE IF EXISTS trusted_owner' >/dev/null
value 'CREATE ROLE trusted_owner LOGIN'
value 'CREATE DATABASE trusted_t OWNER trusted_owner'
export PGDATABASE=trusted_t

as_owner() { PGUSER=trusted_owner value "$1"; }

is "the owner installs the extension" "$(as_owner 'CREATE EXTENSION anonkit')" ''
is "the owner is no superuser" "$(as_owner 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')" f
as_owner 'CREATE TABLE t AS SELECT i AS a, i % 7 AS b FROM generate_series(1, 50) AS i'
is "and masks a table with it" \
  "$(as_owner "SELECT count(*), min(class_size) >= 5 FROM anon_mdav('t', '{a,b}', 5)")" '50|t'
value 'CREATE TABLE secret AS TABLE t'
like "a table of somebody else stays out of reach" \
  "$(as_owner "SELECT count(*) FROM anon_mdav('secret', '{a,b}', 5)")" '42501'
# The owner of the extension may add functions to it. They are never taken for anonkit's.
value "CREATE ROLE trusted_steward LOGIN; GRANT CREATE ON DATABASE trusted_t TO trusted_steward" >/dev/null
as_owner "CREATE SCHEMA mine; GRANT USAGE ON SCHEMA mine TO PUBLIC; CREATE SEQUENCE mine.runs; GRANT ALL ON mine.runs TO PUBLIC;
  CREATE FUNCTION mine.anonkit_distributed_again() RETURNS regclass LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('mine.runs'); RETURN NULL; END \$\$;
  ALTER EXTENSION anonkit ADD FUNCTION mine.anonkit_distributed_again()"
PGUSER=trusted_steward value "CREATE SCHEMA st; CREATE TABLE st.people AS SELECT 20 + i % 50 AS age FROM generate_series(1, 40) AS i; CREATE TABLE st.rows (part int, age int);
  CREATE VIEW st.r AS SELECT age FROM st.rows AS published WHERE anon_distributed_spec('st.people'::regclass, '{\"qi\": [\"age\"], \"k\": 5}', '{}')"
PGUSER=trusted_steward value "CALL anon_refresh_job('st.r')" >/dev/null
is "a job for another role calls none of them" "$(as_owner 'SELECT is_called FROM mine.runs')" f
value 'ALTER EXTENSION anonkit DROP FUNCTION mine.anonkit_distributed_again(); DROP OWNED BY trusted_steward; DROP ROLE trusted_steward' >/dev/null
is "a dump by the owner has no row of the extension" \
  "$(PGUSER=trusted_owner pg_dump --exclude-table=secret trusted_t 2>&1 | grep -cE 'error|COPY.*anon_')" 0
is "the owner drops it" "$(as_owner 'DROP EXTENSION anonkit CASCADE')" ''
export PGDATABASE=postgres
value 'DROP DATABASE trusted_t'
value 'DROP ROLE trusted_owner'
done_testing
