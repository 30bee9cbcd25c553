// Numbers and tables of the report.

/** A Markdown table; all columns but the first hold numbers. */
export function table(head, rows) {
  const lines = [head, head.map((_, i) => (i === 0 ? "---" : "--:")), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The value below which a part of the values lies: the nearest rank. */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

/** A count with thousands set apart. */
export const count = (value) => value.toLocaleString("en");

/** In units of 1000 bytes. */
export const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

/** With three significant digits, for most are far below one. */
export const milliseconds = (ms) => ms.toPrecision(3);
