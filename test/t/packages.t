#!/bin/bash
# The files that packagers read: META.json by the PGXN Meta Spec 1.0.0, one version in all of them, and an image volume.
# test/packages/run builds the Debian packages and the container image.
. test/t/tap.sh
fresh_database packages_t >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

meta() { value "SELECT $1 FROM (SELECT \$meta\$$(cat META.json)\$meta\$::jsonb AS m) AS meta"; }
version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" anonkit.control)
semantic='^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-?[0-9A-Za-z]+)?$'

# META.json.
is "it has what the spec requires" "$(meta "m ?& '{abstract,maintainer,license,provides,name,version,meta-spec}'")" t
is "and nothing that it does not know" "$(meta "(SELECT string_agg(key, ' ') FROM jsonb_object_keys(m) AS key WHERE key !~ '^x_' AND
  key <> ALL ('{abstract,maintainer,license,provides,name,version,meta-spec,description,generated_by,tags,no_index,prereqs,release_status,resources}'))")" ''
is "the spec is named" "$(meta "m #>> '{meta-spec,version}', m #>> '{meta-spec,url}' ~ '^https?://pgxn.org/meta/spec.txt$'")" '1.0.0|t'
is "its version is that of the extension" "$(meta "m ->> 'version'")" "$version"
like "a semantic one" "$version" "$semantic"
is "a name without blanks and slashes" "$(meta "m ->> 'name' ~ '^[^[:space:]/]{2,}$'")" t
is "a license of the spec" "$(meta "m ->> 'license' = ANY ('{agpl_3,apache_1_1,apache_2_0,artistic_1,artistic_2,bsd,freebsd,gfdl_1_2,gfdl_1_3,gpl_1,gpl_2,gpl_3,lgpl_2_1,
  lgpl_3_0,mit,mozilla_1_0,mozilla_1_1,openssl,perl_5,postgresql,qpl_1_0,ssleay,sun,zlib,open_source,restricted,unrestricted,unknown}')")" t
is "a release status of the spec" "$(meta "m ->> 'release_status' IN ('stable', 'testing', 'unstable')")" t
is "maintainers are texts" "$(meta "(SELECT bool_and(jsonb_typeof(v) = 'string') FROM jsonb_array_elements((m -> 'maintainer') || (m -> 'tags')) AS t (v))")" t
is "phases and relations of the spec" "$(meta "(SELECT bool_and(phase.key IN ('configure', 'build', 'test', 'runtime', 'develop')
  AND relation.key IN ('requires', 'recommends', 'suggests', 'conflicts')) FROM jsonb_each(m -> 'prereqs') AS phase, jsonb_each(phase.value) AS relation)")" t
is "required versions are semantic" "$(meta "(SELECT bool_and(needed.value ~ '$semantic') FROM jsonb_each(m -> 'prereqs') AS phase, jsonb_each(phase.value) AS relation,
  jsonb_each_text(relation.value) AS needed)")" t
is "the oldest PostgreSQL is that of the Debian packages" "$(meta "(SELECT string_agg(DISTINCT split_part(phase.value #>> '{requires,PostgreSQL}', '.', 1), ' ')
  FROM jsonb_each(m -> 'prereqs') AS phase)")+" "$(cat debian/pgversions)"
is "it provides the extension, in this version" "$(meta "(SELECT string_agg(key || ' ' || (value ->> 'version'), ',') FROM jsonb_each(m -> 'provides'))")" "anonkit $version"
for file in $(meta "(SELECT string_agg(f, ' ') FROM jsonb_each(m -> 'provides') AS p, LATERAL unnest(ARRAY[p.value ->> 'file', p.value ->> 'docfile']) AS f)") \
  $(meta "(SELECT string_agg(d, ' ') FROM jsonb_array_elements_text(m #> '{no_index,directory}') AS d)"); do
  ok "$file exists" test -e "$file"
done

# One version in all files.
is "the changelog begins with it" "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)" "$version"
is "so does Debian's" "$(sed -n '1s/^anonkit (\(.*\)) .*/\1/p' debian/changelog)" "$version"
is "and the citation has it" "$(sed -n 's/^version: *"\{0,1\}\([0-9.]*\)"\{0,1\}$/\1/p' CITATION.cff)" "$version"
is "debian/control is that of its template" "$(sed "s/PGVERSION/$(sed -n 's/^Package: postgresql-\(.*\)-anonkit/\1/p' debian/control)/" debian/control.in |
  diff - debian/control)" ''

# A processor of 32 bits has no integers of 128.
like "a build for 32 bits is refused, with the reason" "$(make -n CXX='g++ -U__SIZEOF_INT128__' PG_CONFIG="$PG_CONFIG" 2>&1)" \
  'anonkit needs a 64-bit processor: this compiler has no integers of 128 bits'

# An image volume.
ok "its files are made" make volume PG_CONFIG="$PG_CONFIG" VOLUME="$folder/volume"
is "share/extension and lib" "$(cd "$folder/volume" && find . -type f | LC_ALL=C sort)" \
  "$({ echo ./lib/anonkit.so; for sql in anonkit--*.sql anonkit.control; do printf './share/extension/%s\n' "$sql"; done; } | LC_ALL=C sort)"
is "everybody may read them" "$(find "$folder/volume" ! -perm -o=r | wc -l)" 0
is "the example mounts that image" "$(grep -cE '^ +(- name: anonkit|reference: .*/anonkit-volume:18)$' examples/kubernetes/cluster.yaml)" 3
ok "which the Dockerfile describes" grep -q -- '--target volume .*-t anonkit-volume:18' Dockerfile
if [ "$(value 'SHOW server_version_num')" -ge 180000 ]; then
  empty_database packages_volume >/dev/null
  is "a server loads the extension from there" "$(value "SET extension_control_path = '$folder/volume/share'; SET dynamic_library_path = '$folder/volume/lib:\$libdir';
    CREATE EXTENSION anonkit; SELECT anon_spec(k => 5)")" '{"k": 5}'
else
  printf 'ok %d # SKIP the server has no extension_control_path: PostgreSQL 18 does\n' "$((TESTS += 1))"
fi
done_testing
