# Sourced by every script: the repository's root and how many compilers may run at once.
set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

# One compiler per CPU, but no more than memory holds: a gRPC source needs about 1.5 GB.
memory_kb="$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)"
JOBS="$(nproc)"
if ((JOBS > memory_kb / 1500000)); then JOBS=$((memory_kb / 1500000)); fi
if ((JOBS < 1)); then JOBS=1; fi

# Lets a compiler cache serve another checkout of the same sources.
export CCACHE_BASEDIR="$ROOT" CCACHE_NOHASHDIR=1

# Debian's Python, the one that Debian's grpc and numpy packages belong to.
PYTHON=/usr/bin/python3

say() { printf '\n== %s\n' "$*"; }

# Configures and builds a preset: build_preset NAME [TARGET...]
build_preset() {
  local preset="$1"
  shift
  say "build: preset $preset"
  cmake --preset "$preset" >"/tmp/tessera-configure-$preset-$$" 2>&1 || {
    cat "/tmp/tessera-configure-$preset-$$"
    rm -f "/tmp/tessera-configure-$preset-$$"
    return 1
  }
  rm -f "/tmp/tessera-configure-$preset-$$"
  if (($# > 0)); then
    cmake --build "build/$preset" -j "$JOBS" --target "$@"
  else
    cmake --build --preset "$preset" -j "$JOBS"
  fi
}
