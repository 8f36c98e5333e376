'use strict';

// diff 8 and 9 (jsdiff): differences of texts and lists, and patches.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'diff',
  versions: ['8', '9'],
  files: ['./libesm/index.js'],
  evidence: [
    'Read in libcjs/diff, patch and util: each kind of difference is one object without fields that a call changes, and no variable of the module is ever set; observed with all cases of the test, in any order (8.0.4 and 9.0.0).',
    'None is called pure, because of two options: `timeout` makes the answer depend on the clock, and the functions that make patches write `context` into the options that they are given.',
    'A program that gives no timeout may say { pure: true } of diffChars, diffWords and the like.',
    'Elements of diffArrays are the caller\'s own objects in the answer, in a replica too (args is "restore").',
    'A call with functions in its options (comparator, callback, stringifyReplacer, compareLine) runs at home.',
    'The cost of a difference grows with the length times the number of changes: small inputs that differ much block longer than long ones that hardly do.',
    'Not listed: applyPatches (its work is in the callbacks), formatPatch, reversePatch, canonicalize and convertChangesTo* (cheaper than sending), and Diff, a class to inherit from.',
  ].join(' '),
  threads: true,
  mutates: ['structuredPatch', 'createTwoFilesPatch', 'createPatch'].map((name) => ({
    function: name,
    argument: name === 'createPatch' ? 5 : 6,
    what: 'context is filled in, where options have none',
  })),
  pays: [],
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
