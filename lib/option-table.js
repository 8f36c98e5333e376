'use strict';

// Tables of options: what a row contains, and all that is done with a table. A row has name, default, unit, check, environment variable,
// and one sentence. From these come the checked and frozen values, `--help`, and docs/. An unknown name is an error that names the nearest
// one. The program's options are in options.js, the fields of a recipe in recipe/fields.js.

const { inspect } = require('node:util');
const { IgnisError } = require('./errors.js');

/**
 * @typedef {object} OptionRow
 * @property {string} name
 * @property {string} type possible values, in words a reader understands: 'number', 'string', 'true | false'
 * @property {unknown} [default] filled in if nothing is given; absent: the option stays undefined
 * @property {string} [unit] 'ms', 'bytes', 'replicas'
 * @property {(value: any) => true | string} check true, or what would have been right ('a whole number from 1 to 9')
 * @property {string} [env] environment variable
 * @property {number} [bare] on a command line it may have no value, and then means this
 * @property {boolean} [isRepeated] on a command line it may be given several times; its value is then a list, otherwise the last one
 * @property {string} sentence what it does, in one sentence
 */

/**
 * @param {number} min
 * @param {number} max
 * @returns {OptionRow['check']}
 */
function wholeNumber(min, max) {
  const right = `a whole number from ${min} to ${max}`;
  return (value) => (Number.isInteger(value) && value >= min && value <= max) || right;
}

/**
 * @param {readonly unknown[]} allowed
 * @returns {OptionRow['check']}
 */
function oneOf(allowed) {
  const right = allowed.map((value) => inspect(value)).join(' or ');
  return (value) => allowed.includes(value) || right;
}

/** @type {OptionRow['check']} */
const fact = oneOf([true, false]);

/**
 * The smallest number of changed, missing, added or swapped letters (Damerau 1964, restricted).
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function distance(a, b) {
  /** @type {number[]} */
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

/**
 * @param {string} name a name that somebody wrote
 * @param {Iterable<string>} names the valid ones
 * @returns {string} the nearest valid name, ignoring case; among equals, one that begins like it; '' only if there are no names
 */
function nearest(name, names) {
  const wanted = name.slice(0, 64).toLowerCase();
  let best = '';
  let least = Infinity;
  const begins = (/** @type {string} */ candidate) => candidate.toLowerCase().startsWith(wanted);
  for (const candidate of names) {
    const far = distance(wanted, candidate.toLowerCase());
    if (far < least || (far === least && begins(candidate) && !begins(best))) [best, least] = [candidate, far];
  }
  return best;
}

/** @param {string} hint the valid name that is nearest, or '' @returns {string} part of a message */
const nearestIs = (hint) => (hint === '' ? '' : `; the nearest is '${hint}'`);

/**
 * @param {string} name
 * @param {string} hint the nearest valid name
 * @returns {boolean} whether somebody who wrote one may have meant the other
 */
function mayMean(name, hint) {
  return distance(name.toLowerCase(), hint.toLowerCase()) <= Math.max(name.length, hint.length) / 2;
}

/**
 * A typo, or an unfinished name: among a few short names, others are as near by chance (`copy` and `cold`).
 *
 * @param {string} name
 * @param {string} hint the nearest valid name
 */
function isSlip(name, hint) {
  const most = Math.max(1, Math.max(name.length, hint.length) / 3);
  return (name !== '' && hint.startsWith(name)) || distance(name.toLowerCase(), hint.toLowerCase()) <= most;
}

/**
 * @param {unknown} value
 * @returns {string} on one line, at most about 60 characters
 */
function show(value) {
  const isText = typeof value === 'string';
  const shape = { depth: 1, breakLength: Infinity, maxArrayLength: 4, customInspect: false };
  // Hide passwords in nested values before anything is cut.
  const text = inspect(isText ? hide(value) : value, { ...shape, maxStringLength: isText ? 48 : 10_000 });
  const line = (isText ? text : hide(text)).replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}...`;
}

/** @param {string} text @returns {string} without the password that may precede the @ of a url */
const hide = (text) => text.replace(/:\/\/.*@/s, '://***@');

/**
 * @param {unknown} value
 * @returns {unknown} what an error, which is printed when it ends a program, may contain: no passwords
 */
function told(value) {
  if (typeof value === 'string') return hide(value);
  const text = inspect(value, { depth: 5, customInspect: false });
  return hide(text) === text ? value : show(value);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>} whether it is an object literal, of this or another realm
 */
function isPlainObject(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * @typedef {object} Given
 * @property {string} [code] the error code to throw; IGNIS_BAD_OPTION by default
 * @property {string} [where] where the values were given: 'app.js:3', 'IGNIS_TICK_MS', 'ignis.config.js'
 * @property {string} [what] what a name of the table is called: 'option' by default, or 'field'
 * @property {string} [list] the command that prints all names
 */

/**
 * @typedef {object} Mistake one thing that is wrong
 * @property {string} [field] absent if the whole is no object
 * @property {unknown} value
 * @property {string} [nearest] the nearest valid name; the field itself if only its value is wrong
 * @property {string} [where]
 * @property {string} message in one line: field, value, what would be right, where
 */

/**
 * Finds all mistakes at once, and fills in nothing.
 *
 * @param {readonly OptionRow[]} table
 * @param {unknown} values undefined means nothing was given, as does a value of undefined
 * @param {Given} [given]
 * @returns {{checked: Record<string, any>, mistakes: Mistake[]}} checked: the given names that are right
 */
function examine(table, values, { where, what = 'option', list = 'ignis run --help' } = {}) {
  const at = atPlace(where);
  /** @type {Record<string, any>} */
  const checked = {};
  /** @type {Mistake[]} */
  const mistakes = [];
  if (values === undefined) return { checked, mistakes };
  if (!isPlainObject(values)) {
    const hint = table.find(({ type }) => typeof values === 'string' && type.includes(`'${values}'`));
    const meant = hint === undefined ? '' : `; did you mean { ${hint.name}: '${values}' }?`;
    return { checked, mistakes: [{ value: values, where, message: `${show(values)} is not an object of ${what}s${at}${meant}` }] };
  }
  for (const field of Object.keys(values)) {
    const value = values[field];
    const row = table.find((candidate) => candidate.name === field);
    if (row === undefined) {
      const names = table.map((candidate) => candidate.name);
      const hint = nearest(field, names);
      const advice = isSlip(field, hint) ? `did you mean '${hint}'?` : `'${list}' lists them`;
      const message = `no ${what} is called '${field}' (its value is ${show(value)})${at}; ${advice}`;
      mistakes.push({ field, value, nearest: hint, where, message });
      continue;
    }
    if (value === undefined) continue;
    const verdict = row.check(value);
    if (verdict === true) checked[field] = value;
    else
      mistakes.push({ field, value, nearest: field, where, message: `${what} '${field}' is ${show(value)}${at}; it must be ${verdict}` });
  }
  return { checked, mistakes };
}

/** @param {string | undefined} where @returns {string} part of a message */
function atPlace(where) {
  return where === undefined ? '' : ` (given ${where === 'the command line' ? 'on' : 'in'} ${where})`;
}

/**
 * @param {string} code
 * @param {readonly Mistake[]} mistakes none: nothing happens
 * @throws {IgnisError} the given code, with all mistakes as `problems`, without passwords; its other fields are those of the first one
 */
function refuse(code, mistakes) {
  if (mistakes.length === 0) return;
  const problems = mistakes.map((one) => ({ ...one, value: told(one.value) }));
  const { message, value, ...first } = problems[0];
  const text = mistakes.length === 1 ? message : [`${mistakes.length} mistakes`, ...mistakes.map((one) => one.message)].join('\n  - ');
  const error = new IgnisError(code, text, first);
  // A terminal shows enumerable properties: for a value, which may be anything, the message says enough.
  for (const [name, given] of Object.entries({ value, problems: Object.freeze(problems) }))
    Object.defineProperty(error, name, { value: given, writable: true, configurable: true });
  throw error;
}

/**
 * Checks what is given and fills in nothing.
 *
 * @param {readonly OptionRow[]} table
 * @param {unknown} values undefined means nothing was given, as does a value of undefined
 * @param {Given} [given]
 * @returns {Readonly<Record<string, any>>} frozen, only with the given names
 * @throws {IgnisError} the given code, naming every unknown name and every wrong value
 */
function checkGiven(table, values, given = {}) {
  const { checked, mistakes } = examine(table, values, given);
  refuse(given.code ?? 'IGNIS_BAD_OPTION', mistakes);
  return Object.freeze(checked);
}

/**
 * Checks what is given and fills in the defaults.
 *
 * @param {readonly OptionRow[]} table
 * @param {unknown} values
 * @param {Given} [given]
 * @returns {Readonly<Record<string, any>>} frozen, with every name of the table that has a default or was given
 * @throws {IgnisError} the given code when a name is unknown or a value is wrong
 */
function checkValues(table, values, given) {
  /** @type {Record<string, unknown>} */
  const filled = {};
  for (const row of table) {
    if (row.default !== undefined) filled[row.name] = row.default;
  }
  return Object.freeze(Object.assign(filled, checkGiven(table, values, given)));
}

/**
 * @param {OptionRow} row
 * @param {string} text
 * @returns {unknown} the value that the text means; a text without meaning is returned as it is, for the check to name it
 */
function parseText(row, text) {
  if (row.type === 'number' || row.type === 'port') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (row.type === 'true | false') {
    if (['1', 'true', 'yes'].includes(text)) return true;
    if (['0', 'false', 'no'].includes(text)) return false;
  }
  return text;
}

/**
 * @param {readonly OptionRow[]} table
 * @returns {string} a Markdown table with a row for each option
 */
function toMarkdown(table) {
  const lines = ['| name | value | default | variable | what it does |', '| --- | --- | --- | --- | --- |'];
  for (const row of table) {
    const value = row.unit === undefined ? row.type : `${row.type}, ${row.unit}`;
    const cells = [
      `\`${row.name}\``,
      value,
      row.default === undefined ? '' : `\`${inspect(row.default)}\``,
      row.env === undefined ? '' : `\`${row.env}\``,
      row.sentence,
    ];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  return lines.join('\n') + '\n';
}

exports.atPlace = atPlace;
exports.checkGiven = checkGiven;
exports.checkValues = checkValues;
exports.distance = distance;
exports.examine = examine;
exports.fact = fact;
exports.isPlainObject = isPlainObject;
exports.mayMean = mayMean;
exports.nearest = nearest;
exports.nearestIs = nearestIs;
exports.oneOf = oneOf;
exports.parseText = parseText;
exports.refuse = refuse;
exports.show = show;
exports.toMarkdown = toMarkdown;
exports.wholeNumber = wholeNumber;
