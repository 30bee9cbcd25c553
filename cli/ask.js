/** `groundling ask`: answers one question from a bundle. */

import { wordsOf } from "./args.js";
import { openBundle } from "./bundle.js";
import { ExitCode } from "./errors.js";
import { PROVIDER_OPTIONS, providerOf } from "./provider.js";
import { bold, note, plain, plainLine, printJson, printLine } from "./terminal.js";

/** @typedef {import("../dist/load.js").Answer} Answer */
/** @typedef {import("../dist/load.js").AskOptions} AskOptions */
/** @typedef {import("../dist/load.js").Source} Source */

/**
 * @typedef {import("./provider.js").ProviderValues & OwnValues} AskValues
 *
 * @typedef {object} OwnValues
 * @property {string} bundle
 * @property {boolean} [json]
 * @property {string} [prompt]
 * @property {number} [top]
 */

/** A prompt without citations takes the best chunks as they are, whatever their length and page. */
const CONTEXT_OPTIONS = { top: 10, perPage: 0xffff_ffff, budgetWords: 0xffff_ffff };

/** What the API's reasons mean. @type {Record<string, string>} */
const REASONS = {
  nothing_found: "no passage has a word of the question",
  not_covered: "what was found has too little of the question",
  not_in_sources: "the sources do not answer the question",
  empty: "the reply was empty",
  no_citation: "the reply cited no source",
  unknown_source: "the reply cited a source that was not given",
  model_refused: "the model declined to answer",
};

/** @type {import("./args.js").Command} */
export const command = {
  name: "ask",
  summary: "Answers a question from a bundle, with the sources of the answer.",
  usage: '--bundle DIR [OPTIONS] "QUESTION"',
  options: {
    bundle: { value: "DIR", help: "Folder that `groundling build` wrote, or its .wasm file.", required: true },
    json: { help: "Print the API's Answer object and nothing else." },
    prompt: { value: "NAME", help: "cited (default), cited-ru, context or context-ru." },
    top: { value: "N", help: "Most chunks to search for. Default: the prompt's own.", range: [1, 1000] },
    ...PROVIDER_OPTIONS,
  },
  notes: `The key of the endpoint is read from the environment variable GROUNDLING_KEY; there is no
option for it, because other users of the machine can see options.

An answer is printed only after its citations have been checked.

Exit codes: 0 answered from sources (with a context prompt: answered), 1 not grounded or
nothing found, 2 wrong usage or bad input, 3 the endpoint failed. With --json an error is
a JSON object on standard error: { "error": { "code", "message", … } }.`,
  run,
};

/**
 * @param {AskValues} values
 * @param {string[]} positionals
 */
async function run(values, positionals) {
  const question = wordsOf(positionals, "question");
  const provider = providerOf(values);
  const docs = await openBundle(values.bundle);
  try {
    /** @type {AskOptions} */
    const options = { provider };
    if (values.prompt !== undefined) options.prompt = /** @type {AskOptions["prompt"]} */ (values.prompt);
    const { citationMode } = await docs.prompt(question, options);
    const isChecked = citationMode !== "none";
    if (!isChecked) Object.assign(options, CONTEXT_OPTIONS);
    if (values.top !== undefined) options.top = values.top;
    /** @type {Source[]} */
    let given = [];
    options.onEvent = (event) => {
      if (event.type === "sources") given = event.sources;
    };
    const answer = await docs.ask(question, options);
    if (values.json) printJson(answer);
    else show(answer, isChecked ? answer.sources : given);
    const answered = isChecked ? answer.grounded : answer.status === "complete";
    return answered ? ExitCode.ok : ExitCode.nothing;
  } finally {
    docs.free();
  }
}

/**
 * @param {Answer} answer
 * @param {Source[]} sources those cited, or all where the prompt asks for no citations
 */
function show(answer, sources) {
  printLine(plain(answer.answer));
  for (const source of sources) {
    const title = source.collection ? `${source.collection.name} › ${source.title}` : source.title;
    printLine();
    printLine(`[${source.n}] ${bold(plainLine(title))}`);
    printLine(`    ${plainLine(source.url)}`);
  }
  for (const warning of answer.warnings) note(`warning: ${warning}`);
  if (answer.status === "partial") {
    note("The reply was cut off before its end, so its citations were not checked.");
  } else if (answer.reason !== undefined && answer.reason !== "unchecked") {
    note(`Not grounded: ${REASONS[answer.reason] ?? answer.reason}.`);
  }
}
