/** The builder that is compiled to WebAssembly. */

import { importBuilder, readDist } from "./dist.js";

/** @returns {Promise<WebAssembly.Module>} the builder, which other threads can start too */
export async function compileBuilder() {
  return WebAssembly.compile(/** @type {BufferSource} */ (await readDist("builder.wasm")));
}

/**
 * An instance of the builder, ready to use.
 *
 * @param {WebAssembly.Module} module
 */
export async function startBuilder(module) {
  const { createGlue } = await importBuilder();
  const glue = createGlue(WebAssembly, fetch);
  await glue({ module_or_path: module });
  return glue;
}

export async function loadBuilder() {
  return startBuilder(await compileBuilder());
}
