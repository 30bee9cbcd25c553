/** The Markdown of answers: what is understood, what stays text, and what it costs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBlocks } from "../../www/widget/markdown/blocks.js";
import { clean } from "../../www/widget/markdown/clean.js";
import { linesOf, markersOf } from "../../www/widget/markdown/lines.js";

/**
 * The tree as one would write it in HTML, a footnote as `{1}`.
 *
 * @param {import("../../www/widget/markdown/inline.js").Tree} tree
 * @returns {string}
 */
function shown(tree) {
  if (typeof tree === "string") return tree;
  if (tree.tag === "footnote") return `{${tree.numbers}}`;
  if (tree.tag === "code-block") return `<pre ${tree.language}>${tree.text}</pre>`;
  const attributes = Object.entries(tree.attributes ?? {}).map(([name, value]) => ` ${name}=${value}`);
  return `<${tree.tag}${attributes.join("")}>${tree.children.map(shown).join("")}</${tree.tag}>`;
}

/** @param {string} text in which every `[n]` is a citation */
function trees(text) {
  const citations = [...text.matchAll(/\[(\d)\]/gu)].map(({ 0: { length }, 1: n, index }) => ({ n: Number(n), start: index, end: index + length }));
  const markers = markersOf(text, citations);
  const linkTo = (/** @type {string} */ address) => (address.startsWith("/docs/") ? address : undefined);
  return parseBlocks(linesOf(text, 0, markers).map((line) => line.text), { markers, linkTo }).map(({ tree }) => tree);
}

/** @param {string} name @param {string} text @param {string} expected */
function check(name, text, expected) {
  test(name, () => assert.equal(trees(text).map(shown).join(""), expected));
}

check("emphasis", "**b** *i* __b__ _i_ ***bi*** ~~d~~", "<p><strong>b</strong> <em>i</em> <strong>b</strong> <em>i</em> <strong><em>bi</em></strong> <del>d</del></p>");
check("emphasis within emphasis", "**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>");
check("marks that open nothing are text", "a * b ** c 2*3 *x", "<p>a * b ** c 2*3 *x</p>");
check("underscores within a name belong to it", "snake_case_name and __init__.py", "<p>snake_case_name and __init__.py</p>");
check("code is not read", "`a *b* [x](/docs/)` ``x ` y``", "<p><code>a *b* [x](/docs/)</code> <code>x ` y</code></p>");
check("a backtick without a partner is text", "a ` b **c**", "<p>a ` b <strong>c</strong></p>");
check("citations are footnotes, in order", "So [1]. And [2][3].", "<p>So {1}. And {2}{3}.</p>");
check("a marker in code stays as it was written", "`x[1]` and\n```js\na[2]\n```", "<p><code>x[1]</code> and</p><pre js>a[2]</pre>");
check("a backslash takes the meaning away", "\\*a\\* \\[b\\](/docs/x)", "<p>*a* [b](/docs/x)</p>");
check("lines of a paragraph are one, but for hard breaks", "a\nb  \nc\\\nd", "<p>a b  <br></br>c<br></br>d</p>");
check("headings have one level", "# A #\n### B", "<h4>A</h4><h4>B</h4>");
check("a number sign without a space is text", "#tag", "<p>#tag</p>");
check("lists nest", "- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
check("a list goes on after a blank line", "1. a\n\n2. b", "<ol><li>a</li><li>b</li></ol>");
check("a list that begins later keeps its number", "3. a", "<ol start=3><li>a</li></ol>");
check("code in an item", "1. x\n   ```sh\n   ls\n   ```\n2. y", "<ol><li>x<pre sh>ls</pre></li><li>y</li></ol>");
check("a year at the start of a line is no list", "since\n1986. It", "<p>since 1986. It</p>");
check("quotes", "> a\n> - b", "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>");
check("rules", "a\n\n---\n* * *", "<p>a</p><hr></hr><hr></hr>");
check("an open fence shows what has come", "```py\nx = 1\n", "<pre py>x = 1</pre>");
check("a fence ends with one as long", "````\n```\n````\nz", "<pre >```</pre><p>z</p>");
check(
  "tables",
  "| a | b |\n|---|--:|\n| `x\\|y` | 2 [1] |\n\nz",
  '<div class=scroll tabindex=0><table><thead><tr><th scope=col>a</th><th scope=col class=align-end>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td class=align-end>2 {1}</td></tr></tbody></table></div><p>z</p>',
);
check("a link to the documentation lives", "[a **b**](/docs/x) <https://x.test/>", "<p><a href=/docs/x>a <strong>b</strong></a> https://x.test/</p>");
check("a link elsewhere shows its address", "[a](https://x.test/?q=1)", "<p>a<span class=address> (https://x.test/?q=1)</span></p>");
check("a script's address is text", "[a](javascript:alert(1))", "<p>a<span class=address> (javascript:alert(1))</span></p>");
check("an image is its words", "![a b](https://x.test/i.png)", "<p>a b</p>");
check("an image in a link is its words", "[![a](https://x.test/i.png)](/docs/x)", "<p><a href=/docs/x>a</a></p>");
check("raw HTML is text", "<b onclick=x>a</b> <script>", "<p><b onclick=x>a</b> <script></p>");
check("entities of escaped sources are read", "Vec&lt;T&gt; &amp;mut &#x27;", "<p>Vec<T> &mut '</p>");
check("an entity makes no markup", "&#42;a&#42; &ast;", "<p>&#42;a&#42; &ast;</p>");

test("what cannot be seen is dropped, and joiners stay where they join", () => {
  assert.equal(clean("a\u202Eb\u2066c\u200Bd\uFEFFe\u{E0041}f\0g\uE000h"), "abcdefgh");
  assert.equal(clean("می\u200Cخواهم 👩\u200D💻 x\u200D y"), "می\u200Cخواهم 👩\u200D💻 x y");
  assert.equal(clean("a\uD83D"), "a\uFFFD");
});

test("nesting is bounded, in lists, quotes and emphasis", () => {
  const depth = (/** @type {any} */ tree) => (typeof tree === "string" || !tree.children ? 0 : 1 + Math.max(0, ...tree.children.map(depth)));
  for (const text of ["> ".repeat(500) + "x", "- ".repeat(500) + "x", "*_".repeat(500) + "x" + "_*".repeat(500), "[".repeat(500) + "x" + "](/docs/x)".repeat(500)]) {
    const deepest = Math.max(...trees(text).map(depth));
    assert.ok(deepest <= 20, `${text.slice(0, 10)}: ${deepest}`);
  }
});

test("a table is bounded in columns and rows, and no text is lost", () => {
  const row = `|${"x|".repeat(40)}`;
  const [table, rest] = trees(`${row}\n|${"-|".repeat(40)}\n${`${row}\n`.repeat(300)}`).map(shown);
  assert.equal(table.match(/<td/gu)?.length, 12 * 200);
  assert.equal((table + rest).replace("tabindex", "").match(/x/gu)?.length, 40 * 301);
});

for (const part of [
  ...["*a ", "**_", "[](", "[", "![](", "`", "` `` ", "> ", "- ", "[a](x) ", "<https://", "http://a ", "[](((", "|a", "~~~a", "```a`", "\\", "&lt", "_a_ "],
  ...["a\n- ", "]", "# ", "    ", "\u202E", "[[[a](x)](x)](x)", "![![a](x)](x)", "|-\n", "[1]", "1. ", "\u200D"],
]) {
  test(`time grows in proportion to the text: ${JSON.stringify(part)}`, () => {
    // Milliseconds of the processor and not of the clock, which counts what else the machine does. Both take as
    // much text in all, since little of it takes less time than the system tells apart.
    const least = (/** @type {number} */ units) => {
      const text = part.repeat(Math.ceil(units / part.length));
      const rounds = 50_000 / units;
      const times = [1, 2, 3, 4, 5].map(() => {
        const start = process.cpuUsage();
        for (let round = 0; round < rounds; round += 1) trees(text);
        return process.cpuUsage(start).user / 1000 / rounds;
      });
      return Math.min(...times);
    };
    least(5_000);
    // Eight times the text in not much more than eight times the time; quadratic would be 64.
    const [short, long] = [least(6_250), least(50_000)];
    assert.ok(long < 30 * Math.max(short, 1), `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
  });
}
