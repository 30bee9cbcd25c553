// The same short walk through the page in browsers of other engines than Chromium, by WebDriver.
//
//   node scripts/browsers.mjs [NAME...]    (npm run test:browsers)
//
// NAME: webkitgtk or firefox; both without one. On Debian as root it installs the browsers and the virtual
// display itself; Firefox's driver is compiled from crates.io. A browser that cannot be had is a failure.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { ROOT, runMain, setUp } from "./lib/environment.mjs";
import { Session, freePort } from "./lib/webdriver.mjs";
import { staticServer } from "../cli/static-server.js";

const WORK = `${ROOT}.tmp/browsers/`;
const DISPLAY = ":97";
/** The Enter key, as WebDriver writes it. */
const ENTER = "\uE007";
const QUESTION = "What is a covering index?";
const IN_COMPONENT = 'document.querySelector("groundling-search").shadowRoot';

/** @type {Record<string, { packages: string[], driver: () => string, args: (port: number) => string[], capabilities: object }>} */
const BROWSERS = {
  webkitgtk: {
    packages: ["webkit2gtk-driver", "xvfb"],
    driver: () => "/usr/bin/WebKitWebDriver",
    args: (port) => ["--host=127.0.0.1", `--port=${port}`],
    capabilities: {
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", args: ["--automation"] },
    },
  },
  firefox: {
    packages: ["firefox-esr", "xvfb"],
    driver: geckodriver,
    args: (port) => ["--host", "127.0.0.1", "--port", String(port)],
    capabilities: { browserName: "firefox", "moz:firefoxOptions": { binary: "/usr/bin/firefox-esr" } },
  },
};

/** Firefox's driver is in no Debian package. */
function geckodriver() {
  const driver = `${WORK}bin/geckodriver`;
  if (!existsSync(driver)) {
    console.log("compiling geckodriver (some minutes, once)");
    execFileSync("cargo", ["install", "--locked", "--quiet", "--root", WORK, "geckodriver"], { stdio: "inherit" });
  }
  return driver;
}

await runMain(async () => {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => !(name in BROWSERS));
  if (unknown) throw new Error(`no browser is named ${unknown}; there are: ${Object.keys(BROWSERS).join(", ")}`);
  setUp("build");
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "inherit" });
  mkdirSync(WORK, { recursive: true });
  const site = `${WORK}site`;
  const build = ["cli/groundling.js", "build", "tests/fixtures/lessons", "--out", site, "--quiet", "--no-cache"];
  execFileSync(process.execPath, build, { cwd: ROOT, stdio: "inherit" });
  const server = staticServer(site, "not found").listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  /** @type {string[]} */
  const failed = [];
  for (const name of named.length > 0 ? named : Object.keys(BROWSERS)) {
    try {
      const version = await walk(BROWSERS[name], `http://127.0.0.1:${port}/`, name);
      console.log(`${name.padEnd(10)} ${version}: passed`);
    } catch (error) {
      failed.push(name);
      console.log(`${name.padEnd(10)} failed: ${error.stack ?? error}`);
    }
  }
  server.closeAllConnections();
  server.close();
  if (failed.length > 0) throw new Error(`not passed: ${failed.join(", ")}`);
});

/** Searches, asks, follows a footnote, all by what a reader does. */
async function walk({ packages, driver, args, capabilities }, address, name) {
  install(packages);
  const display = spawn("Xvfb", [DISPLAY, "-screen", "0", "1280x900x24"], { stdio: "ignore" });
  const port = await freePort();
  const running = spawn(driver(), args(port), { stdio: "ignore", env: { ...process.env, DISPLAY, MOZ_HEADLESS: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1" } });
  try {
    const session = await Session.start(port, capabilities);
    try {
      await session.go(address);
      // Nothing of the engine is there before the reader comes.
      await session.until("the field is there", `return Boolean(${IN_COMPONENT}.querySelector("input"))`);
      assert.equal(await session.run(`return performance.getEntriesByType("resource").some(({ name }) => name.endsWith(".wasm"))`), false);

      const field = await session.element(`return ${IN_COMPONENT}.querySelector("input")`);
      await session.type(field, "covering ind");
      await session.until("results appear", `return ${IN_COMPONENT}.querySelector("[role=option] mark") !== null`);
      await session.clear(field);
      await session.type(field, `${QUESTION}${ENTER}`);
      await session.until("an answer has a footnote", `return ${IN_COMPONENT}.querySelector(".answer button") !== null`);
      assert.match(await session.run(`return ${IN_COMPONENT}.querySelector(".answer").textContent`), /covering index/iu);
      assert.match(await session.run(`return ${IN_COMPONENT}.querySelector(".basis").textContent`), /Quoted from the docs/u);
      const footnote = await session.element(`return ${IN_COMPONENT}.querySelector(".answer button")`);
      // By the keyboard: WebKit's driver takes the component for what covers its own parts.
      await session.type(footnote, ENTER);
      await session.until("the footnote's card is shown", `return [...${IN_COMPONENT}.querySelectorAll("[part~=card]")].some((card) => card.checkVisibility())`);
      await session.until("the passages are shown", `return document.querySelectorAll("#retrieved li").length > 0`);
      assert.equal(await session.run("return document.documentElement.scrollWidth <= innerWidth"), true);
      writeFileSync(`${WORK}${name}.png`, await session.screenshot());
      return session.version;
    } finally {
      await session.end();
    }
  } finally {
    running.kill();
    display.kill();
    rmSync(`/tmp/.X${DISPLAY.slice(1)}-lock`, { force: true });
  }
}

/** @param {string[]} packages */
function install(packages) {
  const isThere = (/** @type {string} */ name) => {
    try {
      return execFileSync("dpkg-query", ["-W", "-f=${Status}", name], { stdio: ["ignore", "pipe", "ignore"] }).includes("installed");
    } catch {
      return false;
    }
  };
  const missing = packages.filter((name) => !isThere(name));
  if (missing.length === 0) return;
  console.log(`installing the Debian packages ${missing.join(" ")}`);
  execFileSync("apt-get", ["install", "-y", "-qq", ...missing], { stdio: ["ignore", "ignore", "inherit"] });
}
