'use strict';

// Text in columns of a terminal: its width, cutting and filling it to a width, bars, colours. In: any text, widths. Out: text without
// control characters, except our own. Pure. A character may take no column (marks), one, or two (East Asian wide, emoji), so the length of
// a string does not count columns.

const { Math } = require('../engine');

const STYLES = { bold: 1, dim: 2, inverse: 7, red: 31, green: 32, yellow: 33, cyan: 36 };

// Terminals act on these.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

// eslint-disable-next-line no-control-regex
const STYLED = /(\u001b\[\d+m)/;

const NARROW = /^[\u0020-\u007e]*$/;
const NONE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2})/u;

/** Code points that take two columns (Unicode 16, East_Asian_Width W and F), as pairs of first and last. */
const WIDE = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const segmenter = new Intl.Segmenter('en');

/** @param {string} cluster what a reader sees as one character */
function widthOfOne(cluster) {
  if (NONE.test(cluster)) return 0;
  if (EMOJI.test(cluster)) return 2;
  const code = /** @type {number} */ (cluster.codePointAt(0));
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** @param {unknown} value @returns {string} without characters that a terminal acts on */
function plain(value) {
  return value === null || value === undefined ? '' : String(value).replace(CONTROL, ' ');
}

/** @param {string} text plain @returns {number} columns */
function widthOf(text) {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfOne(segment);
  return width;
}

/**
 * @param {string} text plain
 * @param {number} width columns
 * @param {{mark?: string, keepsEnd?: boolean}} [how] mark: stands for what is left out; keepsEnd: the beginning is left out
 * @returns {string} at most this wide
 */
function cut(text, width, { mark = '~', keepsEnd = false } = {}) {
  if (widthOf(text) <= width) return text;
  if (width <= mark.length) return mark.slice(0, Math.max(0, width));
  const clusters = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (keepsEnd) clusters.reverse();
  let kept = '';
  let left = width - mark.length;
  for (const cluster of clusters) {
    left -= widthOfOne(cluster);
    if (left < 0) break;
    kept = keepsEnd ? cluster + kept : kept + cluster;
  }
  return keepsEnd ? mark + kept : kept + mark;
}

/**
 * @param {string} line plain, except for the colours of `painter`
 * @param {number} width columns
 * @returns {string} at most this wide, with all its colours
 */
function clip(line, width) {
  let left = width;
  return line
    .split(STYLED)
    .map((part, i) => {
      if (i % 2 === 1) return part;
      const short = cut(part, left, { mark: '' });
      left -= widthOf(short);
      return short;
    })
    .join('');
}

/**
 * @param {string} text plain
 * @param {number} width
 * @param {{isNumber?: boolean, keepsEnd?: boolean}} [how]
 * @returns {string} exactly this wide
 */
function fit(text, width, { isNumber = false, keepsEnd = false } = {}) {
  const short = cut(text, width, { keepsEnd });
  const space = ' '.repeat(Math.max(0, width - widthOf(short)));
  return isNumber ? space + short : short + space;
}

/**
 * @param {string} text
 * @param {number} width at least 10
 * @returns {string[]} the words in lines of at most this many columns; a longer word is cut
 */
function fold(text, width) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (const word of plain(text).split(/ +/)) {
    const short = cut(word, width);
    if (line !== '' && widthOf(line) + 1 + widthOf(short) > width) {
      lines.push(line);
      line = short;
    } else line = line === '' ? short : `${line} ${short}`;
  }
  return [...lines, line];
}

/** @param {number} part 0 to 1; larger: full @param {number} width @param {boolean} isUnicode @returns {string} exactly this wide */
function bar(part, width, isUnicode) {
  const filled = Math.min(1, Math.max(0, part)) * width;
  if (!isUnicode) return '#'.repeat(Math.round(filled)).padEnd(width, '.');
  const eighths = Math.round((filled - Math.floor(filled)) * 8);
  const whole = '█'.repeat(Math.floor(filled) + (eighths === 8 ? 1 : 0));
  const rest = eighths > 0 && eighths < 8 ? String.fromCharCode(0x2590 - eighths) : '';
  return (whole + rest).padEnd(width);
}

/**
 * @param {boolean} hasColour
 * @returns {(style: keyof typeof STYLES, text: string) => string}
 */
function painter(hasColour) {
  return (style, text) => (hasColour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
}

/** @param {Record<string, string | undefined>} env @returns {boolean} whether the terminal shows more than ASCII */
function speaksUnicode(env) {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale) && env.TERM !== 'linux';
}

exports.bar = bar;
exports.clip = clip;
exports.cut = cut;
exports.fit = fit;
exports.fold = fold;
exports.painter = painter;
exports.plain = plain;
exports.speaksUnicode = speaksUnicode;
exports.widthOf = widthOf;
