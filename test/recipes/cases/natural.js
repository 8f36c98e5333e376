'use strict';

const { prose, sizes } = require('../texts');

const WORDS = ['cat', 'relational', 'Gleichgewichtsstörung', 'generalizations', 'antidisestablishmentarianism'];
const words = [WORDS[0], WORDS[3], WORDS[4]].map((word) => ({ input: `a word of ${word.length} letters`, args: () => [word] }));
const pairs = [1, 10, 60].map((times) => ({
  input: `two texts of ${8 * times} letters`,
  args: () => ['dixon ab'.repeat(times), 'dickson '.repeat(times)],
}));

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    'PorterStemmer.stem': words,
    'LancasterStemmer.stem': words,
    'SoundEx.process': words,
    'Metaphone.process': words,
    JaroWinklerDistance: pairs,
    DiceCoefficient: pairs,
    HammingDistance: pairs,
  },
  ownFile: { stems: sizes([0.2, 2, 16], prose) },
};
