/**
 * What earlier builds made of each file, so that a build reads and analyses only what changed.
 *
 * One file for each set of inputs:
 *
 * ```text
 * MAGIC                     8 bytes
 * entries, each:            key (32) · length (4, little-endian) · check (32) · bytes
 * ```
 *
 * A key is the SHA-256 of all that decides the bytes: the program, the options, the path and the
 * content of the file. So nothing is ever out of date, and what is not asked for is not copied into
 * the next file. An entry whose check is not the SHA-256 of its bytes is as good as none.
 */

import { createHash, randomUUID } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isSystemError } from "./errors.js";

const MAGIC = Buffer.from("groundC1");
const HASH_BYTES = 32;
const HEAD_BYTES = HASH_BYTES + 4 + HASH_BYTES;

/** Files of inputs that were not built for so long are removed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Folder of the cache: `GROUNDLING_CACHE`, else where the system keeps what may be lost. */
export function cacheFolder() {
  if (process.env.GROUNDLING_CACHE) return process.env.GROUNDLING_CACHE;
  if (process.platform === "win32" && process.env.LOCALAPPDATA) {
    return path.join(process.env.LOCALAPPDATA, "groundling", "Cache", "build");
  }
  if (process.platform === "darwin") return path.join(homedir(), "Library", "Caches", "groundling", "build");
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "groundling", "build");
}

/**
 * Whatever goes wrong with a cache, the build goes on without it.
 */
export class Cache {
  #salt;
  #file;
  /** @type {Map<string, { at: number, length: number }>} where the old file has the bytes of a key */
  #old = new Map();
  /** @type {number | undefined} */
  #input;
  #inputBytes = 0;
  /** @type {number | undefined} */
  #output;
  #scratch;
  #hits = 0;

  /**
   * @param {string} folder
   * @param {string} inputs what is built, such as the folders; it names the file
   * @param {Uint8Array[]} salt all that decides the bytes besides path and content of a file
   */
  constructor(folder, inputs, salt) {
    this.#salt = createHash("sha256");
    for (const part of salt) this.#salt.update(`${part.length}:`).update(part);
    this.#file = path.join(folder, `${createHash("sha256").update(inputs).digest("hex").slice(0, 32)}.cache`);
    this.#scratch = `${this.#file}.${randomUUID()}`;
    quietly(() => {
      mkdirSync(folder, { recursive: true });
      removeOld(folder);
      this.#output = openSync(this.#scratch, "wx", 0o600);
      writeSync(this.#output, MAGIC);
    });
    quietly(() => {
      this.#input = openSync(this.#file, "r");
      this.#inputBytes = fstatSync(this.#input).size;
      this.#list();
    });
  }

  /** How many files were found. */
  get hits() {
    return this.#hits;
  }

  /**
   * @param {string} name
   * @param {Uint8Array} content
   */
  key(name, content) {
    return this.#salt.copy().update(`${name.length}:${name}`).update(content).digest();
  }

  /**
   * @param {Buffer} key
   * @returns {Uint8Array | undefined}
   */
  get(key) {
    const entry = this.#old.get(key.toString("latin1"));
    if (entry === undefined) return undefined;
    const found = quietly(() => this.#read(entry.at - HASH_BYTES, HASH_BYTES + entry.length));
    if (!found) return undefined;
    const bytes = found.subarray(HASH_BYTES);
    if (!sha256(bytes).equals(found.subarray(0, HASH_BYTES))) return undefined;
    this.#hits += 1;
    return bytes;
  }

  /**
   * Keeps the bytes of a key for the next build.
   *
   * @param {Buffer} key
   * @param {Uint8Array} bytes
   */
  keep(key, bytes) {
    if (this.#output === undefined) return;
    const output = this.#output;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    const written = quietly(() => {
      const entry = Buffer.concat([key, length, sha256(bytes), bytes]);
      // A disk that is full may take a part only.
      return writeSync(output, entry) === entry.length;
    });
    if (!written) this.discard();
  }

  /** Puts the new file in the place of the old one. */
  commit() {
    const output = this.#output;
    this.#close();
    if (output !== undefined) quietly(() => renameSync(this.#scratch, this.#file));
    quietly(() => rmSync(this.#scratch, { force: true }));
  }

  /** Leaves the old file as it is. */
  discard() {
    this.#close();
    quietly(() => rmSync(this.#scratch, { force: true }));
  }

  #close() {
    for (const open of [this.#input, this.#output]) {
      if (open !== undefined) quietly(() => closeSync(open));
    }
    this.#input = undefined;
    this.#output = undefined;
  }

  #list() {
    if (!this.#read(0, MAGIC.length)?.equals(MAGIC)) return;
    let at = MAGIC.length;
    for (let head = this.#read(at, HEAD_BYTES); head; head = this.#read(at, HEAD_BYTES)) {
      const length = head.readUInt32LE(HASH_BYTES);
      at += HEAD_BYTES;
      this.#old.set(head.toString("latin1", 0, HASH_BYTES), { at, length });
      at += length;
    }
  }

  /**
   * @param {number} at
   * @param {number} length
   * @returns {Buffer | undefined} none where the file ends before
   */
  #read(at, length) {
    // A damaged length must not make us take memory for it.
    if (this.#input === undefined || length > this.#inputBytes - at) return undefined;
    const bytes = Buffer.alloc(length);
    return readSync(this.#input, bytes, 0, length, at) === length ? bytes : undefined;
  }
}

/** @param {Uint8Array} bytes */
function sha256(bytes) {
  return createHash("sha256").update(bytes).digest();
}

/** @param {string} folder */
function removeOld(folder) {
  const oldest = Date.now() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (/\.cache(?:\.[0-9a-f-]+)?$/u.test(name) && statSync(file).mtimeMs < oldest) rmSync(file, { force: true });
  }
}

/**
 * @template T
 * @param {() => T} action
 * @returns {T | undefined} none where the system refused
 */
function quietly(action) {
  try {
    return action();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
