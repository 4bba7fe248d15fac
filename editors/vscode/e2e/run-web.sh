#!/usr/bin/env bash
# run-web.sh TOOLS VSIX: installs the VSIX for browsers into a real VS Code, where it runs in the browser, and uses it there.
# Ends with `N passed, N failed`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=$1/vscode-1.139 vsix=$2
if [ "$(uname -s)" != Linux ] || ! command -v chromium >/dev/null; then
  echo "skipped: only tried on Linux with chromium"
  exit 0
fi
"$here/get-vscode.sh" "$tools"
export PATH="$tools/node24/bin:$PATH" NODE_PATH=$tools/node_modules

work=$(mktemp -d)
group=
finish() {
  [ -z "$group" ] || kill -- "-$group" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
mkdir -p "$work/data/User" "$work/extensions" "$work/workspace"
printf 'bind-addr: 127.0.0.1:%s\nauth: none\ncert: false\n' "$port" > "$work/config.yaml"
cp "$here/settings.json" "$work/data/User/settings.json"
cp -r "$here/../../../examples/webshop/." "$work/workspace/"
cp "$here/../../playground/examples/kubernetes/web.yaml" "$work/workspace/"
code_server=(node "$tools/node_modules/code-server/out/node/entry.js" --config "$work/config.yaml"
  --user-data-dir "$work/data" --extensions-dir "$work/extensions")
"${code_server[@]}" --install-extension "$vsix"
setsid "${code_server[@]}" --disable-telemetry --disable-update-check --disable-workspace-trust "$work/workspace" \
  > "$work/code-server.log" 2>&1 &
group=$!
for _ in $(seq 200); do
  node -e "fetch('http://127.0.0.1:$port/healthz').then(() => process.exit(0), () => process.exit(1))" && break
  sleep 0.1
done
status=0
node "$here/drive-web.cjs" "http://127.0.0.1:$port" "$work/workspace" "$tools/pictures" || status=1
[ $status = 0 ] || tail -n 20 "$work/code-server.log"
exit $status
