// The generators whose pages are read: how each is installed, configured and run.

import { DIALECTS } from "./pages.mjs";

/**
 * @typedef {object} Generator
 * @property {Record<string, string>} [npm] packages and versions
 * @property {string[]} [pip] requirements
 * @property {[name: string, version: string]} [cargo] a command of crates.io, which is compiled
 * @property {string} [debian] a Debian package
 * @property {import("./pages.mjs").Dialect} dialect
 * @property {"heading" | "front matter"} [titles] where a page has its title; a heading by default
 * @property {string} source folder of the pages
 * @property {string} [extension] of the pages, `.md` by default
 * @property {Record<string, string>} files the project's other files
 * @property {string[][]} commands run one after the other in the project
 * @property {string} output folder of the built site
 */

const MATERIAL = `site_name: Teahouse
site_url: https://tea.test/
repo_url: https://git.test/tea
edit_uri: edit/main/docs/
theme:
  name: material
  features: [navigation.tabs, navigation.footer, content.code.copy, content.action.edit, toc.follow]
markdown_extensions:
  - admonition
  - attr_list
  - def_list
  - footnotes
  - md_in_html
  - tables
  - toc: { permalink: true }
  - pymdownx.arithmatex: { generic: true }
  - pymdownx.details
  - pymdownx.highlight: { anchor_linenums: true }
  - pymdownx.superfences
  - pymdownx.tabbed: { alternate_style: true }
  - pymdownx.tasklist: { custom_checkbox: true }
`;

const MKDOCS_INDEX = { "docs/index.md": "# Teahouse\n\nSee [brewing](brewing.md).\n" };

/** @param {string} theme @returns {Generator} */
function sphinx(theme) {
  return {
    pip: ["sphinx==9.0.4", "furo==2025.12.19", "sphinx-rtd-theme==3.1.0", "myst-parser==5.2.0"],
    dialect: DIALECTS.myst,
    source: "source",
    files: {
      "source/conf.py": `project = "Teahouse"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "tasklist"]
myst_heading_anchors = 3
html_theme = "${theme}"
`,
      "source/index.md": "# Teahouse\n\nWelcome.\n\n```{toctree}\nbrewing\ncitations\nlimits\n```\n",
    },
    commands: [["sphinx-build", "-q", "-b", "html", "source", "out"]],
    output: "out",
  };
}

/** @type {Record<string, Generator>} */
export const GENERATORS = {
  "mkdocs-material": {
    pip: ["mkdocs==1.6.1", "mkdocs-material==9.8.2"],
    dialect: DIALECTS.material,
    source: "docs",
    files: { "mkdocs.yml": MATERIAL, ...MKDOCS_INDEX },
    commands: [["mkdocs", "build", "-q", "-d", "out"]],
    output: "out",
  },
  mkdocs: {
    pip: ["mkdocs==1.6.1"],
    // The built-in theme has no tabs, and of the extensions those of Python-Markdown.
    dialect: { ...DIALECTS.plain, note: DIALECTS.material.note, terms: true },
    source: "docs",
    files: {
      "mkdocs.yml":
        "site_name: Teahouse\nrepo_url: https://git.test/tea\nmarkdown_extensions: [admonition, def_list, fenced_code, footnotes, md_in_html, tables, toc: { permalink: true }]\n",
      ...MKDOCS_INDEX,
    },
    commands: [["mkdocs", "build", "-q", "-d", "out"]],
    output: "out",
  },
  zensical: {
    pip: ["zensical==0.0.73"],
    dialect: DIALECTS.material,
    source: "docs",
    files: { "mkdocs.yml": `${MATERIAL}site_dir: out\n`, ...MKDOCS_INDEX },
    commands: [["zensical", "build"]],
    output: "out",
  },
  "sphinx-furo": sphinx("furo"),
  "sphinx-alabaster": sphinx("alabaster"),
  "sphinx-rtd": sphinx("sphinx_rtd_theme"),
  vitepress: {
    npm: { vitepress: "1.6.4", "markdown-it-mathjax3": "4.3.2" },
    dialect: DIALECTS.vitepress,
    source: ".",
    files: {
      "index.md": "# Teahouse\n\nSee [brewing](brewing.md).\n",
      ".vitepress/config.mjs": `export default {
  title: "Teahouse",
  outDir: "out",
  markdown: { math: true },
  themeConfig: {
    nav: [{ text: "Brewing", link: "/brewing" }],
    sidebar: [{ text: "Guide", items: ["brewing", "citations", "limits"].map((name) => ({ text: name, link: "/" + name })) }],
    editLink: { pattern: "https://git.test/edit/:path" },
    footer: { message: "Poured by the house." },
  },
};
`,
    },
    commands: [["vitepress", "build"]],
    output: "out",
  },
  docusaurus: {
    npm: {
      "@docusaurus/core": "3.10.2",
      "@docusaurus/preset-classic": "3.10.2",
      react: "18.3.1",
      "react-dom": "18.3.1",
      "rehype-katex": "7.0.1",
      "remark-math": "6.0.0",
    },
    dialect: DIALECTS.docusaurus,
    source: "docs",
    extension: ".mdx",
    files: {
      "docusaurus.config.mjs": `import math from "remark-math";
import katex from "rehype-katex";
export default {
  title: "Teahouse",
  url: "https://tea.test",
  baseUrl: "/",
  presets: [["classic", {
    docs: { routeBasePath: "/", editUrl: "https://git.test/edit/", remarkPlugins: [math], rehypePlugins: [katex], breadcrumbs: true },
    blog: false,
    theme: {},
  }]],
  themeConfig: { navbar: { title: "Teahouse", items: [] }, footer: { copyright: "Poured by the house." } },
};
`,
      "docs/index.md": "# Teahouse\n\nWelcome.\n",
    },
    commands: [["docusaurus", "build", "--out-dir", "out", "--no-minify"]],
    output: "out",
  },
  starlight: {
    npm: { astro: "5.9.4", "@astrojs/starlight": "0.37.7" },
    dialect: DIALECTS.starlight,
    titles: "front matter",
    source: "src/content/docs",
    extension: ".mdx",
    files: {
      "astro.config.mjs": `import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
export default defineConfig({
  outDir: "out",
  integrations: [starlight({ title: "Teahouse", editLink: { baseUrl: "https://git.test/edit/" }, lastUpdated: false })],
});
`,
      "src/content.config.mjs": `import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      "src/content/docs/index.md": "---\ntitle: Teahouse\n---\n\nWelcome.\n",
    },
    commands: [["astro", "build"]],
    output: "out",
  },
  mdbook: {
    cargo: ["mdbook", "0.5.4"],
    dialect: { ...DIALECTS.plain, note: (title, text) => `> **${title}**\n>\n> ${text}` },
    source: "src",
    files: {
      "book.toml":
        '[book]\ntitle = "Teahouse"\n\n[output.html]\ngit-repository-url = "https://git.test/tea"\nedit-url-template = "https://git.test/edit/{path}"\n',
      "src/SUMMARY.md": "# Summary\n\n- [Brewing tea](brewing.md)\n- [Citations](citations.md)\n- [Limits](limits.md)\n",
    },
    commands: [["mdbook", "build", "-d", "out"]],
    output: "out",
  },
  hugo: {
    debian: "hugo",
    dialect: { ...DIALECTS.plain, note: (title, text) => `> **${title}**\n>\n> ${text}`, terms: true },
    titles: "front matter",
    source: "content",
    files: {
      "config.toml":
        'baseURL = "https://tea.test/"\ntitle = "Teahouse"\npublishDir = "out"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n[markup.goldmark.renderer]\nunsafe = true\n[markup.highlight]\nlineNos = true\nlineNumbersInTable = true\nnoClasses = false\n',
      "layouts/_default/baseof.html": `<!doctype html>
<html lang="en"><head><title>{{ .Title }} | {{ .Site.Title }}</title></head>
<body><header class="site-header"><a href="/">{{ .Site.Title }}</a></header>
<aside class="sidebar"><ul>{{ range .Site.RegularPages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul></aside>
<main>{{ block "main" . }}{{ end }}</main>
<footer>Poured by the house.</footer></body></html>
`,
      "layouts/_default/single.html": `{{ define "main" }}<article><h1>{{ .Title }}</h1><div class="post-meta">{{ .ReadingTime }} min read</div>
<aside class="toc">{{ .TableOfContents }}</aside>{{ .Content }}
<a class="edit-page" href="https://git.test/edit/">Edit this page</a></article>{{ end }}
`,
      "layouts/_default/_markup/render-heading.html":
        '<h{{ .Level }} id="{{ .Anchor }}">{{ .Text | safeHTML }} <a class="anchor" href="#{{ .Anchor }}" aria-label="Anchor">#</a></h{{ .Level }}>\n',
      "layouts/_default/list.html": '{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}\n',
    },
    commands: [["hugo", "--quiet"]],
    output: "out",
  },
};
