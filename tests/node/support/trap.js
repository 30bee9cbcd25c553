/** Copies of a bundle that trap, to see what happens when the engine has a defect. */

const CODE = 10;
const EXPORT = 7;
const FUNCTION = 0;
/** A body without locals whose only instruction is `unreachable`. */
const UNREACHABLE_BODY = [0x00, 0x00, 0x0b];

/**
 * A copy of a module in which calling one of its exported functions traps. Everything else stays
 * as it is, the section that names the build included.
 *
 * @param {Uint8Array} wasm
 * @param {string} name of the export
 * @returns {Uint8Array}
 */
export function withTrapIn(wasm, name) {
  const sections = sectionsOf(wasm);
  const body = exportedFunction(wasm, sections, name) - importedFunctions(wasm);
  const code = sections.find(({ id }) => id === CODE);
  const reader = new Reader(wasm, code.start);
  const count = reader.number();
  const first = reader.at;
  for (let i = 0; i < body; i++) reader.skip(reader.number());
  const start = reader.at;
  reader.skip(reader.number());
  const content = [
    ...[Buffer.from(leb128(count)), wasm.subarray(first, start)],
    ...[Buffer.from([UNREACHABLE_BODY.length, ...UNREACHABLE_BODY]), wasm.subarray(reader.at, code.end)],
  ];
  const size = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([
    ...[wasm.subarray(0, code.header), Buffer.from([CODE, ...leb128(size)])],
    ...[...content, wasm.subarray(code.end)],
  ]);
}

/** The names of the exported functions. */
export function exportedFunctions(wasm) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(wasm));
  return exports.filter(({ kind }) => kind === "function").map(({ name }) => name);
}

class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(length) {
    this.at += length;
  }

  string() {
    const length = this.number();
    this.skip(length);
    return Buffer.from(this.bytes.subarray(this.at - length, this.at)).toString();
  }
}

/** Where each section lies: its id byte, its content and its end. */
function sectionsOf(wasm) {
  const magicAndVersionBytes = 8;
  const sections = [];
  const reader = new Reader(wasm, magicAndVersionBytes);
  while (reader.at < wasm.length) {
    const header = reader.at;
    const id = wasm[reader.at++];
    const size = reader.number();
    sections.push({ id, header, start: reader.at, end: reader.at + size });
    reader.skip(size);
  }
  return sections;
}

/** Imported functions come first when functions are numbered. */
function importedFunctions(wasm) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  return imports.filter(({ kind }) => kind === "function").length;
}

function exportedFunction(wasm, sections, name) {
  const reader = new Reader(wasm, sections.find(({ id }) => id === EXPORT).start);
  for (let left = reader.number(); left > 0; left--) {
    const exported = reader.string();
    const kind = wasm[reader.at++];
    const index = reader.number();
    if (exported === name && kind === FUNCTION) return index;
  }
  throw new Error(`the module exports no function ${name}`);
}

function leb128(number) {
  const bytes = [];
  do {
    bytes.push((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
    number >>>= 7;
  } while (number > 0);
  return bytes;
}
