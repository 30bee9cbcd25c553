/** How large the parts of a bundle are, as they are and as a host sends them. */

import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** Brotli's quality; hosts that compress on the fly use about this. */
export const BROTLI_QUALITY = 5;

/** A bundle that is larger is not compressed, because that would take seconds. */
const MOST_BROTLI_BYTES = 32 * 1024 * 1024;

/** Sections that hold what is shown; the others are for finding. */
const SHOWN = /^(?:PAGE|CHUNK)_/u;

/**
 * @typedef {object} Part
 * @property {string} name `engine`, `index` or `texts`
 * @property {number} bytes
 * @property {number} [brotliBytes] none where the bundle is too large to compress in passing
 */

/**
 * The engine; the index, which finds; and the texts with titles and addresses, which are shown.
 *
 * @param {Uint8Array} bundle
 * @param {import("../dist/builder.js").Glue} glue
 * @returns {Promise<Part[]>}
 */
export async function bundleParts(bundle, glue) {
  const index = glue.extract(bundle);
  const inspector = new glue.Inspector(bundle);
  const { sections } = inspector.facts;
  inspector.free();
  const shown = sections.filter(({ name }) => SHOWN.test(name));
  const finding = sections.filter(({ name }) => !SHOWN.test(name));
  const join = (/** @type {typeof sections} */ list) => Buffer.concat(list.map(({ start, end }) => index.subarray(start, end)));
  const [head] = sections.map(({ start }) => start).sort((a, b) => a - b);
  const at = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length).indexOf(index.subarray(0, head));
  const contents = {
    engine: Buffer.concat([bundle.subarray(0, at), bundle.subarray(at + index.length)]),
    index: Buffer.concat([index.subarray(0, head), join(finding)]),
    texts: join(shown),
  };
  const isSmall = bundle.length <= MOST_BROTLI_BYTES;
  return Promise.all(
    Object.entries(contents).map(async ([name, bytes]) => ({
      name,
      bytes: bytes.length,
      ...(isSmall && { brotliBytes: await brotliSize(bytes) }),
    })),
  );
}

/** @param {Uint8Array} bytes */
async function brotliSize(bytes) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  return (await promisify(brotliCompress)(bytes, options)).length;
}
