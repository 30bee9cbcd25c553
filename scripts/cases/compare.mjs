// The rules by which a case's `expected` is compared with what the product did. They hold for
// every kind; a kind only says under which name it offers what.

/**
 * What a kind offers under one name of `expected`.
 *
 * @template Actual
 * @typedef {object} Field
 * @property {(actual: Actual) => unknown} read
 * @property {(wanted: any, value: any) => string[]} [check] what differs; by default the two must
 *   be equal
 * @property {boolean} [judgesNull] whether `null` is a value to compare with, and not the sign
 *   that the field is not judged
 */

/** @template Actual @typedef {Record<string, Field<Actual>>} Fields */

/** A run of white space, a no-break space included, counts as one space. */
function collapse(text) {
  return text.replace(/\s+/gu, " ").trim();
}

/** Whether two values are equal, but for the white space in their texts. */
export function isEqual(wanted, value) {
  return JSON.stringify(normal(wanted)) === JSON.stringify(normal(value));
}

/**
 * What differs from the expectation; nothing where the case passes. A name that the kind does not
 * know is a difference too: what is not judged must not pass.
 *
 * @template Actual
 * @param {Record<string, any>} expected
 * @param {Actual} actual
 * @param {Fields<Actual>} fields
 * @returns {string[]}
 */
export function differences(expected, actual, fields) {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    if (name === "one_of") {
      return anyOf(wanted, (alternative) => differences(alternative, actual, fields));
    }
    const found = fieldOf(name, fields);
    if (!found) return [`${name}: the runner does not know this expectation`];
    if (wanted === null && !found.field.judgesNull) return [];
    const value = found.field.read(actual);
    return judged(found, wanted, value).map((difference) => `${name}: ${difference}`);
  });
}

/** Checks that each of these texts is in the value, a text. */
export function containsEach(wanted, value) {
  const text = collapse(value);
  return listed(wanted)
    .filter((part) => !text.includes(collapse(part)))
    .map((part) => `${shown(part)} is not in ${shown(text)}`);
}

/** Checks that none of these texts is in the value, a text. */
export function lacksEach(wanted, value) {
  const text = collapse(value);
  // What collapses to nothing, such as a byte order mark to some engines, is looked for as it is.
  return listed(wanted)
    .filter((part) => (collapse(part) === "" ? value.includes(part) : text.includes(collapse(part))))
    .map((part) => `${shown(part)} is in ${shown(text)}`);
}

/**
 * How a call ended.
 *
 * @template Value
 * @typedef {object} Ended
 * @property {Value} [value] what it gave, unless it failed
 * @property {any} [error] what it threw
 * @property {number} seconds
 */

/**
 * Runs a call, and keeps what it throws.
 *
 * @template Value
 * @param {() => Promise<Value>} call
 * @returns {Promise<Ended<Value>>}
 */
export async function timed(call) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const value = await call();
    return { value, seconds: seconds() };
  } catch (error) {
    return { error, seconds: seconds() };
  }
}

/** What every kind may expect of a call. @type {Fields<{ error?: any, seconds: number }>} */
export const ANY_CALL = {
  no_error: { read: ({ error }) => error, check: noError },
  max_seconds: { read: ({ seconds }) => seconds, check: atMost },
};

function noError(wanted, error) {
  if (wanted === (error === undefined)) return [];
  return [error ? `failed: ${error.message ?? error}` : "did not fail"];
}

function atMost(wanted, seconds) {
  return seconds <= wanted ? [] : [`took ${seconds.toFixed(2)} s, at most ${wanted} s are allowed`];
}

/** A single value as a list of one. */
export function listed(value) {
  return Array.isArray(value) ? value : [value];
}

/** A value as it appears in a difference: on one line, and short. */
export function shown(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/**
 * @template Actual
 * @param {string} name
 * @param {Fields<Actual>} fields
 * @returns {{ field: Field<Actual>, form: "" | "_one_of" | "_set" | "_each" } | undefined}
 */
function fieldOf(name, fields) {
  if (Object.hasOwn(fields, name)) return { field: fields[name], form: "" };
  for (const form of /** @type {const} */ (["_one_of", "_set", "_each"])) {
    const base = name.slice(0, -form.length);
    if (name.endsWith(form) && Object.hasOwn(fields, base)) return { field: fields[base], form };
  }
  return undefined;
}

function judged({ field, form }, wanted, value) {
  const check = field.check ?? equal;
  switch (form) {
    case "_one_of":
      return anyOf(wanted, (alternative) => check(alternative, value));
    case "_set":
      return equal(sorted(wanted), sorted(value));
    case "_each":
      if (!Array.isArray(value) || value.length !== wanted.length) {
        return [`${wanted.length} entries are expected, got ${shown(value)}`];
      }
      return wanted.flatMap((entry, index) =>
        entry === null ? [] : check(entry, value[index]).map((difference) => `${index + 1}: ${difference}`),
      );
    default:
      return check(wanted, value);
  }
}

function anyOf(alternatives, check) {
  const all = alternatives.map(check);
  if (all.some((differing) => differing.length === 0)) return [];
  return [`none of ${all.length} alternatives: ${all.map((differing) => differing.join(", ")).join(" | ")}`];
}

function equal(wanted, value) {
  return isEqual(wanted, value) ? [] : [`expected ${shown(wanted)}, got ${shown(value)}`];
}

function sorted(list) {
  return Array.isArray(list) ? list.map((entry) => JSON.stringify(normal(entry))).sort() : list;
}

/** Texts with their white space collapsed, objects with their keys in order. */
function normal(value) {
  if (typeof value === "string") return collapse(value);
  if (Array.isArray(value)) return value.map(normal);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, normal(inner)]));
}
