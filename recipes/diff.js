'use strict';

// diff 8 and 9 (jsdiff): differences of texts and lists, and patches.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'diff',
  versions: ['8', '9'],
  files: ['./libesm/index.js'],
  evidence: [
    'Each kind of difference is one object, and no call changes its fields. No variable of the module is ever set.',
    'Only parsePatch and applyPatch are called pure, because of two options: `timeout` makes the result depend on the clock, and the functions that make patches write `context` into the options that they are given.',
    'A program that gives no timeout may say { pure: true } of diffChars, diffWords and the like.',
    'The elements in the result of diffArrays are the caller\'s own objects, even if a replica computed it (args is "restore").',
    'A call with functions in its options (comparator, callback, stringifyReplacer, compareLine) runs at home.',
    'The cost grows with the length times the number of changes: 4 kB that differ much, compared character by character, block as long as 96 kB of lines that hardly differ.',
    'Not listed: applyPatches (its work is in the callbacks), formatPatch, reversePatch, canonicalize and convertChangesTo* (cheaper than sending), and Diff (a class to inherit from).',
    'Read in libcjs/diff, patch and util; observed with all cases of the test, in any order (8.0.4 and 9.0.0).',
  ].join(' '),
  threads: true,
  mutates: ['structuredPatch', 'createTwoFilesPatch', 'createPatch'].map((name) => ({
    function: name,
    argument: name === 'createPatch' ? 5 : 6,
    what: 'context is filled in if the options have none',
  })),
  pays: [
    { function: 'diffChars', input: '4 kB twice', bytes: 8209, ms: 5.85, homeMs: 0.412, breakEven: 'always' },
    { function: 'diffWords', input: '12 kB twice', bytes: 25157, ms: 5, homeMs: 0.452, breakEven: '4 kB twice' },
    { function: 'diffWordsWithSpace', input: '12 kB twice', bytes: 25157, ms: 12.8, homeMs: 0.568, breakEven: 'always' },
    { function: 'diffSentences', input: '12 kB twice', bytes: 25157, ms: 4.37, homeMs: 0.379, breakEven: '4 kB twice' },
    { function: 'diffCss', input: '12 kB twice', bytes: 25157, ms: 13.6, homeMs: 0.59, breakEven: 'always' },
    { function: 'diffLines', input: '96 kB twice', bytes: 204283, ms: 10.1, homeMs: 1.24, breakEven: '16 kB twice' },
    { function: 'diffTrimmedLines', input: '96 kB twice', bytes: 204283, ms: 16.2, homeMs: 0.682, breakEven: '16 kB twice' },
    { function: 'diffJson', input: '64 kB twice', bytes: 180748, ms: 16.5, homeMs: 4.3, breakEven: 'always' },
    { function: 'diffArrays', input: '96 kB twice', bytes: 208563, ms: 5.42, homeMs: 2.02, breakEven: '96 kB twice' },
    { function: 'structuredPatch', input: '96 kB twice', bytes: 204295, ms: 6.61, homeMs: 1.2, breakEven: '16 kB twice' },
    { function: 'createTwoFilesPatch', input: '96 kB twice', bytes: 204295, ms: 6.81, homeMs: 1.17, breakEven: '16 kB twice' },
    { function: 'createPatch', input: '96 kB twice', bytes: 204289, ms: 7.87, homeMs: 1.31, breakEven: 'always' },
    { function: 'parsePatch', input: 'the patch of 96 kB', bytes: 54730, ms: 0.372, homeMs: 0.513, breakEven: 'never' },
    { function: 'applyPatch', input: '96 kB and its patch', bytes: 156444, ms: 0.961, homeMs: 0.321, breakEven: 'always' },
  ],
  recipe: {
    state: 'none',
    functions: {
      diffChars: { idempotent: true },
      diffWords: { idempotent: true },
      diffWordsWithSpace: { idempotent: true },
      diffSentences: { idempotent: true },
      diffCss: { idempotent: true },
      diffLines: { idempotent: true },
      diffTrimmedLines: { idempotent: true },
      diffJson: { idempotent: true },
      diffArrays: { idempotent: true },
      structuredPatch: { idempotent: true },
      createTwoFilesPatch: { idempotent: true },
      createPatch: { idempotent: true },
      parsePatch: { pure: true },
      applyPatch: { pure: true },
    },
  },
};
