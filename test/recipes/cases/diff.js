'use strict';

const { prose, code } = require('../texts');

/** @param {string} text @param {number} every @returns {string} the text with a change in each so many lines */
const edited = (text, every) => text.replace(/\n/g, ((line) => () => (++line % every === 0 ? ' changed\n' : '\n'))(0));
/** @param {string} text @returns {string} the text with a change in each tenth word */
const reworded = (text) => text.replace(/ /g, ((word) => () => (++word % 10 === 0 ? ' new ' : ' '))(0));

/** @param {number[]} kBs @param {(kB: number) => any[]} args */
const sizes = (kBs, args) => kBs.map((kB) => ({ input: `${kB} kB twice`, args: () => args(kB) }));
const lines = sizes([1, 16, 96], (kB) => [code(kB), edited(code(kB), 20)]);
const words = sizes([1, 4, 12], (kB) => [prose(kB), reworded(prose(kB))]);
/** @param {number} kB */
const rows = (kB) =>
  code(kB)
    .split('\n')
    .map((text, id) => ({ id, text }));
/** @param {any} module @param {number} kB */
const patchOf = (module, kB) => module.createPatch('a.js', code(kB), edited(code(kB), 20));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    diffChars: sizes([1, 2, 4], (kB) => [prose(kB), reworded(prose(kB))]),
    diffWords: words,
    diffWordsWithSpace: words,
    diffSentences: words,
    diffCss: words,
    diffLines: [
      { input: 'two lines, with options', args: () => ['A\nb\n', 'a\nb', { ignoreCase: true, stripTrailingCr: true }] },
      ...lines,
    ],
    diffTrimmedLines: lines,
    diffJson: sizes([1, 8, 64], (kB) => [rows(kB), rows(kB).map((row) => (row.id % 20 === 0 ? { ...row, text: '' } : row))]),
    diffArrays: sizes([1, 16, 96], (kB) => [code(kB).split('\n'), edited(code(kB), 20).split('\n')]),
    structuredPatch: sizes([1, 16, 96], (kB) => ['a.js', 'b.js', code(kB), edited(code(kB), 20)]),
    createTwoFilesPatch: sizes([1, 16, 96], (kB) => ['a.js', 'b.js', code(kB), edited(code(kB), 20)]),
    createPatch: sizes([1, 16, 96], (kB) => ['a.js', code(kB), edited(code(kB), 20)]),
    parsePatch: [1, 16, 96].map((kB) => ({ input: `the patch of ${kB} kB`, args: (module) => [patchOf(module, kB)] })),
    applyPatch: [1, 16, 96].map((kB) => ({ input: `${kB} kB and its patch`, args: (module) => [code(kB), patchOf(module, kB)] })),
  },
  wrong: [
    { function: 'diffLines', args: () => [1, 2] },
    { function: 'parsePatch', args: () => ['@@ -1,2 +1,2 @@\n a'] },
    { function: 'applyPatch', args: () => ['a', 'Index: a\n@@ -1 +1 @@\n-a\n+b\nIndex: b\n@@ -1 +1 @@\n-a\n+b\n'] },
  ],
  mutates: {
    structuredPatch: () => ['a', 'b', 'x\n', 'y\n', '', '', {}],
    createTwoFilesPatch: () => ['a', 'b', 'x\n', 'y\n', '', '', {}],
    createPatch: () => ['a', 'x\n', 'y\n', '', '', {}],
  },
};
