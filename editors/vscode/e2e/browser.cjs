// The browser in which VS Code's window is shown, without a screen.
const { chromium } = require("playwright-core");

exports.launch = () =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
