// The pages that every generator is given: one with all that is hard to read, and two of our own
// docs. The hard one says the same words in each generator's own syntax.

import { readFileSync } from "node:fs";
import { ROOT } from "../../scripts/lib/environment.mjs";

/**
 * How a generator writes what Markdown has no syntax for.
 *
 * @typedef {object} Dialect
 * @property {string} [head] what a page begins with
 * @property {(title: string, text: string) => string} note
 * @property {(tabs: [string, string][]) => string} tabs each a label and a block of Markdown
 * @property {(code: string) => string} numbered Python code with line numbers
 * @property {(source: string) => string} formula
 * @property {(summary: string, text: string) => string} details
 * @property {boolean} [terms] whether definition lists are known
 */

const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;
const indent = (text) => text.replace(/^(?=.)/gmu, "    ");
const html = (summary, text) => `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;

/** @type {Dialect} GitHub's Markdown, and nothing else. */
const PLAIN = {
  note: (_title, text) => `> [!NOTE]\n> ${text}`,
  tabs: (tabs) => tabs.map(([label, text]) => `**${label}**\n\n${text}`).join("\n\n"),
  numbered: (code) => fence("python", code),
  formula: (source) => `\`${source}\``,
  details: html,
};

/** @type {Record<string, Dialect>} */
export const DIALECTS = {
  plain: PLAIN,
  material: {
    note: (title, text) => `!!! note "${title}"\n\n    ${text}`,
    tabs: (tabs) => tabs.map(([label, text]) => `=== "${label}"\n\n${indent(text)}`).join("\n\n"),
    numbered: (code) => fence('python linenums="1"', code),
    formula: (source) => `$${source}$`,
    details: (summary, text) => `??? note "${summary}"\n\n    ${text}`,
    terms: true,
  },
  myst: {
    note: (title, text) => `:::{admonition} ${title}\n${text}\n:::`,
    tabs: PLAIN.tabs,
    numbered: (code) => fence("{code-block} python\n:linenos:\n", code),
    formula: (source) => `$${source}$`,
    details: html,
    terms: true,
  },
  vitepress: {
    ...PLAIN,
    note: (title, text) => `::: info ${title}\n${text}\n:::`,
    tabs: (tabs) =>
      `::: code-group\n\n${tabs.map(([label, text]) => text.replace(/^```(\w+)/u, `$&[${label}]`)).join("\n\n")}\n\n:::`,
    numbered: (code) => fence("python:line-numbers", code),
    formula: (source) => `$${source}$`,
    details: (summary, text) => `::: details ${summary}\n${text}\n:::`,
  },
  docusaurus: {
    ...PLAIN,
    head: 'import Tabs from "@theme/Tabs";\nimport TabItem from "@theme/TabItem";\n\n',
    note: (title, text) => `:::note[${title}]\n\n${text}\n\n:::`,
    tabs: (tabs) => `<Tabs>\n${tabs.map(([label, text]) => `<TabItem value="${label}">\n\n${text}\n\n</TabItem>`).join("\n")}\n</Tabs>`,
    numbered: (code) => fence("python showLineNumbers", code),
    formula: (source) => `$${source}$`,
  },
  starlight: {
    ...PLAIN,
    head: 'import { Tabs, TabItem } from "@astrojs/starlight/components";\n\n',
    note: (title, text) => `:::note[${title}]\n${text}\n:::`,
    tabs: (tabs) => `<Tabs>\n${tabs.map(([label, text]) => `<TabItem label="${label}">\n\n${text}\n\n</TabItem>`).join("\n")}\n</Tabs>`,
  },
};

const CODE = `def steep(minutes):
    """Wait for the leaves."""

    if minutes > 3:
        return "bitter"
    return "fine"  # <ok> & done`;

/**
 * @param {Dialect} dialect
 * @param {"heading" | "front matter"} titles where the generator wants a page's title
 * @returns {Record<string, string>} text of each page by its name without an extension
 */
export function pages(dialect, titles) {
  const page = (title, text) =>
    titles === "heading" ? `# ${title}\n\n${text}` : `---\ntitle: ${title}\n---\n\n${text}`;
  const own = (name) => {
    const [, title, text] = /^# (.+)\n+([^]*)$/u.exec(readFileSync(`${ROOT}docs/${name}.md`, "utf8")) ?? [];
    // The set of pages is smaller than the docs, and a generator may refuse a link into the void.
    return page(title, text.replace(/\[([^\]]+)\]\([^)]*\)/gu, "$1"));
  };
  const head = dialect.head ?? "";
  const start = titles === "heading" ? head + page("Brewing tea", hard(dialect)) : page("Brewing tea", head + hard(dialect));
  return { brewing: start, citations: own("citations"), limits: own("limits") };
}

/** @param {Dialect} dialect */
function hard({ note, tabs, numbered, formula, details, terms }) {
  return `Tea is *simple*: run \`kettle --boil\` for 2<sup>7</sup> cups of H<sub>2</sub>O.[^1]

## Water & heat

${note("Mind the steam", "Kettles whistle at ninety-six degrees.")}

### Install

${tabs([
  ["Homebrew", fence("sh", "brew install teapot")],
  ["Debian", fence("sh", "apt install teapot")],
])}

## Code

${numbered(CODE)}

## Leaves

| Leaf | Minutes |
|------|---------|
| Sencha | 2 |
| Assam | 4 |

- [x] warmed pot
- [ ] clean cup

![a blue teapot](./teapot.png)

## Formula

The rate is ${formula("k = \\frac{m}{c}")} per cup.

## Details

${details("Why so hot?", "Tannins dissolve late.")}

## Details

${terms ? "Gaiwan\n:   A bowl with a lid.\n" : "A gaiwan is a bowl with a lid.\n"}
[^1]: Distilled water tastes flat.
`;
}
