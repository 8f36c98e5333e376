'use strict';

// Stemming the words of a text, a call a text: one call of a third of a second does what 82,000 small ones do. Counted in words.

const { tokenizeAndStem } = require('../modules/words.js');
const { steady } = require('../phases.js');
const { WORDS, texts } = require('../texts.js');

/** @type {import('../app.js').Workload} */
module.exports = {
  unit: 'words',
  phases: (seconds) => steady({ clients: 4 }, 2 * seconds, 6),
  start: (seed, seen) => {
    const jobs = texts(seed);
    return async (index) => {
      const variant = index % jobs.length;
      const stems = await seen.call('./modules/words.js', () => tokenizeAndStem(jobs[variant]));
      seen.did(WORDS);
      seen.answer(
        variant,
        stems.reduce((/** @type {number} */ sum, /** @type {string} */ stem) => sum + stem.length, 0),
      );
    };
  },
};
