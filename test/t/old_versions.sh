# Install scripts of old versions, which pg_config's folder does not have. Sourced by tests of the upgrade.
#
#   add_old_versions 0.1.0 0.2.0     until the script ends, or remove_old_versions
#   install_old VERSION              the extension in that version, in the current database
folder=$("${PG_CONFIG:-pg_config}" --sharedir)/extension
module=$("${PG_CONFIG:-pg_config}" --pkglibdir)/anonkit.so
installer=(); [ -w "$folder" ] || installer=(as_root)
OLD_VERSIONS=()

# Another symbol stands for functions that the module no longer has: no test calls them before the
# upgrade.
old_script() {
  local symbol replaced=()
  for symbol in $(grep -oE "'MODULE_PATHNAME', '[a-z_]+'" "test/data/anonkit--$1.sql" | grep -oE "anon_[a-z_]+" | sort -u); do
    nm -D --defined-only "$module" | grep -qw "$symbol" ||
      replaced+=(-e "s/'MODULE_PATHNAME', '$symbol'/'MODULE_PATHNAME', 'anon_release'/")
  done
  sed -e '' "${replaced[@]}" "test/data/anonkit--$1.sql"
}

add_old_versions() {
  local version temporary
  OLD_VERSIONS=("$@")
  trap remove_old_versions EXIT
  temporary=$(mktemp)
  for version in "$@"; do
    old_script "$version" >"$temporary"
    "${installer[@]}" install -m 644 "$temporary" "$folder/anonkit--$version.sql"
  done
  rm -f "$temporary"
}

remove_old_versions() {
  local version
  for version in "${OLD_VERSIONS[@]}"; do "${installer[@]}" rm -f "$folder/anonkit--$version.sql"; done
}

install_old() { value "DROP EXTENSION IF EXISTS anonkit CASCADE; CREATE EXTENSION anonkit VERSION '$1'" | sed '/drop cascades/d'; }
