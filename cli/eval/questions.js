/** The file of questions with the pages that answer them. */

import { UsageError } from "../errors.js";
import { readObjects } from "./lines.js";

/**
 * @typedef {object} Question
 * @property {string} question
 * @property {string[]} answers pages that answer it, any of which will do; empty unless answerable
 * @property {boolean} answerable whether the documentation answers it
 * @property {string} style group in which it is counted
 * @property {string} at file and line
 */

/** For questions that name no style. */
const DEFAULT_STYLE = "plain";

/**
 * @param {string} file JSON lines with `question` and `answers`; `answerable` and `style` may be left out
 * @returns {Promise<Question[]>}
 * @throws {UsageError}
 */
export async function readQuestions(file) {
  const lines = await readObjects(file, '{"question": "What boils water?", "answers": ["kettles.md"]}');
  return lines.map(({ fields, at }) => {
    const { question, answers = [], style = DEFAULT_STYLE } = fields;
    if (typeof question !== "string" || question.trim() === "") throw new UsageError(`${at}: "question" must be text`);
    if (!Array.isArray(answers) || !answers.every((answer) => typeof answer === "string")) {
      throw new UsageError(`${at}: "answers" must be a list of pages, such as ["guide/setup.md#linux"]`);
    }
    if (typeof style !== "string" || style === "") throw new UsageError(`${at}: "style" must be a word`);
    const { answerable = answers.length > 0 } = fields;
    if (typeof answerable !== "boolean") throw new UsageError(`${at}: "answerable" must be true or false`);
    if (answerable !== answers.length > 0) {
      throw new UsageError(`${at}: a question with "answers" is answerable, and one without is not; correct either`);
    }
    return { question, answers, answerable, style, at };
  });
}
