// Sizes of files as they are stored and as they are sent.

import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The size in bytes after brotli at its highest quality, as static hosts store files. */
export function brotliSize(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).length;
}

/** The size in bytes after gzip at level 9. */
export function gzipSize(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

/** A size for people, in units of 1000 bytes. */
export function kilobytes(size) {
  return `${(size / 1000).toFixed(1)} kB`;
}
