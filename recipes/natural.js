'use strict';

// natural 0.6.3: language processing. Loading it takes a second and 110 MB, so each replica costs as much.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'natural',
  versions: ['0.6.3'],
  evidence: [
    'Read in lib/natural/stemmers, phonetics and distance.',
    'The functions below read their arguments and constant tables only.',
    'Not listed: tokenizeAndStem (reads the list that addStopWord changes), NGrams (setTokenizer), LevenshteinDistance (writes a global variable when it searches), and all classes.',
    'The module as a whole keeps state (stop words, tokenizer, attach), so nothing is said of it.',
  ].join(' '),
  threads: true,
  pays: [],
  recipe: {
    functions: {
      'PorterStemmer.stem': { pure: true },
      'LancasterStemmer.stem': { pure: true },
      'SoundEx.process': { pure: true },
      'Metaphone.process': { pure: true },
      JaroWinklerDistance: { pure: true },
      DiceCoefficient: { pure: true },
      HammingDistance: { pure: true },
    },
  },
};
