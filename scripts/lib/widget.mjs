// Bundles the web component, so that a page without a bundler of its own gets it in few requests:
// one file before the reader wants anything, further ones when they are needed.

import { copyFileSync, cpSync } from "node:fs";
import { ROOT } from "./environment.mjs";

const FOLDER = `${ROOT}www/widget`;

/** Makes dist/widget/. */
export async function buildWidget() {
  // Imported here, because on a clean clone it is there only once `setUp` has run.
  const { build } = await import("vite");
  await build({
    root: FOLDER,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: `${ROOT}dist/widget`,
      emptyOutDir: true,
      target: "es2022",
      // The style sheets use what browsers have had since 2024, and the minifier must not undo it.
      cssTarget: "esnext",
      // Not an application, whose files would get code that touches `document` on import.
      lib: { entry: { define: `${FOLDER}/define.js`, widget: `${FOLDER}/widget.js` }, formats: ["es"] },
      rolldownOptions: {
        // The module that opens bundles stays a file of its own, which a page may share.
        external: /\/load\.js$/u,
        output: {
          // A library's white space is kept otherwise, for the sake of comments that bundlers read.
          minify: true,
          entryFileNames: "[name].js",
          // Both entries and the later files share the class, under a name that no entry has.
          chunkFileNames: ({ name }) => `${name === "widget" ? "component" : name}.js`,
        },
      },
    },
  });
  // The compiler writes the types of modules, but copies none that are written by hand.
  // The words are part of them, and a pattern for those of another language.
  copyFileSync(`${FOLDER}/types.d.ts`, `${ROOT}dist/widget/types.d.ts`);
  cpSync(`${FOLDER}/languages`, `${ROOT}dist/widget/languages`, { recursive: true });
}
