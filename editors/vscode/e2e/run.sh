#!/usr/bin/env bash
# run.sh TOOLS VSIX SERVER: installs the VSIX into a real VS Code and drives it. Ends with `N passed, N failed`.
# run.sh TOOLS VSIX SERVER FILE OUT: draws the manual's picture of it instead: the file with what the mouse shows.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=$1/vscode-1.139 vsix=$2
if [ "$(uname -s)" != Linux ]; then
  echo "skipped: VS Code without a window: only tried on Linux"
  exit 0
fi
if ! command -v chromium >/dev/null; then
  if [ "$(id -u)" != 0 ]; then
    echo "chromium is needed: apt-get install chromium" >&2
    exit 1
  fi
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium
fi
"$here/get-vscode.sh" "$tools"
export PATH="$tools/node24/bin:$PATH"

work=$(mktemp -d)
group=
finish() {
  # The whole group: the extension host and the server would live on for hours after the first process.
  [ -z "$group" ] || kill -- "-$group" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
mkdir -p "$work/data/User" "$work/extensions" "$work/workspace/.git" "$work/workspace/config"
printf 'bind-addr: 127.0.0.1:%s\nauth: none\ncert: false\n' "$port" > "$work/config.yaml"
cp "$here/settings.json" "$work/data/User/settings.json"
cp "$here"/fixture/schema.yml "$work/workspace/config/"
cp "$here"/fixture/values.yml "$work/workspace/"
mkdir -p "$work/examples"
cp -r "$here/languages" "$work/examples/"
for example in platform webshop languages; do
  [ -d "$work/examples/$example" ] || cp -r "$here/../../../examples/$example" "$work/examples/"
  mkdir "$work/examples/$example/.git" "$work/examples/$example/.vscode"
  cp "$here/features/settings.json" "$work/examples/$example/.vscode/"
done

code_server=(node "$tools/node_modules/code-server/out/node/entry.js" --config "$work/config.yaml"
  --user-data-dir "$work/data" --extensions-dir "$work/extensions")
(cd "$here/probe" && "$here/../node_modules/.bin/vsce" package --allow-missing-repository --skip-license -o "$work/probe.vsix" >/dev/null)
"${code_server[@]}" --install-extension "$work/probe.vsix"
[ -n "${LOFTING_CONTROL+set}" ] || "${code_server[@]}" --install-extension "$vsix"

export LOFTING_PROBE_FILE=$work/answers.json LOFTING_PROBE_FOLDER=$work/workspace
setsid "${code_server[@]}" --disable-telemetry --disable-update-check --disable-workspace-trust "$work/workspace" \
  > "$work/code-server.log" 2>&1 &
group=$!
for _ in $(seq 200); do
  node -e "fetch('http://127.0.0.1:$port/healthz').then(() => process.exit(0), () => process.exit(1))" && break
  sleep 0.1
done
export NODE_PATH=$tools/node_modules
status=0
if [ $# = 5 ]; then
  mkdir -p "$work/shop/.git"
  cp "$4" "$work/shop/"
  node "$here/picture.cjs" "http://127.0.0.1:$port" "$work/shop" "$(basename "$4")" "$5" || status=1
else
  # One half is enough while one works on it.
  [ "${LOFTING_E2E:-}" = typing ] ||
    node "$here/drive.cjs" "http://127.0.0.1:$port" "$work/workspace" "$work/answers.json" "$tools/pictures" "$work/examples" || status=1
  [ "${LOFTING_E2E:-}" = features ] ||
    node "$here/typing.cjs" "http://127.0.0.1:$port" "$here/../../.." "$work/typing" "$tools/pictures" || status=1
fi
if [ $status != 0 ]; then
  tail -n 20 "$work/code-server.log"
  find "$work/data/logs" -name '*ofting*.log' -exec tail -n 20 {} + 2>/dev/null || true
fi
exit $status
