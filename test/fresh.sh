#!/bin/bash
# A fresh Debian machine in a folder. Bootstraps a release, puts this project there as an outsider gets it, and runs a
# command in it as root.
set -euo pipefail
usage='test/fresh.sh bookworm|trixie|forky [COMMAND...]

Bootstraps that Debian release into build/fresh/ (once; remove the folder to begin anew), copies the
project there and runs COMMAND in it; without one ./demo.sh and ./test.sh, all sections. Needs root.
The mirror is the one of this machine'\''s apt. FRESH_DIR names another folder than build/fresh.'
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh

# The archive that this machine's apt takes Debian from.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' | head -n 1
}

# A folder that is complete has the mark; one that is not is made anew.
bootstrap() {
  [ ! -e "$root/bootstrapped" ] || return 0
  command -v debootstrap >/dev/null || quietly build/log/apt.log apt_install debootstrap ||
    die "debootstrap could not be installed"
  local mirror script=()
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || die "apt knows no Debian mirror here"
  # sid's script bootstraps all releases that are younger than it.
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=(/usr/share/debootstrap/scripts/sid)
  say "Bootstrap Debian $suite from $mirror"
  rm -rf "$root"
  mkdir -p "$root"
  quietly "build/log/fresh_$suite.log" debootstrap --variant=minbase \
    --include=ca-certificates,procps "$suite" "$root" "$mirror" "${script[@]}" ||
    die "the bootstrap failed"
  mkdir -p "$root/src" "$root/data"
  touch "$root/bootstrapped"
}

# Gives apt the proxy and the resolver of this machine.
copy_settings() {
  apt-config dump | grep -iE '^Acquire::(http|https)::proxy ' >"$root/etc/apt/apt.conf.d/90fresh" || true
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/" || true
  # Keeps services of packages from starting.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
}

# Copies files that git tracks or would track, in place of those of an earlier run; build results stay.
copy_project() {
  find "$root/src" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  git ls-files -z --cached --others --exclude-standard --deduplicate |
    tar --null --ignore-failed-read -T - -c 2>/dev/null | tar -x -C "$root/src"
}

# run_inside DATA COMMAND...: mounts disappear with their namespace when the command ends.
run_inside() {
  unshare --mount --fork bash -c '
    set -e
    root=$1 data=$2
    shift 2
    mount --make-rprivate /
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/tmp"
    chmod 1777 "$root/dev/shm" "$root/tmp"
    settings=()
    if [ -d "$data" ]; then
      mount --bind "$data" "$root/data"
      settings+=(ANONKIT_DATA=/data)
    fi
    exec chroot "$root" env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 "${settings[@]}" WERROR="${WERROR:-}" \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      bash -c '\''cd /src && exec "$@"'\'' fresh "$@"' fresh "$root" "$@"
}

case ${1:-} in
  bookworm | trixie | forky | sid) suite=$1 ;;
  *) die "usage: $usage" ;;
esac
shift
[ "$(id -u)" -eq 0 ] || die "this needs root: debootstrap and chroot do"
root=$(realpath -m "${FRESH_DIR:-build/fresh}")/$suite
bootstrap
copy_settings
copy_project
say "Debian $suite: ${*:-./demo.sh and ./test.sh}"
[ $# -gt 0 ] || set -- bash -c './demo.sh && ./test.sh'
run_inside "$(realpath -m "${ANONKIT_DATA:-../shared/data}")" "$@"
