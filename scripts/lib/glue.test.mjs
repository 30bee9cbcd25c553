import assert from "node:assert/strict";
import { test } from "node:test";
import { buildId, glueModule, glueTypes, withCustomSection, withOneStart, withPlainHashes } from "./glue.mjs";

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

// The shape of what wasm-bindgen writes: one expression whose variables are its own.
const GLUE = "let wasm_bindgen = (() => { let count = 0; return { next: () => ++count, WebAssembly }; })();";

/** @returns the module that the glue becomes */
const imported = (source) => import(`data:text/javascript,${encodeURIComponent(source)}`);

test("two glues from one module share no variable", async () => {
  const { createGlue } = await imported(glueModule(GLUE, "0123456789abcdef"));
  const [first, second] = [createGlue(WebAssembly, fetch), createGlue(WebAssembly, fetch)];
  first.next();
  assert.equal(first.next(), 2);
  assert.equal(second.next(), 1);
});

test("the caller's WebAssembly takes the place of the global one", async () => {
  const { createGlue } = await imported(glueModule(GLUE, "0123456789abcdef"));
  const replacement = {};
  assert.equal(createGlue(replacement, fetch).WebAssembly, replacement);
});

test("the glue's module tells the build", async () => {
  const { BUILD_ID } = await imported(glueModule(GLUE, "0123456789abcdef"));
  assert.equal(BUILD_ID, "0123456789abcdef");
});

test("the build id changes with the glue and with the module", () => {
  const id = buildId(GLUE, [EMPTY_MODULE, EMPTY_MODULE]);
  assert.match(id, /^[0-9a-f]{16}$/);
  assert.notEqual(buildId(GLUE + " ", [EMPTY_MODULE, EMPTY_MODULE]), id);
  assert.notEqual(buildId(GLUE, [EMPTY_MODULE, Uint8Array.of(...EMPTY_MODULE, 0)]), id);
});

test("scripts that differ only in hashes of the compiler become the same", () => {
  const pair = (first, second) => {
    const glue = `wasm.invoke__h${first}(); wasm.call__h${second}(); wasm.invoke__h${first}();`;
    return withPlainHashes(glue, Buffer.from(`\0invoke__h${first}\xffcall__h${second}`, "latin1"));
  };
  const [one, other] = [pair("0123456789abcdef", "fedcba9876543210"), pair("aaaaaaaaaaaaaaaa", "1111111111111111")];
  assert.equal(one.glue, other.glue);
  assert.deepEqual(one.wasm, other.wasm);
  assert.match(one.glue, /^wasm\.invoke__h0{16}\(\); wasm\.call__h0{15}1\(\); wasm\.invoke__h0{16}\(\);$/);
  assert.equal(one.wasm.toString("latin1"), `\0invoke__h${"0".repeat(16)}\xffcall__h${"0".repeat(15)}1`);
});

// Names and contents below and above 128 bytes, where a length takes a second byte.
for (const length of [0, 16, 120, 127, 128, 300, 20_000]) {
  test(`a custom section of ${length} bytes is read back`, () => {
    const content = "x".repeat(length);
    const module = new WebAssembly.Module(withCustomSection(EMPTY_MODULE, "groundling-build", content));
    const [section] = WebAssembly.Module.customSections(module, "groundling-build");
    assert.equal(Buffer.from(section).toString(), content);
  });
}

test("a script starts from a module or from bytes, and fetches nothing", async () => {
  const script = `let wasm_bindgen = (function(exports) {
    let script_src;
    if (true) {
        script_src = document.currentScript.src;
    }

    function __wbg_get_imports() { return "imports"; }
    function __wbg_finalize_init(instance) { return instance; }
    async function __wbg_load(module, imports) {
        return fetch(module);
    }
    return Object.assign(__wbg_init, { initSync }, exports);
})({ __proto__: null });
`;
  const { createGlue } = await imported(glueModule(withOneStart(script), "0123456789abcdef"));
  const given = (result) => ({ instantiate: async (...parameters) => (assert.deepEqual(parameters, ["x", "imports"]), result) });
  assert.equal(await createGlue(given("of a module"))({ module_or_path: "x" }), "of a module");
  assert.equal(await createGlue(given({ instance: "of bytes" }))({ module_or_path: "x" }), "of bytes");
  assert.throws(() => withOneStart("let wasm_bindgen;"), /another shape/);
});

test("classes become members of the glue, types stay exported, init functions are gone", () => {
  const types = glueTypes(`declare namespace wasm_bindgen {
    export interface Hit {
        score: number;
    }

    export class Docs {
        free(): void;
        [Symbol.dispose](): void;
    }

    export function open(bytes: Uint8Array): Docs;

}
declare type InitInput = RequestInfo | URL;
declare function wasm_bindgen (module_or_path?: InitInput): Promise<InitOutput>;
`);
  assert.match(types, /^export interface Hit \{\n    score: number;\n\}$/m);
  assert.match(types, /^declare class Docs \{$/m);
  assert.match(types, /^export type \{ Docs \};$/m);
  assert.match(types, /^  readonly Docs: typeof Docs;\n  readonly open: typeof open;$/m);
  assert.doesNotMatch(types, /InitInput|export class|export function open|dispose/);
});

test("declarations of an unknown shape are refused", () => {
  assert.throws(() => glueTypes("export class Docs {}"), /another shape/);
});
