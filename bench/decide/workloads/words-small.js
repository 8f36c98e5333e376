'use strict';

// Stemming the words of a text, a call a word: 82,000 calls of a few microseconds a job. Counted in words.

const { stem } = require('../modules/words.js');
const { steady } = require('../phases.js');
const { texts } = require('../texts.js');

const TOLD = 1000;

/** @type {import('../app.js').Workload} */
module.exports = {
  unit: 'words',
  phases: (seconds) => steady({ clients: 4 }, 2 * seconds, 6),
  start: (seed, seen) => {
    const jobs = texts(seed).map((text) => text.toLowerCase().match(/[a-z]+/g) ?? []);
    return async (index) => {
      const variant = index % jobs.length;
      let length = 0;
      let told = 0;
      for (const word of jobs[variant]) {
        length += (await stem(word)).length;
        if (++told % TOLD !== 0) continue;
        seen.did(TOLD);
        seen.calls('./modules/words.js', TOLD);
      }
      seen.did(told % TOLD);
      seen.calls('./modules/words.js', told % TOLD);
      seen.answer(variant, length);
    };
  },
};
