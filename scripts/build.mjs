// Builds dist/: the engine, which a reader's browser loads, and the builder, which makes
// bundles in Node. Both are this crate compiled for wasm, without and with its feature
// `build`. What has not changed is not built again.
//
//   node scripts/build.mjs    (npm run build)

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { ROOT, runMain, setUp, wasmEnvironment } from "./lib/environment.mjs";
import { BUILD_SECTION, buildId, glueModule, glueTypes, withCustomSection } from "./lib/glue.mjs";
import { brotliSize, kilobytes } from "./lib/sizes.mjs";

const TARGET = "wasm32-unknown-unknown";

// The engine is made for its size, as the release profile says. The builder stays on the
// machine that builds the documentation, where its speed counts.
const ARTIFACTS = [
  { name: "engine", features: ["--no-default-features"], env: {}, flags: "", shrink: true },
  {
    name: "builder",
    // The languages are those of the engine: what it has no stemmer for must not be stemmed here.
    features: ["--no-default-features", "--features", "build"],
    env: { CARGO_PROFILE_RELEASE_OPT_LEVEL: "3" },
    // Node has had both since 16; browsers never load the builder.
    flags: "-C target-feature=+simd128,+bulk-memory",
    shrink: false,
  },
];

// What a page loads besides the engine: the package's own module and its errors.
const SCRIPTS = ["load", "errors"];

await runMain(async () => {
  setUp("build");
  mkdirSync(`${ROOT}dist`, { recursive: true });
  for (const artifact of ARTIFACTS) await build(artifact);
  await writeScripts();
});

/** The scripts of www/ that stand beside the engine's, with the types that their comments declare. */
async function writeScripts() {
  for (const name of SCRIPTS) {
    writeFileSync(`${ROOT}dist/${name}.js`, await minified(`${ROOT}www/${name}.js`, { module: true }));
  }
  execFileSync("tsc", ["-p", `${ROOT}www/tsconfig.json`], { stdio: "inherit" });
}

async function build(artifact) {
  const compiled = compile(artifact);
  const scratch = `${ROOT}.tmp/build/${artifact.name}`;
  const outputs = ["js", "d.ts", "wasm"].map((end) => `${ROOT}dist/${artifact.name}.${end}`);
  const key = inputKey(compiled);
  if (outputs.every(existsSync) && readIfThere(`${scratch}.key`) === key) {
    console.log(`build: ${artifact.name} is up to date`);
    return;
  }

  execFileSync("wasm-bindgen", [
    ...["--target", "no-modules", "--out-dir", scratch, "--out-name", artifact.name],
    // Names of functions and tools, which nothing reads at run time.
    ...["--remove-name-section", "--remove-producers-section", compiled],
  ]);
  // The names at its top level and those that it takes from around it stay, because the factory
  // gives it some of them.
  const glue = await minified(`${scratch}/${artifact.name}.js`, { mangle: { toplevel: false } });
  const bound = `${scratch}/${artifact.name}_bg.wasm`;
  const wasm = artifact.shrink ? smaller(bound, `${scratch}/optimized.wasm`) : readFileSync(bound);

  const id = buildId(glue, wasm);
  const [script, types, module] = outputs;
  writeFileSync(script, glueModule(glue, id));
  writeFileSync(types, glueTypes(readFileSync(`${scratch}/${artifact.name}.d.ts`, "utf8")));
  writeFileSync(module, withCustomSection(wasm, BUILD_SECTION, id));
  writeFileSync(`${scratch}.key`, key);
  console.log(`build: ${artifact.name} ${id}, ${kilobytes(wasm.length)}`);
}

/** Compiles the crate and returns the path of the .wasm file, as the compiler made it. */
function compile({ name, features, env, flags }) {
  // A folder for each: the compiler gives the .wasm file the same name whatever the features,
  // and in one folder cargo would take one artifact's file for the other's.
  const targetDir = `${ROOT}target/${name}`;
  const wasmEnv = { ...wasmEnvironment(), ...env };
  // The machine's paths of other crates and of the standard library would be part of every
  // panic message, and the same sources would give other bytes elsewhere.
  const crates = `${process.env.CARGO_HOME ?? `${homedir()}/.cargo`}/registry/src`;
  const library = `${wasmEnv.RUSTUP_TOOLCHAIN}/lib/rustlib/src/rust`;
  wasmEnv.RUSTFLAGS = [
    process.env.RUSTFLAGS ?? "",
    flags,
    `--remap-path-prefix=${crates}=/crates`,
    `--remap-path-prefix=${library}=/rustc`,
  ].join(" ").trim();
  // It compiles an index into the crate; here bundles get theirs later.
  delete wasmEnv.GROUNDLING_INDEX;
  execFileSync(
    "cargo",
    ["build", "--quiet", "--lib", "--release", ...features, "--target", TARGET, "--target-dir", targetDir],
    { cwd: ROOT, env: wasmEnv, stdio: "inherit" },
  );
  return `${targetDir}/${TARGET}/release/groundling.wasm`;
}

/** Changes whenever the steps after the compiler may give something else. */
function inputKey(compiled) {
  const hash = createHash("sha256").update(readFileSync(compiled));
  for (const file of ["Cargo.lock", "package-lock.json", "scripts/build.mjs", "scripts/lib/glue.mjs"]) {
    hash.update(readFileSync(ROOT + file));
  }
  return hash.digest("hex");
}

/** The file as it is or as wasm-opt makes it, whichever is smaller when it is sent. */
function smaller(input, output) {
  execFileSync("wasm-opt", [
    // Not -Oz or -O2, which inline and merge more: fewer bytes, but they compress worse.
    ...["-O1", input, "-o", output],
    // What the compiler may use anyway, and every browser with WebAssembly.Module has had since 2022.
    ...["--enable-bulk-memory", "--enable-multivalue", "--enable-mutable-globals"],
    ...["--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-sign-ext"],
    // It would drop zeros from the data, among them the place where a bundle's index is entered.
    "--skip-pass=memory-packing",
  ]);
  const [plain, optimized] = [input, output].map((path) => readFileSync(path));
  const [before, after] = [plain, optimized].map(brotliSize);
  const better = after < before;
  console.log(
    `build: wasm-opt ${better ? "used" : "not used"}: ` +
      `brotli ${kilobytes(before)} without, ${kilobytes(after)} with it`,
  );
  return better ? optimized : plain;
}

/** A script without its comments, which are most of it, and with short names inside. */
async function minified(path, options) {
  // Imported here, because on a clean clone it is there only once `setUp` has run.
  const { minify } = await import("vite");
  const { code, errors } = await minify(path, readFileSync(path, "utf8"), options);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
