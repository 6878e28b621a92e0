#!/bin/bash
# A copy of the installed PostgreSQL that has Citus, built from its public sources: scripts/build_citus.sh [FOLDER]
# (build/citus by default). The last line printed is the pg_config of the copy, for PG_CONFIG; the server that is
# installed stays as it is. CITUS_SOURCE is the repository (GitHub's by default), CITUS_TAG the version.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh
need_packages citus
SOURCE=${CITUS_SOURCE:-https://github.com/citusdata/citus.git} TAG=${CITUS_TAG:-v13.2.2}
pg_config=$(realpath "${PG_CONFIG:-$(command -v pg_config)}")
folder=$(realpath -m "${1:-build/citus}")
copy=$folder/postgres$("$pg_config" --bindir)/pg_config

# PostgreSQL finds its folders relative to its programs, so a copy of them works anywhere. What is only read is linked.
copy_postgres() {
  local kind from
  for kind in bindir pkglibdir sharedir; do
    from=$("$pg_config" --$kind)
    mkdir -p "$folder/postgres$from"
    cp -a "$from/." "$folder/postgres$from/"
  done
  for kind in includedir libdir; do
    from=$("$pg_config" --$kind)
    [ -e "$folder/postgres$from" ] || { mkdir -p "$folder/postgres${from%/*}" && ln -s "$from" "$folder/postgres$from"; }
  done
  chmod -R a+rX "$folder"
}

build() {
  [ -d "$folder/source" ] || git clone -q --depth 1 --branch "$TAG" "$SOURCE" "$folder/source"
  cd "$folder/source"
  # A function that later releases of PostgreSQL 15 and 16 declare, too. Their own is used then.
  if grep -qs have_createdb_privilege "$("$copy" --includedir-server)/commands/dbcommands.h"; then
    sed -i 's/^have_createdb_privilege(void)/unused_createdb_privilege(void)/' src/include/pg_version_compat.h
  fi
  # A checkout gives it any time, and what is older than its source would be made again, by autoconf.
  touch configure src/include/*.in
  PG_CONFIG=$copy ./configure -q --without-libcurl --without-lz4 --without-zstd --without-pg-version-check CC="${CC:-gcc}"
  # Without the code for LLVM, which takes longer than all else.
  make -s -j"$(nproc)" with_llvm=no extension
  make -s with_llvm=no install-extension
}

if [ ! -e "$("$copy" --pkglibdir 2>/dev/null)/citus.so" ]; then
  mkdir -p "$folder/log"
  note "Citus $TAG is built in $folder: some minutes"
  copy_postgres
  (build) >"$folder/log/build" 2>&1 || die "Citus does not build: $folder/log/build"
fi
printf '%s\n' "$copy"
