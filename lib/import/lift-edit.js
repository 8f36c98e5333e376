'use strict';
/*
 * Changes a source: inserts and replaces pieces, and knows where each piece of the result was before. In: a source and edits. Out: the new
 * source and its source map, which goes through the map that the source came with, if any. No edit may add or remove a line, so line N
 * stays line N.
 */
const { SourceMap } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { mapUrlOf } = require('./source-maps');

/**
 * @typedef {{at: number, end: number, text: string, back?: number}} Edit end === at: an insertion; back: how many columns earlier stacks
 *   show what follows
 */
/** @typedef {[column: number, wasColumn: number]} Segment of one line, in units of UTF-16 */

/**
 * @typedef {{version: 3, file?: string, sources: string[], sourcesContent?: (string | null)[], names: string[], mappings: string}}
 *   MapRecord
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Each word and each sign is a place that a stack may name. */
const PLACES = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|\S/gu;
const LINE_END = /[\n\r\u2028\u2029]/;

class Edits {
  #source;
  /** @type {Edit[]} */
  #edits = [];

  /** @param {string} source */
  constructor(source) {
    this.#source = source;
  }

  /**
   * Of two insertions at one place, the later one ends up behind the earlier one.
   * @param {number} at
   * @param {string} text
   * @param {number} [shown] the place that stacks show for what follows, if it is in the same line
   */
  insert(at, text, shown = at) {
    const back = LINE_END.test(this.#source.slice(shown, at)) ? 0 : at - shown;
    this.#edits.push({ at, end: at, text, back });
  }

  /** @param {number} at @param {number} end @param {string} text without a line end, like what it replaces */
  replace(at, end, text) {
    this.#edits.push({ at, end, text });
  }

  /** @returns {{code: string, lines: Segment[][]}} with what mapping it needs */
  apply() {
    // At one place, edits keep the order in which they were made.
    const edits = this.#edits.map((edit, index) => ({ ...edit, index })).sort((a, b) => a.at - b.at || a.index - b.index);
    const outcome = new Outcome();
    let from = 0;
    for (const { at, end, text, back = 0 } of edits) {
      outcome.keep(this.#source.slice(from, at));
      outcome.put(text, end === at ? '' : this.#source.slice(at, end), back);
      from = end;
    }
    outcome.keep(this.#source.slice(from));
    return { code: outcome.code, lines: outcome.lines };
  }
}

class Outcome {
  code = '';
  /** @type {Segment[][]} */
  lines = [[[0, 0]]];
  #column = 0;
  #wasColumn = 0;

  /** @param {string} text that stays */
  keep(text) {
    const parts = text.split(/\r\n|[\n\r\u2028\u2029]/);
    parts.forEach((part, index) => {
      if (index > 0) {
        this.lines.push([]);
        this.#column = this.#wasColumn = 0;
      }
      for (const { index: offset } of part.matchAll(PLACES)) this.#note(offset);
      this.#column += part.length;
      this.#wasColumn += part.length;
    });
    this.code += text;
  }

  /** @param {string} text @param {string} before what it replaces @param {number} back */
  put(text, before, back) {
    this.#note(0);
    this.#column += text.length;
    this.#wasColumn += before.length;
    this.code += text;
    if (back > 0) this.#note(0, back);
  }

  /** The first note for a column counts. @param {number} offset @param {number} [back] */
  #note(offset, back = 0) {
    const segments = this.lines[this.lines.length - 1];
    const column = this.#column + offset;
    if (segments.at(-1)?.[0] !== column) segments.push([column, this.#wasColumn + offset - back]);
  }
}

/**
 * @param {Segment[][]} lines
 * @param {{filename: string, source: string, before: SourceMap | null}} from before: the map that the source came with
 * @returns {MapRecord}
 */
function mapOf(lines, { filename, source, before }) {
  const encode = encoder();
  /** @type {string[]} */
  const sources = before === null ? [filename] : [];
  const mapped = lines.map((segments, line) => {
    encode.newLine();
    return segments
      .map(([column, wasColumn]) => {
        if (before === null) return encode.segment(column, 0, line, wasColumn);
        const entry = /** @type {any} */ (before.findEntry(line, wasColumn));
        // An entry of an earlier line says nothing about this one.
        if (typeof entry.originalSource !== 'string' || entry.generatedLine !== line) return null;
        let index = sources.indexOf(entry.originalSource);
        if (index === -1) index = sources.push(entry.originalSource) - 1;
        return encode.segment(column, index, entry.originalLine, entry.originalColumn);
      })
      .filter((text) => text !== null)
      .join(',');
  });
  const contents = before === null ? [source] : sources.map((one) => contentOf(before.payload, one));
  return { version: 3, sources, sourcesContent: contents, names: [], mappings: mapped.join(';') };
}

/** @param {any} payload @param {string} name @returns {string | null} */
function contentOf({ sources = [], sourcesContent = [] }, name) {
  return sourcesContent?.[sources.indexOf(name)] ?? null;
}

/** Base64 VLQ, each number as its difference from the one before (ECMA-426, section 6). */
function encoder() {
  let [column, index, line, was] = [0, 0, 0, 0];
  return {
    newLine() {
      column = 0;
    },
    /** @param {number} toColumn @param {number} toIndex @param {number} toLine @param {number} toWas */
    segment(toColumn, toIndex, toLine, toWas) {
      const text = vlq(toColumn - column) + vlq(toIndex - index) + vlq(toLine - line) + vlq(toWas - was);
      [column, index, line, was] = [toColumn, toIndex, toLine, toWas];
      return text;
    },
  };
}

/** @param {number} value */
function vlq(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/**
 * @param {string} source
 * @param {string} filename absolute
 * @param {(file: string) => string} read
 * @returns {SourceMap | null} the map named by the last such comment of a source, with its sources as URLs or absolute paths; null when no
 *   map can be read
 */
function mapBefore(source, filename, read) {
  const url = mapUrlOf(source);
  if (url === null) return null;
  try {
    const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url);
    const isFile = inline === null;
    const file = isFile
      ? url.startsWith('file:')
        ? fileURLToPath(url)
        : path.resolve(path.dirname(filename), decodeURIComponent(url))
      : filename;
    const text = isFile ? read(file) : inline[1] ? Buffer.from(inline[2], 'base64').toString() : decodeURIComponent(inline[2]);
    const payload = JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, ''));
    const root = payload.sourceRoot ?? '';
    const absolute = (/** @type {string} */ name) =>
      /^\w+:\/\//.test(root + name) ? root + name : path.resolve(path.dirname(file), root, name);
    return new SourceMap({ ...payload, sourceRoot: '', sources: payload.sources.map(absolute) });
  } catch {
    return null;
  }
}

/**
 * @param {string} code
 * @param {MapRecord} map
 * @returns {string} with its map inside: the last of several counts
 */
function withMap(code, map) {
  return `${code}\n${commentOf(map)}`;
}

/** @param {MapRecord} map @returns {string} the comment that carries it */
function commentOf(map) {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

exports.Edits = Edits;
exports.mapBefore = mapBefore;
exports.mapOf = mapOf;
exports.withMap = withMap;
