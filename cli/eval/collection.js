/** The files of a test collection: documents, queries, and which document is relevant to which query. */

import { UsageError } from "../errors.js";
import { idOf, readLines, readObjects, takeOnce } from "./lines.js";

/** @typedef {{ id: string, title: string, text: string }} TestDocument */

/** @typedef {{ id: string, text: string }} Query */

/** Grades by document, by query. Above 0 is relevant. @typedef {Map<string, Map<string, number>>} Qrels */

/**
 * @param {string} file JSON lines with `id`, `title` and `text`
 * @returns {Promise<TestDocument[]>}
 * @throws {UsageError}
 */
export async function readDocuments(file) {
  const lines = await readObjects(file, '{"id": "d1", "title": "Kettles", "text": "A kettle boils water."}');
  const seen = new Set();
  const documents = lines.map(({ fields, at }) => {
    const { title = "", text = "" } = fields;
    if (typeof title !== "string" || typeof text !== "string") {
      throw new UsageError(`${at}: "title" and "text" must be text`);
    }
    const id = idOf(fields.id, at);
    takeOnce(seen, id, at);
    return { id, title, text };
  });
  if (documents.some(({ title, text }) => (title + text).trim() !== "")) return documents;
  throw new UsageError(`${file}: no document has a word to find: write "title" and "text" into its lines`);
}

/**
 * @param {string} file JSON lines with `id` and `text`
 * @returns {Promise<Query[]>}
 * @throws {UsageError}
 */
export async function readQueries(file) {
  const lines = await readObjects(file, '{"id": "q1", "text": "what boils water"}');
  const seen = new Set();
  return lines.map(({ fields, at }) => {
    if (typeof fields.text !== "string") throw new UsageError(`${at}: "text" must be the words of the query`);
    const id = idOf(fields.id, at);
    takeOnce(seen, id, at);
    return { id, text: fields.text };
  });
}

/**
 * @param {string} file lines of query, document and grade, divided by tabs
 * @returns {Promise<Qrels>}
 * @throws {UsageError}
 */
export async function readQrels(file) {
  /** @type {Qrels} */
  const qrels = new Map();
  for (const { text, at } of await readLines(file)) {
    const [query, document, grade, ...more] = text.split("\t").map((column) => column.trim());
    if (!query || !document || !/^-?\d{1,9}$/u.test(grade ?? "") || more.length > 0) {
      throw new UsageError(`${at}: write the query's id, the document's id and a whole number as grade, divided by tabs`);
    }
    const grades = qrels.get(query) ?? new Map();
    if (grades.has(document)) throw new UsageError(`${at}: "${document}" is judged a second time for "${query}": remove one of the two`);
    qrels.set(query, grades.set(document, Number(grade)));
  }
  return qrels;
}
