# Finds the requirements of a build and installs missing Debian packages. Sourced after say.sh.
#
# need_packages demo|citus|fuzz|test, or a machine of test/machines/run: sets PG_CONFIG. A requirement from another source, such as a
# PostgreSQL built from source and named by PG_CONFIG, counts as present: only failed probes lead to
# packages.

# The server to build for: the one PG_CONFIG names, else the installed one, else the system's default.
pg_major() {
  local config=${PG_CONFIG:-pg_config} version
  if version=$("$config" --version 2>/dev/null); then
    version=${version#PostgreSQL }
    printf '%s\n' "${version%%[!0-9]*}"
  elif [ -n "${PG_CONFIG:-}" ]; then
    die "PG_CONFIG=$PG_CONFIG does not run"
  else
    version=$(apt-cache depends postgresql 2>/dev/null | grep -o 'postgresql-[0-9]*' | head -n 1)
    printf '%s\n' "${version#postgresql-}"
  fi
}

find_pg_config() {
  if [ -z "${PG_CONFIG:-}" ]; then
    PG_CONFIG=/usr/lib/postgresql/$1/bin/pg_config
    [ -x "$PG_CONFIG" ] || PG_CONFIG=pg_config
  fi
  export PG_CONFIG
}

from_pg() { printf '%s/%s' "$("$PG_CONFIG" "$1" 2>/dev/null)" "$2"; }

# missing_packages KIND MAJOR: the packages whose probes fail, one per line.
missing_packages() {
  local major=$2
  probe() { "${@:2}" >/dev/null 2>&1 || printf '%s\n' "$1"; }
  probe make command -v make
  probe g++ command -v "${CXX:-g++}"
  probe libeigen3-dev test -e /usr/include/eigen3/Eigen/Core
  probe "postgresql-$major" test -x "$(from_pg --bindir initdb)"
  probe "postgresql-client-$major" test -x "$(from_pg --bindir psql)"
  probe "postgresql-server-dev-$major" test -e "$(from_pg --includedir-server postgres.h)"
  [ "$1" != demo ] || return 0
  if [ "$1" = citus ]; then
    probe git command -v git
    probe libkrb5-dev test -e /usr/include/gssapi/gssapi.h
    probe liblz4-dev test -e /usr/include/lz4.h
    probe libzstd-dev test -e /usr/include/zstd.h
    return 0
  fi
  case $1 in
    arm64) probe g++-aarch64-linux-gnu command -v aarch64-linux-gnu-g++ ;;
    s390x) probe g++-s390x-linux-gnu command -v s390x-linux-gnu-g++ ;;
    clang)
      probe clang command -v clang++
      probe libc++-dev sh -c 'echo "#include <vector>" | clang++ -stdlib=libc++ -fsyntax-only -x c++ -'
      probe libc++abi-dev sh -c 'ls /usr/lib/*/libc++abi.so /usr/lib/llvm-*/lib/libc++abi.so'
      ;;
  esac
  case $1 in
    arm64 | s390x | clang)
      probe cmake command -v cmake
      probe googletest test -e /usr/src/googletest/CMakeLists.txt
      [ "$1" = clang ] || probe qemu-user-static command -v qemu-s390x-static
      return 0
      ;;
  esac
  probe python3 command -v python3
  [ "$1" = test ] || return 0
  probe cmake command -v cmake
  probe libgtest-dev test -e /usr/include/gtest/gtest.h
  probe libbenchmark-dev test -e /usr/include/benchmark/benchmark.h
  probe clang-format command -v clang-format
  probe clang-tidy command -v clang-tidy
  probe perl command -v prove
  probe "postgresql-$major-pgtap" test -e "$(from_pg --sharedir extension/pgtap.control)"
  probe libtap-parser-sourcehandler-pgtap-perl command -v pg_prove
  # Only for Debian's server; elsewhere test/t/schedule.t works without it.
  if [ "$PG_CONFIG" = "/usr/lib/postgresql/$major/bin/pg_config" ] &&
    apt-cache show "postgresql-$major-cron" >/dev/null 2>&1; then
    probe "postgresql-$major-cron" test -e "$(from_pg --pkglibdir pg_cron.so)"
  fi
}

# A new server package would start an unwanted cluster on the standard port. Debian has a setting
# against that. It is written only if none exists, and removed afterwards.
without_main_cluster() {
  local conf=/etc/postgresql-common/createcluster.conf status=0
  if [ -e "$conf" ]; then
    "$@" || status=$?
    return "$status"
  fi
  as_root mkdir -p "$(dirname "$conf")"
  as_root sh -c "echo 'create_main_cluster = false' >$conf"
  "$@" || status=$?
  local template=/usr/share/postgresql-common/createcluster.conf
  if [ -e "$template" ]; then as_root cp "$template" "$conf"; else as_root rm -f "$conf"; fi
  return "$status"
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold "$@"
}

need_packages() {
  local major packages log=build/log/apt.log
  if [ -z "${PG_CONFIG:-}" ] && ! command -v pg_config >/dev/null &&
    [ -z "$(apt-cache depends postgresql 2>/dev/null)" ]; then
    quietly "$log" as_root apt-get update || die "apt-get update failed"
  fi
  major=$(pg_major)
  [ -n "$major" ] || die "no PostgreSQL found: install one with its server headers and set PG_CONFIG"
  find_pg_config "$major"
  # Some packages are only known to be missing when the server is there.
  for _ in 1 2; do
    packages=$(missing_packages "$1" "$major")
    [ -n "$packages" ] || break
    command -v apt-get >/dev/null ||
      die "missing, and no apt-get to install it with (Debian's names):" $packages
    note "installing with apt-get:" $packages
    quietly "$log" as_root apt-get update || die "apt-get update failed"
    quietly "$log" without_main_cluster apt_install $packages || die "apt-get install failed"
    [ -x "$PG_CONFIG" ] || unset PG_CONFIG
    find_pg_config "$major"
  done
  packages=$(missing_packages "$1" "$major")
  [ -z "$packages" ] || die "still missing after the installation:" $packages
  note "PostgreSQL: $("$PG_CONFIG" --version)"
}
