// Reads the parts of a WebAssembly module: sections, functions and their names.
// https://webassembly.github.io/spec/core/binary/modules.html

const CUSTOM = 0;
const IMPORTS = 2;
const CODE = 10;

/** Subsection of the custom section "name" that names functions. */
const FUNCTION_NAMES = 1;

/** The kind of an import that is a function. */
const FUNCTION = 0;

/**
 * The sections in their order.
 *
 * @param {Uint8Array} wasm
 * @returns {{ id: number, bytes: Buffer }[]}
 */
export function sectionsOf(wasm) {
  const reader = new Reader(wasm);
  reader.skip(8);
  const sections = [];
  while (!reader.isAtEnd) sections.push({ id: reader.byte(), bytes: reader.block() });
  return sections;
}

/**
 * The functions that a module defines, with the names that its custom section "name" gives them.
 *
 * @param {Uint8Array} wasm
 * @returns {{ name: string, body: Buffer }[]}
 */
export function functionsOf(wasm) {
  const sections = sectionsOf(wasm);
  const first = importedFunctions(new Reader(section(sections, IMPORTS)));
  const code = new Reader(section(sections, CODE));
  const bodies = Array.from({ length: code.number() }, () => code.block());
  const names = functionNames(sections);
  return bodies.map((body, i) => ({ name: names.get(first + i) ?? "", body }));
}

/**
 * Who wrote a function: a crate, a room of this crate, or a module of the standard library.
 *
 * @param {string} name as Rust's compiler gives it, made readable or not
 */
export function ownerOf(name) {
  // A method for any type, `<T as Trait>::method`, belongs to its trait.
  const plain = name.replace(/^[<&*]*(?:mut |dyn )?[<&(]*/u, "").replace(/^[A-Z] as /u, "");
  const path = plain.match(/^\w+(?:::\w+)?/u)?.[0] ?? "unnamed";
  const [crate] = path.split("::");
  return ["groundling", "core", "alloc", "std"].includes(crate) ? path : crate;
}

function section(sections, id) {
  return sections.find((one) => one.id === id)?.bytes ?? Buffer.of(0);
}

function importedFunctions(reader) {
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    reader.block();
    reader.block();
    const kind = reader.byte();
    if (kind !== FUNCTION) throw new Error("an import that is no function is not known here");
    reader.number();
    functions++;
  }
  return functions;
}

function functionNames(sections) {
  const names = new Map();
  for (const { id, bytes } of sections) {
    const reader = new Reader(bytes);
    if (id !== CUSTOM || reader.block().toString() !== "name") continue;
    while (!reader.isAtEnd) {
      const kind = reader.byte();
      const subsection = new Reader(reader.block());
      if (kind !== FUNCTION_NAMES) continue;
      for (let left = subsection.number(); left > 0; left--) {
        names.set(subsection.number(), subsection.block().toString());
      }
    }
  }
  return names;
}

class Reader {
  #bytes;
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd() {
    return this.#at >= this.#bytes.length;
  }

  skip(length) {
    this.#at += length;
  }

  byte() {
    return this.#bytes[this.#at++];
  }

  /** An unsigned LEB128 of at most 32 bits. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** Bytes after their length. */
  block() {
    const length = this.number();
    const block = this.#bytes.subarray(this.#at, this.#at + length);
    this.skip(length);
    return block;
  }
}
