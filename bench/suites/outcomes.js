'use strict';

// Reads what a suite said of its tests: TAP (tape, tap, ava, and our drivers), or mocha's json-stream.
// In: all that a process wrote to its standard output, cut short or not. Out: one outcome a test, by name.
// Whatever else the tests wrote in between is passed over. Skipped and to-do tests are no tests here. Pure.

/**
 * @typedef {object} Outcome
 * @property {string} name unique within a suite's run: titles from the outside in, and a count where one repeats
 * @property {boolean} ok
 * @property {string | null} error of a failed one: what it said, several lines perhaps
 */

const ASSERTION = /^(?<indent> *)(?<not>not )?ok\b(?: (?<id>\d+))?(?: -)? ?(?<text>.*?)(?: # (?<directive>skip|todo)\b.*| # time=.*)?$/i;
const SUMMARY = /^(?:tests|pass|fail|ok|skip|todo|failed|time=.*)\b\s*\d*(?: of \d+ tests)?$/;

/**
 * @param {string} text
 * @returns {Outcome[]}
 */
function parseTap(text) {
  /** @type {string[]} */
  let titles = [];
  /** @type {Outcome[]} */
  const found = [];
  const lines = text.split(/\r?\n/);
  let deepest = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    const comment = /^( *)# (?:Subtest: )?(.*)$/.exec(line);
    if (comment !== null) {
      const depth = comment[1].length / 4;
      if (Number.isInteger(depth) && !SUMMARY.test(comment[2])) titles = [...titles.slice(0, depth), comment[2]];
      continue;
    }
    const { indent = '', not, id, text: said = '', directive } = ASSERTION.exec(line)?.groups ?? {};
    if (id === undefined || indent.length % 4 !== 0) continue;
    const depth = indent.length / 4;
    const note = readNote(lines, at + 1, indent);
    at = note.last;
    // The line that closes a subtest repeats its name after deeper lines; its assertions have been counted.
    const isClosing = deepest > depth;
    deepest = depth;
    if (isClosing || directive !== undefined) continue;
    const own = said.trim() === '' ? '(no name)' : said.trim();
    const failed = not !== undefined;
    found.push({
      name: [...titles.slice(0, Math.max(depth, 1)), own].join(' > '),
      ok: !failed,
      error: failed ? (note.error ?? own) : null,
    });
  }
  return numbered(found);
}

/**
 * The YAML block under an assertion.
 * @param {string[]} lines @param {number} from @param {string} indent of the assertion
 * @returns {{ last: number, error: string | null }} the last line read
 */
function readNote(lines, from, indent) {
  if (!new RegExp(`^${indent}  ---`).test(lines[from] ?? '')) return { last: from - 1, error: null };
  let end = from + 1;
  while (end < lines.length && !new RegExp(`^${indent}  \\.\\.\\.`).test(lines[end])) end++;
  const block = lines.slice(from + 1, end).map((line) => line.slice(indent.length));
  return { last: end, error: errorIn(block) };
}

/** @param {string[]} block lines of YAML @returns {string | null} what went wrong, in one to three lines */
function errorIn(block) {
  const field = (/** @type {string} */ name) => {
    const at = block.findIndex((line) => new RegExp(`^ *${name}:`).test(line));
    if (at < 0) return null;
    const value = block[at].slice(block[at].indexOf(':') + 1).trim();
    if (!/^[|>]/.test(value)) return value;
    const margin = /^ */.exec(block[at])?.[0].length ?? 0;
    const rest = block.slice(at + 1);
    const stop = rest.findIndex((line) => line.trim() !== '' && (/^ */.exec(line)?.[0].length ?? 0) <= margin);
    return (stop < 0 ? rest : rest.slice(0, stop)).map((line) => line.trim()).join('\n');
  };
  const thrown = firstLine(field('stack')) ?? field('message') ?? field('error');
  const [expected, actual] = [field('expected') ?? field('wanted'), field('actual') ?? field('found')];
  const parts = [
    thrown,
    expected === null ? null : `expected: ${firstLine(expected)}`,
    actual === null ? null : `actual: ${firstLine(actual)}`,
  ];
  const told = parts.filter((part) => part !== null && part !== '');
  return told.length === 0 ? block.map((line) => line.trim()).join('\n') || null : told.join('\n');
}

/** @param {string | null} text @returns {string | null} */
function firstLine(text) {
  return text === null ? null : (text.split('\n').find((line) => line.trim() !== '') ?? '').trim();
}

/**
 * @param {string} text of mocha's reporter `json-stream`
 * @returns {Outcome[]}
 */
function parseMocha(text) {
  /** @type {Outcome[]} */
  const found = [];
  for (const line of text.split('\n')) {
    // A test may have left an unfinished line before it.
    const at = line.search(/\["(?:pass|fail)",\{/);
    if (at < 0) continue;
    let event;
    try {
      event = JSON.parse(line.slice(at));
    } catch {
      continue;
    }
    const [kind, { fullTitle, title, err }] = event;
    found.push({ name: fullTitle || title || '(no name)', ok: kind === 'pass', error: kind === 'pass' ? null : String(err || 'failed') });
  }
  return numbered(found);
}

/** @param {Outcome[]} outcomes @returns {Outcome[]} no two with one name, and no measured times in names */
function numbered(outcomes) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return outcomes.map((said) => {
    const outcome = { ...said, name: said.name.replaceAll(/\b\d+(?:\.\d+)? ?ms\b/g, '<n> ms') };
    const count = (seen.get(outcome.name) ?? 0) + 1;
    seen.set(outcome.name, count);
    return count === 1 ? outcome : { ...outcome, name: `${outcome.name} (${count})` };
  });
}

exports.parseTap = parseTap;
exports.parseMocha = parseMocha;
exports.numbered = numbered;
