// What a reader waits for at each key: from the input to the results on the page, in Chromium.

import { once } from "node:events";
import { rmSync } from "node:fs";
import { chromium } from "playwright-core";
import { writeOutputFolder } from "../../cli/output-folder.js";
import { siteFiles } from "../../cli/site-files.js";
import { staticServer } from "../../cli/static-server.js";
import { ROOT } from "../../scripts/lib/environment.mjs";

const FOLDER = `${ROOT}.tmp/bench/keys`;
const ROUNDS = 3;

/**
 * Types the queries letter by letter into the page that `build` writes. Fails where a query shows no result.
 *
 * @param {Uint8Array} bundle
 * @param {string[]} typed
 * @returns {Promise<number[]>} milliseconds of each key, its best of all rounds
 */
export async function keys(bundle, typed) {
  rmSync(FOLDER, { recursive: true, force: true });
  await writeOutputFolder(FOLDER, (await siteFiles()).set("docs.wasm", bundle));
  const server = staticServer(FOLDER, "not found").listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const field = page.locator("groundling-search").getByRole("combobox");
    await field.fill(typed[0]);
    await page.locator("groundling-search").getByRole("option").first().waitFor();
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await field.evaluate(typing, typed));
    return rounds[0].map((_, i) => Math.min(...rounds.map((times) => times[i])));
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Runs in the page. */
async function typing(field, typed) {
  const list = field.getRootNode().querySelector("[role=listbox]");
  const times = [];
  for (const query of typed) {
    for (let length = 1; length <= query.length; length += 1) {
      const shown = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve(performance.now());
        });
        observer.observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
      });
      field.value = query.slice(0, length);
      const start = performance.now();
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      times.push((await shown) - start);
      // The frame in which it is drawn is the browser's, and not of this key.
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    if (list.querySelector("[role=option]") === null) throw new Error(`nothing found for ${query}`);
  }
  return times;
}
