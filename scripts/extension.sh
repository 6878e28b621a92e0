# Builds and installs the extension for the server of PG_CONFIG. Sourced after say.sh.

build_extension() {
  quietly build/log/make.log make -j"$(nproc)" PG_CONFIG="$PG_CONFIG" || return 1
  local make_install=(make install PG_CONFIG="$PG_CONFIG")
  if [ -w "$("$PG_CONFIG" --pkglibdir)" ] && [ -w "$("$PG_CONFIG" --sharedir)/extension" ]; then
    quietly build/log/install.log "${make_install[@]}"
  else
    quietly build/log/install.log as_root "${make_install[@]}"
  fi
}
