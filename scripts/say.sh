# Output and failure of the scripts. Sourced.

say() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# as_root COMMAND...: runs it as root, with sudo if need be.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "this needs root: run it as root or install sudo ($*)"
  fi
}

# quietly LOG COMMAND...: runs it with its output in LOG, shown only if it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return 0
  local status=$?
  printf 'failed (%d): %s\n' "$status" "$*" >&2
  tail -n 60 "$log" >&2
  return "$status"
}
