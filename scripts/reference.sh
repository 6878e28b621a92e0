#!/bin/bash
# Prints docs/reference.md: every function of the extension with its arguments, from the catalog and
# COMMENT ON, and every setting. Needs a database with the extension (PGHOST, PGDATABASE).
#   scripts/reference.sh >docs/reference.md
# src/pg/spec/options.def describes the arguments of functions that take options, and docs/arguments.tsv the others:
# name, tab, description. A row FUNCTION.NAME concerns one function and precedes that of the name alone. An argument
# without a row is an error. Functions whose comments begin with "Internal:" are left out: views and dumps need their
# names, and users do not.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."

query() { psql -X -q -v ON_ERROR_STOP=1 -At -F $'\x1f' "$@"; }

# The public functions: name, oid, signature, result, comment. Functions of one name are adjacent.
functions() {
  query <<'SQL'
SELECT p.proname, p.oid, pg_get_function_identity_arguments(p.oid), CASE p.prokind WHEN 'p' THEN '' ELSE ' → ' || pg_get_function_result(p.oid) END,
  regexp_replace(obj_description(p.oid, 'pg_proc'), '\s+', ' ', 'g')
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'anonkit')
  AND coalesce(obj_description(p.oid, 'pg_proc'), '') NOT LIKE 'Internal:%'
ORDER BY p.proname, pg_get_function_identity_arguments(p.oid)
SQL
}

# The arguments of all functions: oid, name, type, default.
arguments() {
  query <<'SQL'
SELECT p.oid, a.name, format_type(a.type, NULL),
  coalesce(replace(pg_get_function_arg_default(p.oid, a.place::int), E'\n', ' '), '')
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid,
  unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
    WITH ORDINALITY AS a(type, name, mode, place)
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'anonkit')
  AND coalesce(a.mode, 'i') IN ('i', 'b', 'v') AND a.name <> ''
ORDER BY p.oid, a.place
SQL
}

# Read once: a process for each argument, or a session for each function, would take most of the time.
declare -A WORDS ARGUMENTS
while IFS=$'\t' read -r name words; do
  WORDS[$name]=$words
done < <(awk -v want=words -f scripts/options.awk src/pg/spec/options.def && cat docs/arguments.tsv)
while IFS=$'\x1f' read -r oid rest; do
  ARGUMENTS[$oid]+=$rest$'\n'
done < <(arguments)

show_function() { # NAME OID SIGNATURE RESULT COMMENT
  local name type default words rows=
  printf '\n### %s\n\n%s\n' "$1" "$5"
  printf '\n`%s(%s)%s`\n' "$1" "$3" "$4"
  while IFS=$'\x1f' read -r name type default; do
    [ -n "$name" ] || continue
    words=${WORDS[$1.$name]:-${WORDS[$name]:-}}
    [ -n "$words" ] || { echo "reference: argument \"$name\" of $1 has no description" >&2; return 1; }
    rows+="${name} | \`${type}\` | ${default:+\`$default\`} | $words"$'\n'
  done <<<"${ARGUMENTS[$2]:-}"
  [ -z "$rows" ] || printf '\nArgument | Type | Default | Description\n--- | --- | --- | ---\n%s' "$rows"
}

settings() {
  query <<'SQL'
LOAD 'anonkit';
SELECT '`' || name || '` | `' || boot_val || coalesce(unit, '') || '` | ' || short_desc || coalesce(' ' || extra_desc, '')
FROM pg_settings WHERE name LIKE 'anonkit.%' ORDER BY name
SQL
}

cat <<'TEXT'
# Reference

Generated from the extension's catalog by `scripts/reference.sh`. The [guide](guide/publish.md) shows the functions
at work.

## Functions
TEXT
while IFS=$'\x1f' read -r name oid signature result comment; do
  [ -n "$comment" ] || { echo "reference: $name has no comment" >&2; exit 1; }
  show_function "$name" "$oid" "$signature" "$result" "$comment"
done < <(functions)
printf '\n## Settings\n\nSetting | Default | Description\n--- | --- | ---\n'
settings
