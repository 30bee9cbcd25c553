// Builds dist/: the engine, which a reader's browser loads, and the builder, which makes
// bundles in Node. Both are this crate compiled for wasm, without and with its feature
// `build`. What has not changed is not built again.
//
//   node scripts/build.mjs    (npm run build)

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { ROOT, runMain, setUp, wasmEnvironment } from "./lib/environment.mjs";
import { BUILD_SECTION, buildId, glueModule, glueTypes, withCustomSection, withOneStart, withPlainHashes } from "./lib/glue.mjs";
import { kilobytes } from "./lib/sizes.mjs";
import { buildWidget } from "./lib/widget.mjs";

const TARGET = "wasm32-unknown-unknown";

// Modules of one artifact share its script. The engine is made for its size, as the release profile
// says. The builder stays on the machine that builds the documentation, where its speed counts.
const ARTIFACTS = [
  {
    name: "engine",
    modules: [
      { name: "engine", features: [] },
      { name: "engine-all", features: ["all-languages"] },
    ],
    env: {},
    flags: [],
    shrink: true,
  },
  {
    name: "builder",
    modules: [{ name: "builder", features: ["all-languages", "build"] }],
    env: { CARGO_PROFILE_RELEASE_OPT_LEVEL: "3" },
    // Node has had both since 16; browsers never load the builder.
    flags: ["-Ctarget-feature=+simd128,+bulk-memory"],
    shrink: false,
  },
];

// The standard library made for size: a panic is a trap at once, with no words. Stable compilers
// can do this too, if they are told that we know that it may change.
const SMALL_STD = ["-Zbuild-std=std,panic_abort"];
const SMALL_STD_FLAGS = [
  "-Zlocation-detail=none",
  "-Zfmt-debug=none",
  // What every browser has had since 2022; compilers from 1.87 on use both without being told.
  "-Ctarget-feature=+bulk-memory,+nontrapping-fptoint",
];
const ABORT_AT_ONCE = ["-Zunstable-options", "-Cpanic=immediate-abort"];

// What a page loads besides the engine: the package's own module and its errors, and what they
// load in turn when it is asked for.
const SCRIPTS = ["load", "errors", "budget", "language-model"];

await runMain(async () => {
  setUp("build");
  mkdirSync(`${ROOT}dist`, { recursive: true });
  for (const artifact of ARTIFACTS) await build(artifact);
  await writeScripts();
});

/** The scripts of www/ that stand beside the engine's, with the types that their comments declare. */
async function writeScripts() {
  for (const name of SCRIPTS) {
    const source = readFileSync(`${ROOT}www/${name}.js`, "utf8");
    writeFileSync(`${ROOT}dist/${name}.js`, await minified(`${name}.js`, source, { module: true }));
  }
  await buildWidget();
  execFileSync("tsc", ["-p", `${ROOT}www/tsconfig.json`], { stdio: "inherit" });
}

async function build(artifact) {
  const compiled = artifact.modules.map((module) => compile(artifact, module));
  const scratch = `${ROOT}.tmp/build/${artifact.name}`;
  const script = `${ROOT}dist/${artifact.name}.js`;
  const types = `${ROOT}dist/${artifact.name}.d.ts`;
  const outputs = artifact.modules.map(({ name }) => `${ROOT}dist/${name}.wasm`);
  const key = inputKey(compiled);
  if ([script, types, ...outputs].every(existsSync) && readIfThere(`${scratch}.key`) === key) {
    console.log(`build: ${artifact.name} is up to date`);
    return;
  }

  const bound = [];
  for (const [i, { name }] of artifact.modules.entries()) {
    bound.push(await bind(compiled[i], `${scratch}/${name}`, artifact));
  }
  const glue = bound[0].glue;
  // One script opens every bundle, whichever module its builder took.
  if (bound.some((other) => other.glue !== glue)) {
    throw new Error(`the modules of ${artifact.name} need different scripts: compare those below ${scratch}`);
  }
  const modules = bound.map(({ path }) => (artifact.shrink ? smaller(path) : readFileSync(path)));

  const id = buildId(glue, modules);
  writeFileSync(script, glueModule(glue, id));
  writeFileSync(types, glueTypes(bound[0].types));
  for (const [i, module] of modules.entries()) {
    writeFileSync(outputs[i], withCustomSection(module, BUILD_SECTION, id));
    console.log(`build: ${artifact.modules[i].name} ${id}, ${kilobytes(module.length)}`);
  }
  writeFileSync(`${scratch}.key`, key);
}

/** Compiles the crate and returns the path of the .wasm file, as the compiler made it. */
function compile({ env, flags: own, shrink }, { name, features }) {
  // A folder for each: the compiler gives the .wasm file the same name whatever the features,
  // and in one folder cargo would take one module's file for the other's.
  const targetDir = `${ROOT}target/${name}`;
  const wasmEnv = { ...wasmEnvironment(), ...env };
  // The machine's paths of other crates and of the standard library would be part of every
  // panic message, and the same sources would give other bytes elsewhere.
  const crates = `${process.env.CARGO_HOME ?? `${homedir()}/.cargo`}/registry/src`;
  const library = `${wasmEnv.RUSTUP_TOOLCHAIN}/lib/rustlib/src/rust`;
  const flags = [...own, `--remap-path-prefix=${crates}=/crates`, `--remap-path-prefix=${library}=/rustc`];
  const options = [];
  if (shrink && existsSync(`${library}/library/Cargo.lock`)) {
    wasmEnv.RUSTC_BOOTSTRAP = "1";
    options.push(...SMALL_STD);
    flags.push(...SMALL_STD_FLAGS);
    if (panicsCanAbortAtOnce(wasmEnv)) {
      options.push("-Zbuild-std-features=optimize_for_size");
      flags.push(...ABORT_AT_ONCE);
    } else {
      options.push("-Zbuild-std-features=optimize_for_size,panic_immediate_abort");
    }
  } else if (shrink) {
    console.log(`build: ${name} is made a tenth larger, for lack of the standard library's sources`);
  }
  wasmEnv.RUSTFLAGS = [process.env.RUSTFLAGS ?? "", ...flags].join(" ").trim();
  // It compiles an index into the crate; here bundles get theirs later.
  delete wasmEnv.GROUNDLING_INDEX;
  execFileSync(
    "cargo",
    [
      ...["build", "--quiet", "--lib", "--release", "--no-default-features", "--features", features.join()],
      ...["--target", TARGET, "--target-dir", targetDir, ...options],
    ],
    { cwd: ROOT, env: wasmEnv, stdio: "inherit" },
  );
  return `${targetDir}/${TARGET}/release/groundling.wasm`;
}

/** Compilers from 1.91 on have a panic strategy where older ones have a feature of the standard library. */
function panicsCanAbortAtOnce(env) {
  const { status } = spawnSync("rustc", [...ABORT_AT_ONCE, "--print=cfg"], { env, stdio: "ignore" });
  return status === 0;
}

/** What wasm-bindgen makes of a compiled module: the script, its types, and the path of the module. */
async function bind(compiled, folder, { name, shrink }) {
  execFileSync("wasm-bindgen", [
    ...["--target", "no-modules", "--out-dir", folder, "--out-name", name, "--remove-producers-section"],
    // Names of functions, which nothing reads at run time; wasm-opt sorts by them and drops them itself.
    ...(shrink ? [] : ["--remove-name-section"]),
    compiled,
  ]);
  const path = `${folder}/${name}_bg.wasm`;
  // The names at its top level and those that it takes from around it stay, because the factory
  // gives it some of them.
  const script = await minified(`${name}.js`, withOneStart(readFileSync(`${folder}/${name}.js`, "utf8")), {
    mangle: { toplevel: false },
  });
  const { glue, wasm } = withPlainHashes(script, readFileSync(path));
  writeFileSync(path, wasm);
  return { glue, types: readFileSync(`${folder}/${name}.d.ts`, "utf8"), path };
}

/** Changes whenever the steps after the compiler may give something else. */
function inputKey(compiled) {
  const hash = createHash("sha256");
  const own = ["Cargo.lock", "package-lock.json", "scripts/build.mjs", "scripts/lib/glue.mjs"];
  for (const file of [...compiled, ...own.map((name) => ROOT + name)]) hash.update(readFileSync(file));
  return hash.digest("hex");
}

/** The file as wasm-opt makes it. */
function smaller(input) {
  const output = `${input}.optimized`;
  execFileSync("wasm-opt", [
    // Functions that are alike have names that begin alike, and compress better side by side.
    "--reorder-functions-by-name",
    // Without inlining, which makes fewer bytes that compress worse.
    ...["-Oz", "--always-inline-max-function-size=0", "--flexible-inline-max-function-size=0"],
    ...["--one-caller-inline-max-function-size=0", "--converge", input, "-o", output],
    // A value computed twice compresses better than a local that holds it.
    "--skip-pass=local-cse",
    // The stack lies lowest, and nothing is ever that deep in it (tests/node/stack.test.js).
    "--low-memory-unused",
    // It would drop zeros from the data, among them the place where a bundle's index is entered.
    "--skip-pass=memory-packing",
    // What the compiler may use anyway, and every browser has had since 2022.
    ...["--enable-bulk-memory", "--enable-multivalue", "--enable-mutable-globals"],
    ...["--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-sign-ext"],
  ]);
  return readFileSync(output);
}

/** A script without its comments, which are most of it, and with short names inside. */
async function minified(name, source, options) {
  // Imported here, because on a clean clone it is there only once `setUp` has run.
  const { minify } = await import("vite");
  const { code, errors } = await minify(name, source, options);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
