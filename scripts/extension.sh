# Builds and installs the extension for the server of PG_CONFIG. Sourced after say.sh.

# How many compilations a log of make names.
compilations() { grep -c -- ' -c -o build/pgxs/' || true; }

# show_progress TOTAL PROCESS: the percentage of files that a make in the background has begun to compile. A terminal
# shows it on one line; other outputs get a line for each tenth. At first there is no log, which is no error.
show_progress() {
  local percent shown=0
  while kill -0 "$2" 2>/dev/null; do
    percent=$((100 * $({ cat build/log/make.log 2>/dev/null || true; } | compilations) / ($1 + ($1 == 0))))
    if [ -t 1 ]; then
      printf '\r   %d %%' "$percent"
    elif [ $((percent / 10)) -gt "$shown" ]; then
      shown=$((percent / 10))
      note "$percent %"
    fi
    sleep 1
  done
  [ ! -t 1 ] || printf '\r       \r'
}

# How many files make would compile. A change of the settings, which make notes in a file, compiles all.
left_to_compile() {
  make -s build/pgxs/settings united_sources PG_CONFIG="$PG_CONFIG" >/dev/null 2>&1
  # -n takes whatever the target of that name would write anew for changed.
  make -n -o settings PG_CONFIG="$PG_CONFIG" 2>/dev/null | compilations
}

# announce_build FILES PROCESSES: the compilations that are left and their time, by two seconds for each on a usual machine.
announce_build() {
  if [ "$1" -eq 0 ]; then
    note "everything is compiled"
  else
    note "compiling $1 files with $2 processes: about $((1 + 2 * $1 / $2 / 60)) minutes; later runs reuse them"
  fi
}

# Whether the server's folders hold what is built. Then other sessions may use it meanwhile.
is_installed() {
  local library scripts file
  library=$("$PG_CONFIG" --pkglibdir) scripts=$("$PG_CONFIG" --sharedir)/extension
  cmp -s anonkit.so "$library/anonkit.so" || return 1
  for file in anonkit.control anonkit--*.sql; do
    cmp -s "$file" "$scripts/$file" || return 1
  done
}

build_extension() {
  local total processes
  processes=$(nproc)
  total=$(left_to_compile)
  announce_build "$total" "$processes"
  rm -f build/log/make.log
  quietly build/log/make.log make -j"$processes" PG_CONFIG="$PG_CONFIG" &
  local make=$!
  show_progress "$total" "$make"
  wait "$make" || return 1
  ! is_installed || return 0
  local make_install=(make install PG_CONFIG="$PG_CONFIG")
  if [ -w "$("$PG_CONFIG" --pkglibdir)" ] && [ -w "$("$PG_CONFIG" --sharedir)/extension" ]; then
    quietly build/log/install.log "${make_install[@]}"
  else
    quietly build/log/install.log as_root "${make_install[@]}"
  fi
}

# Builds a second module, with sanitizers: build/sanitized/anonkit.so.
build_sanitized_module() {
  local tree=build/sanitized name
  mkdir -p "$tree"
  for name in Makefile src sql anonkit.control; do ln -sfn "$PWD/$name" "$tree/$name"; done
  quietly build/log/sanitized.log make -C "$tree" -j"$(nproc)" SANITIZE=1 PG_CONFIG="$PG_CONFIG" anonkit.so
}

# The libraries that a server with that module must preload.
sanitizer_runtimes() {
  printf '%s %s' "$("${CXX:-g++}" -print-file-name=libasan.so)" "$("${CXX:-g++}" -print-file-name=libubsan.so)"
}

# under_sanitizers COMMAND...: a finding of a sanitizer ends the process and appears in its log. Memory
# that a server still holds at its end is not a leak.
under_sanitizers() {
  LD_PRELOAD=$(sanitizer_runtimes) UBSAN_OPTIONS=print_stacktrace=1 \
    ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:handle_segv=1 "$@"
}

# no_sanitizer_spoke FILE: false if the log of the cluster has a finding; the log is kept as FILE then.
no_sanitizer_spoke() {
  grep -aE 'runtime error:|ERROR: AddressSanitizer' "$CLUSTER_DIR/log" || return 0
  mkdir -p "$(dirname "$1")"
  cp "$CLUSTER_DIR/log" "$1"
  note "see $1"
  return 1
}

# PostgreSQL 15 of Debian 12 does not get as far as main with its AddressSanitizer.
server_bears_sanitizers() {
  under_sanitizers timeout --kill-after=5 20 "$("$PG_CONFIG" --bindir)/postgres" -V >/dev/null 2>&1
}

# build_for_sanitizers COMMAND: builds both modules; ends where PostgreSQL does not start with sanitizers.
build_for_sanitizers() {
  server_bears_sanitizers ||
    die "PostgreSQL does not start with this machine's sanitizers: try test/fresh.sh trixie $1"
  build_extension || die "the extension could not be built and installed"
  build_sanitized_module || die "the extension could not be built with sanitizers"
}

# pgtap_database DATABASE: makes it, for the tests in test/sql.
pgtap_database() {
  run_sql -c "CREATE DATABASE $1" &&
    run_sql -d "$1" -c 'CREATE EXTENSION pgtap' -c 'CREATE EXTENSION anonkit' -f test/data/hospital.sql
}

# sanitize_database DATABASE: points the extension's functions there to the sanitized module.
sanitize_database() {
  local module
  module=$(realpath build/sanitized/anonkit.so)
  chmod a+r "$module"
  run_sql -d "$1" -c "UPDATE pg_proc SET probin = '$module' WHERE probin = '\$libdir/anonkit'"
}
