// Prints what each room and each dependency costs in the engine, as the table of ARCHITECTURE.md:
// the bytes of its functions, raw and after brotli as if they were a file of their own. Run it
// after `npm run build`; it reads the compiler's output, whose functions still have names.
//
//   node scripts/rooms.mjs [MODULE] [PREFIX]    MODULE: engine (default) or engine-all;
//                                               PREFIX: lists the functions of one row instead

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ROOT, runMain, setUp } from "./lib/environment.mjs";
import { brotliSize } from "./lib/sizes.mjs";
import { functionsOf, ownerOf, sectionsOf } from "./lib/wasm.mjs";

/** Rows below this many bytes are added up in one. */
const LEAST_BYTES = 1_000;

/** The id of the section with a module's data, in the WebAssembly specification. */
const DATA_SECTION = 11;

await runMain(() => {
  setUp("build");
  const [module = "engine", prefix] = process.argv.slice(2);
  const scratch = `${ROOT}.tmp/rooms`;
  const compiled = `${ROOT}target/${module}/wasm32-unknown-unknown/release/groundling.wasm`;
  execFileSync("wasm-bindgen", ["--target", "no-modules", "--out-dir", scratch, "--out-name", module, compiled]);
  const wasm = readFileSync(`${scratch}/${module}_bg.wasm`);
  const functions = functionsOf(wasm);
  if (prefix === undefined) printRows(wasm, functions);
  else printFunctions(functions.filter(({ name }) => ownerOf(name) === prefix));
});

function printRows(wasm, functions) {
  const rows = new Map();
  for (const { name, body } of functions) {
    const owner = ownerOf(name);
    rows.set(owner, [...(rows.get(owner) ?? []), body]);
  }
  const lines = [...rows].map(([owner, bodies]) => ({ owner, count: bodies.length, bytes: Buffer.concat(bodies) }));
  const small = lines.filter(({ bytes }) => bytes.length < LEAST_BYTES);
  const shown = lines.filter(({ bytes }) => bytes.length >= LEAST_BYTES);
  shown.sort((a, b) => b.bytes.length - a.bytes.length);
  if (small.length > 0) {
    const count = small.reduce((sum, line) => sum + line.count, 0);
    shown.push({ owner: `${small.length} others`, count, bytes: Buffer.concat(small.map(({ bytes }) => bytes)) });
  }
  const data = sectionsOf(wasm).find(({ id }) => id === DATA_SECTION)?.bytes ?? Buffer.alloc(0);
  shown.push({ owner: "data: tables, stop words, texts", count: "", bytes: data });

  console.log("| room or crate | functions | raw bytes | brotli'd alone |\n|---|--:|--:|--:|");
  for (const { owner, count, bytes } of shown) {
    console.log(`| ${owner} | ${count} | ${number(bytes.length)} | ${number(brotliSize(bytes))} |`);
  }
}

function printFunctions(functions) {
  functions.sort((a, b) => b.body.length - a.body.length);
  for (const { name, body } of functions) console.log(String(body.length).padStart(7), name);
}

function number(value) {
  return value.toLocaleString("en");
}
