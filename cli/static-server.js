/** A small static file server, for trying a bundle out on one's own machine. */

import { createReadStream } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** @type {Record<string, string>} */
const MEDIA_TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * @typedef {object} Extras
 * @property {(pathname: string) => Promise<string | undefined>} [page] HTML for an address without a file
 * @property {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean} [answer]
 *   answers a request before files are looked at, and tells whether it did
 * @property {(html: string) => string} [htmlOf] what is sent in place of a page in a file
 */

/**
 * Serves the files of a folder. It lists no folders, shows no hidden files, and gives nothing that
 * lies outside the folder, whether asked for with `..` or through a link.
 *
 * @param {string} root
 * @param {string} notFound what to say where there is no such file
 * @param {Extras} [extras]
 * @returns {import("node:http").Server} not yet listening
 */
export function staticServer(root, notFound, extras = {}) {
  return createServer((request, response) => {
    answer(root, notFound, extras, request, response).catch(() => {
      // The reader went away, or the file did while it was read.
      response.destroy();
    });
  });
}

/**
 * @param {string} root
 * @param {string} notFound
 * @param {Extras} extras
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(root, notFound, { page, answer: answerFirst, htmlOf }, request, response) {
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return sayPlainly(response, 405, "This server only gives files.");
  }
  if (answerFirst?.(request, response)) return undefined;
  const name = pathOf(request.url ?? "/");
  const found = name === undefined ? undefined : await find(root, name);
  if (found === undefined) {
    const html = name === undefined ? undefined : await page?.(name);
    if (html === undefined) return sayPlainly(response, 404, notFound);
    return sendHtml(response, request.method, htmlOf ? htmlOf(html) : html);
  }
  if (found === "folder") {
    // Relative addresses in its index.html need the slash. The target is the name of the last
    // folder alone, so it can never lead to another host.
    const target = `${encodeURIComponent(path.posix.basename(name ?? ""))}/`;
    response.writeHead(301, { Location: target }).end();
    return undefined;
  }
  if (htmlOf && path.extname(found.file) === ".html") {
    return sendHtml(response, request.method, htmlOf(await readFile(found.file, "utf8")));
  }
  const tag = `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`;
  response.setHeader("ETag", tag);
  response.setHeader("Cache-Control", "no-cache");
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304).end();
    return undefined;
  }
  response.writeHead(200, {
    "Content-Type": MEDIA_TYPES[path.extname(found.file).toLowerCase()] ?? "application/octet-stream",
    "Content-Length": found.size,
  });
  if (request.method === "HEAD") response.end();
  else await pipeline(createReadStream(found.file), response);
  return undefined;
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string | undefined} method
 * @param {string} html
 */
function sendHtml(response, method, html) {
  response.writeHead(200, { "Content-Type": MEDIA_TYPES[".html"], "Cache-Control": "no-cache" });
  response.end(method === "HEAD" ? undefined : html);
  return undefined;
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function sayPlainly(response, status, text) {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

/**
 * @param {string} target the request's target
 * @returns {string | undefined} the decoded path, or none where it is not one we serve
 */
function pathOf(target) {
  try {
    const name = decodeURIComponent(target.split(/[?#]/u, 1)[0]);
    // A backslash would be a separator on Windows.
    if (!name.startsWith("/") || /[\0\\]/u.test(name)) return undefined;
    return name.split("/").some((part) => part.startsWith(".")) ? undefined : name;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {Promise<{ file: string, size: number, mtimeMs: number } | "folder" | undefined>}
 */
async function find(root, name) {
  try {
    const base = await realpath(root);
    const file = await realpath(path.join(base, name.endsWith("/") ? `${name}index.html` : name));
    if (file !== base && !file.startsWith(base + path.sep)) return undefined;
    const { size, mtimeMs, ...entry } = await describe(file);
    if (entry.isFolder) return "folder";
    return entry.isFile ? { file, size, mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} file */
async function describe(file) {
  const entry = await stat(file);
  return { size: entry.size, mtimeMs: entry.mtimeMs, isFolder: entry.isDirectory(), isFile: entry.isFile() };
}
